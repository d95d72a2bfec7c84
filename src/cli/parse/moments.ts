import type { Endpoint } from '../../contract/endpoint.ts';
import { AVAILABILITIES, type Availability } from '../../contract/time/moments.ts';
import { addDays, addMonths, dateOf, isCalendarDate, isoSeconds, parseInstant } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import { type Options, readChoice, textOption } from './options.ts';

/** Reads `today`, `yesterday`, `tomorrow`, `ytd`, `-90d`, `-2w`, `-3m`, `-2y`, `+7d`; other texts stay for the contract. */
export function readDateWord(text: string, today: string): string {
  const word = text.trim().toLowerCase();
  if (word === 'today') return today;
  if (word === 'yesterday') return addDays(today, -1);
  if (word === 'tomorrow') return addDays(today, 1);
  if (word === 'ytd') return `${today.slice(0, 4)}-01-01`;
  const [, sign, count = '', unit] = /^([+-])(\d{1,5})([dwmy])$/.exec(word) ?? [];
  if (unit === undefined) return text.trim();
  const moved = move(today, sign === '-' ? -Number(count) : Number(count), unit);
  return isCalendarDate(moved) ? moved : text.trim();
}

/** In seconds. Three months are written -3m, so minutes are not. */
const CLOCK: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600 };

/** Reads `now`, `-6h`, `-30min`, `-90s`, or a date word, whose day begins then. `now` in milliseconds. */
export function readMomentWord(text: string, now: number): string {
  const word = text.trim().toLowerCase();
  const seconds = Math.floor(now / 1000);
  if (word === 'now') return isoSeconds(seconds);
  const [, sign, count = '', unit] = /^([+-])(\d{1,7})(s|min|h)$/.exec(word) ?? [];
  if (unit === undefined) return readDateWord(text, dateOf(now));
  const moved = Number(count) * (CLOCK[unit] ?? 0);
  return isoSeconds(sign === '-' ? seconds - moved : seconds + moved);
}

function move(today: string, count: number, unit: string): string {
  if (unit === 'd') return addDays(today, count);
  if (unit === 'w') return addDays(today, 7 * count);
  return addMonths(today, unit === 'm' ? count : 12 * count);
}

/** Reads `--as-of` and `--availability`; `query` has the arguments of a question without a moment. @throws MacroError of kind `usage`. */
export function readPast({ query }: Endpoint, options: Options, now: number) {
  const text = textOption(options, 'as-of');
  const by = readAvailability(options);
  if (text !== undefined)
    return { asOf: { at: readMoment(text, { option: '--as-of', now }), by: by ?? 'public' }, query: {} };
  if (by === undefined) return { asOf: undefined, query: {} };
  // A panel has decisions of its own, each of which is a moment.
  if (query.availability && !query.as_of && by !== 'mirrored') return { asOf: undefined, query: { availability: by } };
  throw new MacroError('usage', '--availability says to whom something was known at a moment, and none is given.', {
    code: 'bad_arguments',
    hint: 'Give the moment with --as-of, or leave --availability out.',
  });
}

/** Whose knowledge counts; undefined when nobody said. @throws MacroError of kind `usage`. */
export function readAvailability(options: Options): Availability | undefined {
  return readChoice(options, 'availability', AVAILABILITIES);
}

/** A moment of the past in milliseconds, as people type it. @throws MacroError of kind `usage`. */
export function readMoment(text: string, { option, now }: { option: string; now: number }): number {
  // Values of the present second count.
  if (text.trim().toLowerCase() === 'now') return now;
  const seconds = parseInstant(readMomentWord(text, now));
  if (seconds === undefined)
    throw new MacroError('usage', `'${text}' is no moment for ${option}.`, {
      code: 'bad_arguments',
      hint: 'Give 2026-11-01 (its beginning, UTC), 2026-11-01T13:30:00Z, now, -6h, -30min, -30d, yesterday or Unix seconds.',
    });
  if (seconds * 1000 <= now) return seconds * 1000;
  throw new MacroError('usage', `${option} ${isoSeconds(seconds)} lies in the future.`, {
    code: 'bad_arguments',
    hint: 'Nobody knows yet what will be known then.',
  });
}
