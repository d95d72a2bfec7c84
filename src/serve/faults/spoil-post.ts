// Posts webhooks more than once.
import type { Post } from '../../platform/platform.ts';
import type { FaultChoice } from './choose-faults.ts';

/** Posts again what was chosen: a receiver gets the same delivery twice. The sender hears of the first post alone. */
export function spoilPost(post: Post, choice: () => FaultChoice, headerPrefix: string): Post {
  return async (request) => {
    const event = request.headers[`${headerPrefix}-Event-ID`] ?? '';
    const faults = choice().ofDelivery(event);
    const posted = await post(request);
    for (const { rule } of faults)
      for (let copy = 0; rule.fault === 'webhook-doubled' && copy < (rule.copies ?? 1); copy += 1)
        // What becomes of a copy is nobody's concern: the sender knows of one delivery.
        await post(request).catch(() => undefined);
    return posted;
  };
}
