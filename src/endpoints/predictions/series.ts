import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { readParams } from '../../contract/params/read-params.ts';
import {
  coverageNote,
  derivePredictions,
  OFFICIAL_LIMIT,
  PREDICTION_CLASSES,
  PREDICTION_TYPES,
} from '../../derive/predictions.ts';
import coverageCurrency from './coverage-currency.ts';
import { officialForecast } from './vintages.ts';

const forecast = s.object({
  predicted_value: s.nullable(s.number()),
  'prediction_class?': s.string(),
  'prediction_class_label?': s.string(),
  'prediction_type?': s.string('the older division'),
  'prediction_source?': s.string(),
  'prediction_source_label?': s.string(),
  'generated_at?': s.nullable(s.dateTime('when the forecast was made')),
  'is_pre_release?': s.boolean('it was made before the release'),
  'confidence?': s.open,
  'event_compatible?': s.boolean('it forecasts what the release will print'),
  'event_compatibility_reason?': s.nullable(s.string()),
  'source_url?': s.string(),
  'unit?': s.string(),
  'provenance?': s.open,
});

/** A stored row is a release with all its forecasts, so that another forecast revises it and the mirror keeps both. */
export default c.defineEndpoint({
  id: 'predictions',
  path: '/v1/predictions/{currency}/{indicator}',
  group: 'predictions',
  at: {
    currency: c.currency('currency of the indicator', c.MAIN_CURRENCIES, 422),
    indicator: c.slug('indicator', c.INDICATORS),
  },
  query: {
    prediction_class: c.optional(c.choice('kind of forecast', PREDICTION_CLASSES)),
    prediction_type: c.optional(c.choice('kind of forecast, older division', PREDICTION_TYPES)),
    prediction_source: c.optional(c.textParam('one source', { max: 160 })),
    official_limit: c.withDefault(c.integerParam('official forecasts at most', { min: 0, max: 2000 }), OFFICIAL_LIMIT),
    pre_release_only: c.withDefault(c.booleanParam('only forecasts made before the release'), true),
    seasonality: c.optional(c.choice('seasonal adjustment', ['sa', 'nsa'])),
    frequency: c.optional(c.choice('transformation', ['level', 'yoy', 'qoq', 'mom'])),
    annualization: c.optional(c.choice('annualization', ['not_annualized', 'saar'])),
    period_aggregation: c.optional(c.choice('aggregation of periods', ['monthly', 'quarterly_average'])),
    basis: c.optional(c.choice('price basis', ['real', 'nominal'])),
    start_date: c.daysAgo(c.dateParam('first reference period'), 180),
    end_date: c.daysAgo(c.dateParam('last reference period'), -90),
    before_date: c.optional(c.dateParam('only periods before this date: next_cursor of the last answer')),
    as_of: c.optional(c.instant('only forecasts made by this moment')),
    event_compatible_only: c.withDefault(c.booleanParam('only forecasts of what the release will print'), false),
  },
  checks: [c.datesInOrder],
  access: { class: 'keyed' },
  refusal: {
    asks: ({ currency: code }) => {
      const raw = { path: { currency: String(code) }, query: {} };
      return { endpoint: coverageCurrency, args: readParams(coverageCurrency, raw, { mode: 'liberal', now: 0 }).args };
    },
    tell: coverageNote,
  },
  paging: c.offset({ page: true }),
  body: c.listAt('data'),
  namesMoment: 'as_of',
  row: s.object({
    announcement_id: s.string('the release that is forecast'),
    date: s.date('end of the reference period'),
    'observation_id?': s.string(),
    'currency?': s.string('lower case'),
    'indicator?': s.string(),
    'announcement_datetime?': s.nullable(s.integer('release time, Unix seconds; absent until then')),
    'announcement_timing?': s.object({ 'scheduled_at?': s.nullable(s.dateTime()) }),
    predictions: s.array(forecast),
  }),
  envelope: s.object({
    currency: s.string(),
    indicator: s.string(),
    'as_of?': s.nullable(s.dateTime()),
    'event_compatible_only?': s.boolean(),
    'pre_release_only?': s.boolean(),
    'filters?': s.mapOf(s.nullable(s.string())),
    'selected_series_id?': s.string(),
    'selected_series?': c.SELECTED_SERIES,
    'source?': s.string(),
    'unit?': s.string(),
    'supported_options?': s.mapOf(s.strings),
    ...c.WINDOW_MEMBERS,
    count: s.integer('targets of this page'),
    'prediction_count?': s.integer('forecasts of this page'),
    'next_cursor?': s.nullable(s.date('oldest date of the page; ask with it as `before_date`')),
    'has_more?': s.boolean(),
    'data_quality?': c.DATA_QUALITY,
    'official_forecasts?': s.array(officialForecast, 'with periods of their own, never part of `data`'),
  }),
  provisional: 'that pages continue by cursor and by offset',
  fresh: 3600,
  mirror: {
    table: 'predictions',
    identity: 'selected_series_id',
    scope: c.wordList(`currency indicator pre_release_only seasonality frequency annualization period_aggregation
      basis`),
    key: [c.textField('date'), c.textField('announcement_id')],
    order: 'newest',
    columns: [c.integerColumn('announcement_datetime')],
    window: c.dateWindow(),
    effects: {
      // These leave forecasts out of each row.
      prediction_class: c.changes,
      prediction_type: c.changes,
      prediction_source: c.changes,
      as_of: c.changes,
      event_compatible_only: c.changes,
      // These shorten lists beside the rows; the rows stay the same.
      official_limit: c.selects,
      before_date: c.selects,
    },
    variants: [{ pre_release_only: true }, { pre_release_only: false }],
    sync: { kind: 'history', revisionDays: 60, aheadDays: 366 },
  },
  derive: derivePredictions,
  cli: {
    words: ['predictions'],
    lines: 'predictions',
    columns: ['date', 'prediction_class', 'prediction_source', 'predicted_value', 'generated_at', 'is_pre_release'],
    spare: ['prediction_class', 'is_pre_release', 'generated_at'],
    examples: ['predictions usd inflation', 'predictions usd inflation --prediction-class model_nowcast --format csv'],
  },
  doc: {
    summary: 'Forecasts of the releases of one indicator',
    example: { currency: 'USD', indicator: 'inflation' },
  },
});
