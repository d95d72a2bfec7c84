import { isoSeconds } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import type { Mirror } from '../api/mirror.ts';

/** The refusal of a second program that would be the same consumer. */
export function consumerRunning(path: string, name: string): MacroError {
  return new MacroError('busy', `The consumer ${name} of ${path} is running already.`, {
    code: 'consumer_running',
    hint: 'End the other program, or give this one another --consumer NAME.',
  });
}

/** The refusal of a second sync; names who runs the first one. */
export async function syncRunning(path: string, mirror: Pick<Mirror, 'runs'>): Promise<MacroError> {
  const [run] = await mirror.runs(1);
  const holder = run && run.outcome === undefined ? run : undefined;
  const who = holder ? `${holder.holder}, since ${isoSeconds(Math.floor(holder.started / 1000))}` : 'another program';
  return new MacroError('busy', `A sync of ${path} is running already: ${who}.`, {
    code: 'sync_running',
    hint: 'Wait until it is done; questions are answered meanwhile.',
  });
}
