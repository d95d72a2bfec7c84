import * as c from '../../contract/describe.ts';
import { BAD_DESTINATION, change, NOT_KEPT, subscription } from './subscription-fields.ts';

export const subscriptionId = c.textParam('id of a subscription', { max: 80, pattern: /^[A-Za-z0-9_-]+$/ });

export default c.defineEndpoint({
  id: 'webhook_subscription',
  path: '/v1/webhooks/subscriptions/{subscription_id}',
  group: 'release-event delivery',
  at: { subscription_id: subscriptionId },
  access: { class: 'keyed' },
  body: c.record,
  row: subscription,
  provisional: 'what PATCH takes; times of changes',
  fresh: 0,
  managed: true,
  writes: {
    patch: {
      summary: 'Changes a subscription; status active resumes its deliveries, disabled stops them',
      body: change,
      status: 200,
      answer: subscription,
      idempotent: true,
      refuses: { 400: BAD_DESTINATION },
    },
    delete: { summary: 'Ends a subscription', status: 204, idempotent: true },
  },
  without: NOT_KEPT,
  commands: ['webhooks show', 'webhooks update', 'webhooks enable', 'webhooks disable', 'webhooks delete'],
  doc: { summary: 'One webhook subscription', example: { subscription_id: 'sub_01hzx4m2q7' } },
});
