import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { BAD_DESTINATION, creation, disclosed, NOT_KEPT, subscription } from './subscription-fields.ts';

export default c.defineEndpoint({
  id: 'webhook_subscriptions',
  path: '/v1/webhooks/subscriptions',
  group: 'release-event delivery',
  at: {},
  access: { class: 'keyed' },
  body: c.listAt('data'),
  row: subscription,
  envelope: s.object({ 'count?': s.integer() }),
  provisional: 'bounds of the body, ten subscriptions a key, rules for destinations',
  fresh: 0,
  managed: true,
  writes: {
    post: {
      summary: 'Subscribes an address to releases; tells its signing secret once',
      body: creation,
      status: 201,
      answer: disclosed,
      budget: 20,
      refuses: { 400: BAD_DESTINATION, 409: 'The key has as many subscriptions as it may have' },
    },
  },
  without: NOT_KEPT,
  commands: ['webhooks list', 'webhooks create'],
  doc: { summary: 'Webhook subscriptions of a key, newest first', example: {} },
});
