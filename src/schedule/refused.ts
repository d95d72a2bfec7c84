import { MacroError } from '../errors.ts';
import type { Ran } from '../platform/platform.ts';

/** An entry that nothing begins. @param start what starts the scheduler, as a command */
export function notRunningError(name: string, start: string): MacroError {
  return new MacroError(
    'incomplete',
    `${name} has the entry, but does not run on this machine: nothing begins a sync.`,
    {
      code: 'scheduler_not_running',
      hint: `Start it: ${start}. Or do without it: macro sync --watch`,
    },
  );
}

/**
 * What a scheduler's program answered, where it must have gone well.
 * @throws MacroError of kind `upstream`.
 */
export function accepted(ran: Ran, line: string): Ran {
  if (ran.code === 0) return ran;
  const said = ran.stderr.trim() || ran.stdout.trim() || 'nothing';
  throw new MacroError('upstream', `${line} ended with ${ran.code} and said: ${said}`, {
    code: 'scheduler_refused',
    hint: 'Try another one: --with systemd, launchd or cron.',
  });
}
