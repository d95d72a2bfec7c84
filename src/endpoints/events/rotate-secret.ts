import * as c from '../../contract/describe.ts';
import { subscriptionId } from './subscription.ts';
import { disclosed, NOT_KEPT } from './subscription-fields.ts';

export default c.defineEndpoint({
  id: 'webhook_rotate_secret',
  path: '/v1/webhooks/subscriptions/{subscription_id}/rotate-secret',
  group: 'release-event delivery',
  at: { subscription_id: subscriptionId },
  access: { class: 'keyed' },
  body: c.record,
  row: disclosed,
  provisional: 'the form of a secret, and when a new one takes over',
  fresh: 0,
  managed: true,
  writeOnly: true,
  writes: {
    post: {
      summary: 'Makes a new signing secret, in force from the next attempt on, and tells it once',
      status: 200,
      answer: disclosed,
      budget: 20,
    },
  },
  without: NOT_KEPT,
  commands: ['webhooks rotate-secret'],
  doc: { summary: 'A new signing secret of a subscription', example: { subscription_id: 'sub_01hzx4m2q7' } },
});
