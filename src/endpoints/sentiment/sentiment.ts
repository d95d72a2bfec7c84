import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { composeSentiment } from '../../derive/sentiment/sentiment.ts';

export default c.defineEndpoint({
  id: 'risk_sentiment',
  path: '/v1/risk_sentiment',
  group: 'market sessions and risk sentiment',
  at: {},
  query: { ...c.dateWindowParams() },
  checks: [c.datesInOrder],
  access: { class: 'public' },
  paging: c.offset(),
  body: c.listAt('data'),
  required: ['start_date', 'end_date'],
  row: s.object({
    date: s.date(),
    val: s.nullable(s.number('score in -1..1')),
    'regime?': s.string('risk_on, neutral or risk_off'),
    'components?': s.mapOf(s.nullable(s.number()), 'signed, weighted contributions'),
    'score?': s.number(),
    'risk_regime?': s.string(),
    'sentiment?': s.string(),
    'component_coverage?': s.mapOf(s.boolean()),
    'stored_component_count?': s.integer(),
  }),
  envelope: s.object({
    start_date: s.date(),
    end_date: s.date(),
    'component_metadata?': s.mapOf(
      s.object({
        'source?': s.string(),
        'weight?': s.number(),
        'sign?': s.integer('-1 where more of it means less appetite for risk'),
        'observation_count?': s.integer(),
      }),
      'by component',
    ),
    'data_quality?': c.DATA_QUALITY,
  }),
  echo: ['start_date', 'end_date'],
  provisional: 'the formula of contributions, and a score without one of them',
  fresh: 21_600,
  mirror: {
    table: 'risk_sentiment',
    view: 'sentiment',
    scope: [],
    key: [c.textField('date')],
    order: 'newest',
    columns: [c.real('val')],
    window: c.dateWindow(),
    extent: { from: '2023-01-01', rowsPerYear: 260 },
    sync: {
      kind: 'history',
      revisionDays: 30,
      feed: { endpoint: 'risk_sentiment_changes', names: [], date: 'date', checkDays: 7 },
    },
  },
  cli: {
    words: ['sentiment'],
    columns: c.wordList('date val regime components.ofr_fsi components.gold components.aud_usd components.usd_jpy'),
    spare: ['components.usd_jpy', 'components.aud_usd', 'components.gold', 'components.ofr_fsi'],
    spark: 'val',
    chart: {
      at: 'date',
      panels: [
        { unit: 'score, risk off to risk on', values: ['val'], rules: [0], range: [-1, 1] },
        {
          name: 'contributions',
          unit: 'score',
          names: {
            'components.ofr_fsi': 'OFR financial stress',
            'components.gold': 'gold',
            'components.aud_usd': 'AUD/USD',
            'components.usd_jpy': 'USD/JPY',
          },
          values: ['components.ofr_fsi', 'components.gold', 'components.aud_usd', 'components.usd_jpy'],
          rules: [0],
        },
      ],
    },
    examples: ['sentiment', 'sentiment --start -90d --format csv'],
  },
  compose: composeSentiment,
  doc: { summary: 'Composite global risk-sentiment score', example: {} },
});
