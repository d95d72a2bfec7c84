/** How a publisher offers the files of a format, as data: fetches, plans, help and docs/imports.md are made from it. */
import { zonedInstants } from '../../contract/time/moments.ts';
import { addDays, dateOf, dateToMs, daysBetween } from '../../contract/time/time.ts';

/** A larger answer is refused: no file of a publisher has half of this. */
export const MAX_DOWNLOAD_BYTES = 64_000_000;

export interface Download {
  /** Page of the publisher on which a person finds the file. */
  readonly page: string;
  /**
   * Address of the file, with words in braces; undefined if no lasting address is known. Each `{id}` (see `ids`) and
   * each `{year}` (from `begins` on) is a separate file. `{from}` is the first requested date (`{from:DD/MMM/YYYY}` in
   * that form). `{flow}` and `{key}` are the parts of an ECB id. `{vintages}` are dates, with commas; `{ids}` repeats
   * the id as often.
   */
  readonly address?: string;
  /** The address of the file changes with each edition: `address` is a page, and its first link of this form is the file. */
  readonly link?: RegExp;
  /** Page that lists the vintages of `{id}` as `<option value="2026-01-09">`, and how many of them one file may have. */
  readonly vintages?: { readonly address: string; readonly max: number };
  /** The name of the file here, with the same words in braces. Importers that read a file's name see it. */
  readonly file: string;
  /** The form of `{id}`, typed after the format, and its defaults. Without defaults one must be typed. */
  readonly ids?: {
    readonly doc: string;
    readonly pattern: RegExp;
    readonly defaults: readonly string[];
    readonly example?: string;
  };
  /** First date that the publisher has: the first `{year}`, and the default of `{from}`. */
  readonly begins?: string;
  /** A small file with the newest dates. It is fetched if the newest date of the mirror is at most `days` ago. */
  readonly recent?: { readonly address: string; readonly file: string; readonly days: number };
  /** Hosts beside that of the address that may serve the file, by a redirect or a link. */
  readonly hosts?: readonly string[];
  /** The publisher refuses whoever names no contact: `macro config set publishers.ID.contact ADDRESS`. */
  readonly needsContact?: true;
  readonly appears: Appearance;
  /** Where the terms stand that the format names in a sentence. */
  readonly termsPage: string;
}

/** When a new state of the file can be there. */
export interface Appearance {
  /** Local time, `16:00`, and its zone. */
  readonly at: string;
  readonly zone: string;
  /** 1 is Monday, 7 is Sunday. */
  readonly weekdays: readonly number[];
  /** First and last day of the month on which it may appear; any day when left out. */
  readonly daysOfMonth?: readonly [first: number, last: number];
  /** The publisher is silent when its newest date is older than this and the distance of its two newest dates together. */
  readonly silentAfterDays: number;
}

/** Where a file was fetched, and what its publisher said of it. Times are milliseconds. */
export interface FetchedFrom {
  readonly address: string;
  readonly at: number;
  readonly etag: string | undefined;
  readonly modified: number | undefined;
  readonly bytes: number;
  /** Last date that the file may ever have; undefined for a file that goes on. */
  readonly until: string | undefined;
}

/** A file that may have a new state on each day from Monday to Friday. */
export function onWorkingDays(at: string, zone: string, silentAfterDays: number): Appearance {
  return { at, zone, weekdays: [1, 2, 3, 4, 5], silentAfterDays };
}

/** The words of an id in a template: the id, and the flow and key of an ECB series. */
export function wordsOf(id: string) {
  const end = id.indexOf('.');
  return { id, flow: id.slice(0, end), key: id.slice(end + 1) };
}

/** Days before and after today in which new states of a file are sought: two months, for a monthly file. */
const REACH_DAYS = 62;

/** The latest moment, in milliseconds, at which a new state can have come; undefined where none was. */
export function latestAppearance(appears: Appearance, now: number): number | undefined {
  return momentsAround(appears, now).findLast((at) => at <= now);
}

/** The moments of the next two months, first the next one. */
export function appearancesAhead(appears: Appearance, now: number): readonly number[] {
  return momentsAround(appears, now).filter((at) => at > now);
}

function momentsAround({ at, zone, weekdays, daysOfMonth: [first, last] = [1, 31] }: Appearance, now: number) {
  const [hours = '0', minutes = '0'] = at.split(':');
  const instant = zonedInstants(zone, Number(hours) + Number(minutes) / 60);
  const today = dateOf(now);
  return Array.from({ length: 2 * REACH_DAYS + 1 }, (_, place) => addDays(today, place - REACH_DAYS))
    .filter((date) => {
      const weekday = new Date(dateToMs(date)).getUTCDay() || 7;
      const day = Number(date.slice(8));
      return weekdays.includes(weekday) && day >= first && day <= last;
    })
    .map((date) => instant(dateToMs(date)) * 1000);
}

/**
 * Why a publisher counts as silent; undefined where it does not.
 * @param dates its newest dates, newest first
 */
export function silenceOf({ silentAfterDays }: Appearance, dates: readonly string[], now: number): string | undefined {
  const [newest, before] = dates;
  if (newest === undefined) return undefined;
  const spacing = before === undefined ? 0 : daysBetween(before, newest);
  const age = daysBetween(newest, dateOf(now));
  return age > silentAfterDays + spacing ? `its newest value is that of ${newest}, ${age} days ago` : undefined;
}
