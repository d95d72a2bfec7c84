import type { Envelope, LoadedSeries } from '../../contract/hooks.ts';
import { isJsonObject, type JsonObject } from '../../contract/json/json.ts';
import { daysBetween } from '../../contract/time/time.ts';
import { sourceQuality } from '../quality.ts';
import { distinct } from './observations.ts';

/** Days after which a daily rate counts as stale. See docs/interface.md#data-quality. */
const STALE_AFTER = 7;

export interface RateQuality {
  /** The series that gave values. */
  readonly series: readonly LoadedSeries[];
  readonly sources: readonly string[];
  readonly derived: boolean;
  readonly rows: number;
  /** Rows whose release time is known; undefined where nobody can tell of how many it is. */
  readonly timed: number | undefined;
  /** Undefined without a row, and where a newer one may exist. */
  readonly latest: string | undefined;
  /** Date that the answer speaks of. */
  readonly today: string;
  /** False for rates without a fixed cadence: they are never stale. */
  readonly ages: boolean;
}

/** `data_quality` of an answer made of rates of several series. */
export function rateQuality(input: RateQuality): Envelope {
  const { series, sources, latest, today, ages, rows, timed } = input;
  const qualities = series.map(({ envelope }) => sourceQuality(envelope));
  const lag = latest === undefined ? undefined : daysBetween(latest, today);
  const types = distinct(qualities.map(({ source_type: type }) => (typeof type === 'string' ? type : undefined)));
  return {
    ...(qualities.length > 0 && {
      is_official: qualities.every((one) => one.is_official === true),
      is_proxy: qualities.some((one) => one.is_proxy === true),
      is_fallback: qualities.some((one) => one.is_fallback === true),
      source_type: types.length > 1 ? 'mixed' : types[0],
    }),
    ...(sources.length > 0 && { source_name: sources.join(', ') }),
    is_derived: input.derived,
    is_stale: lag === undefined && rows > 0 ? undefined : ages && lag !== undefined && lag > STALE_AFTER,
    has_announcement_datetime: timed === undefined ? undefined : timed > 0,
    row_count: rows,
    announcement_datetime_count: timed,
    missing_announcement_datetime_count: timed === undefined ? undefined : rows - timed,
    data_lag_days: lag,
    stale_after_days: ages ? STALE_AFTER : undefined,
    latest_available_date: latest,
    quality_scope: 'full_result',
  };
}

/** Members that tell whether a stored quality still counts what the answer shows. */
const COUNTS = ['row_count', 'latest_available_date', 'data_lag_days'] as const;

/** The quality that the service sent while it counts the same rows on the same day, else ours over what it said. */
export function keptQuality(stored: JsonObject, computed: Envelope): Envelope {
  const { data_quality: stated } = stored;
  if (!isJsonObject(stated)) return computed;
  const agrees = COUNTS.every((name) => stated[name] === undefined || stated[name] === computed[name]);
  return agrees ? stated : { ...stated, ...computed };
}
