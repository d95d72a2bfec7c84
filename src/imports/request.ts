/** How a commit says which file brought it, and what of a series the file covers. */

import { FIRST_DATE } from '../contract/time/coverage.ts';
import { addDays, addMonths, BEGINNING, dateOf, dateToMs, isoSeconds } from '../contract/time/time.ts';
import type { FetchedFrom } from './fetch/download.ts';
import type { FileSeries, ImportFormat } from './format.ts';
import { periodStart } from './generic/release-rule.ts';
import { isWeekend } from './read/release-days.ts';
import type { Survey } from './survey.ts';

/** The coverage of a series by a file, according to its commits. */
export interface FileCoverage {
  /** First date; undefined for a file that begins where the history does. */
  readonly from: string | undefined;
  readonly to: string;
}

export interface FileRequest {
  readonly format: string;
  readonly file: string;
  /** SHA-256 as hexadecimal digits. */
  readonly digest: string;
  /** Undefined for a file that was handed over. */
  readonly fetched: FetchedFrom | undefined;
  /** Undefined for a file that came before its commits said so. */
  readonly covers: FileCoverage | undefined;
  /** Members beside the rows, as JSON. The first commit of each series says them. */
  readonly members: string | undefined;
}

interface FileOrigin {
  readonly format: Pick<ImportFormat, 'id'>;
  readonly file: Pick<Survey['file'], 'name' | 'digest'>;
  readonly fetched?: FetchedFrom | undefined;
}

/** A path would tell about the machine, so the file's name stands alone. */
export function fileRequest({ format, file, fetched }: FileOrigin, { from = '', to }: FileCoverage, members?: string) {
  const suffix = members === undefined ? '' : ` members ${members}`;
  const origin = fetched === undefined ? '' : ` from ${fetchText(fetched)}`;
  return `import ${format.id} ${file.name} sha256:${file.digest}${origin} covers ${from}..${to}${suffix}`;
}

/** Words of `NAME=VALUE` behind the address, none of which has a blank in it. */
function fetchText({ address, at, etag, modified, bytes, until }: FetchedFrom): string {
  const facts = {
    at: isoSeconds(Math.floor(at / 1000)),
    bytes,
    etag: etag && encodeURIComponent(etag),
    modified: modified && isoSeconds(Math.floor(modified / 1000)),
    until,
  };
  const words = Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  return [address, ...words].join(' ');
}

function readFetch(text: string | undefined): FetchedFrom | undefined {
  const [address, ...words] = text?.split(' ') ?? [];
  if (address === undefined) return undefined;
  const facts = new Map(words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]));
  const [etag, modified] = [facts.get('etag'), facts.get('modified')];
  return {
    address,
    at: Date.parse(facts.get('at') ?? ''),
    bytes: Number(facts.get('bytes')),
    etag: etag === undefined ? undefined : decodeURIComponent(etag),
    modified: modified === undefined ? undefined : Date.parse(modified),
    until: facts.get('until'),
  };
}

const REQUEST =
  /^import (\S+) (.*?) sha256:([0-9a-f]{64})(?: from (\S+(?: \w+=\S+)*))?(?: covers (\S*?)\.\.(\S+))?(?: members (\{.*\}))?$/s;

/** A request for people, without the members beside the rows. */
export function requestForPeople(request: string): string {
  const members = readFileRequest(request)?.members;
  return members === undefined ? request : request.slice(0, -` members ${members}`.length);
}

/** Undefined for a request that brought no file. */
export function readFileRequest(request: string): FileRequest | undefined {
  const [, format, file, digest, origin, from, to, members] = REQUEST.exec(request) ?? [];
  if (format === undefined || file === undefined || digest === undefined) return undefined;
  const covers = to === undefined ? undefined : { from: from || undefined, to };
  return { format, file, digest, fetched: readFetch(origin), covers, members };
}

/**
 * The coverage of a series by a file; undefined for a file that is too short to have any. A file that begins with the
 * publisher's history has an open beginning; any other file is closed at both ends. A computed value whose earlier
 * value is before the file is not covered. Days before its first date without a value anywhere are covered, so that
 * files of successive times leave no gap.
 */
export function fileCoverageOf(
  { from, to, format }: Pick<Survey, 'from' | 'to'> & { readonly format: Pick<ImportFormat, 'begins'> },
  series: Pick<FileSeries, 'begins' | 'period' | 'ofBusinessDays' | 'ofTuesdays' | 'monthsBack'>,
): FileCoverage | undefined {
  const { begins = format.begins, period, ofBusinessDays, ofTuesdays, monthsBack = 0 } = series;
  if (begins !== undefined && from <= begins) return { from: undefined, to };
  if (period) {
    const first = periodStart(addMonths(from, monthsBack), period);
    return first > to ? undefined : { from: first, to };
  }
  const first = ofTuesdays ? behindLastTuesday(from) : from;
  return { from: ofBusinessDays ? behindBusinessDay(first) : first, to };
}

/** The day behind the Tuesday before a Monday or a Tuesday; another date itself. */
function behindLastTuesday(date: string): string {
  const weekday = new Date(dateToMs(date)).getUTCDay();
  return weekday === 1 || weekday === 2 ? addDays(date, -4 - weekday) : date;
}

/** The first of the days up to a date that are no business day; the date itself behind a day that may be one. */
function behindBusinessDay(date: string): string {
  // The calendar begins with a New Year's Day, and nothing lies before it.
  if (date <= FIRST_DATE) return date;
  const before = addDays(date, -1);
  return isWeekend(dateToMs(before)) || before.endsWith('-01-01') ? behindBusinessDay(before) : date;
}

/**
 * The range that a file covers. A file from a person shows the state on the day of its last row. A fetched file shows that
 * there was nothing newer when it was fetched.
 */
export function coveredByFile({ from, to }: FileCoverage, fetched?: Pick<FetchedFrom, 'at' | 'until'>) {
  if (fetched) {
    const day = dateOf(fetched.at);
    const end = fetched.until !== undefined && fetched.until < day ? fetched.until : day;
    return { from: from ?? BEGINNING, to: end > to ? end : to, checkedAt: fetched.at };
  }
  return from === undefined ? { from: BEGINNING, to, checkedAt: dateToMs(to) } : { from, to };
}
