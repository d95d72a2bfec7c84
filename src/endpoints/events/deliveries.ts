import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { subscriptionId } from './subscription.ts';
import { NOT_KEPT } from './subscription-fields.ts';

export default c.defineEndpoint({
  id: 'webhook_deliveries',
  path: '/v1/webhooks/deliveries',
  group: 'release-event delivery',
  at: {},
  query: {
    subscription_id: c.optional(subscriptionId),
    status: c.optional(c.choice('how far a delivery is', ['pending', 'retrying', 'succeeded', 'failed'])),
    limit: c.withDefault(c.integerParam('number of deliveries', { min: 1, max: 100 }), 20),
  },
  access: { class: 'keyed' },
  body: c.listAt('data'),
  row: s.object({
    id: s.string('subscription and event, joined by an underscore'),
    subscription_id: s.string(),
    event_id: s.string(),
    'event?': s.string('announcement'),
    status: s.string('pending, retrying, succeeded or failed'),
    'attempt_count?': s.integer(),
    'last_status_code?': s.nullable(s.integer()),
    'last_error?': s.nullable(s.string()),
    'delivered_at?': s.nullable(s.dateTime()),
    'next_attempt_at?': s.dateTime('while another attempt follows'),
  }),
  envelope: s.object({ 'count?': s.integer() }),
  provisional: 'states besides succeeded, next_attempt_at, the bounds of limit, 30 days',
  fresh: 0,
  managed: true,
  without: { ...NOT_KEPT, mirrored: 'a record of sent deliveries, which the service stores for 30 days' },
  commands: ['webhooks deliveries'],
  doc: { summary: 'Deliveries to the webhooks of a key, newest first, of the last 30 days', example: {} },
});
