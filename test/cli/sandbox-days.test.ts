import { expect, it } from 'vitest';
import { keepDays } from '../../src/cli/commands/serve/sandbox.ts';
import { parseObject } from '../../src/contract/json/json.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { MacroError } from '../../src/errors.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { sandboxDays } from '../../src/sandbox/days.ts';
import { createWorld } from '../../src/sandbox/world.ts';
import { testClock } from '../support/clock.ts';
import { testPlatform } from '../support/platform.ts';
import { ownSandbox } from '../support/service.ts';

const TUESDAY = Date.parse('2026-11-24T00:00:00Z');
const WEDNESDAY = TUESDAY + 86_400_000;
const SANDBOX = { seed: 1, size: 'small' } as const;

const filled = (now: number) => ownSandbox(testPlatform({ now }).platform, SANDBOX.seed);

/** Every row, by its series. */
async function everything(mirror: Mirror): Promise<Readonly<Record<string, readonly string[]>>> {
  const all: Record<string, readonly string[]> = {};
  for (const { id: endpoint } of ENDPOINTS)
    for (const series of await mirror.find({ endpoint, scope: {} }))
      all[`${endpoint} ${JSON.stringify(series.scope)}`] = (await mirror.rows(series, {})).map(({ text }) => text);
  return all;
}

it('a sandbox that is served over midnight holds the data set of the new day, of every group', async () => {
  const [served, next] = [await filled(TUESDAY), await filled(WEDNESDAY)];
  let turns = 0;
  const days = sandboxDays(served, createWorld({ ...SANDBOX, now: TUESDAY }), async () => {
    turns += 1;
  });
  for (let now = TUESDAY; now < WEDNESDAY; ) now = await days.upTo(now);
  expect(turns).toBe(0);
  expect(await days.upTo(WEDNESDAY)).toBeGreaterThan(WEDNESDAY);
  expect(turns).toBeGreaterThan(100);
  const [now, all] = [await everything(served), await everything(next)];
  const others = Object.keys(all).filter((name) => JSON.stringify(now[name]) !== JSON.stringify(all[name]));
  expect(Object.keys(all).length).toBeGreaterThan(100);
  // The list of changes keeps the events that a new file no longer has, which are a week old.
  expect(others).toEqual(['announcements_changes {}']);
});

it('a sandbox that is served for days has no missing days up to today, in any history', async () => {
  const served = await filled(TUESDAY);
  const membersOf = async () =>
    (await served.find({ endpoint: 'announcements', scope: {} })).map(({ envelope }) =>
      Object.keys(parseObject(envelope?.text ?? expect.fail('no envelope'))),
    );
  const members = await membersOf();
  const days = sandboxDays(served, createWorld({ ...SANDBOX, now: TUESDAY }), async () => undefined);
  await days.upTo(TUESDAY + 10 * 86_400_000);
  const seen = new Set<unknown>();
  for (const series of await served.find({ endpoint: 'announcements', scope: {} })) {
    const rows = await served.count(series, {});
    for (const covered of await served.coveredRanges(series, 'keyed'))
      seen.add([covered.from, covered.to, covered.rows - rows].join());
  }
  expect([...seen]).toEqual(['1900-01-01,2026-12-04,0']);
  expect(await membersOf()).toEqual(members);
  expect(await served.verify()).toMatchObject({ findings: [] });
});

/** Days of which each step fails with one of these errors. */
function failing(...errors: readonly MacroError[]) {
  const left = [...errors];
  return {
    async upTo(now: number) {
      const error = left.shift();
      if (error) throw error;
      return now + 1_000_000;
    },
  };
}

const app = (told: string[]) =>
  ({ signal: new AbortController().signal, warn: async (text: string) => void told.push(text) }) as never;

it('waits for a mirror that another program keeps, and ends with one that is damaged', async () => {
  const told: string[] = [];
  const locked = new MacroError('mirror', 'It is locked.', { code: 'mirror_locked' });
  const damaged = new MacroError('mirror', 'It is damaged.', { code: 'mirror_damaged' });
  await expect(keepDays(app(told), failing(locked, locked, damaged), testClock(TUESDAY))).rejects.toBe(damaged);
  expect(told).toEqual(['a release is late: It is locked.']);
});
