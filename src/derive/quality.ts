import type { Envelope } from '../contract/hooks.ts';
import { isJsonObject, type JsonObject } from '../contract/json/json.ts';
import { daysBetween } from '../contract/time/time.ts';
import { type Cadence, RHYTHMS } from './cadence.ts';
import { perObject } from './memory.ts';

/** What rows say of their release times, counted. See docs/interface.md#data-quality. */
export const releaseCounts = perObject((rows: readonly JsonObject[]): Envelope => {
  const counts = { timed: 0, unverified: 0, unknown: 0, assumed: 0, bounded: 0, unbounded: 0 };
  for (const row of rows) {
    const facts = factsOf(row);
    counts.timed += Number(facts.isTimed);
    counts.unverified += Number(facts.isUnverified);
    counts.unknown += Number(facts.isUnknown);
    counts.assumed += Number(facts.isAssumed);
    counts.bounded += Number(facts.bounds === 2);
    counts.unbounded += Number(facts.bounds === 1);
  }
  const { timed, unverified, unknown, assumed } = counts;
  return {
    has_announcement_datetime: timed > 0,
    point_in_time_safe: rows.length > 0 && timed === rows.length && unverified + unknown + assumed === 0,
    unverified_vintage_count: unverified,
    unknown_publication_time_count: unknown,
    row_count: rows.length,
    announcement_datetime_count: timed,
    missing_announcement_datetime_count: rows.length - timed,
    has_assumed_release_times: assumed > 0,
    assumed_release_time_count: assumed,
    bounded_release_time_count: counts.bounded,
    unbounded_release_time_count: counts.unbounded,
  };
});

/** What one row says of its release time. */
const factsOf = perObject((row: JsonObject) => ({
  isTimed: typeof row.announcement_datetime === 'number',
  isUnverified: !VERIFIED.has(String(row.publication_time_status)),
  isUnknown: row.publication_time_status === 'unknown',
  isAssumed: row.release_time_assumed === true || row.publication_time_status === ASSUMED,
  bounds: boundsOf(row),
}));

const ASSUMED = 'assumed_historical';

/** States that are not "unverified": a row without any state is. */
const VERIFIED = new Set(['confirmed', 'unknown', ASSUMED]);

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
  /** All rows of the answer, not only of the page. */
  readonly rows: readonly JsonObject[];
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
  const { rows, stored, latest, today } = input;
  const lag = latest === undefined ? undefined : daysBetween(latest, today);
  const staleAfter = staleAfterDays(input);
  return {
    ...sourceQuality(stored),
    ...releaseCounts(rows),
    is_stale:
      lag === undefined && rows.length > 0
        ? undefined
        : lag !== undefined && staleAfter !== undefined && lag > staleAfter,
    latest_available_date: latest,
    data_lag_days: lag,
    stale_after_days: staleAfter,
    quality_scope: 'full_result',
    requested_window_has_data: input.hasData,
    page_includes_latest_available: input.includesLatest,
  };
}

/** The service's own figure where it sent a quality, none included; else the one of the cadence. */
function staleAfterDays({ stored, cadence, ages }: HistoryQuality): number | undefined {
  const quality = qualityOf(stored);
  if (quality) return typeof quality.stale_after_days === 'number' ? quality.stale_after_days : undefined;
  return ages && cadence ? RHYTHMS[cadence].staleAfter : undefined;
}

function qualityOf(stored: JsonObject): JsonObject | undefined {
  return isJsonObject(stored.data_quality) ? stored.data_quality : undefined;
}
