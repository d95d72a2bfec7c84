import type { Envelope, PageView } from '../contract/hooks.ts';
import { isJsonObject, type JsonObject, type JsonText, objectIn, parseObject } from '../contract/json/json.ts';
import { daysBetween } from '../contract/time/time.ts';

/** The facts of a row about its release time, one bit each. */
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

/** Counts of the release times of rows. See docs/interface.md#data-quality. */
export function releaseCounts(rows: readonly JsonObject[]): Envelope {
  return countFacts(rows.map(factsOf));
}

/** The same of the rows of an answer's window: of rows that are stored each is read once. */
export async function windowCounts<A>(view: PageView<A>): Promise<Envelope> {
  const { whole, stored } = view;
  if (!whole) return withAssumed(stored, releaseCounts((await view.window()).map(({ text }) => parseObject(text))));
  const make = () => releaseFacts(whole.length, whole.text);
  const facts = view.column ? view.column('release facts', make) : make();
  return withAssumed(stored, countFacts((await view.window()).map(({ place = 0 }) => facts(place))));
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
  const { publication_time_status: status, revisions } = row;
  const bounds = boundsOf(row);
  const vintages = Array.isArray(revisions) ? revisions.map(objectIn) : [];
  const isAssumed = [row, ...vintages].some(isTimeAssumed);
  return (
    (typeof row.announcement_datetime === 'number' ? TIMED : 0) +
    (VERIFIED.has(String(status)) ? 0 : UNVERIFIED) +
    (status === 'unknown' ? UNKNOWN : 0) +
    (isAssumed ? ASSUMED : 0) +
    (bounds === 2 ? BOUNDED : bounds === 1 ? UNBOUNDED : 0)
  );
}

function isTimeAssumed({ release_time_assumed: isByRule, publication_time_status: status }: JsonObject): boolean {
  return isByRule === true || status === ASSUMED_STATUS;
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

/** Members about the source: as stored, else the defaults that are known without it. */
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

/** The same of an answer whose rows come from several sources. */
export function mixedQuality(envelopes: readonly JsonObject[], names: readonly string[]): Envelope {
  const qualities = envelopes.map(sourceQuality);
  const types = new Set(qualities.map(({ source_type: type }) => type).filter((type) => typeof type === 'string'));
  return {
    ...(qualities.length > 0 && {
      is_official: qualities.every((one) => one.is_official === true),
      is_proxy: qualities.some((one) => one.is_proxy === true),
      is_fallback: qualities.some((one) => one.is_fallback === true),
      source_type: types.size > 1 ? 'mixed' : [...types][0],
    }),
    ...(names.length > 0 && { source_name: names.join(', ') }),
  };
}

/** The content of an answer, at one moment. */
interface Shown {
  /** Members about the sources of its rows. */
  readonly about: Envelope;
  /** Counts of release times over all of its rows, not only over those of the page. */
  readonly counts: Envelope;
  /** True for rows that are computed from others; as the source says it when left out. */
  readonly isDerived?: boolean;
  /** Newest date that the caller may see; undefined where a newer one may exist. */
  readonly latest: string | undefined;
  /** Date of the moment that the answer speaks of. */
  readonly today: string;
  /** Days after which the newest row is stale; undefined where nobody knows. */
  readonly staleAfter: number | 'never' | undefined;
  /** Undefined where the mirror cannot tell; so is `includesLatest`. */
  readonly hasData?: boolean | undefined;
  readonly includesLatest?: boolean | undefined;
}

/** `data_quality` of an answer, on every path; unknown facts are left out. See docs/interface.md#data-quality. */
export function marksOf(shown: Shown): Envelope {
  const { about, counts, isDerived, latest, today, staleAfter, hasData, includesLatest } = shown;
  const lag = latest === undefined ? undefined : daysBetween(latest, today);
  const isAged = lag !== undefined && staleAfter !== undefined;
  return {
    ...about,
    ...counts,
    ...(isDerived !== undefined && { is_derived: isDerived }),
    is_stale: isAged ? staleAfter !== 'never' && lag > staleAfter : undefined,
    latest_available_date: latest,
    data_lag_days: lag,
    stale_after_days: staleAfter === 'never' ? undefined : staleAfter,
    quality_scope: 'full_result',
    requested_window_has_data: hasData,
    page_includes_latest_available: includesLatest,
  };
}

/** The service's own limit if it judged the age, even none; else the default one if the series ages at all. */
export function ageLimit(stored: JsonObject, usual: number | undefined, ages = true): Shown['staleAfter'] {
  const { is_stale: judged, stale_after_days: own } = qualityOf(stored) ?? {};
  const stated = typeof own === 'number' ? own : undefined;
  const limit = judged !== undefined ? stated : ages ? usual : undefined;
  return limit ?? (ages && usual === undefined ? undefined : 'never');
}

/** Members that tell whether a stored quality still counts what the answer shows. */
const COUNTS = ['row_count', 'latest_available_date', 'data_lag_days'] as const;

/** The quality that the service sent while it counts the same rows on the same day, else ours over what it said. */
export function keptQuality(stored: JsonObject, computed: Envelope): Envelope {
  const { data_quality: stated } = stored;
  if (!isJsonObject(stated)) return computed;
  const agrees =
    COUNTS.some((name) => stated[name] !== undefined) &&
    COUNTS.every((name) => stated[name] === undefined || stated[name] === computed[name]);
  return agrees ? stated : { ...stated, ...computed };
}

function qualityOf(stored: JsonObject): JsonObject | undefined {
  return isJsonObject(stored.data_quality) ? stored.data_quality : undefined;
}
