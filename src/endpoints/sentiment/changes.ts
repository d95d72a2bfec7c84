import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { deriveSentimentChanges } from '../../derive/sentiment/sentiment.ts';

export default c.defineEndpoint({
  id: 'risk_sentiment_changes',
  path: '/v1/risk_sentiment/changes',
  group: 'market sessions and risk sentiment',
  at: {},
  access: { class: 'public' },
  paging: c.paged('sequence', 100, 20),
  body: c.listAt('data'),
  required: ['pagination.next_after_sequence'],
  row: s.object({
    change_sequence: s.integer('rises; gaps are allowed'),
    'change_type?': s.string('addition, score_revision or metadata_change'),
    'date?': s.date('day of the score'),
    'changed_at?': s.dateTime(),
    'val?': s.nullable(s.number('score in -1..1')),
    'regime?': s.nullable(s.string('risk_on, neutral or risk_off')),
    'components?': s.nullable(s.mapOf(s.nullable(s.number()))),
    'previous_val?': s.nullable(s.number()),
    'previous_regime?': s.nullable(s.string()),
    'changed_fields?': s.nullable(s.strings),
  }),
  envelope: s.object({
    'source?': s.string(),
    'gap?': s.boolean('changes in between are missing: the next page begins before them'),
    'pagination?': s.object({
      'limit?': s.integer(),
      'after_sequence?': s.integer(),
      'returned_count?': s.integer(),
      'has_more?': s.boolean(),
      next_after_sequence: s.integer('ask with it as `after_sequence`'),
    }),
  }),
  provisional: 'the rows',
  fresh: 3600,
  mirror: {
    table: 'risk_sentiment_changes',
    view: 'sentiment_changes',
    scope: [],
    key: [c.integerColumn('change_sequence')],
    order: 'oldest',
    columns: [c.textField('date'), c.integerColumn('changed_at')],
    release: 'changed_at',
    sync: { kind: 'sequence', firstRequests: 12 },
  },
  cli: {
    words: ['sentiment', 'changes'],
    columns: ['change_sequence', 'changed_at', 'change_type', 'date', 'val', 'regime', 'previous_val'],
    spare: ['previous_val', 'regime'],
    examples: ['sentiment changes', 'sentiment changes --after-sequence 0 --all --format csv'],
  },
  derive: deriveSentimentChanges,
  doc: { summary: 'Additions and revisions of the risk-sentiment score, in order', example: {} },
});
