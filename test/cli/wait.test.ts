import { describe, expect, it } from 'vitest';
import type { Clock, Fetch } from '../../src/platform/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL } from '../support/service.ts';
import { syncWorld } from '../sync/world.ts';

const MINUTE = 60_000;

/** The sandbox's calendar has unemployment of November at 13:30. */
const START = '2026-12-07T12:00:00Z';
const OUT = 90 * MINUTE;
const SERIES = { currency: 'USD', indicator: 'unemployment' } as const;

interface Happening {
  /** Milliseconds after the beginning at which the service does something. */
  readonly after: number;
  readonly happens: (world: Awaited<ReturnType<typeof syncWorld>>) => Promise<void>;
}

interface Odd {
  /** Milliseconds that the machine sleeps in the middle of the first timer. */
  readonly oversleeps?: number;
  /** Whether the network is away at a time after the beginning. */
  readonly isAway?: (after: number) => boolean;
}

/** A person who waits, beside a service on which things happen in time. */
async function waiting(line: string, happenings: readonly Happening[], { oversleeps = 0, isAway }: Odd = {}) {
  const world = await syncWorld({ key: 'k-test', now: START });
  const { at, clock, service } = world;
  const begun = clock.now();
  const left = [...happenings];
  const fetch: Fetch = async (...request) => {
    if (isAway?.(clock.now() - begun)) throw new TypeError('fetch failed');
    while (left[0] && clock.now() >= begun + left[0].after) await left.shift()?.happens(world);
    return service.fetch(...request);
  };
  let more = oversleeps;
  const sleep: Clock['sleep'] = (ms, signal) => {
    const lasts = ms + more;
    more = 0;
    return clock.sleep(lasts, signal);
  };
  const env = { ...at.platform.env, MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'k-test' };
  const platform = { ...at.platform, env, fetch, clock: { ...clock, sleep } };
  const ran = await macro(line, { ...at, platform });
  return { ...ran, took: clock.now() - begun, seen: service.seen };
}

const released = (after: number, row: { date: string; val: number; released?: number }): Happening => ({
  after,
  happens: (world) => world.release({ ...SERIES, ...row }),
});
const NOVEMBER = { date: '2026-11-30', val: 4.4, released: Date.parse('2026-12-07T13:30:00Z') / 1000 };

describe('macro wait', () => {
  it('says what it waits for, sleeps until the calendar says, and prints the row', async () => {
    const { code, out, err, took, seen } = await waiting('wait usd unemployment --format json', [
      released(OUT + 8000, NOVEMBER),
    ]);
    expect(code).toBe(0);
    expect(err).toContain(
      '"Waiting for USD unemployment, the period 2026-11-30 (2026-10-31 is the newest): 2026-12-07T13:30:00Z, in 90 min.',
    );
    const { data } = JSON.parse(out);
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      ...SERIES,
      date: '2026-11-30',
      val: 4.4,
      announcement_datetime: NOVEMBER.released,
    });
    // At the beginning, a minute before the release to see it moved, and ten seconds after it.
    expect([took, seen.length]).toEqual([OUT + 10_000, 7]);
  });

  it('looks every fifteen seconds in the first two minutes, and prints the value as it was published', async () => {
    const { out, took } = await waiting('wait usd unemployment --quiet --fields val', [
      released(OUT + 10_001, { ...NOVEMBER, val: 4 }),
    ]);
    expect([out, took]).toEqual(['val\n4.0\n', OUT + 25_000]);
  });

  it('looks once a minute for a release that is late', async () => {
    const { code, took } = await waiting('wait usd unemployment --quiet', [released(OUT + 10.5 * MINUTE, NOVEMBER)]);
    expect([code, took]).toEqual([0, OUT + 11 * MINUTE + 10_000]);
  });

  it.each([
    ['a revision of the newest period', { date: '2026-10-31', val: 9.9 }],
    ['a revision of an old period', { date: '2026-03-31', val: 9.9 }],
    ['a release that was out before', { ...NOVEMBER, released: Date.parse('2026-12-07T11:00:00Z') / 1000 }],
  ])('takes %s for nothing: exit 11 after the timeout, and nothing on stdout', async (_, row) => {
    const { code, out, err, took } = await waiting('wait usd unemployment --timeout 1h', [released(0, row)]);
    expect([code, out, took]).toEqual([11, '', 60 * MINUTE]);
    expect(err).toContain('macro: USD unemployment was not released within 1h.\nmacro next usd unemployment tells');
  });

  it('survives a network that is away at the beginning and at the moment', async () => {
    const isAway = (after: number) => after < 5 * MINUTE || (after >= OUT - 2 * MINUTE && after < OUT + 3 * MINUTE);
    const { code, out } = await waiting('wait usd unemployment --fields date,val', [released(OUT, NOVEMBER)], {
      isAway,
    });
    expect([code, out]).toEqual([0, 'date\tval\n2026-11-30\t4.4\n']);
  });

  it('finds at the next look what came out while the machine slept, even past the timeout', async () => {
    const { code, took } = await waiting('wait usd unemployment --timeout 2h --quiet', [released(OUT, NOVEMBER)], {
      oversleeps: 5 * 60 * MINUTE,
    });
    expect([code, took]).toEqual([0, 5 * 60 * MINUTE + 1000]);
  });

  it('takes what was released before the first look that went well', async () => {
    const isAway = (after: number) => after < OUT + 45 * MINUTE;
    const { code, out } = await waiting('wait usd unemployment --fields date', [released(OUT, NOVEMBER)], { isAway });
    expect([code, out]).toEqual([0, 'date\n2026-11-30\n']);
  });

  it('ends with 130 when it is interrupted', async () => {
    const { code, out } = await waiting('wait usd unemployment', [
      { after: OUT - MINUTE, happens: async ({ at }) => at.interrupt() },
    ]);
    expect([code, out]).toEqual([130, '']);
  });

  it.each([
    ['wait usd', 'macro wait takes'],
    ['wait usd unemployment --timeout soon', "'soon' is no duration for --timeout."],
  ])('%s is exit 2, and nobody is asked', async (line, message) => {
    const { code, err, seen } = await waiting(line, []);
    expect([code, seen]).toEqual([2, []]);
    expect(err).toContain(message);
  });
});
