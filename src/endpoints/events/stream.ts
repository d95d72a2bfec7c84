import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import changes from '../announcements/changes.ts';

export default c.defineEndpoint({
  id: 'stream_events',
  path: '/v1/stream/events',
  group: 'release-event delivery',
  at: {},
  query: {
    ...c.unpagedQuery(changes),
    live_only: c.withDefault(c.booleanParam('nothing that was released before'), false),
    max_age_ms: c.optional(c.integerParam('older events are left out, in milliseconds', { min: 0 })),
    last_event_id: c.optional(
      c.textParam('id of the last event that you have, as the header Last-Event-ID', { max: 256 }),
    ),
  },
  access: changes.access,
  body: c.stream,
  row: {
    ...changes.row,
    properties: { ...s.propertiesOf(changes.row), age_ms: s.integer('time since the release') },
  },
  provisional: 'last_event_id, events of a gap, when a stream ends',
  fresh: 0,
  commands: ['stream'],
  without: {
    live: 'a stream has no end, so no answer of it can be shown',
    mirrored: 'its events are those of /v1/announcements/changes',
    offline: 'a mirror has no news to tell',
  },
  doc: { summary: 'Releases as they are processed, as server-sent events', example: {} },
});
