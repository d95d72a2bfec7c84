import { expect, it } from 'vitest';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import type { Attempt, AttemptResult, DeliveryClaim, NewSubscription } from '../../../src/mirror/api/outbox.ts';
import { MIDNIGHT, page, SERVICE } from '../support.ts';

const FEED = { origin: SERVICE, endpoint: 'announcements_changes', scope: {} };
const SECOND = 1000;
const DAY = 86_400_000;
const LIMITS = { failures: 3, streak: 5 * DAY };

const wish = (id: string, changes: Partial<NewSubscription> = {}): NewSubscription => ({
  id,
  owner: 'desk',
  url: 'https://hooks.example.com/in',
  currencies: ['usd'],
  indicators: undefined,
  description: 'desk',
  createdAt: MIDNIGHT,
  ...changes,
});

/** Subscriptions and deliveries: what a mirror of any engine does with them. */
export function outboxOf(open: () => Promise<Mirror>): void {
  const arrive = async (mirror: Mirror, id: string): Promise<number> => {
    const [currency] = id.split('_');
    const text = `{"event_id":"${id}","currency":"${currency}","indicator":"gdp","timestamp":1}`;
    const report = await mirror.commitPage(page([text], { series: FEED, arrived: { via: 'local' } }));
    return report.arrived?.[0] ?? 0;
  };
  const delivery = (subscription: string, event: string, position: number) => ({
    id: `${subscription}_${event}`,
    subscription,
    event,
    position,
    body: `{"id":"${event}"}`,
  });
  /** A mirror with a subscription and deliveries to it. */
  const owing = async (events: readonly string[], id = 'sub_a') => {
    const mirror = await open();
    await mirror.outbox.addSubscription(wish(id), 10);
    for (const event of events) {
      const position = await arrive(mirror, event);
      await mirror.outbox.enqueue([delivery(id, event, position)], position, MIDNIGHT);
    }
    return mirror;
  };
  const claim = (mirror: Mirror, { parallel = 4, ...changes }: Partial<DeliveryClaim> & { parallel?: number } = {}) =>
    mirror.outbox.claim({
      destinations: [{ subscription: 'sub_a', parallel }],
      holder: 'one',
      now: MIDNIGHT,
      until: MIDNIGHT + 30 * SECOND,
      ...changes,
    });
  const attempt = (event: string, result: AttemptResult, changes: Partial<Attempt> = {}): Attempt => ({
    delivery: `sub_a_${event}`,
    holder: 'one',
    at: MIDNIGHT + SECOND,
    status: undefined,
    result,
    limits: LIMITS,
    ...changes,
  });
  const settle = (mirror: Mirror, event: string, result: AttemptResult, changes: Partial<Attempt> = {}) =>
    mirror.outbox.settle([attempt(event, result, changes)]);
  const listed = (mirror: Mirror, changes = {}) =>
    mirror.outbox.deliveries({ owner: 'desk', since: 0, limit: 10, ...changes });
  const states = async (mirror: Mirror) => (await listed(mirror)).map(({ event, status }) => `${event} ${status}`);

  it('a subscription is kept as it was made, the newest one first, each to its owner', async () => {
    const mirror = await open();
    const { outbox } = mirror;
    await outbox.addSubscription(wish('sub_a'), 10);
    await outbox.addSubscription(wish('sub_b', { currencies: undefined, description: undefined }), 10);
    await outbox.addSubscription(wish('sub_c', { owner: 'other' }), 10);
    const made = {
      status: 'active',
      since: 0,
      successes: 0,
      failures: 0,
      consecutiveFailures: 0,
      failingSince: undefined,
      updatedAt: undefined,
      disabledAt: undefined,
      disabledReason: undefined,
    };
    expect(await outbox.subscriptions('desk')).toEqual([
      { ...wish('sub_b', { currencies: undefined, description: undefined }), ...made },
      { ...wish('sub_a'), ...made },
    ]);
    expect((await outbox.subscriptions()).map(({ id }) => id)).toEqual(['sub_c', 'sub_b', 'sub_a']);
    expect(await outbox.subscription('sub_x')).toBeUndefined();
  });

  it('an owner has at most so many of them', async () => {
    const { outbox } = await open();
    expect(await outbox.addSubscription(wish('sub_a'), 2)).toBe(true);
    expect(await outbox.addSubscription(wish('sub_b'), 2)).toBe(true);
    expect(await outbox.addSubscription(wish('sub_c'), 2)).toBe(false);
    expect(await outbox.addSubscription(wish('sub_d', { owner: 'other' }), 2)).toBe(true);
    expect((await outbox.subscriptions('desk')).length).toBe(2);
  });

  it('what is given is changed, and the rest stays', async () => {
    const { outbox } = await open();
    await outbox.addSubscription(wish('sub_a'), 10);
    const change = { currencies: undefined, indicators: ['gdp'], description: undefined };
    expect(await outbox.changeSubscription('sub_a', change, MIDNIGHT + 5)).toMatchObject({
      url: 'https://hooks.example.com/in',
      currencies: undefined,
      indicators: ['gdp'],
      description: undefined,
      status: 'active',
      updatedAt: MIDNIGHT + 5,
    });
    expect(await outbox.changeSubscription('sub_x', change, MIDNIGHT)).toBeUndefined();
  });

  it('a subscription that is removed takes its deliveries along', async () => {
    const mirror = await owing(['usd_gdp_1']);
    expect(await mirror.outbox.removeSubscription('sub_a')).toBe(true);
    expect(await mirror.outbox.removeSubscription('sub_a')).toBe(false);
    expect(await listed(mirror)).toEqual([]);
    expect(await mirror.outbox.due()).toEqual([]);
  });

  it('an event is owed once, and only to a subscription that was active before it came', async () => {
    const mirror = await open();
    const { outbox } = mirror;
    const early = await arrive(mirror, 'usd_gdp_1');
    await outbox.addSubscription(wish('sub_a'), 10);
    expect(await outbox.position()).toBe(early);
    const late = await arrive(mirror, 'usd_gdp_2');
    const owed = [delivery('sub_a', 'usd_gdp_1', early), delivery('sub_a', 'usd_gdp_2', late)];
    await outbox.enqueue([...owed, delivery('sub_x', 'usd_gdp_2', late)], late, MIDNIGHT);
    await outbox.enqueue(owed, early, MIDNIGHT);
    expect(await states(mirror)).toEqual(['usd_gdp_2 pending']);
    expect(await outbox.position()).toBe(late);
    await outbox.changeSubscription('sub_a', { status: 'disabled' }, MIDNIGHT);
    const missed = await arrive(mirror, 'usd_gdp_3');
    await outbox.enqueue([delivery('sub_a', 'usd_gdp_3', missed)], missed, MIDNIGHT);
    await outbox.changeSubscription('sub_a', { status: 'active' }, MIDNIGHT);
    await outbox.enqueue([delivery('sub_a', 'usd_gdp_3', missed)], missed, MIDNIGHT);
    expect(await states(mirror)).toEqual(['usd_gdp_2 failed']);
  });

  it('at most so many deliveries are under way, and each has one holder until its claim runs out', async () => {
    const mirror = await owing(['usd_gdp_1', 'usd_gdp_2', 'usd_gdp_3']);
    expect(await mirror.outbox.due()).toEqual([{ subscription: 'sub_a', at: MIDNIGHT }]);
    const common = { subscription: 'sub_a', url: 'https://hooks.example.com/in', attempts: 0 };
    expect(await claim(mirror, { parallel: 2 })).toEqual([
      { ...common, id: 'sub_a_usd_gdp_1', event: 'usd_gdp_1', body: '{"id":"usd_gdp_1"}' },
      { ...common, id: 'sub_a_usd_gdp_2', event: 'usd_gdp_2', body: '{"id":"usd_gdp_2"}' },
    ]);
    expect(await claim(mirror, { holder: 'two', parallel: 2 })).toEqual([]);
    const later = { holder: 'two', now: MIDNIGHT + 30 * SECOND, until: MIDNIGHT + 60 * SECOND };
    expect((await claim(mirror, later)).map(({ event }) => event).sort()).toEqual([
      'usd_gdp_1',
      'usd_gdp_2',
      'usd_gdp_3',
    ]);
    // The first holder comes too late: the second one has it.
    await settle(mirror, 'usd_gdp_1', { kind: 'failed', error: 'late' });
    expect(await states(mirror)).toEqual(['usd_gdp_3 pending', 'usd_gdp_2 pending', 'usd_gdp_1 pending']);
  });

  it('several subscriptions are claimed for at once, and several attempts noted', async () => {
    const mirror = await owing(['usd_gdp_1', 'usd_gdp_2', 'usd_gdp_3']);
    await mirror.outbox.addSubscription(wish('sub_b', { url: 'https://other.example.com/in' }), 10);
    await mirror.outbox.addSubscription(wish('sub_c'), 10);
    const position = await arrive(mirror, 'usd_gdp_4');
    const owed = ['sub_b', 'sub_c'].map((id) => delivery(id, 'usd_gdp_4', position));
    await mirror.outbox.enqueue(owed, position, MIDNIGHT);
    await mirror.outbox.changeSubscription('sub_c', { status: 'disabled' }, MIDNIGHT);
    const lanes = [
      { subscription: 'sub_a', parallel: 2 },
      { subscription: 'sub_b', parallel: 4 },
      { subscription: 'sub_c', parallel: 4 },
      { subscription: 'sub_x', parallel: 4 },
    ];
    const taken = await claim(mirror, { destinations: lanes });
    expect(taken.map(({ id, url }) => [id, url])).toEqual([
      ['sub_a_usd_gdp_1', 'https://hooks.example.com/in'],
      ['sub_a_usd_gdp_2', 'https://hooks.example.com/in'],
      ['sub_b_usd_gdp_4', 'https://other.example.com/in'],
    ]);
    await mirror.outbox.settle([
      attempt('usd_gdp_1', { kind: 'succeeded' }),
      attempt('usd_gdp_2', { kind: 'failed', error: 'status 400' }),
      attempt('usd_gdp_4', { kind: 'succeeded' }, { delivery: 'sub_b_usd_gdp_4' }),
    ]);
    expect(
      (await mirror.outbox.subscriptions()).map(({ id, successes, failures }) => [id, successes, failures]),
    ).toEqual([
      ['sub_c', 0, 1],
      ['sub_b', 1, 0],
      ['sub_a', 1, 1],
    ]);
  });

  it('what a holder gives back is due at once', async () => {
    const mirror = await owing(['usd_gdp_1']);
    await claim(mirror);
    expect(await mirror.outbox.due()).toEqual([{ subscription: 'sub_a', at: MIDNIGHT + 30 * SECOND }]);
    await mirror.outbox.release('two', MIDNIGHT);
    expect(await claim(mirror, { holder: 'two' })).toEqual([]);
    await mirror.outbox.release('one', MIDNIGHT);
    expect((await claim(mirror, { holder: 'two' })).length).toBe(1);
  });

  it('a success, a retry and a failure are in the record and in the books', async () => {
    const mirror = await owing(['usd_gdp_1', 'usd_gdp_2', 'usd_gdp_3']);
    await claim(mirror);
    await settle(mirror, 'usd_gdp_1', { kind: 'failed', error: 'status 400' }, { status: 400 });
    await settle(mirror, 'usd_gdp_2', { kind: 'retry', error: 'timeout', at: MIDNIGHT + 6 * SECOND });
    expect(await mirror.outbox.subscription('sub_a')).toMatchObject({
      failures: 1,
      consecutiveFailures: 1,
      failingSince: MIDNIGHT + SECOND,
    });
    await settle(mirror, 'usd_gdp_3', { kind: 'succeeded' }, { status: 204, at: MIDNIGHT + 2 * SECOND });
    expect(await mirror.outbox.subscription('sub_a')).toMatchObject({
      status: 'active',
      successes: 1,
      failures: 1,
      consecutiveFailures: 0,
      failingSince: undefined,
    });
    const common = { subscription: 'sub_a', attempts: 1, lastStatus: undefined, deliveredAt: undefined };
    expect(await listed(mirror)).toEqual([
      {
        ...common,
        id: 'sub_a_usd_gdp_3',
        event: 'usd_gdp_3',
        status: 'succeeded',
        lastStatus: 204,
        lastError: undefined,
        deliveredAt: MIDNIGHT + 2 * SECOND,
      },
      {
        ...common,
        id: 'sub_a_usd_gdp_2',
        event: 'usd_gdp_2',
        status: 'retrying',
        lastError: 'timeout',
        nextAt: MIDNIGHT + 6 * SECOND,
      },
      {
        ...common,
        id: 'sub_a_usd_gdp_1',
        event: 'usd_gdp_1',
        status: 'failed',
        lastStatus: 400,
        lastError: 'status 400',
      },
    ]);
    expect(await mirror.outbox.due()).toEqual([{ subscription: 'sub_a', at: MIDNIGHT + 6 * SECOND }]);
    expect(await claim(mirror, { now: MIDNIGHT + 6 * SECOND })).toMatchObject([{ event: 'usd_gdp_2', attempts: 1 }]);
  });

  it('a subscription that fails too often is disabled, and what is open for it fails with it', async () => {
    const mirror = await owing(['usd_gdp_1', 'usd_gdp_2', 'usd_gdp_3', 'usd_gdp_4', 'usd_gdp_5']);
    await claim(mirror);
    for (const event of ['usd_gdp_1', 'usd_gdp_2', 'usd_gdp_3'])
      await settle(mirror, event, { kind: 'failed', error: 'status 400' }, { status: 400 });
    expect(await mirror.outbox.subscription('sub_a')).toMatchObject({
      status: 'disabled',
      disabledAt: MIDNIGHT + SECOND,
      disabledReason: 'consecutive_failures',
      failures: 5,
      consecutiveFailures: 3,
    });
    // The post that was under way ends too late to count.
    await settle(mirror, 'usd_gdp_4', { kind: 'succeeded' });
    expect((await listed(mirror)).map(({ status, lastError }) => [status, lastError])).toEqual([
      ['failed', 'subscription disabled'],
      ['failed', 'subscription disabled'],
      ['failed', 'status 400'],
      ['failed', 'status 400'],
      ['failed', 'status 400'],
    ]);
    expect(await mirror.outbox.due()).toEqual([]);
    expect(await mirror.outbox.changeSubscription('sub_a', { status: 'active' }, MIDNIGHT + DAY)).toMatchObject({
      status: 'active',
      consecutiveFailures: 0,
      failingSince: undefined,
      disabledAt: undefined,
      disabledReason: undefined,
    });
  });

  it('a streak that is too old disables as well, and so does an answer that says so', async () => {
    const mirror = await owing(['usd_gdp_1', 'usd_gdp_2']);
    await claim(mirror);
    const retry = { kind: 'retry', error: 'timeout', at: MIDNIGHT } as const;
    await settle(mirror, 'usd_gdp_1', retry, { at: MIDNIGHT });
    await settle(mirror, 'usd_gdp_2', retry, { at: MIDNIGHT + 5 * DAY - 1 });
    expect(await mirror.outbox.subscription('sub_a')).toMatchObject({ status: 'active' });
    await claim(mirror, { now: MIDNIGHT + 5 * DAY, until: MIDNIGHT + 6 * DAY });
    await settle(mirror, 'usd_gdp_1', retry, { at: MIDNIGHT + 5 * DAY });
    expect(await mirror.outbox.subscription('sub_a')).toMatchObject({ disabledReason: 'failing_too_long' });
    const other = await owing(['usd_gdp_1']);
    await claim(other);
    await settle(other, 'usd_gdp_1', { kind: 'failed', error: 'status 410', disables: 'gone' }, { status: 410 });
    expect(await other.outbox.subscription('sub_a')).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
  });

  it('records are listed by subscription, status and age, and forgotten by age', async () => {
    const mirror = await owing(['usd_gdp_1', 'usd_gdp_2']);
    await claim(mirror, { parallel: 1 });
    await settle(mirror, 'usd_gdp_1', { kind: 'succeeded' }, { status: 200 });
    const eventsOf = async (changes: object) => (await listed(mirror, changes)).map(({ event }) => event);
    expect(await eventsOf({ status: 'succeeded' })).toEqual(['usd_gdp_1']);
    expect(await eventsOf({ subscription: 'sub_b' })).toEqual([]);
    expect(await eventsOf({ owner: 'other' })).toEqual([]);
    expect(await eventsOf({ limit: 1 })).toEqual(['usd_gdp_2']);
    expect(await eventsOf({ since: MIDNIGHT + 1 })).toEqual([]);
    await mirror.outbox.forgetDeliveries(MIDNIGHT + 1);
    expect(await eventsOf({})).toEqual([]);
  });
}
