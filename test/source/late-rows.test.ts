import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { ENDPOINTS, endpointById } from '../../src/endpoints/index.ts';
import type { Fetch } from '../../src/platform/platform.ts';
import { createLiveSource } from '../../src/source/live.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import type { Question } from '../../src/source/source.ts';
import { runSync } from '../../src/sync/run.ts';
import { selectTargets } from '../../src/sync/series/select.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS, SERVICE_URL } from '../support/service.ts';
import { OWNER } from './world.ts';

/** Rows of a series by date, each with the day on which it is published. */
type Published = Readonly<Record<string, string>>;

/** Positions of Tuesdays, published on Fridays. */
const WEEKLY: Published = {
  '2026-10-27': '2026-10-30',
  '2026-11-03': '2026-11-06',
  '2026-11-10': '2026-11-13',
  '2026-11-17': '2026-11-20',
  '2026-11-24': '2026-11-27',
};

/** A service that shows what is published by its clock. */
function serviceOf(rows: Published, today: () => string): Fetch {
  return async (url) => {
    const query = new URL(url).searchParams;
    const [from, to] = [query.get('start_date') ?? '0000-01-01', query.get('end_date') ?? today()];
    const data = Object.entries(rows)
      .filter(([date, published]) => published <= today() && date >= from && date <= to)
      .map(([date]) => ({ date }))
      .reverse();
    const page = { limit: 1000, offset: 0, returned_count: data.length, total_count: data.length, has_more: false };
    return Response.json({ currency: 'EUR', report: query.get('report') ?? 'legacy_futures', pagination: page, data });
  };
}

async function world(rows: Published) {
  const { platform, clock } = testPlatform({ now: '2026-11-19T12:00:00Z' });
  const mirror = await freshMirror(platform);
  const today = () => new Date(clock.now()).toISOString().slice(0, 10);
  const client = createClient({
    platform: { ...platform, fetch: serviceOf(rows, today) },
    baseUrl: SERVICE_URL,
    key: 'k-test',
  });
  const context = () => ({ caller: OWNER, now: clock.now() });
  const asked = (query: Record<string, string>): Question => {
    const endpoint = endpointById('cot');
    if (!endpoint) throw new Error('no endpoint cot');
    const given = { path: { currency: 'EUR' }, query };
    return { endpoint, args: readParams(endpoint, given, { mode: 'liberal', now: clock.now() }).args };
  };
  const live = createLiveSource({ client, mirror });
  const offline = createMirrorSource({ mirror, labels: LABELS });
  return {
    sleepUntil: (day: string) => clock.advance(Date.parse(`${day}T12:00:00Z`) - clock.now()),
    live: (query: Record<string, string>) => live.ask(asked(query), context()),
    async offline(query: Record<string, string>) {
      const { body } = await offline.ask(asked(query), context());
      const { data, mirror: mark } = JSON.parse(body);
      return { dates: data.map(({ date }: { date: string }) => date), missing: mark?.missing };
    },
    async sync() {
      const select = { endpoints: ENDPOINTS, now: clock.now(), indicatorsOf: async () => [] };
      const targets = await selectTargets(['cot', 'eur'], select);
      return (await runSync({ client, mirror, clock, targets, maxAge: 0 })).outcome;
    },
  };
}

describe('a series whose rows are published days after their date', () => {
  it('has a hole between two windows that meet where a row was still to come', async () => {
    const { sleepUntil, live, offline } = await world(WEEKLY);
    await live({ start_date: '2026-10-26' });
    await sleepUntil('2026-11-28');
    await live({ start_date: '2026-11-20' });
    expect(await offline({ start_date: '2026-10-26' })).toEqual({
      dates: ['2026-11-24', '2026-11-10', '2026-11-03', '2026-10-27'],
      missing: [{ from: '2026-11-11', to: '2026-11-19' }],
    });
  });

  it('has a hole at the end of a window that was over before the row came', async () => {
    const { sleepUntil, live, offline } = await world(WEEKLY);
    await live({ start_date: '2026-10-26', end_date: '2026-11-18' });
    const window = { start_date: '2026-10-26', end_date: '2026-11-18' };
    const held = ['2026-11-10', '2026-11-03', '2026-10-27'];
    // Nothing later is known: what the service has by now is a matter of age.
    expect(await offline(window)).toEqual({ dates: held, missing: undefined });
    await sleepUntil('2026-11-28');
    await live({ start_date: '2026-11-19' });
    expect(await offline(window)).toEqual({ dates: held, missing: [{ from: '2026-11-11', to: '2026-11-18' }] });
  });

  it('has none at the end of a window behind which a row was there already', async () => {
    const { sleepUntil, live, offline } = await world(WEEKLY);
    await sleepUntil('2026-11-21');
    await live({ start_date: '2026-11-16' });
    await live({ start_date: '2026-10-26', end_date: '2026-11-15' });
    await sleepUntil('2026-11-28');
    await live({ start_date: '2026-11-16' });
    expect(await offline({ start_date: '2026-10-26' })).toEqual({
      dates: ['2026-11-24', '2026-11-17', '2026-11-10', '2026-11-03', '2026-10-27'],
      missing: undefined,
    });
  });

  it('has none where the later window goes back to the newest row of the earlier one', async () => {
    const { sleepUntil, live, offline } = await world(WEEKLY);
    await live({ start_date: '2026-10-26' });
    await sleepUntil('2026-11-28');
    await live({ start_date: '2026-11-10' });
    expect(await offline({ start_date: '2026-10-26' })).toEqual({
      dates: ['2026-11-24', '2026-11-17', '2026-11-10', '2026-11-03', '2026-10-27'],
      missing: undefined,
    });
  });

  it('is old, not partial, behind its newest row, however often nothing was found there', async () => {
    const { sleepUntil, live, offline } = await world(WEEKLY);
    await live({ start_date: '2026-10-26' });
    await live({ start_date: '2026-11-18' });
    expect((await offline({ start_date: '2026-11-18' })).missing).toBeUndefined();
    await sleepUntil('2026-11-28');
    const held = { dates: ['2026-11-10', '2026-11-03', '2026-10-27'], missing: undefined };
    expect(await offline({ start_date: '2026-10-26' })).toEqual(held);
    await live({ start_date: '2026-11-26' });
    expect((await offline({ start_date: '2026-10-26' })).missing).toEqual([{ from: '2026-11-20', to: '2026-11-25' }]);
  });

  it('is whole after syncs, and after a sync that follows two such windows', async () => {
    const { sleepUntil, live, offline, sync } = await world(WEEKLY);
    await live({ start_date: '2026-10-26' });
    await sleepUntil('2026-11-28');
    await live({ start_date: '2026-11-20' });
    expect(await sync()).toBe('complete');
    const whole = { dates: Object.keys(WEEKLY).reverse(), missing: undefined };
    expect(await offline({})).toEqual(whole);
    await sleepUntil('2026-12-01');
    expect(await sync()).toBe('complete');
    expect(await offline({})).toEqual(whole);
  });

  it('is synced from the newest row on, however long nothing has come', async () => {
    const rows = { '2026-06-02': '2026-06-05', '2026-06-09': '2026-11-25', '2026-11-17': '2026-11-26' };
    const { sleepUntil, offline, sync } = await world(rows);
    expect(await sync()).toBe('complete');
    await sleepUntil('2026-11-28');
    expect(await sync()).toBe('complete');
    expect(await offline({})).toEqual({ dates: Object.keys(rows).reverse(), missing: undefined });
  });

  it('is synced from the newest row that a window showed which ended just before its look', async () => {
    // Of the second quarter in August, of the third one in December.
    const rows = { '2026-04-01': '2026-08-20', '2026-07-01': '2026-12-01' };
    const { sleepUntil, live, offline, sync } = await world(rows);
    await live({ start_date: '2026-01-01', end_date: '2026-11-05' });
    await sleepUntil('2026-12-02');
    expect(await sync()).toBe('complete');
    expect(await offline({ start_date: '2026-01-01' })).toEqual({
      dates: ['2026-07-01', '2026-04-01'],
      missing: undefined,
    });
  });
});
