import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/contract/hooks.ts';
import { cutBody } from '../../src/contract/json/body.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { commitOfAnswer } from '../../src/source/stored/answer-commit.ts';
import { noteUncovered } from '../../src/source/watched-times.ts';
import { LABELS, SERVICE_URL } from '../support/service.ts';
import { rowOf, syncWorld } from './world.ts';

const HOUR = 3_600_000;
const OWNER: Caller = { kind: 'owner' };

type World = Awaited<ReturnType<typeof syncWorld>>;

function endpointNamed(id: string) {
  const endpoint = endpointById(id);
  if (!endpoint) throw new Error(`There is no endpoint ${id}.`);
  return endpoint;
}

/** What a question about changes says, by the mirror and by the service that it is kept from. */
async function asked(world: World, args: Record<string, unknown>, id = 'announcements_changes', caller = OWNER) {
  const endpoint = endpointNamed(id);
  const now = world.clock.now();
  const question = { endpoint, args: { payload: 'compact', limit: 500, ...args } } as never; // arguments of either list
  const answer = async (mirror: World['mirror'], from: Caller) => {
    const onUncovered = (start: number, at: number) => noteUncovered(mirror, start, at);
    const source = createMirrorSource({ mirror, labels: LABELS, onUncovered });
    const { body, partial } = await source.ask(question, { caller: from, now });
    const { envelope, rows } = cutBody(endpoint.body, body);
    return { envelope, ids: rows.map(({ value }) => value.event_id ?? value.change_sequence), mark: partial?.mark };
  };
  return {
    mirror: await answer(world.mirror, caller),
    service: await answer(world.upstream, { kind: 'keyed', plan: 'individual' }),
  };
}

/** The mirror keeps an event that came by itself: nobody watched. */
async function deliver({ mirror, clock }: World, release: number): Promise<void> {
  const event = { event_id: `usd_inflation_${release}`, currency: 'usd', indicator: 'inflation' };
  await mirror.commitPage({
    series: { origin: SERVICE_URL, endpoint: 'announcements_changes', scope: {} },
    nature: 'synthetic',
    access: 'keyless',
    request: 'webhook event',
    question: 'announcements_changes by webhook',
    rows: [rowOf({ ...event, timestamp: release + 2, release_timestamp: release })],
    extent: 'adds',
    arrived: { via: 'webhook' },
    at: clock.now(),
  });
}

const secondsAgo = ({ clock }: World, ms: number) => Math.floor((clock.now() - ms) / 1000);
const gapsOf = async ({ mirror }: World) =>
  (await mirror.journal.gaps(9)).map(({ from, to, closedAt }) => [
    from,
    to,
    closedAt === undefined ? 'open' : 'closed',
  ]);

describe('a question about changes that nobody watched', () => {
  it('is answered with a gap, what it lacks and one record, and a sync brings every event behind its cursor', async () => {
    const world = await syncWorld();
    await deliver(world, secondsAgo(world, HOUR));
    const since = secondsAgo(world, 96 * HOUR);
    const { mirror, service } = await asked(world, { since: String(since) });
    expect(mirror.envelope).toMatchObject({ gap: true, count: 1, has_more: false });
    expect(mirror.envelope).not.toHaveProperty('oldest_available');
    expect(mirror.mark).toEqual({
      complete: false,
      missing: [{ from: since, to: secondsAgo(world, 0) }],
    });
    await asked(world, { since: String(since + 5) });
    expect(await gapsOf(world)).toEqual([[since, undefined, 'open']]);
    await world.sync('announcements changes');
    const after = await asked(world, { since: String(mirror.envelope.next_cursor) });
    expect(service.ids.length).toBeGreaterThan(1);
    expect(after.mirror.ids.toSorted()).toEqual([...service.ids, ...mirror.ids].toSorted());
    expect([after.mirror.mark, after.mirror.envelope.gap]).toEqual([undefined, undefined]);
    expect(await gapsOf(world)).toEqual([[since, undefined, 'closed']]);
  });

  it('is one with a gap since the last check, whether it begins before that or after', async () => {
    const world = await syncWorld();
    await world.sync('announcements changes');
    const looked = secondsAgo(world, 0);
    await world.clock.advance(HOUR);
    const before = await asked(world, { since: String(looked - 60) });
    expect([before.mirror.envelope.gap, before.mirror.mark?.missing]).toEqual([
      true,
      [{ from: looked + 1, to: secondsAgo(world, 0) }],
    ]);
    const behind = await asked(world, { since: String(looked + 60) });
    expect([behind.mirror.envelope.gap, behind.mirror.mark?.missing]).toEqual([
      true,
      [{ from: looked + 60, to: secondsAgo(world, 0) }],
    ]);
  });

  it('has no gap in what a page of the service told, which without a key ends with the delay', async () => {
    const world = await syncWorld();
    const endpoint = endpointNamed('announcements_changes');
    const page = async (words: Record<string, unknown>) => {
      const reply = await createMirrorSource({ mirror: world.upstream, labels: LABELS }).ask(
        { endpoint, args: { payload: 'compact', limit: 500, ...words } as never },
        { caller: { kind: 'keyed', plan: '' }, now: world.clock.now() },
      );
      const told = { status: 200, body: reply.body, synthetic: true, request: 'GET', notes: [] } as never;
      const received = { endpoint, args: words as never, reply: told, service: 's', access: 'keyless' } as const;
      await world.mirror.commitPage(commitOfAnswer({ ...received, at: world.clock.now() }));
    };
    const since = String(secondsAgo(world, 30 * HOUR));
    await page({ since, indicators: ['inflation'] });
    expect((await asked(world, { since })).mirror.envelope.gap).toBe(true);
    await page({ since });
    const { mirror, service } = await asked(world, { since });
    const delayed = secondsAgo(world, 900_000);
    expect([mirror.ids, mirror.mark?.missing]).toEqual([
      service.ids,
      [{ from: delayed + 1, to: secondsAgo(world, 0) }],
    ]);
  });
});

describe('a question about changes of the sentiment', () => {
  it('leads over exactly the rows that it gives, and says where others may be missing', async () => {
    const world = await syncWorld();
    const changes = await asked(world, { limit: 100, after_sequence: 0 }, 'risk_sentiment_changes').catch(
      () => undefined,
    );
    expect(changes).toBeUndefined();
    const row = rowOf({ change_sequence: 9, date: '2026-11-20' });
    await world.mirror.commitPage({
      series: { origin: SERVICE_URL, endpoint: 'risk_sentiment_changes', scope: {} },
      nature: 'synthetic',
      access: 'keyless',
      request: 'page',
      question: 'page',
      rows: [row],
      extent: 'adds',
      at: world.clock.now(),
    });
    const { mirror } = await asked(world, { limit: 100, after_sequence: 0 }, 'risk_sentiment_changes');
    expect([mirror.ids, mirror.envelope]).toEqual([
      [9],
      {
        gap: true,
        pagination: { limit: 100, after_sequence: 0, returned_count: 1, has_more: false, next_after_sequence: 9 },
      },
    ]);
    expect(mirror.mark?.missing).toEqual([{ series: 'sentiment changes' }]);
    await world.sync('sentiment changes');
    const synced = await asked(world, { limit: 100, after_sequence: 0 }, 'risk_sentiment_changes');
    expect([synced.mirror.envelope.gap, synced.mirror.mark]).toEqual([undefined, undefined]);
  });
});
