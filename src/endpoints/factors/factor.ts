import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { composeFactor } from '../../derive/factors.ts';

const score = s.nullable(s.number('in -1..1'));
const label = s.string('hawkish, neutral or dovish');
const scores = {
  'score?': score,
  'level_score?': score,
  'impulse_score?': score,
  'rate_repricing_score?': score,
  'macro_pressure_score?': score,
  'label?': label,
  'stance_context?': s.string(),
} as const;

export default c.defineEndpoint({
  id: 'factors',
  path: '/v1/factors/{currency}/{factor}',
  group: 'factors',
  at: {
    currency: c.currency('currency of the factor', c.FACTOR_CURRENCIES, 422),
    factor: c.withDefault(c.choice('factor', ['monetary_stance']), 'monetary_stance'),
  },
  query: {
    start_date: c.optional(c.dateParam('first date; without any date only the newest snapshot')),
    end_date: c.optional(c.dateParam('last date; default today once start_date is given')),
    include_components: c.withDefault(c.booleanParam('adds the scores that the factor is made of'), false),
    include_sources: c.withDefault(c.booleanParam('adds the observations behind the scores'), false),
  },
  checks: [c.datesInOrder],
  access: { class: 'usd' },
  paging: c.offset(),
  body: c.listAt('data'),
  required: ['pagination.has_more'],
  row: s.object({
    date: s.date(),
    val: s.nullable(s.number('the score, in -1..1')),
    ...scores,
    'announcement_datetime?': s.nullable(s.integer('when it became known, Unix seconds')),
    'coverage_ratio?': s.number('share of the components that are known, 0..1'),
    'component_count?': s.integer(),
    'point_in_time_safe?': s.boolean(),
    'release_time_assumed?': s.boolean(),
    'components?': s.mapOf(s.nullable(s.number()), 'with include_components: score by name'),
    'source_observations?': s.array(
      s.object({
        indicator: s.string(),
        'date?': s.nullable(s.date()),
        'val?': s.nullable(s.number()),
        'announcement_datetime?': { anyOf: [s.dateTime(), s.integer(), { type: 'null' }] },
      }),
      'with include_sources: what the components were computed from',
    ),
    'source_endpoints?': s.array(s.string(), 'with include_sources: where the observations can be asked for'),
  }),
  envelope: s.object({
    currency: s.string(),
    factor: s.string(),
    'methodology?': s.open,
    'as_of?': s.date('date of the newest row of the window, whose scores stand beside'),
    ...scores,
    'latest_available_date?': s.date(),
    'last_updated?': s.string(),
    ...c.WINDOW_MEMBERS,
    'data_quality?': c.DATA_QUALITY,
  }),
  provisional: 'the range of scores',
  fresh: 21_600,
  mirror: {
    table: 'factors',
    scope: ['currency', 'factor', 'include_components', 'include_sources'],
    key: [c.textField('date')],
    order: 'newest',
    columns: [c.real('val'), c.integerColumn('announcement_datetime')],
    window: { ...c.dateWindow(), unbounded: 'newest' },
    release: 'announcement_datetime',
    variants: [{ include_components: true, include_sources: true }],
    extent: { from: '2025-01-01', rowsPerYear: 260 },
    sync: { kind: 'history', revisionDays: 30 },
  },
  compose: composeFactor,
  cli: {
    words: ['factor'],
    columns: c.wordList(`date val label level_score impulse_score rate_repricing_score macro_pressure_score
      coverage_ratio`),
    spare: ['coverage_ratio', 'macro_pressure_score', 'rate_repricing_score', 'impulse_score', 'level_score'],
    spark: 'val',
    examples: ['factor usd', 'factor eur monetary_stance --start -90d --format csv'],
  },
  doc: {
    summary: 'Precomputed factor scores of a currency',
    example: { currency: 'USD', factor: 'monetary_stance' },
    exampleQuery: { include_components: 'true' },
  },
});
