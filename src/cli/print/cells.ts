import { waitText } from '../../client/text.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { localIso } from '../../derive/calendar/calendar.ts';
import type { Listing } from './listing.ts';
import { type Fields, cellText, isNumber, rawAt } from './rows.ts';
import { cleanText } from './text.ts';


/** What the numbers of a column mean, so that people and sheets can read them. */
export type ColumnKinds = Pick<Listing, 'times' | 'durations' | 'zone'>;

/** The text of a cell in `csv`, `tsv` and `md`: times are ISO, everything else is as it is spelled. */
export function sheetCell(row: Fields, name: string, kinds: ColumnKinds): string {
  return valueCell(rawAt(row, name), kinds.times?.has(name), kinds.zone);
}

/** The same of the JSON text of a value, which may be a time. */
export function valueCell(raw: string | undefined, isTime: boolean | undefined, zone: string | undefined): string {
  return isTime && isUnix(raw) ? timeText(Number(raw), zone) : cellText(raw);
}

/** The text of a cell in a table for people: durations in words, numbers without float noise. */
export function tableCell(row: Fields, name: string, kinds: ColumnKinds): string {
  const raw = rawAt(row, name);
  const unit = kinds.durations?.get(name);
  if (unit !== undefined && isNumber(raw)) return durationText(Number(raw) * unit);
  return cleanText(
    raw !== undefined && isNumber(raw) && !kinds.times?.has(name) ? numberText(raw) : sheetCell(row, name, kinds),
  );
}

/** Digits that a number of binary arithmetic can be trusted with; beyond the first of them all is noise. */
const PUBLISHED_DIGITS = 15;
const TRUSTED_DIGITS = 12;

/** A number as published: `0.1` for `0.10000000000000009` and for `0.0999999999999996`. Others keep their spelling. */
export function numberText(spelled: string): string {
  if (!spelled.includes('.') || digitsOf(spelled) <= TRUSTED_DIGITS) return spelled;
  const short = rounded(spelled, TRUSTED_DIGITS);
  // Noise stands behind a run of equal digits; a number that needs all of its digits has none.
  if (digitsOf(short) <= TRUSTED_DIGITS - 2) return short;
  return digitsOf(spelled) <= PUBLISHED_DIGITS ? spelled : rounded(spelled, PUBLISHED_DIGITS);
}

const rounded = (spelled: string, digits: number) => String(Number(Number(spelled).toPrecision(digits)));

const digitsOf = (spelled: string) => spelled.replace(/e.*$/i, '').replace(/^-?[0.]*|\D/g, '').length;

function durationText(seconds: number): string {
  return seconds < 0 ? `-${waitText(-seconds)}` : waitText(seconds);
}

function isUnix(raw: string | undefined): raw is string {
  return raw !== undefined && /^-?\d{1,11}$/.test(raw);
}

function timeText(unixSeconds: number, zone: string | undefined): string {
  return zone === undefined ? isoSeconds(unixSeconds) : localIso(unixSeconds, zone);
}
