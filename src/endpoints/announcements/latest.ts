import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { composeLatest } from '../../derive/announcements/latest.ts';

const print = s.object({
  date: s.date(),
  val: s.nullable(s.number()),
  'announcement_datetime?': s.nullable(s.integer('release time, Unix seconds')),
  ...c.SOURCE_MEMBERS,
});

export default c.defineEndpoint({
  id: 'announcements_latest',
  path: '/v1/announcements/{currency}/latest',
  group: 'announcements',
  at: { currency: c.currency('currency of the indicators', c.MAIN_CURRENCIES, 404) },
  access: { class: 'usd', delayed: true },
  body: c.listAt('data'),
  row: s.object({
    ...c.INDICATOR_MEMBERS,
    latest: print,
    'previous?': print,
    ...c.CHANGE_MEMBERS,
    'withheld?': s.object({
      announcement_datetime: s.integer('release time, Unix seconds'),
      available_at: s.integer('when it can be read, Unix seconds'),
      available_at_iso: s.dateTime(),
    }),
  }),
  envelope: s.object({
    currency: s.string(),
    'source?': s.string(),
    'provenance?': c.PROVENANCE,
    'as_of?': s.date('newest date visible to the caller'),
    count: s.integer(),
    'freemium_delay?': c.FREEMIUM_DELAY,
  }),
  addresses: ['freemium_delay'],
  provisional: 'the members of a withheld marker',
  fresh: 300,
  mirror: c.wholeList({
    table: 'announcements_latest',
    scope: ['currency'],
    key: [c.textField('indicator')],
    value: 'latest',
    moments: [{ from: 'latest.announcement_datetime' }],
    dependent: ['pct_diff_prev', 'pct_change_mom', 'pct_change_qoq', 'pct_change_yoy', 'withheld'],
  }),
  cli: {
    words: ['announcements', 'latest'],
    columns: ['indicator', 'latest.date', 'latest.val', 'previous.val', 'pct_diff_prev', 'unit'],
    spare: ['pct_diff_prev', 'previous.val'],
    examples: ['announcements latest usd', 'announcements latest usd --format json'],
  },
  compose: composeLatest,
  doc: { summary: 'Latest value of every indicator of a currency', example: { currency: 'USD' } },
});
