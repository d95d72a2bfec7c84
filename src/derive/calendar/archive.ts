import type { Compose, Composed, HookContext, LoadedSeries, StoredRef } from '../../contract/hooks.ts';
import { isJsonObject, type JsonObject, type JsonText, parseObject } from '../../contract/json/json.ts';
import { dateToMs, instantOf, isoSeconds } from '../../contract/time/time.ts';
import { missingAll } from '../../coverage/missing-parts.ts';
import type { CheckpointArgs } from './checkpoint.ts';

/** One version of an event's schedule, as it was captured. Versions never change. */
export interface Version {
  readonly event: string;
  readonly number: number;
  /** Since when it is known to have stored, Unix seconds. */
  readonly captured: number;
  readonly row: JsonObject;
  readonly text: JsonText;
  /** Newest instant at which a snapshot shows that it was the valid one. */
  readonly validUntil: number | undefined;
}

/** The archive of a currency as far as the mirror has it. */
export interface Archive {
  /** Versions of each event, oldest first. */
  readonly events: ReadonlyMap<string, readonly Version[]>;
  readonly coverage: LoadedSeries | undefined;
  /** As many events and versions are stored as the service counts. */
  readonly whole: boolean;
  /** Events whose own list of versions is covered. */
  readonly listed: ReadonlySet<string>;
}

export const VERSIONS = 'calendar_versions';
export const SNAPSHOTS = 'calendar_snapshot';
export const COVERAGE = 'calendar_coverage';

export interface CoverageArgs {
  readonly currency: string;
  readonly indicator?: string | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

const DAY = 86_400;

/** The captures of a schedule and their gaps, filtered by time. See docs/interface-endpoints.md#calendar-coverage. */
export const composeCoverage: Compose<CoverageArgs> = {
  version: 1,
  reads: ({ currency }) => [
    { endpoint: COVERAGE, scope: { currency } },
    { endpoint: VERSIONS, scope: { currency } },
  ],
  selectSeries: (args, stored) => (isFiltered(args) ? stored : stored.filter(({ endpoint }) => endpoint === COVERAGE)),
  vouches: (args, picked) => {
    const series = picked.filter(({ endpoint }) => endpoint === COVERAGE);
    return isFiltered(args) || series.length === 0 ? undefined : { series };
  },
  build: buildCoverage,
};

/** Collects an archive. A snapshot row is the version valid at its instant; the first copy of a version stays. */
export function readArchive(loaded: readonly LoadedSeries[]): Archive {
  const events = new Map<string, Map<number, Version>>();
  const listed = new Set<string>();
  for (const endpoint of [VERSIONS, SNAPSHOTS])
    for (const series of loaded.filter(({ ref }) => ref.endpoint === endpoint))
      for (const version of versionsOf(series)) {
        const known = events.get(version.event) ?? new Map<number, Version>();
        known.set(version.number, joined(known.get(version.number), version));
        events.set(version.event, known);
        if (endpoint === VERSIONS && series.coverage.ranges.length > 0) listed.add(version.event);
      }
  const sorted = [...events].map(
    ([event, versions]) => [event, [...versions.values()].sort((a, b) => a.number - b.number)] as const,
  );
  const coverage = loaded.find(({ ref }) => ref.endpoint === COVERAGE);
  const count = sorted.reduce((sum, [, versions]) => sum + versions.length, 0);
  const { event_count: eventCount, version_count: versionCount } = coverage?.envelope ?? {};
  const whole = eventCount === sorted.length && versionCount === count;
  return { events: new Map(sorted), coverage, whole, listed };
}

/** The same version by two ways: the first one stays, with what both show of its validity. */
function joined(first: Version | undefined, other: Version): Version {
  if (!first) return other;
  const until = [first.validUntil, other.validUntil].filter((instant) => instant !== undefined);
  return { ...first, validUntil: until.length > 0 ? Math.max(...until) : undefined };
}

function versionsOf({ ref, rows }: LoadedSeries): readonly Version[] {
  const asOf = Number(ref.scope.as_of ?? Number.NaN);
  return rows.flatMap(({ text }) => {
    const row = parseObject(text);
    const event = eventOf(row, ref);
    const captured = instantOf(row.captured_at) ?? asOf;
    if (event === undefined || Number.isNaN(captured)) return [];
    const number = typeof row.version === 'number' ? row.version : 0;
    return [{ event, number, captured, row, text, validUntil: Number.isNaN(asOf) ? undefined : asOf }];
  });
}

/** The event that a row belongs to; a list of one event's versions need not repeat it in every row. */
function eventOf({ archive_event_id: id, calendar_event_id: calendarId }: JsonObject, { scope }: StoredRef) {
  if (typeof id === 'string') return id;
  return scope.archive_event_id ?? (typeof calendarId === 'string' ? calendarId : undefined);
}

/** First instant of which the archive knows anything: as the service says, else as the stored versions show. */
export function archiveStart({ events, coverage }: Archive): number | undefined {
  const start = instantOf(coverage?.envelope.archive_start);
  if (start !== undefined) return start;
  const captures = [...events.values()].flat().map(({ captured }) => captured);
  return captures.length === 0 ? undefined : Math.min(...captures);
}

/** The version of each event valid at an instant; left out where a missing version may lie between. */
export function stateAt({ events, whole, listed }: Archive, asOf: number): readonly Version[] {
  return [...events].flatMap(([event, versions]) => {
    const place = versions.findLastIndex(({ captured }) => captured <= asOf);
    const valid = versions[place];
    if (!valid) return [];
    const isFollowed = versions[place + 1]?.number === valid.number + 1;
    const isShown = valid.validUntil !== undefined && asOf <= valid.validUntil;
    return whole || listed.has(event) || isFollowed || isShown ? [valid] : [];
  });
}

/** In the order of the schedule; what has no time comes last. */
export function bySchedule(a: Version, b: Version): number {
  const [left, right] = [archiveRelease(a), archiveRelease(b)];
  if (left !== right) return left - right;
  return a.event < b.event ? -1 : Number(a.event > b.event);
}

/** The scheduled time of a version, Unix seconds. */
export function archiveRelease({ row }: Version): number {
  return instantOf(row.announcement_datetime) ?? Number.MAX_SAFE_INTEGER;
}

/** True when the rows of a checkpointed series are all that the service listed: its last page came, and nothing is short. */
export function isComplete({ envelope, rows }: LoadedSeries): boolean {
  const { pagination, data_quality: quality } = envelope;
  if (!isJsonObject(pagination) || pagination.has_more !== false) return false;
  const rowCount = isJsonObject(quality) ? quality.row_count : undefined;
  return typeof rowCount !== 'number' || rowCount <= rows.length;
}

/** True when the stored answer was one page that is this very page: then it is served as it came. */
export function isThisPage({ envelope, rows }: LoadedSeries, args: CheckpointArgs): boolean {
  const { pagination } = envelope;
  if (args.checkpoint !== undefined || args.cursor !== undefined || !isJsonObject(pagination)) return false;
  return pagination.limit === args.limit && pagination.returned_count === rows.length;
}

function isFiltered({ indicator, start_date: from, end_date: to }: CoverageArgs): boolean {
  return indicator !== undefined || from !== undefined || to !== undefined;
}

function buildCoverage(loaded: readonly LoadedSeries[], { args }: HookContext<CoverageArgs>): Composed | undefined {
  const document = loaded.find(({ ref }) => ref.endpoint === COVERAGE);
  if (!document) return undefined;
  const gaps = document.rows.map(({ text }) => text);
  if (!isFiltered(args)) return { envelope: document.envelope, rows: gaps, total: gaps.length };
  const archive = readArchive(loaded);
  if (!archive.whole) return undefined;
  const span = spanOf(args);
  const events = [...archive.events.values()].map((versions) => versions.filter((one) => isAsked(one, args, span)));
  const versions = events.flat();
  const inside = gaps.filter((text) => overlaps(parseObject(text), span));
  const { capture_count: captures, ...rest } = document.envelope;
  return {
    envelope: {
      ...rest,
      ...(args.start_date === undefined && args.end_date === undefined && { capture_count: captures }),
      indicator: args.indicator,
      start_date: args.start_date,
      end_date: args.end_date,
      event_count: events.filter((kept) => kept.length > 0).length,
      version_count: versions.length,
      last_capture_at: lastCapture(versions),
      coverage_quality: inside.length === 0 ? 'complete' : 'partial',
    },
    rows: inside,
    total: inside.length,
    // As many versions are stored as the service counts: only what it counted can be missing.
    missingParts: document.coverage.ranges.length > 0 ? [] : [missingAll(COVERAGE, { currency: args.currency })],
  };
}

/** Unix seconds, the end left out. */
interface Span {
  readonly from: number;
  readonly to: number;
}

function spanOf({ start_date: from, end_date: to }: CoverageArgs): Span {
  return {
    from: from === undefined ? Number.NEGATIVE_INFINITY : dateToMs(from) / 1000,
    to: to === undefined ? Number.POSITIVE_INFINITY : dateToMs(to) / 1000 + DAY,
  };
}

function isAsked({ captured, row }: Version, { indicator }: CoverageArgs, { from, to }: Span): boolean {
  return captured >= from && captured < to && (indicator === undefined || row.release === indicator);
}

function overlaps(gap: Readonly<Record<string, unknown>>, { from, to }: Span): boolean {
  const start = instantOf(gap.gap_start) ?? Number.NEGATIVE_INFINITY;
  const end = instantOf(gap.gap_end) ?? Number.POSITIVE_INFINITY;
  return start < to && end > from;
}

function lastCapture(versions: readonly Version[]): string | undefined {
  return versions.length === 0 ? undefined : isoSeconds(Math.max(...versions.map(({ captured }) => captured)));
}
