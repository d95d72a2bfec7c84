import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { deriveCoverageList } from '../../derive/predictions.ts';

/** The meaning of each class of forecasts. */
export const classes = s.mapOf(
  s.object({
    label: s.string(),
    definition: s.string(),
    produced_by: s.string(),
    is_consensus: s.boolean(),
  }),
  'by name of the class',
);

export const coverageAccess = s.object({
  coverage_requires_key: s.boolean(),
  values_require_key: s.boolean(),
  'note?': s.string(),
  'subscribe_url?': s.string(),
  'docs_url?': s.string(),
});

/** Who forecasts, without what. */
export const source = s.object({
  source: s.string(),
  'source_label?': s.string(),
  'prediction_type?': s.string(),
  'prediction_class?': s.string(),
  'prediction_class_label?': s.string(),
  'is_consensus?': s.boolean(),
  'is_external?': s.boolean(),
});

export const officialSource = s.object({
  source: s.string(),
  'prediction_class?': s.string(),
  'source_url?': s.string(),
});

export default c.defineEndpoint({
  id: 'predictions_coverage',
  path: '/v1/predictions/coverage',
  group: 'predictions',
  at: {},
  access: { class: 'public' },
  body: c.listAt('currencies'),
  row: s.object({
    currency: s.string(),
    'indicator_count?': s.integer(),
    'indicators_with_external_prediction_sources?': s.integer(),
    'indicators_with_consensus_source?': s.integer(),
    'sources?': s.array(source),
    'official_forecast_sources?': s.array(officialSource),
    'coverage_url?': s.string(),
  }),
  envelope: s.object({
    currency_count: s.integer(),
    'prediction_classes?': classes,
    'access?': coverageAccess,
    'notes?': s.strings,
  }),
  addresses: ['access'],
  provisional: 'the name of the list of currencies',
  fresh: 86_400,
  mirror: c.wholeList({ table: 'prediction_coverage', key: [c.textField('currency')] }),
  derive: deriveCoverageList,
  cli: {
    words: ['predictions', 'coverage'],
    columns: [
      'currency',
      'indicator_count',
      'indicators_with_external_prediction_sources',
      'indicators_with_consensus_source',
    ],
    spare: ['indicators_with_consensus_source', 'indicators_with_external_prediction_sources'],
    examples: ['predictions coverage', 'predictions coverage --format json'],
  },
  doc: {
    summary: 'Forecasters, by currency',
    description: 'Names publishers and kinds of forecasts, and never a value.',
    example: {},
  },
});
