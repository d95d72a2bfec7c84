import { parseInstant } from '../contract/time/time.ts';
import { UsageError } from './errors.ts';

/** An option that is ignored would do another thing than it says. @throws MacroError of kind `usage`. */
export function refuseUnknownOptions(options: object, legal: readonly string[]): void {
  if (typeof options !== 'object' || options === null)
    throw new UsageError(`${String(options)} has no options.`, { hint: `Legal options: ${legal.join(', ')}.` });
  const strange = Object.keys(options).filter((name) => !legal.includes(name));
  if (strange.length === 0) return;
  const moment =
    strange.includes('asOf') && legal.includes('signal')
      ? ' A client gives a moment as the argument as_of, where the endpoint has it.'
      : '';
  throw new UsageError(`There is no option ${strange.join(', ')} here.${moment}`, {
    hint: `Legal options: ${legal.join(', ')}.`,
  });
}

/** A given moment in milliseconds; `name` is its option. @throws MacroError of kind `usage`. */
export function readGivenMoment(moment: string | number | Date, name: string): number {
  const seconds = moment instanceof Date ? moment.getTime() / 1000 : parseInstant(String(moment));
  if (seconds !== undefined && !Number.isNaN(seconds)) return seconds * 1000;
  throw new UsageError(`'${String(moment)}' is no moment for ${name}.`, {
    hint: 'Give a Date, a date, an ISO time such as 2026-03-09T14:00:00Z, or Unix seconds.',
  });
}

/** A given number, which may be a text in JavaScript. @throws MacroError of kind `usage`. */
export function readGivenNumber(number: unknown, name: string): number {
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw new UsageError(`${JSON.stringify(number)} is no number for ${name}.`, { hint: 'Give a number, not a text.' });
}

/** A given word out of the legal ones. @throws MacroError of kind `usage`. */
export function readGivenWord<Word extends string>(word: string, name: string, legal: readonly Word[]): Word {
  const found = legal.find((one) => one === word);
  if (found !== undefined) return found;
  throw new UsageError(`'${word}' is no value for ${name}.`, { hint: `Legal values: ${legal.join(', ')}.` });
}

/** A given list. @throws MacroError of kind `usage`. */
export function readGivenList<T>(list: readonly T[], name: string): readonly T[] {
  if (Array.isArray(list)) return list;
  throw new UsageError(`${name} is no list.`, { hint: `Give ${name}: [...].` });
}
