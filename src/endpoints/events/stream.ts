import { defineEndpoint, unpagedQuery } from '../../contract/endpoint.ts';
import { stream } from '../../contract/json/body.ts';
import * as s from '../../contract/json/schema.ts';
import { booleanParam, integerParam, optional, textParam, withDefault } from '../../contract/params/params.ts';
import changes from '../announcements/changes.ts';

export default defineEndpoint({
  id: 'stream_events',
  path: '/v1/stream/events',
  group: 'release-event delivery',
  at: {},
  query: {
    ...unpagedQuery(changes),
    live_only: withDefault(booleanParam('nothing that was released before'), false),
    max_age_ms: optional(integerParam('older events are left out, in milliseconds', { min: 0 })),
    last_event_id: optional(textParam('the last event already held, as the header Last-Event-ID', { max: 256 })),
  },
  access: changes.access,
  body: stream,
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
