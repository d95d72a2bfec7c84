import { MacroError } from '../../errors.ts';
import type { Clock } from '../../platform/platform.ts';
import { readDuration } from '../parse/durations.ts';
import { type Options, textOption } from '../parse/options.ts';

/** The time that a whole command may take. */
export interface TimeLimit {
  /** Aborted by the person, by the system, or when the time is up. */
  readonly signal: AbortSignal;
  /** The error to end with: that the time was up, where that is why it failed. */
  reasonFor(error: unknown): unknown;
  /** The command is over. */
  end(): void;
}

/** Milliseconds of `--max-time`; undefined for no limit. Throws `usage` for what is no time. */
function readMaxTime(options: Options): number | undefined {
  const text = textOption(options, 'max-time');
  if (text === undefined) return undefined;
  const seconds = readDuration(text, '--max-time');
  if (seconds > 0) return seconds * 1000;
  throw new MacroError('usage', `'${text}' leaves no time for the command.`, {
    code: 'bad_duration',
    hint: 'Give --max-time at least a second: 90s, 15m, 6h.',
  });
}

/**
 * Bounds a command by `--max-time`. When the time is up, the command is interrupted as Ctrl-C does it, so that what is under
 * way is kept as it should be; for whoever called, it is a service that took too long.
 */
export function limitTime(options: Options, clock: Pick<Clock, 'sleep'>, signal: AbortSignal): TimeLimit {
  const ms = readMaxTime(options);
  if (ms === undefined) return { signal, reasonFor: (error) => error, end: () => undefined };
  const over = new AbortController();
  const stop = new AbortController();
  const abort = () => over.abort(new MacroError('interrupted', 'The time of the command is up.', { code: 'max_time' }));
  clock.sleep(ms, stop.signal).then(abort, () => undefined);
  return {
    signal: AbortSignal.any([signal, over.signal]),
    reasonFor: (error) => (over.signal.aborted ? timeUp(String(textOption(options, 'max-time'))) : error),
    end: () => stop.abort(),
  };
}

function timeUp(text: string): MacroError {
  return new MacroError('upstream', `The command was not done within ${text} (--max-time).`, {
    code: 'timeout',
    hint: 'Give it more time, or run it again: what it has kept stays.',
  });
}
