import { parseInstant } from '../contract/time/time.ts';
import { MacroError } from '../errors.ts';

/**
 * A moment as programs give it, in milliseconds. `name` is the option, for the message.
 * @throws MacroError of kind `usage`.
 */
export function readGivenMoment(moment: string | number | Date, name: string): number {
  const seconds = moment instanceof Date ? moment.getTime() / 1000 : parseInstant(String(moment));
  if (seconds !== undefined && !Number.isNaN(seconds)) return seconds * 1000;
  throw new MacroError('usage', `'${String(moment)}' is no moment for ${name}.`, {
    hint: 'Give a Date, a date, an ISO time such as 2026-03-09T14:00:00Z, or Unix seconds.',
  });
}
