import type { Endpoint } from '../contract/endpoint.ts';
import { type JsonObject, objectIn, toJsonText } from '../contract/json/json.ts';
import { memberFor } from '../contract/mapping.ts';
import { addDays, dateOf, isCalendarDate } from '../contract/time/time.ts';
import type { CheckedRange } from './intervals.ts';

/** Dates that no series goes beyond: a version is that of a question, whose dates must never move. */
export const ALL_DATES = { from: '1900-01-01', to: '2100-01-01' } as const;

/** Facts about a whole series from one request for its newest row over all dates. */
export interface WholeSeries {
  /** Rows that there are; undefined where the answer has no count. */
  readonly rows: number | undefined;
  /** Date of the first row. */
  readonly first: string | undefined;
  /** Date and value of the newest one. */
  readonly newest: string | undefined;
}

/** The facts of an answer about all dates, with its version. */
export interface ShownWhole extends WholeSeries {
  readonly version: string | undefined;
}

/** Reads what an answer about all dates says of the whole series. `rows` are those of its first page. */
export function wholeShown(
  { mirror }: Pick<Endpoint, 'mirror'>,
  envelope: JsonObject,
  rows: readonly { readonly value: JsonObject }[],
): ShownWhole {
  const [row] = rows.filter(({ value }) => value.outside_requested_window !== true);
  const { total_count: total } = objectIn(envelope.pagination);
  const { dataset_version: version, earliest_available_date: first } = envelope;
  return {
    // A row from outside of the window counts as one, and is none of it.
    rows: row === undefined ? 0 : typeof total === 'number' ? total : undefined,
    first: calendarDate(first),
    // The first page of a list from its oldest row on does not have the newest one.
    newest: row && mirror?.order !== 'oldest' ? valueText(mirror?.value, row.value) : undefined,
    version: typeof version === 'string' ? version : undefined,
  };
}

/** Date and value of a row, as one text. */
export function valueText(name = 'val', row: JsonObject): string {
  return `${String(row.date)} ${toJsonText(memberFor(row, { name, type: 'text' }) ?? null)}`;
}

/** A date of the calendar; undefined for anything else. */
export function calendarDate(value: unknown): string | undefined {
  return typeof value === 'string' && isCalendarDate(value) ? value : undefined;
}

/** The facts that a check saw beside its rows. */
export interface Beside {
  /** The first date that the service says it has. */
  readonly first: string | undefined;
  /** The date that the oldest fetched row names as that of the row before it. */
  readonly previous: string | undefined;
  /** The number of rows of the asked window. */
  readonly inWindow?: number | undefined;
  /** The content of each event since the last comparison. */
  readonly written: readonly Written[];
}

/** The facts of an event about its rows. */
export interface Written {
  readonly rows: number;
  /** It names a date before the window that was fetched. */
  readonly isBefore: boolean;
}

/** The stored facts of the same series. */
export interface StoredBeside {
  readonly rows: number;
  readonly first: string | undefined;
  /** The date of the row before the oldest fetched one. */
  readonly previous: string | undefined;
  /** Rows of the asked window, if all of it is covered. */
  readonly inWindow?: number | undefined;
  /** Rows that were added, revised or withdrawn since the last comparison. */
  readonly changed: number;
}

const MOVED_VERSION = 'version';
const OTHER_PREVIOUS = 'previous row';
const WINDOW = 'window ';
const WRITTEN = 'written ';

/** Differences between a check and the stored rows, in words that do not change from check to check. */
export function doubtsOf(seen: Beside, stored: StoredBeside): readonly string[] {
  const { first, previous, written } = seen;
  const sum = written.reduce((total, { rows }) => total + rows, 0);
  const largest = Math.max(0, ...written.map(({ rows }) => rows));
  // A service that counts all rows for every release says one more each time.
  const isAll = Math.abs(largest - stored.rows) <= written.length;
  const more = (seen.inWindow ?? 0) - (stored.inWindow ?? 0);
  const isCounted = seen.inWindow !== undefined && stored.inWindow !== undefined;
  return [
    ...(first !== undefined && first !== stored.first ? [`first row ${first}`] : []),
    ...(previous !== undefined && previous !== stored.previous ? [OTHER_PREVIOUS] : []),
    ...(isCounted && more !== 0 ? [`${WINDOW}${more > 0 ? '+' : ''}${more}`] : []),
    ...(sum > stored.changed ? [`${WRITTEN}${isAll ? 'all' : largest}`] : []),
    ...(written.some(({ isBefore }) => isBefore) ? [`${WRITTEN}before`] : []),
  ];
}

/** Differences between the service's facts about the whole series and the stored ones, in the same words. */
export function wholeDifferences(service: WholeSeries, stored: WholeSeries): readonly string[] {
  const more = service.rows === undefined ? 0 : service.rows - (stored.rows ?? 0);
  return [
    ...(more === 0 ? [] : [`rows ${more > 0 ? '+' : ''}${more}`]),
    ...(service.first === undefined || service.first === stored.first ? [] : [`first row ${service.first}`]),
    ...(service.newest === undefined || service.newest === stored.newest ? [] : ['newest row']),
  ];
}

/** The version of a whole series at its last check, and the state of the stored rows then. */
export interface NotedVersion {
  readonly version?: string | undefined;
  readonly state?: string | undefined;
}

/** Has the version of a series moved although no stored row changed? Nothing where one is missing. */
export function versionSays(before: NotedVersion, now: NotedVersion): 'same' | 'moved' | 'nothing' {
  if (before.version === undefined || now.version === undefined) return 'nothing';
  if (before.state !== now.state) return 'nothing';
  return before.version === now.version ? 'same' : 'moved';
}

/** Doubts and differences that count: all but the known ways of this service. */
export function counting(found: readonly string[], ways: readonly string[]): readonly string[] {
  return found.filter((one) => !ways.includes(one));
}

/** The ways of a service after a complete read: `found` does not fit after it, `doubted` raised the question. */
export function waysAfter(
  before: readonly string[],
  { found, doubted, hasChanged }: { found: readonly string[]; doubted: readonly string[]; hasChanged: boolean },
): readonly string[] {
  const lasting = before.filter(
    (way) => [MOVED_VERSION, OTHER_PREVIOUS].includes(way) || [WRITTEN, WINDOW].some((word) => way.startsWith(word)),
  );
  return [...new Set([...lasting, ...found, ...(hasChanged ? [] : doubted)])];
}

/** The doubt that a version raises. */
export function versionDoubt(says: ReturnType<typeof versionSays>): readonly string[] {
  return says === 'moved' ? [MOVED_VERSION] : [];
}

/** An event that no check has answered. Times are milliseconds. */
export interface OpenEvent {
  /** When the service processed it. */
  readonly at: number;
  /** When it came to be stored. */
  readonly seenAt: number;
  /** Rows that it wrote; 0 where it does not say. */
  readonly rows: number;
  /** Reference date of its release; undefined where it does not say. */
  readonly date: string | undefined;
  /** The row of its date has changed since. */
  readonly isStored?: boolean;
}

/** True where the date of an event was read since it came. Behind the day of a check nothing existed then. */
export function answersEvent(ranges: readonly CheckedRange[], { date = '', seenAt, isStored = false }: OpenEvent) {
  if (isStored) return true;
  return ranges.some(
    ({ from, to, checkedAt }) => checkedAt >= seenAt && from <= date && (date <= to || to >= dateOf(checkedAt)),
  );
}

/**
 * The covered ranges after events. A range read before an event loses the event's date. If more rows were written than
 * have changed, all such ranges are dropped, because nobody knows which dates changed.
 */
export function withoutEvents<R extends CheckedRange>(
  ranges: readonly R[],
  events: readonly OpenEvent[],
  overtakes: 'all' | 'dates',
): readonly R[] {
  const last = Math.max(...events.map(({ seenAt }) => seenAt));
  if (overtakes === 'all') return ranges.filter(({ checkedAt }) => checkedAt >= last);
  return ranges.flatMap((range) => {
    const older = events.filter(({ seenAt, isStored }) => range.checkedAt < seenAt && !isStored);
    const dates = older.flatMap(({ date }) => date ?? []);
    return dates.reduce<readonly R[]>((parts, date) => parts.flatMap((part) => withoutDate(part, date)), [range]);
  });
}

function withoutDate<R extends CheckedRange>(range: R, date: string): readonly R[] {
  if (date < range.from || date > range.to) return [range];
  const parts = [
    { ...range, to: addDays(date, -1) },
    { ...range, from: addDays(date, 1) },
  ];
  return parts.filter(({ from, to }) => from <= to);
}
