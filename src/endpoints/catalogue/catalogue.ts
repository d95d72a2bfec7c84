import { defineEndpoint } from '../../contract/endpoint.ts';
import { mapBody } from '../../contract/json/body.ts';
import * as s from '../../contract/json/schema.ts';
import { textField, wholeList } from '../../contract/mapping.ts';
import { adds } from '../../contract/params/param.ts';
import { booleanParam, currency, optional, slug, withDefault } from '../../contract/params/params.ts';
import { INDICATORS, MAIN_CURRENCIES } from '../../contract/words/words.ts';
import { deriveCatalogue } from '../../derive/catalogue.ts';

const coverageMembers = {
  'available?': s.boolean(),
  'has_recent_data?': s.boolean(),
  'value_available?': s.boolean(),
  'requires_api_key?': s.boolean(),
  'usable_for_signal?': s.boolean(),
  'usable_for_context?': s.boolean(),
  'source_monitoring_complete?': s.boolean(),
  'known_source_gap?': s.boolean(),
  'has_mom_transform?': s.nullable(s.boolean()),
  'has_qoq_transform?': s.nullable(s.boolean()),
  'has_yoy_transform?': s.nullable(s.boolean()),
  'row_count?': s.integer(),
  'data_lag_days?': s.integer(),
  'stale_after_days?': s.integer(),
  'recent_observation_count?': s.integer(),
  'latest_release_date?': s.date(),
  'latest_available_date?': s.date(),
  'earliest_available_date?': s.date(),
  'coverage_quality?': s.string(),
  'history_coverage_quality?': s.string(),
  'freshness_quality?': s.string(),
  'source_freshness?': s.string(),
} as const;

export default defineEndpoint({
  id: 'data_catalogue',
  path: '/v1/data_catalogue/{currency}',
  group: 'data catalogue',
  at: { currency: currency('currency of the catalogue', MAIN_CURRENCIES, 404) },
  query: {
    include_capabilities: withDefault(booleanParam('adds what the endpoints of this currency ask for'), false),
    include_coverage: withDefault(booleanParam('adds the older top-level coverage list'), false),
    indicator: optional(slug('one slug of the coverage list', INDICATORS)),
  },
  access: { class: 'public' },
  body: mapBody(
    'slug',
    ['coverage', 'capabilities', 'catalogue', 'freemium_window', 'freemium_delay', 'pagination'],
    'catalogue',
  ),
  row: s.object({
    name: s.string('descriptive name'),
    unit: s.string('unit of measurement'),
    frequency: s.string('Daily, Weekly, Monthly, Quarterly or Annual'),
    'source?': s.string('publisher'),
    'source_url?': s.string(),
    'source_url_scope?': s.string('release, series or dataset'),
    'source_series_id?': s.string(),
    'source_series_name?': s.string(),
    'source_local_name?': s.string(),
    'source_history_start?': s.date(),
    'seasonal_adjustment?': s.oneOf('SA', 'NSA', 'UNKNOWN', 'NOT_APPLICABLE'),
    'price_basis?': s.oneOf('REAL', 'NOMINAL', 'UNKNOWN'),
    'annualization?': s.string(),
    'period_aggregation?': s.string(),
    'aliases?': s.strings,
    'related_indicators?': s.strings,
    'standardization_note?': s.string(),
    'has_official_forecast?': s.boolean(),
    'is_proxy?': s.boolean(),
    'proxy_note?': s.string(),
    'series_variants?': s.array(
      s.object({
        series_id: s.string(),
        'storage_indicator?': s.string(),
        'is_default?': s.boolean(),
        'unit?': s.string(),
        'frequency?': s.string(),
        'seasonal_adjustment?': s.string(),
        'source_series_id?': s.string(),
        'source_series_name?': s.string(),
      }),
    ),
    'supported_options?': s.mapOf(s.strings),
    'maturity_months?': s.integer(),
    'yield_type?': s.string(),
    coverage: s.object(coverageMembers),
  }),
  envelope: s.object({
    'coverage?': s.array(s.object({ indicator: s.string(), ...coverageMembers }), 'with include_coverage'),
    'capabilities?': s.object(
      {
        currency: s.string(),
        endpoints: s.array(s.object({ path: s.string(), method: s.string(), requires_api_key: s.boolean() })),
        auth: s.object({ header: s.string(), bearer: s.string(), keyless_scope: s.string() }),
      },
      'with include_capabilities',
    ),
  }),
  provisional: 'the lists of include_capabilities and include_coverage; words for the quality of coverage',
  fresh: 3600,
  mirror: wholeList({
    table: 'catalogue',
    scope: ['currency'],
    key: [textField('slug')],
    effects: {
      include_capabilities: adds({ beside: ['capabilities'] }),
      include_coverage: adds({ beside: ['coverage'] }),
      indicator: adds({ beside: ['coverage'] }),
    },
    // It counts the days since the newest row, so it moves every day.
    dependent: ['coverage'],
  }),
  cli: {
    words: ['catalogue'],
    columns: ['slug', 'name', 'unit', 'frequency', 'source'],
    spare: ['source', 'frequency', 'name'],
    examples: ['catalogue usd', 'catalogue eur --format json'],
  },
  derive: deriveCatalogue,
  doc: { summary: 'Indicators of a currency', example: { currency: 'USD' } },
});
