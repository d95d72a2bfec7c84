import { expect, it } from 'vitest';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import { held, INFLATION, MIDNIGHT, page, SERVICE } from '../support.ts';

const FEED = { origin: SERVICE, endpoint: 'announcements_changes', scope: {} };
const DAY = 86_400_000;
const inflation = (date: string) => `{"date":"${date}","val":3}`;
const covered = (from: string, to: string) => ({ from, to, rows: 1 });

/** Series that a feed keeps current: what a mirror of any engine says of them. */
export function followsOf(open: () => Promise<Mirror>): void {
  const ofInflation = async (mirror: Mirror, changes = {}) =>
    mirror.commitPage(
      page([inflation('2026-10-31')], {
        series: INFLATION,
        covered: covered('2000-01-01', '2026-11-21'),
        follows: { checked: true },
        ...changes,
      }),
    );
  const announced = (mirror: Mirror, named: { scope?: Record<string, string>; due: string }, changes = {}) =>
    mirror.commitPage(
      page([], {
        series: FEED,
        named: [{ endpoint: 'announcements', scope: { currency: 'USD', indicator: 'inflation' }, ...named }],
        ...changes,
      }),
    );
  const due = async (mirror: Mirror) => (await mirror.follows('announcements', 'key:1')).map((follow) => follow.due);

  it('a series is followed once it was brought to where its feed stands, under that access alone', async () => {
    const mirror = await open();
    await ofInflation(mirror);
    const series = await held(mirror, INFLATION);
    expect(await mirror.follows('announcements', 'key:1')).toEqual([
      { series: series.id, checkedAt: MIDNIGHT, due: undefined },
    ]);
    expect(await mirror.follows('announcements', 'keyless')).toEqual([]);
  });

  it('a feed names a series from the earliest date on, until the series is brought up to date', async () => {
    const mirror = await open();
    await ofInflation(mirror);
    await announced(mirror, { due: '2026-10-31' });
    await announced(mirror, { due: '2026-09-30' });
    await announced(mirror, { due: '2026-11-30' });
    expect(await due(mirror)).toEqual(['2026-09-30']);
    await announced(mirror, { due: '' });
    expect(await due(mirror)).toEqual(['']);
    await ofInflation(mirror, { follows: { checked: false }, at: MIDNIGHT + DAY });
    expect(await mirror.follows('announcements', 'key:1')).toEqual([
      { series: (await held(mirror, INFLATION)).id, checkedAt: MIDNIGHT, due: undefined },
    ]);
  });

  it.each([
    ['another indicator', { scope: { currency: 'USD', indicator: 'gdp' } }, {}],
    ['another access', {}, { access: 'key:2' }],
    ['another endpoint', {}, { named: [{ endpoint: 'forex', scope: {}, due: '' }] }],
    ['another service', {}, { series: { ...FEED, origin: 'import:ecb' } }],
  ])('%s names nothing of it', async (_, named, changes) => {
    const mirror = await open();
    await ofInflation(mirror);
    await announced(mirror, { due: '', ...named }, changes);
    expect(await due(mirror)).toEqual([undefined]);
  });

  it('a part of a scope names every series that has it', async () => {
    const mirror = await open();
    await ofInflation(mirror);
    await ofInflation(mirror, { series: { ...INFLATION, scope: { currency: 'EUR', indicator: 'gdp' } } });
    await announced(mirror, { scope: {}, due: '' });
    expect(await due(mirror)).toEqual(['', '']);
  });

  it('confirming renews the proofs of followed series that were not named, up to the day', async () => {
    const mirror = await open();
    await ofInflation(mirror);
    const gdp = { ...INFLATION, scope: { currency: 'USD', indicator: 'gdp' } };
    await ofInflation(mirror, { series: gdp });
    await announced(mirror, { due: '' });
    expect(await mirror.confirmFollowed('announcements', 'key:1', MIDNIGHT + DAY)).toBe(1);
    expect(await mirror.coveredRanges(await held(mirror, gdp), 'key:1')).toEqual([
      { from: '2000-01-01', to: '2026-11-22', rows: 1, checkedAt: MIDNIGHT + DAY, newest: '2026-10-31' },
    ]);
    expect((await held(mirror, gdp)).checkedAt).toBe(MIDNIGHT + DAY);
    expect((await mirror.coveredRanges(await held(mirror, INFLATION), 'key:1'))[0]?.checkedAt).toBe(MIDNIGHT);
  });

  it('confirming never certifies days that a later look made uncertain', async () => {
    const mirror = await open();
    const at = (time: string) => Date.parse(time);
    // Without a key nothing after August was there; a key then saw October, so September may be published any day.
    await mirror.commitPage(
      page([inflation('2026-08-31')], {
        ...{ series: INFLATION, access: 'keyless', follows: { checked: true } },
        ...{ covered: covered('2000-01-01', '2026-11-10'), at: at('2026-11-10T10:00:00Z') },
      }),
    );
    await mirror.commitPage(
      page([inflation('2026-10-31')], {
        ...{ series: INFLATION, access: 'key:1' },
        ...{ covered: covered('2026-10-15', '2026-11-05'), at: at('2026-11-10T11:00:00Z') },
      }),
    );
    const intervals = async () =>
      (await mirror.coveredRanges(await held(mirror, INFLATION), 'keyless')).map(({ from, to, checkedAt }) => ({
        ...{ from, to, checkedAt: new Date(checkedAt).toISOString() },
      }));
    const before = [
      { from: '2000-01-01', to: '2026-08-31', checkedAt: '2026-11-10T10:00:00.000Z' },
      { from: '2026-10-15', to: '2026-11-05', checkedAt: '2026-11-10T11:00:00.000Z' },
    ];
    expect(await intervals()).toEqual(before);
    const confirmedAt = '2026-11-12T10:00:00.000Z';
    expect(await mirror.confirmFollowed('announcements', 'keyless', at(confirmedAt))).toBe(1);
    expect(await intervals()).toEqual([...before, { from: '2026-10-15', to: '2026-11-12', checkedAt: confirmedAt }]);
  });

  it('a proof is never made older, and what is proven of no series is not proven by a feed', async () => {
    const mirror = await open();
    await ofInflation(mirror);
    expect(await mirror.confirmFollowed('announcements', 'key:1', MIDNIGHT - DAY)).toBe(1);
    expect((await mirror.coveredRanges(await held(mirror, INFLATION), 'key:1'))[0]?.checkedAt).toBe(MIDNIGHT);
    expect(await mirror.confirmFollowed('forex', 'key:1', MIDNIGHT)).toBe(0);
  });

  it('what checks of whole series showed is noted for a series and an access, the last word alone', async () => {
    const mirror = await open();
    await ofInflation(mirror);
    const { id } = await held(mirror, INFLATION);
    const check = { askedAt: MIDNIGHT, wholeAt: MIDNIGHT - DAY, ways: ['rows +1'], event: 7, comparedAt: MIDNIGHT };
    await mirror.noteCheck(id, 'key:1', check);
    await mirror.noteCheck(id, 'keyless', check);
    await mirror.noteCheck(id, 'key:1', { ...check, version: 'v2', isExact: true });
    expect(await mirror.checks('announcements', 'key:1')).toEqual(
      new Map([[id, { ...check, version: 'v2', isExact: true }]]),
    );
    expect(await mirror.checks('announcements', 'keyless')).toEqual(new Map([[id, check]]));
    expect(await mirror.checks('forex', 'key:1')).toEqual(new Map());
  });

  it('the state of the rows of a series moves with rows that come, change or go, and with nothing else', async () => {
    const mirror = await open();
    const row = (val: number, more = '') => `{"date":"2026-10-31","val":${val}${more}}`;
    const commit = async (rows: readonly string[], changes = {}) => {
      await mirror.commitPage(page(rows, { series: INFLATION, extent: 'replaces', ...changes }));
      const { id } = await held(mirror, INFLATION);
      return mirror.rowsState(id);
    };
    const states = [await commit([row(3)]), await commit([row(4)]), await commit([row(4), inflation('2026-09-30')])];
    states.push(await commit([row(4)]), await commit([row(3)]));
    expect(new Set(states).size).toBe(5);
    const envelope = { text: '{"currency":"USD"}', inputs: '{}' };
    expect(await commit([row(3, ',"previous_value":1')], { envelope, at: MIDNIGHT + DAY })).toBe(states.at(-1));
  });
}
