// An event is newer than any earlier check: its date is not covered until a check answers it. If it wrote more rows
// than have changed, the whole series is not covered.
import type { MissingPart } from '../contract/hooks.ts';
import { isJsonObject, type JsonObject, parseObject } from '../contract/json/json.ts';
import type { AsOf } from '../contract/time/moments.ts';
import { isCalendarDate, isoSeconds } from '../contract/time/time.ts';
import { answersEvent, counting, doubtsOf, type OpenEvent, withoutEvents } from '../coverage/doubts.ts';
import { accessOfCaller } from '../coverage/intervals.ts';
import { LOADED_MAPPINGS } from '../endpoints/find.ts';
import type { MirrorReader } from '../mirror/api/mirror.ts';
import type { CoverageOf, SeriesCheck, StoredCoverage, StoredRow, StoredSeries } from '../mirror/api/series.ts';
import type { MirrorQuestion } from './answer/answer.ts';
import { EVENT_FEED } from './watched-times.ts';

/** Endpoints whose rows are releases, of the indicator in their scope or of all of a currency. */
const RELEASED: ReadonlySet<string> = new Set(['announcements', 'announcements_latest']);

/** True of a series whose rows release events announce. A file is checked against nothing. */
export function isReleased({ endpoint, origin }: StoredSeries): boolean {
  return RELEASED.has(endpoint) && !origin.startsWith('import:');
}

/** The events of a series that came, and were processed, behind a check of it (milliseconds). */
export async function eventsSince(
  reader: Pick<MirrorReader, 'find' | 'rows'>,
  { scope: { currency = '', indicator } }: StoredSeries,
  checkedAt: number,
): Promise<readonly StoredRow[]> {
  const feeds = await reader.find(EVENT_FEED);
  // Events tell whole seconds: of the second of the check those count that came later.
  const from = Math.floor(checkedAt / 1000);
  const where = indicator === undefined ? {} : { where: { indicator } };
  const rows = (await Promise.all(feeds.map((feed) => reader.rows(feed, { from, ...where })))).flat();
  return rows.filter(
    ({ columns, seenAt }) => seenAt > checkedAt && String(columns.currency).toLowerCase() === currency.toLowerCase(),
  );
}

/** Who asks, and about which moment. */
export interface EventAsk {
  readonly reader: Pick<MirrorReader, 'find' | 'rows' | 'coveredRanges' | 'checkOf'>;
  readonly access: CoverageOf;
  /** Newest release time (Unix seconds) that is shown. */
  readonly cutoff: number | undefined;
  readonly asOf: AsOf | undefined;
}

/** The events of a series since a moment (milliseconds) that no check has answered, oldest first. */
async function openEvents(series: StoredSeries, ask: EventAsk, since: number): Promise<OpenEvents> {
  const events = (await eventsSince(ask.reader, series, since)).filter((event) => isVisible(event, ask));
  const check = events.length === 0 ? undefined : await ask.reader.checkOf(series, ask.access);
  const compared = check?.comparedAt ?? 0;
  const open = events.filter(({ seenAt }) => seenAt > compared).map(eventIn);
  return { check, events: await Promise.all(open.map((event) => withStored(event, series, ask))) };
}

/** A row that changed once the service had processed the event is what the event announced. */
async function withStored(event: OpenEvent, series: StoredSeries, { reader }: EventAsk): Promise<OpenEvent> {
  const { date, at, seenAt } = event;
  if (date === undefined || !hasDates(series)) return event;
  const rows = await reader.rows(series, { from: date, to: date });
  return rows.some((row) => row.seenAt >= Math.min(at, seenAt)) ? { ...event, isStored: true } : event;
}

interface OpenEvents {
  readonly events: readonly OpenEvent[];
  readonly check: SeriesCheck | undefined;
}

/** True of an event that the caller may see, and that was there at the moment of the question. */
function isVisible({ key, seenAt, columns }: StoredRow, { cutoff, asOf }: EventAsk): boolean {
  const { release_timestamp: release } = columns;
  if (cutoff !== undefined && typeof release === 'number' && release > cutoff) return false;
  return asOf === undefined || (asOf.by === 'mirrored' ? seenAt : Number(key[0]) * 1000) <= asOf.at;
}

function eventIn({ key, text, seenAt }: StoredRow): OpenEvent {
  const event = parseObject(text);
  const { records_written: rows } = event;
  const { date }: JsonObject = isJsonObject(event.latest_announcement) ? event.latest_announcement : event;
  return {
    at: Number(key[0]) * 1000,
    seenAt,
    rows: typeof rows === 'number' ? rows : 0,
    date: typeof date === 'string' && isCalendarDate(date) ? date : undefined,
  };
}

/** When a read showed that other rows than the stored ones exist, which no sync has asked for since (milliseconds). */
async function doubtOf(series: StoredSeries, { reader, access, asOf }: EventAsk): Promise<number | undefined> {
  if (!hasDates(series) || series.origin.startsWith('import:')) return undefined;
  const { doubt } = (await reader.checkOf(series, access)) ?? {};
  return doubt && (asOf?.by !== 'mirrored' || doubt.at <= asOf.at) ? doubt.at : undefined;
}

/** The covered ranges of a history that still count: no event or doubt came after them. */
export async function rangesAfterEvents(series: StoredSeries, ask: EventAsk): Promise<readonly StoredCoverage[]> {
  const [coveredRanges, doubtedAt] = await Promise.all([
    ask.reader.coveredRanges(series, ask.access),
    doubtOf(series, ask),
  ]);
  if (coveredRanges.length === 0) return coveredRanges;
  if (doubtedAt !== undefined) return coveredRanges.filter(({ checkedAt }) => checkedAt >= doubtedAt);
  if (!isReleased(series)) return coveredRanges;
  const open = await openEvents(series, ask, Math.min(...coveredRanges.map(({ checkedAt }) => checkedAt)));
  if (open.events.length === 0) return coveredRanges;
  const isDoubted = await wroteMore(series, ask, { ...open, coveredRanges });
  return withoutEvents(coveredRanges, open.events, isDoubted ? 'all' : 'dates');
}

/** True where events wrote more rows than have changed, and than those whose dates are missing anyway. */
async function wroteMore(
  series: StoredSeries,
  { reader }: EventAsk,
  { coveredRanges, events, check }: OpenEvents & { readonly coveredRanges: readonly StoredCoverage[] },
): Promise<boolean> {
  const missing = events.filter((event) => !answersEvent(coveredRanges, event)).length;
  if (events.reduce((sum, event) => sum + event.rows, 0) <= missing) return false;
  const processed = Math.min(...events.map(({ at, seenAt }) => Math.min(at, seenAt)));
  const since = Math.max(check?.comparedAt ?? 0, processed - 1);
  const rows = await reader.rows(series, {});
  const changed = rows.filter(({ seenAt }) => seenAt > since).length + missing;
  const written = events.map((event) => ({ rows: event.rows, isBefore: false }));
  const ends = { first: undefined, previous: undefined };
  const found = doubtsOf({ ...ends, written }, { ...ends, rows: rows.length, changed });
  return counting(found, check?.ways ?? []).length > 0;
}

/** The dates that a question asks for and that events have announced since the picked series were checked. */
export async function missingByEvents(
  { asOf, visible, present, caller }: Pick<MirrorQuestion, 'asOf' | 'visible' | 'present' | 'caller'>,
  picked: readonly StoredSeries[],
): Promise<readonly MissingPart[]> {
  const { start_date: start, end_date: end } = visible.args;
  const ask = { reader: present, access: accessOfCaller(caller), cutoff: visible.cutoff, asOf };
  const found = picked.filter(isReleased).map(async (series): Promise<readonly MissingPart[]> => {
    const named = { series: { endpoint: series.endpoint, scope: series.scope, exact: true } };
    const events = await unanswered(series, ask);
    if (events.length === 0) return [];
    // The newest row is what a question without a window is about.
    const first = typeof start === 'string' ? start : await newestDate(present, series);
    const isAsked = (date: string) => date >= first && (typeof end !== 'string' || date <= end);
    return events.flatMap(({ date, at }): readonly MissingPart[] => {
      if (date !== undefined) return isAsked(date) ? [{ ...named, range: { from: date, to: date } }] : [];
      const moment = isoSeconds(at / 1000);
      return [{ ...named, range: { from: moment, to: moment }, reason: 'unchecked' as const }];
    });
  });
  return (await Promise.all(found)).flat();
}

/** Events whose date no check has shown since. */
async function unanswered(series: StoredSeries, ask: EventAsk): Promise<readonly OpenEvent[]> {
  const isHistory = hasDates(series);
  const coveredRanges = isHistory ? await ask.reader.coveredRanges(series, ask.access) : [];
  const since = Math.min(series.checkedAt, ...coveredRanges.map(({ checkedAt }) => checkedAt));
  const { events } = await openEvents(series, ask, since);
  return events.filter((event) =>
    event.date === undefined || !isHistory ? event.seenAt > series.checkedAt : !answersEvent(coveredRanges, event),
  );
}

async function newestDate(reader: Pick<MirrorReader, 'rows'>, series: StoredSeries): Promise<string> {
  const [newest] = await reader.rows(series, {}, { limit: 1, offset: 0 });
  return hasDates(series) ? String(newest?.key[0] ?? '') : '';
}

/** True of a series whose coverage has dates. */
function hasDates({ endpoint }: StoredSeries): boolean {
  return LOADED_MAPPINGS[endpoint]?.sync.kind === 'history';
}
