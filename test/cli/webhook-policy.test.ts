import { describe, expect, it } from 'vitest';
import { readWebhookPolicy } from '../../src/cli/commands/serve/serve.ts';
import { DELIVERY_POLICY } from '../../src/webhooks/send/deliver.ts';

describe('how a server tries deliveries', () => {
  it('is the documented one when nobody says', () => {
    expect(readWebhookPolicy({})).toEqual(DELIVERY_POLICY);
  });

  it('is as it was typed, to the second', () => {
    const policy = readWebhookPolicy({ 'webhook-waits': '1s, 30,2m', 'webhook-failures': '3' });
    expect(policy).toMatchObject({ waits: [1_000, 30_000, 120_000], jitter: 0 });
    expect(policy.limits).toEqual({ failures: 3, streak: 432_000_000 });
  });

  it('ends a subscription after as long a time of failures as was typed', () => {
    const limitsOf = (options: Parameters<typeof readWebhookPolicy>[0]) => readWebhookPolicy(options).limits;
    expect(limitsOf({ 'webhook-failing': '2d' })).toEqual({ failures: 10, streak: 172_800_000 });
    expect(limitsOf({ 'webhook-failing': '1', 'webhook-failures': '3' })).toEqual({ failures: 3, streak: 1_000 });
  });

  it('can be once', () => {
    expect(readWebhookPolicy({ 'webhook-waits': '' }).waits).toEqual([]);
  });

  it.each([
    [{ 'webhook-waits': 'soon' }, "'soon' is no duration for --webhook-waits."],
    [{ 'webhook-waits': Array(50).fill('1s').join() }, 'A delivery is tried 50 times at most.'],
    [{ 'webhook-failures': '0' }, "'0' is no value for --webhook-failures."],
    [{ 'webhook-failing': '5 days' }, "'5 days' is no duration for --webhook-failing."],
    [{ 'webhook-failing': '0s' }, 'A subscription cannot end before anything failed.'],
    [{ 'webhook-failures': 'ten' }, "'ten' is no value for --webhook-failures."],
  ])('%j is refused', (options, message) => {
    expect(() => readWebhookPolicy(options)).toThrow(expect.objectContaining({ kind: 'usage', message }));
  });
});
