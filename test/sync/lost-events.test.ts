import { describe, expect, it } from 'vitest';
import { cutBody } from '../../src/contract/json/body.ts';
import { isoSeconds } from '../../src/contract/time/time.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { uncoveredBetween } from '../../src/source/watched-times.ts';
import { LABELS, SERVICE_URL } from '../support/service.ts';
import { DAY, syncWorld } from './world.ts';

/** A mirror that read the changes, and again after more days than the service keeps them. */
async function twelveDaysLater() {
  const world = await syncWorld();
  const { clock, mirror, sync } = world;
  await sync('announcements changes');
  const looked = Math.floor(clock.now() / 1000);
  await clock.advance(12 * DAY);
  const endpoint = endpointById('announcements_changes');
  if (!endpoint) throw new Error('no endpoint');
  const ask = async (since: string) => {
    const question = { endpoint, args: { payload: 'compact', limit: 500, since } } as never; // arguments of either list
    const source = createMirrorSource({ mirror, labels: LABELS });
    const { body, partial } = await source.ask(question, { caller: { kind: 'owner' }, now: clock.now() });
    return { gap: cutBody(endpoint.body, body).envelope.gap, partial };
  };
  return { ...world, looked, ask };
}

describe('a hole of events that is older than the service keeps them', () => {
  it('names a sync while a part of it can be had, and then how to go on, which is whole', async () => {
    const { clock, looked, ask, sync, release } = await twelveDaysLater();
    const before = await ask(String(looked + 60));
    const kept = Math.floor(clock.now() / 1000) - 7 * 86_400;
    expect(before.partial).toMatchObject({
      cures: ['macro sync announcements changes'],
      lost: {
        text: `The service keeps events for 7 days, so those before ${isoSeconds(kept)} cannot be had any more.`,
      },
    });
    await release({ currency: 'USD', indicator: 'inflation', date: '2026-11-30', val: 3, released: kept + 86_400 });
    await sync('announcements changes');
    const { gap, partial } = await ask(String(looked - 60));
    const [missingRange] = partial?.mark.missing ?? [];
    const behind = isoSeconds(Number(missingRange?.to) + 1);
    expect([gap, missingRange?.from, partial?.cures, partial?.lost?.goOn]).toEqual([
      true,
      looked + 1,
      [],
      `macro announcements changes --since ${behind}`,
    ]);
    expect(await ask(String(Number(missingRange?.to) + 1))).toEqual({ gap: undefined, partial: undefined });
  });
});

describe('the holes between what was watched', () => {
  it('are known without a question, and each is named once', async () => {
    const { mirror, looked, clock } = await twelveDaysLater();
    const until = Math.floor(clock.now() / 1000);
    const series = { origin: SERVICE_URL, endpoint: 'announcements_changes', scope: {} };
    await mirror.commitPage({
      series,
      nature: 'synthetic',
      access: 'keyless',
      request: 'stream',
      question: 'stream',
      rows: [],
      extent: 'adds',
      covered: { from: until - 60, to: until, rows: 0 },
      at: clock.now(),
    });
    const missingRange = { origin: SERVICE_URL, from: looked + 1, to: until - 61 };
    expect(await uncoveredBetween(mirror)).toEqual([{ ...missingRange, reason: 'nobody watched for events' }]);
    await mirror.journal.noteGap({ ...missingRange, reason: 'lost', via: 'changes', notedAt: clock.now() });
    expect(await uncoveredBetween(mirror)).toEqual([]);
  });
});
