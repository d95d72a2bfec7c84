import { describe, expect, it } from 'vitest';
import { fingerprint, redact } from '../../src/client/http/key.ts';
import type { AccessTag } from '../../src/mirror/api/series.ts';
import type { SyncProgress } from '../../src/sync/work.ts';
import { SERVICE_URL } from '../support/service.ts';
import { DAY, syncWorld, valuesOf } from './world.ts';

const WORDS = 'announcements usd inflation, announcements usd gdp';
const MINUTE = 60_000;
const USD_INFLATION = { currency: 'USD', indicator: 'inflation' };

type World = Awaited<ReturnType<typeof syncWorld>>;

async function newestOf({ mirror }: World, indicator = 'inflation') {
  return (await valuesOf(mirror, 'announcements')).get(`USD ${indicator}`)?.[0];
}

async function checkedAt({ mirror }: World, access: AccessTag) {
  const [series] = await mirror.find({ endpoint: 'announcements', scope: USD_INFLATION });
  return series
    ? Math.max(...(await mirror.coveredRanges(series, access)).map((covered) => covered.checkedAt))
    : undefined;
}

describe('a feed', () => {
  it('spares asking what it does not name, and what it spared is proven as of then', async () => {
    const world = await syncWorld();
    await world.sync(WORDS);
    await world.clock.advance(DAY);
    expect(await world.spent(() => world.sync(WORDS))).toHaveLength(1);
    expect(await checkedAt(world, 'keyless')).toBe(world.clock.now());
  });

  it('that names a day ahead of our clock is followed to that day, at first and later', async () => {
    const world = await syncWorld();
    const behind = { ...world.clock, now: () => world.clock.now() - 40 * DAY };
    await world.release({ ...USD_INFLATION, date: '2026-11-19', val: 9 });
    const first = await world.sync(WORDS, { clock: behind });
    expect([first.outcome, await newestOf(world)]).toEqual(['complete', ['2026-11-19', 9]]);
    await world.clock.advance(DAY);
    await world.release({ ...USD_INFLATION, date: '2026-11-21', val: 10 });
    const second = await world.sync(WORDS, { clock: behind });
    expect([second.outcome, await newestOf(world)]).toEqual(['complete', ['2026-11-21', 10]]);
  });

  it.each([
    ['ahead of today', '2026-12-31'],
    ['before all that is usually corrected', '2025-01-31'],
  ])('that names a day %s is followed to it also by the weekly check', async (_, date) => {
    const world = await syncWorld();
    await world.sync(WORDS);
    for (let day = 1; day <= 6; day += 1) {
      await world.clock.advance(DAY);
      // A feed in which nothing happens for days looks like one that forgot.
      await world.release({ currency: 'EUR', indicator: 'inflation', date: `2026-11-2${day}`, val: day });
      await world.sync(WORDS);
    }
    await world.clock.advance(DAY);
    await world.release({ ...USD_INFLATION, date, val: 9 });
    expect((await world.sync(WORDS)).outcome).toBe('complete');
    expect((await valuesOf(world.mirror, 'announcements')).get('USD inflation')).toContainEqual([date, 9]);
  });

  it('lets the revision window be asked for once a week, whatever it names', async () => {
    const world = await syncWorld();
    await world.sync(WORDS);
    for (let day = 1; day <= 6; day += 1) {
      await world.clock.advance(DAY);
      expect([day, (await world.spent(() => world.sync(WORDS))).length]).toEqual([day, 1]);
    }
    await world.clock.advance(DAY);
    const reasons = (await world.plan(WORDS)).map(({ reason }) => reason);
    expect(reasons).toEqual(['changes', 'check', 'proof', 'check', 'proof']);
    expect(await world.spent(() => world.sync(WORDS))).toHaveLength(5);
  });

  it('leaves what it announced in the journal of events, as polled', async () => {
    const world = await syncWorld();
    await world.sync(WORDS);
    const before = await world.mirror.journal.newest();
    await world.release({ ...USD_INFLATION, date: '2026-11-21', val: 9 });
    await world.clock.advance(DAY);
    await world.sync(WORDS);
    const events = await world.mirror.journal.events({ after: before, limit: 10, indicators: ['inflation'] });
    expect(events.map(({ currency, arrivals }) => [currency, arrivals.map(({ via }) => via)])).toContainEqual([
      'usd',
      ['changes'],
    ]);
  });

  it('that was not read for longer than changes are kept leaves every series to be asked', async () => {
    const world = await syncWorld();
    await world.sync(WORDS);
    await world.clock.advance(3 * DAY);
    await world.release({ ...USD_INFLATION, date: '2026-11-21', val: 9 });
    await world.clock.advance(8 * DAY);
    const report = await world.sync(WORDS);
    expect([report.outcome, await newestOf(world)]).toEqual(['complete', ['2026-11-21', 9]]);
  });

  it('that was not read for longer than changes are kept notes the hole once, as long as it is', async () => {
    const world = await syncWorld();
    await world.sync(WORDS);
    const read = Math.floor(world.clock.now() / 1000);
    await world.clock.advance(20 * DAY);
    const released = Math.floor(world.clock.now() / 1000);
    await world.release({ ...USD_INFLATION, date: '2026-12-10', val: 9 });
    await world.sync(WORDS);
    await world.sync(WORDS);
    expect(await world.mirror.journal.gaps(9)).toMatchObject([
      { origin: SERVICE_URL, from: read + 1, to: released + 1, via: 'changes', closedAt: undefined },
    ]);
  });

  it('whose position the service does not know any more is read on by time, an hour back', async () => {
    const world = await syncWorld();
    await world.sync(WORDS);
    const read = Math.floor(world.clock.now() / 1000);
    const series = { origin: SERVICE_URL, endpoint: 'announcements_changes', scope: {} };
    const access = `key:${fingerprint(redact('k-test'))}` as const;
    const held = await world.mirror.walk(series, access);
    const walk = { ...(held ?? expect.fail('the feed has no position')), next: 'c1.forgotten' };
    const common = { nature: 'synthetic', access, request: 'r', question: 'q', extent: 'adds' } as const;
    await world.mirror.commitPage({ ...common, series, rows: [], walk, at: world.clock.now() });
    await world.clock.advance(2 * DAY);
    const asked = await world.spent(() => world.sync(WORDS));
    expect(asked.filter((line) => line.includes('/changes')).map((line) => line.replace(/^.*since=/, ''))).toEqual([
      'c1.forgotten 400',
      `${read - 3600} 200`,
    ]);
  });

  it('is counted among the series of the run where nobody named it', async () => {
    const world = await syncWorld();
    await world.sync(WORDS);
    await world.clock.advance(DAY);
    await world.release({ ...USD_INFLATION, date: '2026-11-21', val: 9 });
    const told = new Set<string>();
    const onProgress = ({ name, index, of }: SyncProgress) => void told.add(`${index}/${of} ${name}`);
    await world.sync('announcements usd inflation', { onProgress });
    expect([...told]).toEqual(['2/2 announcements changes', '1/2 announcements usd inflation']);
  });

  it('names nothing twice and loses no name when the run dies between the feed and the series', async () => {
    const world = await syncWorld();
    await world.sync(WORDS);
    await world.clock.advance(DAY);
    await world.release({ ...USD_INFLATION, date: '2026-11-21', val: 9 });
    const death = new AbortController();
    const dies = async () => {
      const running = world.sync(WORDS, { signal: death.signal, onProgress: () => death.abort(new Error('killed')) });
      return (await running.catch(() => undefined))?.outcome;
    };
    expect(await dies()).not.toBe('complete');
    expect(await newestOf(world)).not.toEqual(['2026-11-21', 9]);
    expect((await world.sync(WORDS)).outcome).toBe('complete');
    expect(await newestOf(world)).toEqual(['2026-11-21', 9]);
  });
});

describe('a feed without a key', () => {
  it('never goes past what was withheld, and what it could not see is not called current', async () => {
    const world = await syncWorld({});
    await world.sync(WORDS);
    await world.clock.advance(DAY);
    await world.release({ ...USD_INFLATION, date: '2026-11-21', val: 9 });
    await world.clock.advance(MINUTE);
    await world.sync(WORDS);
    const before = await newestOf(world);
    expect(before).not.toEqual(['2026-11-21', 9]);
    const seen = await checkedAt(world, 'keyless');
    expect(seen !== undefined && seen <= world.clock.now() - 15 * MINUTE).toBe(true);
    await world.clock.advance(21 * MINUTE);
    expect((await world.sync(WORDS)).outcome).toBe('complete');
    expect(await newestOf(world)).toEqual(['2026-11-21', 9]);
  });
});
