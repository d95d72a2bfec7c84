import { type JsonText, parseObject } from '../../contract/json/json.ts';
import { isCalendarDate } from '../../contract/time/time.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { StoredRow } from '../../mirror/api/rows.ts';

/** A series of releases by name. */
export interface ReleaseSeries {
  readonly currency: string;
  readonly indicator: string;
}

/** Rows that are looked at. */
const NEWEST = 400;

type Reader = Pick<MirrorReader, 'find' | 'rows'>;

/** Seconds for which a release that is late is still the one that is waited for. */
const LATE_FOR = 1800;

/**
 * The newest period of a series; empty when there is none. Where the calendar has a release between the beginning of the
 * wait and now (Unix seconds), what was released since the beginning is left out: it counts as new even when the look at the
 * service that should have come before it failed. Without one, such a row is a revision.
 */
export async function newestPeriod(
  reader: Reader,
  series: ReleaseSeries,
  { begun, now }: { begun: number; now: number },
): Promise<string> {
  const rows = await releasedRows(reader, series);
  const announced = await announcedSince(reader, series, begun);
  const isOut = announced.some(({ out }) => out <= now);
  const before = ({ columns }: StoredRow) => Number(columns.announcement_datetime ?? 0) < begun;
  const [newest] = isOut ? rows.filter(before) : rows;
  return newest ? periodOf(newest) : '';
}

/** The newest row, if it is of a period after another one: a revision of that one or of an older one is none. */
export async function newestAfter(
  reader: Reader,
  series: ReleaseSeries,
  period: string,
): Promise<JsonText | undefined> {
  const [newest] = await releasedRows(reader, series);
  return newest && periodOf(newest) > period ? newest.text : undefined;
}

/** A release that the calendar announces. */
export interface Announced {
  /** Unix seconds at which it is published. */
  readonly out: number;
  /** End of the period that it is about, where the calendar says it. */
  readonly period: string | undefined;
  readonly isConfirmed: boolean;
}

/** The next release that the calendar announces of a period after another one; undefined when it announces none. */
export async function announcedAfter(
  reader: Reader,
  series: ReleaseSeries,
  { period, now }: { period: string; now: number },
): Promise<Announced | undefined> {
  const announced = await announcedSince(reader, series, now - LATE_FOR);
  return announced.find((one) => one.period === undefined || one.period > period);
}

/** Earliest first. */
async function announcedSince(
  reader: Reader,
  { currency, indicator }: ReleaseSeries,
  from: number,
): Promise<readonly Announced[]> {
  const [calendar] = await reader.find({ endpoint: 'calendar', scope: { currency } });
  const rows = calendar ? await reader.rows(calendar, { from, where: { release: indicator } }) : [];
  return rows.map(announcedIn).sort((a, b) => a.out - b.out);
}

function announcedIn(row: StoredRow): Announced {
  const { date, release_date_confirmed: confirmed } = parseObject(row.text);
  return {
    out: Number(row.columns.announcement_datetime),
    period: typeof date === 'string' && isCalendarDate(date) ? date : undefined,
    isConfirmed: confirmed === true,
  };
}

/** Newest first: as many as may be newer than what was known when the wait began. */
async function releasedRows(reader: Reader, { currency, indicator }: ReleaseSeries): Promise<readonly StoredRow[]> {
  const [stored] = await reader.find({ endpoint: 'announcements', scope: { currency, indicator }, exact: true });
  return stored ? reader.rows(stored, {}, { limit: NEWEST, offset: 0 }) : [];
}

const periodOf = ({ key }: StoredRow): string => String(key[0]);
