import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { runSync } from '../../src/sync/run.ts';
import { selectTargets } from '../../src/sync/series/select.ts';
import { freshFolder, testPlatform } from '../support/platform.ts';
import fc, { PROVES } from '../support/properties.ts';
import { freshMirror, SERVICE_URL } from '../support/service.ts';
import { DAY, monthEnd, type Odd, simulated } from './simulated-service.ts';

const START = Date.parse('2026-11-20T15:00:00Z');
const KEY = 'k-test';

async function world(folder: string, name: string, months: number, odd: Odd = {}) {
  const { platform, clock } = testPlatform({ now: START, folder });
  const service = simulated(clock.now, months, odd);
  const mirror = await freshMirror(platform, name);
  const client = createClient({ platform: { ...platform, fetch: service.fetch }, baseUrl: SERVICE_URL, key: KEY });
  const targets = await selectTargets(['announcements usd inflation'], {
    endpoints: ENDPOINTS,
    now: START,
    indicatorsOf: async () => [],
  });
  const sync = async (more = {}) => {
    const report = await runSync({ client, mirror, clock, targets, ...more });
    expect(report.outcome, JSON.stringify(report.series)).toBe('complete');
  };
  return { clock, service, mirror, client, sync };
}

async function storedIn(mirror: Mirror): Promise<ReadonlyMap<string, unknown>> {
  const [series] = await mirror.find({ endpoint: 'announcements', scope: {} });
  const rows = series ? await mirror.rows(series, {}) : [];
  return new Map(rows.map(({ key, columns }) => [String(key[0]), columns.val]));
}

/** Dates of which the mirror says otherwise than the service. */
async function differences(mirror: Mirror, rows: ReadonlyMap<string, number>): Promise<readonly string[]> {
  const stored = await storedIn(mirror);
  return [...new Set([...stored.keys(), ...rows.keys()])].filter((date) => stored.get(date) !== rows.get(date));
}

const step = fc.record({
  days: fc.integer({ min: 1, max: 9 }),
  isCheck: fc.boolean(),
  deeds: fc.array(
    fc.record({
      months: fc.uniqueArray(fc.integer({ min: 0, max: 330 }), { minLength: 1, maxLength: 5 }),
      does: fc.constantFrom('write', 'write', 'withdraw'),
      tells: fc.constantFrom('all', 'one', 'nothing'),
      val: fc.integer({ min: 1, max: 1_000_000 }),
    }),
    { maxLength: 2 },
  ),
});

describe('nothing is missed', () => {
  const folder = freshFolder();
  let run = 0;

  it('of a service that writes, inserts and withdraws, and tells all, a part or nothing of it', {
    timeout: 3_600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 7 }), async (steps) => {
        run += 1;
        const { clock, service, mirror, sync, client } = await world(folder, `missed-${run}.db`, 130);
        await sync();
        const silent = new Map<string, number>();
        for (const { days, isCheck, deeds } of steps) {
          await clock.advance(days * DAY);
          // How many rows changed is all that an event of several tells: what else changed with it may stand for them.
          const isMixed = deeds.some(({ tells, months }) => tells === 'all' && months.length > 1);
          for (const { months, does, tells, val } of deeds) {
            const today = new Date(clock.now()).toISOString().slice(0, 10);
            const past = months.map((month) => monthEnd(month)).filter((date) => date <= today);
            const dates = past.filter((date) => does === 'write' || service.rows.has(date));
            if (dates.length === 0) continue;
            const told = isMixed || tells === 'all' ? dates.length : tells === 'one' ? 1 : 0;
            service.change(new Map(dates.map((date, i) => [date, does === 'write' ? val + i / 4 : undefined])), told);
            for (const date of dates.slice(told)) silent.set(date, clock.now());
          }
          await clock.advance(60_000);
          await sync(isCheck ? { check: true, maxAge: 0 } : {});
          const missed = await differences(mirror, service.rows);
          const [check] = (await mirror.checks('announcements', client.access)).values();
          const since = check?.wholeAt ?? 0;
          expect(missed.filter((date) => isCheck || (silent.get(date) ?? 0) < since)).toEqual([]);
        }
        mirror.close();
      }),
      { numRuns: PROVES ? 1_000 : 40 },
    );
  });

  it('and an honest but odd service is not read whole again and again', { timeout: 120_000 }, async () => {
    for (const odd of [
      {},
      { writesAll: true },
      { movingVersion: true },
      { otherPrevious: true },
      { otherFirst: true },
      { writesAll: true, movingVersion: true, otherPrevious: true, otherFirst: true },
    ] satisfies Odd[]) {
      run += 1;
      const { clock, service, mirror, sync } = await world(folder, `odd-${run}.db`, 250, odd);
      await sync();
      const first = service.counts().furtherPages;
      for (let week = 1; week <= 30; week += 1) {
        await clock.advance(7 * DAY);
        if (week % 4 === 0) service.change(new Map([[monthEnd(321 + week / 4), week]]), 1);
        await clock.advance(60_000);
        await sync();
        expect(await differences(mirror, service.rows)).toEqual([]);
      }
      // A whole read has two further pages.
      const wholeReads = (service.counts().furtherPages - first) / 2;
      expect([odd, wholeReads <= Object.keys(odd).length], `${wholeReads} whole reads`).toEqual([odd, true]);
      expect(service.counts().requests).toBeLessThan(150);
    }
  });
});
