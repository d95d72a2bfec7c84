import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { deriveVintages, PRECISIONS } from '../../derive/predictions.ts';

/** A forecast that an authority published, for a period of its own choice. */
export const officialForecast = s.object({
  forecast_observation_id: s.string(),
  predicted_value: s.nullable(s.number()),
  'variable?': s.string(),
  'target_period?': s.string('the period as its publisher names it'),
  'period_basis?': s.string(),
  'unit?': s.string(),
  'statistic?': s.string(),
  'publication_date?': s.date(),
  'publication_datetime?': s.nullable(s.dateTime()),
  'publication_precision?': s.string('exact, date or unknown'),
  'prediction_source?': s.string(),
  'prediction_class?': s.string(),
  'source_url?': s.string(),
  'geography?': s.string(),
});

export default c.defineEndpoint({
  id: 'prediction_vintages',
  path: '/v1/predictions/{currency}',
  group: 'predictions',
  at: { currency: c.currency('currency of the forecasts', c.MAIN_CURRENCIES, 422) },
  query: {
    prediction_source: c.optional(
      c.textParam('source of the forecasts; needed where no indicator is named', { max: 160 }),
    ),
    variable: c.optional(c.textParam('subject of the forecast, as the source names it', { max: 250 })),
    target_period: c.optional(c.textParam('period that is forecast, as the source names it', { max: 160 })),
    publication_precision: c.optional(c.choice('how exactly the publication time is known', PRECISIONS)),
  },
  demands: [
    {
      param: 'prediction_source',
      code: 'prediction_source_required',
      detail: 'Name one source with prediction_source: listings over all sources are disabled.',
      hint: 'Sources are listed by macro predictions coverage; name one with --prediction-source.',
    },
  ],
  access: { class: 'keyed' },
  paging: c.paged('vintage', 1000, 100),
  body: c.listAt('data'),
  row: officialForecast,
  envelope: s.object({
    currency: s.string(),
    'source?': s.string(),
    prediction_source: s.string(),
    'filters?': s.mapOf(s.nullable(s.string())),
    count: s.integer('rows of this page'),
    has_more: s.boolean(),
    'next_cursor?': s.nullable(s.string('ask with it as `before_id`')),
  }),
  provisional: 'the refusal without prediction_source',
  fresh: 21_600,
  mirror: {
    table: 'prediction_vintages',
    scope: ['currency', 'prediction_source'],
    key: [c.textField('forecast_observation_id')],
    order: 'newest',
    columns: [c.textField('variable'), c.textField('target_period'), c.textField('publication_precision')],
    effects: {
      variable: c.selectsBy('variable'),
      target_period: c.selectsBy('target_period'),
      publication_precision: c.selectsBy('publication_precision'),
    },
    sync: { kind: 'pages' },
  },
  derive: deriveVintages,
  cli: {
    words: ['predictions'],
    columns: ['publication_date', 'variable', 'target_period', 'predicted_value', 'unit', 'forecast_observation_id'],
    spare: ['forecast_observation_id', 'unit'],
    examples: [
      'predictions usd --prediction-source sandbox_survey',
      'predictions usd --prediction-source sandbox_survey --variable cpi --all --format csv',
    ],
  },
  doc: {
    summary: 'Official forecasts of one source, every vintage',
    example: { currency: 'USD' },
    exampleQuery: { prediction_source: 'sandbox_survey' },
  },
});
