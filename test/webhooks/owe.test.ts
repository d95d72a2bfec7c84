import { describe, expect, it } from 'vitest';
import type { Outbox } from '../../src/mirror/api/outbox.ts';
import { enqueueEvents } from '../../src/webhooks/send/enqueue.ts';
import { idOf, NOW, sendingWorld } from './sending.ts';

const EVENTS = ['usd_inflation_1791981000', 'usd_gdp_1791982000', 'eur_policy_rate_1791983000'];

/** So many subscriptions, then three events; and what each transaction added, with the position that it noted. */
async function owing(subscribers: number) {
  const world = await sendingWorld({});
  for (let i = 0; i < subscribers; i += 1) await world.subscribe(`desk${i}.example.com`);
  await world.arrive(...EVENTS);
  const portions: (readonly [deliveries: number, upTo: number])[] = [];
  const enqueue: Outbox['enqueue'] = async (deliveries, upTo, at) => {
    portions.push([deliveries.length, upTo]);
    await world.outbox.enqueue(deliveries, upTo, at);
  };
  const parts = { journal: world.mirror.journal, outbox: { ...world.outbox, enqueue } };
  const owe = (turnEnd = world.clock.turnEnd, { signal } = new AbortController()) =>
    enqueueEvents({ ...parts, clock: { turnEnd } }, { now: NOW, signal });
  return { portions, owe, outbox: world.outbox };
}

describe('what is owed because of events', () => {
  it('is added by a hundred deliveries at a time, and noted as owed with the last delivery of an event', async () => {
    const { owe, portions, outbox } = await owing(80);
    expect(await owe()).toBe(true);
    expect(portions).toEqual([
      [100, 1],
      [100, 2],
      [40, 3],
    ]);
    const of = async (n: number) =>
      (await outbox.deliveries({ owner: 'desk', since: 0, limit: 10, subscription: idOf(`desk${n}.example.com`) })).map(
        ({ event }) => event,
      );
    expect(await of(0)).toEqual(EVENTS.toReversed());
    expect(await of(79)).toEqual(EVENTS.toReversed());
  });

  it('lets others have their turn after each hundred', async () => {
    const { owe, portions } = await owing(80);
    const turns: number[] = [];
    await owe(async () => void turns.push(portions.length));
    expect(turns).toEqual([1, 2, 3]);
  });

  it('is added by the next call where this one was stopped, none of it twice', async () => {
    const { owe, portions, outbox } = await owing(80);
    const stop = new AbortController();
    await owe(async () => stop.abort(), stop);
    expect(portions).toEqual([[100, 1]]);
    await owe();
    expect(portions.slice(1)).toEqual([
      [100, 2],
      [60, 3],
    ]);
    // Of the second event twenty were there already.
    expect(await outbox.deliveries({ owner: 'desk', since: 0, limit: 1_000 })).toHaveLength(240);
  });

  it('moves no position before an event has all deliveries: a restore may have taken the events before it', async () => {
    const { mirror, outbox, subscribe, arrive } = await sendingWorld({});
    for (let i = 0; i < 101; i += 1) await subscribe(`desk${i}.example.com`, { owner: i < 50 ? 'desk' : 'other' });
    await arrive(...EVENTS);
    // Read before the restore.
    const before = { ...outbox, position: async () => 1 };
    const stop = new AbortController();
    const clock = { turnEnd: async () => stop.abort() };
    await enqueueEvents({ journal: mirror.journal, outbox: before, clock }, { now: NOW, signal: stop.signal });
    expect(await outbox.deliveries({ owner: 'other', since: 0, limit: 1_000 })).toHaveLength(51);
    expect(await outbox.position()).toBe(0);
  });

  it('is nothing while nobody is subscribed', async () => {
    const { owe, portions } = await owing(0);
    expect([await owe(), portions]).toEqual([false, []]);
  });
});
