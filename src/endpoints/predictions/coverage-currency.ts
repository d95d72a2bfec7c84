import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { deriveCoverage } from '../../derive/predictions.ts';
import { classes, coverageAccess, officialSource, source } from './coverage.ts';

export default c.defineEndpoint({
  id: 'predictions_coverage_currency',
  path: '/v1/predictions/coverage/{currency}',
  group: 'predictions',
  at: { currency: c.currency('currency of the indicators', c.MAIN_CURRENCIES, 404) },
  access: { class: 'public' },
  body: c.listAt('indicators'),
  required: ['currency'],
  row: s.object({
    indicator: s.string(),
    'sources?': s.array(source),
    'external_prediction_source_count?': s.integer(),
    'classes_with_sources?': s.strings,
    'types_with_sources?': s.strings,
    'has_consensus_source?': s.boolean(),
    'predictions_url?': s.string(),
    'verified_history?': s.nullable(
      s.object(
        {
          'source?': s.string(),
          'additional_sources?': s.strings,
          'history_start?': s.date(),
          'first_covered_release?': s.string(),
          'cadence?': s.string(),
          'variants?': s.strings,
          'verified_as_of?': s.string(),
        },
        'how far back the archive was verified',
      ),
    ),
  }),
  envelope: s.object({
    currency: s.string(),
    'indicator_count?': s.integer(),
    'indicators_with_external_prediction_sources?': s.integer(),
    'indicators_with_consensus_source?': s.integer(),
    'sources?': s.array(source),
    'official_forecast_sources?': s.array(officialSource),
    'prediction_classes?': classes,
    'access?': coverageAccess,
    'notes?': s.open,
  }),
  addresses: ['access'],
  fresh: 86_400,
  mirror: c.wholeList({ table: 'prediction_coverage_currency', scope: ['currency'], key: [c.textField('indicator')] }),
  derive: deriveCoverage,
  cli: {
    words: ['predictions', 'coverage'],
    columns: c.wordList(`indicator external_prediction_source_count has_consensus_source classes_with_sources
      verified_history.history_start`),
    spare: ['classes_with_sources', 'verified_history.history_start', 'has_consensus_source'],
    examples: ['predictions coverage usd', 'predictions coverage eur --format json'],
  },
  doc: {
    summary: 'Forecasters of a currency, by indicator',
    description: 'Names publishers, kinds of forecasts and the depth of their archives, and never a value.',
    example: { currency: 'USD' },
  },
});
