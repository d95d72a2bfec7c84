import type { Envelope, PageView } from '../contract/hooks.ts';
import { isJsonObject, type JsonObject, type JsonText, parseObject } from '../contract/json/json.ts';
import { daysBetween } from '../contract/time/time.ts';
import { type Cadence, RHYTHMS } from './cadence.ts';
import { madeOf } from './places.ts';

/** What a row says of its release time, one bit each. */
const TIMED = 1;
const UNVERIFIED = 2;
const UNKNOWN = 4;
const ASSUMED = 8;
const BOUNDED = 16;
const UNBOUNDED = 32;

/** The facts of the rows of a series by their place, worked out when they are first counted. */
export type ReleaseFacts = (place: number) => number;

export function releaseFacts(length: number, textAt: (place: number) => JsonText): ReleaseFacts {
  const known = new Uint8Array(length);
  const isKnown = new Uint8Array(length);
  return (place) => {
    if (isKnown[place] === 0) known[place] = factsOf(parseObject(textAt(place)));
    isKnown[place] = 1;
    return known[place] ?? 0;
  };
}

/** What rows say of their release times, counted. See docs/interface.md#data-quality. */
export function releaseCounts(rows: readonly JsonObject[]): Envelope {
  return countFacts(rows.map(factsOf));
}

/** The same of the rows of an answer's window: of rows that are kept each is read once. */
export async function windowCounts<A>(view: PageView<A>): Promise<Envelope> {
  const { whole, stored } = view;
  if (!whole) return withAssumed(stored, releaseCounts((await view.window()).map(parseObject)));
  const facts = madeOf(view, 'release facts', () => releaseFacts(whole.length, whole.text));
  return withAssumed(stored, countFacts(whole.window.map(facts)));
}

/** Counts of a file's rows: where a rule says when they were published, the rows do not, and each time is assumed. */
export function withAssumed(stored: JsonObject, counts: Envelope): Envelope {
  if (!isTimedByRule(stored)) return counts;
  const { row_count: rows = 0, announcement_datetime_count: stated = 0 } = counts;
  // A row that states its time has it from a calendar of releases.
  const assumed = Number(rows) - Number(stated);
  return {
    ...counts,
    unverified_vintage_count: 0,
    has_assumed_release_times: assumed > 0,
    assumed_release_time_count: assumed,
  };
}

/** True for a file whose importer says by a rule when its values were published. */
export function isTimedByRule(stored: JsonObject): boolean {
  const { has_assumed_release_times: assumed, assumed_release_time_count: counted } = qualityOf(stored) ?? {};
  return assumed === true && counted === undefined;
}

export function countFacts(facts: readonly number[]): Envelope {
  const counted = (fact: number) => facts.reduce((count, one) => count + Number((one & fact) !== 0), 0);
  const rows = facts.length;
  const [timed, unverified] = [counted(TIMED), counted(UNVERIFIED)];
  const [unknown, assumed] = [counted(UNKNOWN), counted(ASSUMED)];
  return {
    has_announcement_datetime: timed > 0,
    point_in_time_safe: rows > 0 && timed === rows && unverified + unknown + assumed === 0,
    unverified_vintage_count: unverified,
    unknown_publication_time_count: unknown,
    row_count: rows,
    announcement_datetime_count: timed,
    missing_announcement_datetime_count: rows - timed,
    has_assumed_release_times: assumed > 0,
    assumed_release_time_count: assumed,
    bounded_release_time_count: counted(BOUNDED),
    unbounded_release_time_count: counted(UNBOUNDED),
  };
}

function factsOf(row: JsonObject): number {
  const { publication_time_status: status } = row;
  const bounds = boundsOf(row);
  const isAssumed = row.release_time_assumed === true || status === ASSUMED_STATUS;
  return (
    (typeof row.announcement_datetime === 'number' ? TIMED : 0) +
    (VERIFIED.has(String(status)) ? 0 : UNVERIFIED) +
    (status === 'unknown' ? UNKNOWN : 0) +
    (isAssumed ? ASSUMED : 0) +
    (bounds === 2 ? BOUNDED : bounds === 1 ? UNBOUNDED : 0)
  );
}

const ASSUMED_STATUS = 'assumed_historical';

/** States that are not "unverified": a row without any state is. */
const VERIFIED = new Set(['confirmed', 'unknown', ASSUMED_STATUS]);

/** How many ends of the bracket around a release time a row states. */
function boundsOf(row: JsonObject): number {
  const { release_timing: timing } = row;
  if (!isJsonObject(timing)) return 0;
  return [timing.published_after, timing.published_by].filter((bound) => typeof bound === 'string').length;
}

/** Members about the source: as stored, else what can be told without it. */
export function sourceQuality(stored: JsonObject): Envelope {
  const quality = qualityOf(stored) ?? {};
  const proxy = quality.is_proxy ?? stored.is_proxy ?? false;
  return {
    is_official: proxy !== true,
    is_fallback: false,
    is_derived: false,
    source_type: proxy === true ? 'proxy' : 'official',
    ...(typeof stored.source === 'string' && { source_name: stored.source }),
    ...quality,
    is_proxy: proxy,
  };
}

export interface HistoryQuality {
  /** What all rows of the answer say of their releases, not only those of the page. */
  readonly counts: Envelope;
  readonly stored: JsonObject;
  /** Newest date that the caller may see. */
  readonly latest: string | undefined;
  /** Date of the request. */
  readonly today: string;
  readonly cadence: Cadence | undefined;
  /** False for series without a fixed cadence, such as policy rates: they are never stale. */
  readonly ages: boolean;
  /** Undefined where the mirror cannot tell, as are the two that follow. */
  readonly hasData: boolean | undefined;
  readonly includesLatest: boolean | undefined;
}

/** `data_quality` of a history answer. See docs/interface.md#data-quality. */
export function historyQuality(input: HistoryQuality): Envelope {
  const { counts, stored, latest, today } = input;
  const lag = latest === undefined ? undefined : daysBetween(latest, today);
  const staleAfter = staleAfterDays(input);
  return {
    ...sourceQuality(stored),
    ...counts,
    is_stale: staleness(input, lag, staleAfter),
    latest_available_date: latest,
    data_lag_days: lag,
    stale_after_days: staleAfter,
    quality_scope: 'full_result',
    requested_window_has_data: input.hasData,
    page_includes_latest_available: input.includesLatest,
  };
}

/** Undefined where the age or the rhythm is not known: nobody may take that for fresh. */
function staleness({ cadence, ages, counts }: HistoryQuality, lag: number | undefined, staleAfter: number | undefined) {
  if (lag === undefined) return Number(counts.row_count) > 0 ? undefined : false;
  if (staleAfter !== undefined) return lag > staleAfter;
  return ages && cadence === undefined ? undefined : false;
}

/** The service's own figure where it judged the age, none included; else the one of the cadence. */
function staleAfterDays({ stored, cadence, ages }: HistoryQuality): number | undefined {
  const quality = qualityOf(stored);
  if (quality?.is_stale !== undefined)
    return typeof quality.stale_after_days === 'number' ? quality.stale_after_days : undefined;
  return ages && cadence ? RHYTHMS[cadence].staleAfter : undefined;
}

function qualityOf(stored: JsonObject): JsonObject | undefined {
  return isJsonObject(stored.data_quality) ? stored.data_quality : undefined;
}
