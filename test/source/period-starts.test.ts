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

/** Rows by the first day of their period, each with the day of its release. */
type Released = Readonly<Record<string, string>>;

/** A month is released in the middle of the month after next. */
const MONTHLY: Released = {
  '2026-06-01': '2026-08-14',
  '2026-07-01': '2026-09-15',
  '2026-08-01': '2026-10-15',
  '2026-09-01': '2026-11-16',
  '2026-10-01': '2026-12-15',
  '2026-11-01': '2027-01-15',
};

/** A quarter is released seven weeks after its end. */
const QUARTERLY: Released = {
  '2025-10-01': '2026-02-20',
  '2026-01-01': '2026-05-20',
  '2026-04-01': '2026-08-20',
  '2026-07-01': '2026-11-24',
  '2026-10-01': '2027-02-19',
};

/** A service that shows what is released by its clock. */
function serviceOf(rows: Released, now: () => number): Fetch {
  return async (url) => {
    const { pathname, searchParams: query } = new URL(url);
    if (pathname.endsWith('/changes')) {
      const at = String(Math.floor(now() / 1000));
      return Response.json({ data: [], count: 0, has_more: false, next_cursor: at });
    }
    const today = new Date(now()).toISOString().slice(0, 10);
    const [from, to] = [query.get('start_date') ?? '0000-01-01', query.get('end_date') ?? today];
    const data = Object.entries(rows)
      .filter(([date, released]) => released <= today && date >= from && date <= to)
      .map(([date, released]) => ({
        date,
        val: 1.5,
        announcement_datetime: Date.parse(`${released}T09:00:00Z`) / 1000,
      }))
      .reverse();
    const page = { limit: 1000, offset: 0, returned_count: data.length, total_count: data.length, has_more: false };
    return Response.json({ currency: 'USD', indicator: 'inflation', pagination: page, data });
  };
}

async function world(rows: Released, day: string) {
  const { platform, clock } = testPlatform({ now: `${day}T12:00:00Z` });
  const mirror = await freshMirror(platform);
  const client = createClient({
    platform: { ...platform, fetch: serviceOf(rows, () => clock.now()) },
    baseUrl: SERVICE_URL,
    key: 'k-test',
  });
  const context = () => ({ caller: OWNER, now: clock.now() });
  const asked = (query: Record<string, string>): Question => {
    const endpoint = endpointById('announcements');
    if (!endpoint) throw new Error('no endpoint announcements');
    const given = { path: { currency: 'USD', indicator: 'inflation' }, query };
    return { endpoint, args: readParams(endpoint, given, { mode: 'liberal', now: clock.now() }).args };
  };
  const live = createLiveSource({ client, mirror });
  const mirrored = createMirrorSource({ mirror, labels: LABELS });
  /** What is missing of a window of the mirror, after its rows were compared with the truth of the last look. */
  const missing = async (query: Record<string, string>) => {
    const { body, partial } = await mirrored.ask(asked(query), context());
    return { dates: JSON.parse(body).data.map(({ date }: { date: string }) => date), cures: partial?.cures };
  };
  return {
    sleepUntil: (next: string) => clock.advance(Date.parse(`${next}T12:00:00Z`) - clock.now()),
    live: (query: Record<string, string>) => live.ask(asked(query), context()),
    offline: missing,
    async sync(words = ['announcements', 'usd', 'inflation']) {
      const select = { endpoints: ENDPOINTS, now: clock.now(), indicatorsOf: async () => [] };
      const targets = await selectTargets([words.join(' ')], select);
      return (await runSync({ client, mirror, clock, targets, maxAge: 0 })).outcome;
    },
  };
}

const START = { start_date: '2025-01-01' };

/** Ends of windows: before, between and behind the rows, and in the future. */
const ENDS = [
  '2026-09-30',
  '2026-10-31',
  '2026-11-01',
  '2026-11-19',
  '2026-11-20',
  '2026-12-17',
  '2027-01-20',
  '2027-06-30',
];

describe.each([
  ['monthly', MONTHLY],
  ['quarterly', QUARTERLY],
])('a %s series that is dated by the start of its period', (_, rows) => {
  const releasedBy = (day: string, end: string) =>
    Object.entries(rows)
      .filter(([date, released]) => released <= day && date <= end && date >= START.start_date)
      .map(([date]) => date)
      .reverse();

  it('is whole after each sync, at every end of a window', async () => {
    const { sleepUntil, sync, offline } = await world(rows, '2026-10-20');
    for (const day of ['2026-11-20', '2026-12-18', '2027-01-20', '2027-02-20', '2027-03-22']) {
      await sleepUntil(day);
      expect(await sync()).toBe('complete');
      for (const end_date of ENDS)
        expect([day, end_date, await offline({ ...START, end_date })]).toEqual([
          day,
          end_date,
          { dates: releasedBy(day, end_date), cures: undefined },
        ]);
    }
  });

  it('is whole after one sync, whatever windows were asked before', async () => {
    for (const end_date of ENDS) {
      const { sleepUntil, live, sync, offline } = await world(rows, '2026-11-20');
      await live({ ...START, end_date });
      await sleepUntil('2026-12-18');
      await live({ start_date: '2026-11-20' });
      await live({ start_date: '2026-10-01', end_date: '2026-12-10' });
      const before = await offline(START);
      const truth = releasedBy('2026-12-18', '2026-12-18');
      // An answer that is not all says so, and names what mends it.
      if (JSON.stringify(before.dates) !== JSON.stringify(truth))
        expect([end_date, before.cures]).toEqual([end_date, ['macro sync announcements usd inflation']]);
      expect(await sync()).toBe('complete');
      for (const end of ENDS)
        expect([end_date, end, await offline({ ...START, end_date: end })]).toEqual([
          end_date,
          end,
          { dates: releasedBy('2026-12-18', end), cures: undefined },
        ]);
    }
  });
});
