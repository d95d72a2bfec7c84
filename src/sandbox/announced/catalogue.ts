import type { JsonObject } from '../../contract/json/json.ts';
import { addDays, dateOf, daysBetween } from '../../contract/time/time.ts';
import { officialVariable } from '../forecasters.ts';
import { type GeneratedSeries, rowOf, SANDBOX_LABEL, SANDBOX_URL } from '../rows.ts';
import type { World } from '../world.ts';
import type { Announcements } from './announcements.ts';
import { publishedAs, seriesId, staleAfter, supportedOptions } from './announcements-envelope.ts';
import { indicatorsOf } from './indicator-table.ts';

/** The catalogue of one currency: what its generated series are and how much of them there is. */
export function generateCatalogue(world: World, currency: string, stored: readonly Announcements[]): GeneratedSeries {
  const bySlug = [...stored].sort((a, b) => (a.series.indicator.slug < b.series.indicator.slug ? -1 : 1));
  const rows = bySlug.map((one) => rowOf('data_catalogue', entryOf(world, one), one.series.indicator.slug));
  return { endpoint: 'data_catalogue', scope: { currency }, envelope: {}, rows };
}

function entryOf(world: World, one: Announcements): JsonObject {
  const { series, observations } = one;
  const { currency, indicator } = series;
  const related = indicatorsOf(currency, world.size)
    .filter((other) => other !== indicator && other.unit === indicator.unit && other.frequency === indicator.frequency)
    .map((other) => other.slug)
    .sort()
    .slice(0, 3);
  const published = publishedAs(series);
  return {
    name: indicator.name,
    unit: indicator.unit,
    frequency: indicator.frequency,
    source: SANDBOX_LABEL,
    source_url: `${SANDBOX_URL}${currency.toLowerCase()}/${indicator.slug}`,
    source_url_scope: 'series',
    ...published,
    source_history_start: observations[0]?.date ?? world.today,
    seasonal_adjustment: indicator.adjustment,
    ...(related.length > 0 && { related_indicators: related }),
    standardization_note: 'Synthetic: made by a seeded generator, not published by anybody.',
    has_official_forecast: officialVariable(indicator.slug) !== undefined,
    is_proxy: false,
    series_variants: [
      {
        series_id: seriesId(series),
        storage_indicator: indicator.slug,
        unit: indicator.unit,
        frequency: indicator.frequency,
        is_default: true,
        seasonal_adjustment: indicator.adjustment,
        ...published,
      },
    ],
    supported_options: supportedOptions(indicator),
    coverage: coverageOf(world, one),
  };
}

function coverageOf(world: World, { series, observations }: Announcements): JsonObject {
  const { currency, indicator } = series;
  const first = observations[0];
  const last = observations.at(-1);
  if (!first || !last) return { available: false, row_count: 0, requires_api_key: currency !== 'USD' };
  const lag = daysBetween(last.date, world.today);
  const limit = staleAfter(indicator);
  const recently = addDays(world.today, -90);
  const fresh = limit === undefined || lag <= limit;
  return {
    available: true,
    has_recent_data: fresh,
    value_available: true,
    requires_api_key: currency !== 'USD',
    usable_for_signal: true,
    usable_for_context: true,
    source_monitoring_complete: true,
    known_source_gap: false,
    has_mom_transform: null,
    has_qoq_transform: null,
    has_yoy_transform: null,
    row_count: observations.length,
    data_lag_days: lag,
    ...(limit !== undefined && { stale_after_days: limit }),
    recent_observation_count: observations.filter(({ date }) => date >= recently).length,
    latest_release_date: dateOf(last.release * 1000),
    latest_available_date: last.date,
    earliest_available_date: first.date,
    coverage_quality: 'complete',
    history_coverage_quality: 'complete',
    freshness_quality: fresh ? 'fresh' : 'stale',
    source_freshness: 'current',
  };
}
