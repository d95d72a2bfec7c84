import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { composeChanges } from '../../derive/announcements/events.ts';
import announcements from './series.ts';

export default c.defineEndpoint({
  id: 'announcements_changes',
  path: '/v1/announcements/changes',
  group: 'announcements',
  at: {},
  query: {
    currencies: c.optional(
      c.filterWords('currencies, comma separated; g10 or all', 'currency', [...c.MAIN_CURRENCIES, 'g10', 'all']),
    ),
    indicators: c.optional(c.filterWords('indicators, comma separated', 'indicator', c.INDICATORS)),
    payload: c.withDefault(c.choice('how much of each release', ['compact', 'full']), 'compact'),
  },
  access: { class: 'usd', delayed: true, narrows: 'currencies' },
  paging: c.paged('cursor', 500, 100),
  body: c.listAt('data'),
  required: ['next_cursor'],
  row: s.object({
    event_id: s.string('currency, indicator and release time, joined by underscores'),
    currency: s.string(),
    indicator: s.string(),
    'records_written?': s.integer(),
    'timestamp?': s.integer('processing time, Unix seconds'),
    'release_timestamp?': s.nullable(s.integer('release time, Unix seconds')),
    'latest_announcement?': {
      type: 'object',
      properties: {
        ...s.propertiesOf(announcements.row),
        announcement_datetime: s.nullable(s.dateTime('release time')),
      },
      description: 'the print; with payload=full its whole row',
    },
  }),
  envelope: s.object({
    'count?': s.integer(),
    next_cursor: s.string('position reached; ask with it as `since`'),
    'has_more?': s.boolean(),
    'retention_seconds?': s.integer(),
    'scope?': s.object({
      'currencies?': s.nullable(s.strings),
      'indicators?': s.nullable(s.strings),
      'payload?': s.string(),
    }),
    'gap?': s.boolean('the position is older than the stored events: fetch the histories again'),
    'oldest_available?': s.dateTime(),
    'freemium_delay?': c.FREEMIUM_DELAY,
  }),
  provisional: 'the default of since, the members of g10, full payloads, the mark of a gap',
  fresh: 0,
  mirror: {
    table: 'events',
    scope: [],
    key: [c.integerColumn('timestamp'), c.textField('event_id')],
    order: 'oldest',
    columns: [c.textField('currency'), c.textField('indicator'), c.integerColumn('release_timestamp')],
    // A full payload is another row than a compact one.
    effects: { currencies: c.changes, indicators: c.changes, payload: c.changes },
    release: 'release_timestamp',
    sync: { kind: 'cursor', firstRequests: 2 },
  },
  cli: {
    words: ['announcements', 'changes'],
    columns: ['timestamp', 'currency', 'indicator', 'latest_announcement.date', 'latest_announcement.val', 'event_id'],
    spare: ['event_id'],
    examples: ['announcements changes', 'announcements changes --currencies usd --format ndjson'],
  },
  compose: composeChanges,
  doc: { summary: 'Releases in the order in which they were processed', example: {} },
});
