import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';

const stance = s.string('hawkish, neutral or dovish');
const action = s.string('hike, hold or cut');
const share = s.number('in 0..1');
const score = s.number('in -1..1');
/** Older answers list phrases alone. */
const match = {
  anyOf: [s.string(), s.object({ phrase: s.string(), 'weight?': s.nullable(s.number()) })],
} as const;

export default c.defineEndpoint({
  id: 'press_releases',
  path: '/v1/press-releases/{currency}',
  group: 'press releases',
  at: { currency: c.currency('currency of the central bank', c.PRESS_CURRENCIES, 404) },
  access: { class: 'usd' },
  paging: c.offset({ max: 50 }),
  body: c.listAt('data'),
  required: ['currency', 'count'],
  row: s.object({
    title: s.string(),
    url: s.string('address of the publication; names it'),
    date: s.string('day of publication'),
    'summary?': s.nullable(s.string()),
    'category?': s.nullable(s.string('policy_decision, minutes, statement, speech, report or other')),
    'relevance?': s.nullable(share),
    'sentiment?': s.nullable(score),
    'topics?': s.nullable(s.strings),
    'ai_summary?': s.nullable(s.string()),
    'ai_stance?': s.nullable(stance),
    'ai_stance_score?': s.nullable(score),
    'ai_next_meeting_action?': s.nullable(action),
    'ai_next_meeting_probability?': s.nullable(share),
    'ai_rationale?': s.nullable(s.string()),
    'rate_path?': s.nullable(
      s.object({
        'score?': s.nullable(score),
        'label?': s.nullable(stance),
        'bias_action?': s.nullable(action),
        'confidence?': s.nullable(share),
        'raw_score?': s.nullable(s.number()),
        'matches?': s.nullable(s.array(match)),
      }),
    ),
  }),
  envelope: s.object({
    currency: s.string(),
    ...c.SOURCE_MEMBERS,
    'count?': s.integer('rows of this page'),
    'limit?': s.integer(),
    'offset?': s.integer(),
  }),
  echo: ['currency', 'limit', 'offset'],
  provisional: 'what count counts; ranges of scores; sets of words',
  fresh: 1800,
  mirror: {
    table: 'press_releases',
    view: 'press',
    scope: ['currency'],
    key: [c.textField('date'), c.textField('url')],
    order: 'newest',
    columns: [],
    extent: { from: '2025-01-01', rowsPerYear: 155 },
    sync: { kind: 'pages' },
  },
  cli: {
    words: ['press'],
    columns: ['date', 'category', 'title', 'ai_stance', 'ai_next_meeting_action', 'relevance', 'url'],
    spare: ['relevance', 'ai_next_meeting_action', 'category', 'ai_stance', 'url'],
    examples: ['press usd', 'press usd -o press.csv'],
  },
  // The rows are the service's own, the page is counted again. Section 9.15.
  derive: ({ rows, stored, labels }) => ({
    envelope: { source: stored.source ?? labels.storage, count: rows.length },
  }),
  doc: { summary: 'Publications of a central bank, with their stance', example: { currency: 'USD' } },
});
