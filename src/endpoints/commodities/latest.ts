import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { composeCommoditiesLatest } from '../../derive/commodities.ts';

const print = s.object({
  date: s.date(),
  val: s.nullable(s.number()),
  'announcement_datetime?': s.nullable(s.integer('Unix seconds')),
  ...c.SOURCE_MEMBERS,
});

export default c.defineEndpoint({
  id: 'commodities_latest',
  path: '/v1/commodities/latest',
  group: 'commodities',
  at: {},
  access: { class: 'keyed' },
  body: c.listAt('data', { keyName: 'indicator', besides: ['provenance', 'data_quality', 'pagination'] }),
  row: s.object({
    ...c.INDICATOR_MEMBERS,
    latest: print,
    'previous?': s.nullable(print),
    ...c.CHANGE_MEMBERS,
  }),
  envelope: s.object({
    'currency?': s.string(),
    'source?': s.string(),
    'as_of?': s.date('newest date of any commodity'),
    'count?': s.integer(),
  }),
  provisional: 'the members, and that it is a list',
  fresh: 21_600,
  mirror: c.wholeList({
    table: 'commodities_latest',
    key: [c.textField('indicator')],
    dependent: ['pct_diff_prev', 'pct_change_mom', 'pct_change_qoq', 'pct_change_yoy'],
  }),
  cli: {
    words: ['commodities', 'latest'],
    columns: ['indicator', 'latest.date', 'latest.val', 'previous.val', 'pct_diff_prev', 'unit'],
    spare: ['pct_diff_prev', 'previous.val'],
    examples: ['commodities latest', 'commodities latest --format json'],
  },
  compose: composeCommoditiesLatest,
  doc: { summary: 'Latest value of every commodity', example: {}, files: 'macro import pink-sheet' },
});
