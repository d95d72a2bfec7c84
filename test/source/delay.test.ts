import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/contract/hooks.ts';
import type { JsonObject } from '../../src/contract/json/json.ts';
import { DAY, KEYED, KEYLESS, MINUTE, NOW, question, whole, world } from './world.ts';

// Released on 2026-11-13; the keyless delay has long let it through.
const RELEASED = 1_794_576_600;
const REVISED = Date.parse('2026-11-21T12:30:00Z') / 1000;

const inflation = question(
  'announcements',
  { currency: 'usd', indicator: 'inflation' },
  { start_date: '2026-10-01', limit: '20' },
);
const latest = question('announcements_latest', { currency: 'usd' });
const recent = question('announcements_recent', { currency: 'usd' });

const body = (row: JsonObject) => ({
  currency: 'USD',
  indicator: 'inflation',
  unit: '%YoY',
  pagination: whole(1),
  data: [{ date: '2026-10-31', announcement_datetime: RELEASED, ...row }],
});

type World = Awaited<ReturnType<typeof world>>;

/** The values that the three ways of reading a history show. */
async function seen({ ask }: World, caller: Caller, now = NOW) {
  const history = (await ask(inflation, caller, now)).json.data[0].val;
  const newest = (await ask(latest, caller, now)).json.data[0].latest.val;
  const released = (await ask(recent, caller, now)).json.data[0].val;
  return [history, newest, released];
}

describe('a revision inside the keyless delay', () => {
  it('that no list names is hidden from keyless callers until the delay is over, and from nobody else', async () => {
    const held = await world();
    await held.take(inflation, body({ val: 3 }), { at: NOW - 3 * DAY });
    await held.take(inflation, body({ val: 9.9 }), { at: REVISED * 1000 });
    expect(await seen(held, KEYLESS)).toEqual([3, 3, 3]);
    expect(await seen(held, KEYED)).toEqual([9.9, 9.9, 9.9]);
    expect(await seen(held, KEYLESS, Date.parse('2026-11-21T12:45:00Z'))).toEqual([9.9, 9.9, 9.9]);
  });

  it('of a row that lists its vintages stays hidden after a keyless answer that could not know it', async () => {
    const held = await world();
    const first = { epoch: RELEASED, val: 3 };
    const list = [first, { epoch: REVISED, val: 9.9 }];
    await held.take(inflation, body({ val: 9.9, revisions: list }), { at: NOW - 2 * MINUTE });
    await held.take(inflation, body({ val: 3, revisions: [first] }), { access: 'keyless', at: NOW - MINUTE });
    const { json } = await held.ask(inflation, KEYLESS);
    expect(json.data).toMatchObject([{ date: '2026-10-31', val: 3, revisions: [first] }]);
    expect((await held.ask(inflation, KEYED)).json.data[0].val).toBe(9.9);
  });

  it('does not bring along older values that the row does not list', async () => {
    const held = await world();
    await held.take(inflation, body({ val: 2 }), { at: NOW - 4 * DAY });
    const list = [
      { epoch: RELEASED + 9, val: 3 },
      { epoch: REVISED, val: 9.9 },
    ];
    await held.take(inflation, body({ val: 9.9, revisions: list }), { at: NOW - 2 * MINUTE });
    const { json } = await held.ask(inflation, KEYLESS);
    expect(json.data).toMatchObject([{ val: 3, revisions: [{ epoch: RELEASED + 9, val: 3 }] }]);
  });
});

describe('a row without a release time', () => {
  const told = (collected: JsonObject) => body({ val: 7, announcement_datetime: null, ...collected });

  it.each([
    ['ISO text', { collected_at_iso: '2026-11-21T12:33:00Z' }],
    ['Unix seconds', { collected_at: NOW / 1000 - 60 }],
    ['nanoseconds', { collected_at_ns_string: `${NOW / 1000 - 60}000000001` }],
  ])('opens by the time it was collected, in %s', async (_, collected) => {
    const { take, ask } = await world();
    await take(inflation, told(collected));
    for (const asked of [inflation, latest, recent]) {
      const { data, freemium_delay: delay } = (await ask(asked, KEYLESS)).json;
      expect([data, delay.withheld_count]).toEqual([[], 1]);
      expect((await ask(asked, KEYED)).json.data).toHaveLength(1);
      expect((await ask(asked, KEYLESS, NOW + 20 * MINUTE)).json.data).toHaveLength(1);
    }
  });

  it('is readable when nobody says when it was collected', async () => {
    const { take, ask } = await world();
    await take(inflation, told({}));
    expect((await ask(inflation, KEYLESS)).json.data).toMatchObject([{ val: 7 }]);
  });
});

describe('the newest values as the service listed them', () => {
  const entry = (members: JsonObject) => ({
    currency: 'USD',
    count: 1,
    data: [{ indicator: 'inflation', ...members }],
  });
  const october = (val: number) => ({ date: '2026-10-31', val, announcement_datetime: RELEASED });
  const september = (val: number) => ({ date: '2026-09-30', val, announcement_datetime: 1_791_981_000 });

  it('hide a value that was revised inside the delay', async () => {
    const { take, ask } = await world();
    await take(latest, entry({ latest: october(3), previous: september(3.2) }), { at: NOW - DAY });
    await take(latest, entry({ latest: october(9.9), previous: september(3.2) }), { at: REVISED * 1000 });
    expect((await ask(latest, KEYLESS)).json.data).toMatchObject([{ latest: october(3), previous: september(3.2) }]);
    expect((await ask(latest, KEYED)).json.data).toMatchObject([{ latest: october(9.9) }]);
  });

  it('show a new period, but not the value of the one before it that was revised with it', async () => {
    const { take, ask } = await world();
    await take(latest, entry({ latest: september(3.2) }), { at: NOW - 30 * DAY });
    const told = entry({ latest: october(3), previous: september(9.9), pct_diff_prev: -69.7, pct_change_mom: -69.7 });
    await take(latest, told, { at: REVISED * 1000 });
    expect((await ask(latest, KEYLESS)).json.data).toEqual([
      { indicator: 'inflation', latest: october(3), previous: september(3.2), pct_diff_prev: -6.25 },
    ]);
  });
});

describe('what was received without a key', () => {
  it('is served as it came, members that nobody knows included', async () => {
    const { take, ask } = await world();
    const told = { ...body({ val: 3, x_row: 1 }), x_new: [1], freemium_delay: { applied: true } };
    await take(inflation, told, { access: 'keyless', at: NOW - MINUTE });
    expect((await ask(inflation, KEYLESS)).json).toEqual(told);
  });
});
