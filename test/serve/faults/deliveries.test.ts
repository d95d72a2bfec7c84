import { expect, it } from 'vitest';
import type { Post } from '../../../src/platform/platform.ts';
import { createFaults } from '../../../src/serve/faults/fault-engine.ts';
import { testClock } from '../../support/clock.ts';

it('a webhook is posted again as it was, and its sender hears of the first post', async () => {
  const clock = testClock(0);
  const faults = createFaults({
    rules: [{ fault: 'webhook-doubled', copies: 2, skip: 1, times: 1 }],
    ...{ allowsHeader: false, clock },
  });
  const posted: string[] = [];
  const post: Post = async ({ headers }) => {
    posted.push(headers['X-SVC-Delivery-ID'] ?? '');
    if (posted.length > 2) throw new Error('the copy is lost');
    return { status: 200 + posted.length, headers: new Headers() };
  };
  const send = (id: string) =>
    faults.post(post)({
      ...{ url: new URL('http://127.0.0.1:9'), addresses: ['127.0.0.1'], body: new Uint8Array() },
      ...{ headers: { 'X-SVC-Delivery-ID': id, 'X-SVC-Event-ID': 'e' }, connectTime: 1, totalTime: 1, answerBytes: 1 },
    });
  expect([(await send('a')).status, (await send('b')).status]).toEqual([201, 202]);
  expect(posted).toEqual(['a', 'b', 'b', 'b']);
});
