import type { JsonObject } from '../../contract/json/json.ts';
import { daysBetween } from '../../contract/time/time.ts';
import { officialVariable } from '../forecasters.ts';
import { economyOf } from '../publishers.ts';
import { SANDBOX_LABEL, SANDBOX_URL } from '../rows.ts';
import type { Series } from '../schedule.ts';
import type { World } from '../world.ts';
import type { Indicator } from './indicator-table.ts';
import type { GeneratedObservation } from './vintages.ts';

const REVISIONS = ['latest', 'first', 'final', 'all'];

/**
 * Days after which a series counts as stale; none for one without a fixed cadence. See docs/interface.md#data-quality.
 */
const STALE_AFTER: Readonly<Partial<Record<Indicator['frequency'], number>>> = {
  Daily: 7,
  Weekly: 21,
  Monthly: 95,
  Quarterly: 170,
};

export function staleAfter(indicator: Indicator): number | undefined {
  return STALE_AFTER[indicator.frequency];
}

/** The selectors that the canonical form of a series has. */
function selectors({ unit, adjustment }: Indicator): { frequency: string; seasonality: string | null } {
  const frequency = /^%(YoY|QoQ|MoM)$/.exec(unit)?.[1]?.toLowerCase() ?? 'level';
  return { frequency, seasonality: adjustment === 'NOT_APPLICABLE' ? null : adjustment.toLowerCase() };
}

export function seriesId({ currency, indicator }: Series): string {
  const { frequency, seasonality } = selectors(indicator);
  return `${currency.toLowerCase()}_${indicator.slug}_canonical_${frequency}_${seasonality ?? 'default'}_standard_period`;
}

/** The series of the invented publisher. */
export function publishedAs({ currency, indicator }: Series) {
  return {
    source_series_id: `SANDBOX:${currency}:${indicator.slug.toUpperCase()}`,
    source_series_name: `${indicator.name}, ${currency}, synthetic`,
  };
}

/** The one choice that each selector of a series has. */
export function supportedOptions(indicator: Indicator): JsonObject {
  const { frequency, seasonality } = selectors(indicator);
  return {
    basis: [],
    frequency: [frequency],
    revisions: REVISIONS,
    seasonality: seasonality === null ? [] : [seasonality],
    annualization: [],
    period_aggregation: [],
  };
}

/** Members beside the rows that do not depend on the question. See docs/interface-endpoints.md#announcements. */
export function announcementsEnvelope(
  world: World,
  series: Series,
  observations: readonly GeneratedObservation[],
): JsonObject {
  const { currency, indicator } = series;
  const first = observations[0]?.date ?? world.today;
  const last = observations.at(-1)?.date ?? world.today;
  const published = publishedAs(series);
  return {
    currency,
    indicator: indicator.slug,
    name: indicator.name,
    unit: indicator.unit,
    frequency: indicator.frequency,
    source: SANDBOX_LABEL,
    source_url: `${SANDBOX_URL}${currency.toLowerCase()}/${indicator.slug}`,
    ...published,
    seasonal_adjustment: indicator.adjustment,
    is_proxy: false,
    provenance: {
      publisher: SANDBOX_LABEL,
      publisher_url: SANDBOX_URL,
      storage: 'sandbox',
      served_by: '/v1/announcements/{currency}/{indicator}',
      timestamp_field: 'announcement_datetime',
      value_field: 'val',
      ...published,
      source_local_name: null,
      seasonal_adjustment: indicator.adjustment,
      price_basis: null,
      is_proxy: false,
      proxy_note: null,
    },
    has_official_forecast: officialVariable(indicator.slug) !== undefined,
    earliest_available_date: first,
    latest_available_date: last,
    ...targetOf(series),
    ...policyOf(series),
    remap: { applied: false, rule_id: null, transform: 'raw', canonical_indicator: indicator.slug },
    filters: {
      basis: null,
      frequency: null,
      revisions: 'latest',
      seasonality: null,
      annualization: null,
      period_aggregation: null,
    },
    ...seriesSelection(series),
    value_mode: 'normalized',
    value_metadata: { source_unit: indicator.unit, normalization_applied: false },
    data_quality: qualityOf(world, indicator, observations),
  };
}

/** Which series an answer is about, and what else there is to choose. */
export function seriesSelection(series: Series): JsonObject {
  const { indicator } = series;
  return {
    selected_series_id: seriesId(series),
    selected_series: {
      series_id: seriesId(series),
      label: `${indicator.name}, synthetic`,
      source_series_id: publishedAs(series).source_series_id,
      ...selectors(indicator),
      annualization: null,
      period_aggregation: null,
      basis: null,
      revisions: 'latest',
    },
    supported_options: supportedOptions(indicator),
  };
}

function targetOf({ currency, indicator }: Series): JsonObject {
  if (indicator.slug !== 'inflation') return {};
  const current = { effective_from: '2000-01-01', target: economyOf(currency).target, notes: 'Synthetic.' };
  return {
    cb_target: { description: 'Synthetic inflation objective', source: SANDBOX_LABEL, current, history: [current] },
  };
}

function policyOf({ currency, indicator }: Series): JsonObject {
  if (!indicator.slug.startsWith('policy_rate')) return {};
  const family = currency === 'USD' ? TARGET_RANGE : SINGLE_RATE;
  const own = family.find((member) => member.indicator === indicator.slug);
  return {
    value_name: own?.value_name ?? indicator.name,
    policy_role: own?.role ?? 'other',
    policy_structure: family === TARGET_RANGE ? 'target_range' : 'single_rate',
    comparison_compatible: own?.role === 'headline',
    policy_family: family,
  };
}

const SINGLE_RATE = [{ indicator: 'policy_rate', value_name: 'Policy rate', role: 'headline' }];
const TARGET_RANGE = [
  { indicator: 'policy_rate', value_name: 'Upper bound', role: 'headline' },
  { indicator: 'policy_rate_target_lower', value_name: 'Lower bound', role: 'lower_bound' },
];

function qualityOf(world: World, indicator: Indicator, observations: readonly GeneratedObservation[]): JsonObject {
  const last = observations.at(-1)?.date ?? world.today;
  const lag = daysBetween(last, world.today);
  const limit = staleAfter(indicator);
  return {
    is_official: false,
    is_proxy: false,
    is_fallback: false,
    is_stale: limit !== undefined && lag > limit,
    is_derived: false,
    has_announcement_datetime: true,
    point_in_time_safe: true,
    has_assumed_release_times: false,
    unverified_vintage_count: 0,
    unknown_publication_time_count: 0,
    row_count: observations.length,
    announcement_datetime_count: observations.length,
    missing_announcement_datetime_count: 0,
    assumed_release_time_count: 0,
    bounded_release_time_count: 0,
    unbounded_release_time_count: 0,
    data_lag_days: lag,
    ...(limit !== undefined && { stale_after_days: limit }),
    latest_available_date: last,
    source_name: SANDBOX_LABEL,
    source_type: 'synthetic',
    quality_scope: 'full_result',
  };
}
