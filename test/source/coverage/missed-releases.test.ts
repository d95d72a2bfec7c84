import { describe, expect, it } from 'vitest';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import { missedReleases, momentsText } from '../../../src/source/missed-releases.ts';
import { CALENDAR, INFLATION, MIDNIGHT, page, testMirror } from '../../mirror/support.ts';

const DAY = 86_400;
const NOW = MIDNIGHT / 1000;
/** Three days before the mirror's midnight: on 18 November. */
const DUE = NOW - 3 * DAY;
const event = (release: string, at: number) =>
  `{"announcement_datetime":${at},"calendar_event_id":"${release}_${at}","release":"${release}"}`;
const print = (date: string, at: number) => `{"date":"${date}","val":1,"announcement_datetime":${at}}`;

interface World {
  /** Releases of inflation that were due. */
  readonly due?: readonly number[];
  readonly rows?: readonly string[];
  readonly checkedAt?: number;
  readonly from?: string;
  readonly to?: string;
}

/** A calendar of USD, and a series of inflation that was looked at. */
async function world({
  due = [DUE],
  rows = [],
  checkedAt = MIDNIGHT,
  from = '2000-01-01',
  to = '2026-11-21',
}: World = {}) {
  const { mirror } = await testMirror();
  const events = [...due.map((at) => event('inflation', at)), event('gdp', DUE), event('inflation', NOW + DAY)];
  await mirror.commitPage(page(events, { series: CALENDAR }));
  const covered = { from, to, rows: rows.length, checkedAt };
  await mirror.commitPage(page(rows, { series: INFLATION, covered }));
  return mirror;
}

const missedIn = async (mirror: Mirror) =>
  (await mirror.snapshot((reader) => missedReleases(reader, MIDNIGHT))).map(({ series, due }) => [series.scope, due]);

/** The releases of inflation that are missed. */
async function missed(more: World): Promise<unknown> {
  const found = await missedIn(await world(more));
  return found.length === 0 ? [] : found[0]?.[1];
}

describe('a release that was due and of which there is no row', () => {
  it('is missed inside of a window that was proven later', async () => {
    expect(await missedIn(await world({ rows: [print('2026-10-01', DUE - 30 * DAY)] }))).toEqual([
      [INFLATION.scope, [DUE]],
    ]);
  });

  it('is missed by a look more than a day later', async () => {
    expect(await missed({ checkedAt: (DUE + DAY) * 1000 })).toEqual([]);
    expect(await missed({ checkedAt: (DUE + DAY) * 1000 + 1 })).toEqual([DUE]);
  });

  it('is missed a day after it was due', async () => {
    const checkedAt = MIDNIGHT + 1;
    expect(await missed({ due: [NOW - DAY], checkedAt })).toEqual([NOW - DAY]);
    expect(await missed({ due: [NOW - DAY + 1], checkedAt: MIDNIGHT + DAY * 1000 })).toEqual([]);
  });

  it('is missed on the days of the window, the first and the last one included', async () => {
    expect(await missed({ from: '2026-11-18' })).toEqual([DUE]);
    expect(await missed({ from: '2026-11-19' })).toEqual([]);
    expect(await missed({ to: '2026-11-18' })).toEqual([DUE]);
    expect(await missed({ to: '2026-11-17' })).toEqual([]);
  });

  it('is missed in any of several windows', async () => {
    const mirror = await world({ to: '2026-11-01' });
    const covered = { from: '2026-11-10', to: '2026-11-21', rows: 0, checkedAt: MIDNIGHT };
    await mirror.commitPage(page([], { series: INFLATION, covered }));
    expect(await missedIn(mirror)).toEqual([[INFLATION.scope, [DUE]]]);
  });

  it('is told with the others, oldest first', async () => {
    const due = [DUE, DUE - 40 * DAY, DUE - 80 * DAY];
    expect(await missed({ due, rows: [print('2026-10-01', DUE - 40 * DAY)] })).toEqual([DUE - 80 * DAY, DUE]);
  });
});

describe('a release is not missed', () => {
  it('when a row was announced within a day of it', async () => {
    const around = (seconds: number) =>
      missed({ rows: [print('2026-09-01', DUE - 60 * DAY), print('2026-10-01', DUE + seconds)] });
    expect([await around(7200), await around(DAY), await around(-DAY)]).toEqual([[], [], []]);
    expect([await around(DAY + 1), await around(-DAY - 1)]).toEqual([[DUE], [DUE]]);
  });

  it('when its row is of a period that ended up to 500 days before', async () => {
    expect(await missed({ rows: [print('2025-07-06', DUE)] })).toEqual([]);
    expect(await missed({ rows: [print('2025-07-05', DUE)] })).toEqual([DUE]);
    // Before the first of several.
    const early = DUE - 400 * DAY;
    expect(await missed({ due: [early, DUE], rows: [print('2024-09-01', early), print('2026-10-01', DUE)] })).toEqual(
      [],
    );
  });

  it('of a series of another kind, or of an indicator that is not held', async () => {
    const { mirror } = await testMirror();
    await mirror.commitPage(page([event('inflation', DUE)], { series: CALENDAR }));
    const covered = { from: '2000-01-01', to: '2026-11-21', rows: 0, checkedAt: MIDNIGHT };
    const adjusted = { ...INFLATION, scope: { ...INFLATION.scope, seasonality: 'nsa' } };
    await mirror.commitPage(page([], { series: adjusted, covered }));
    await mirror.commitPage(
      page([], { series: { ...INFLATION, scope: { currency: 'EUR', indicator: 'inflation' } }, covered }),
    );
    expect(await missedIn(mirror)).toEqual([]);
  });
});

it('a few of the moments are told to people, and how many there are besides', () => {
  const [first, second, third] = ['2026-11-21T00:00:00Z', '2026-11-22T00:00:00Z', '2026-11-23T00:00:00Z'];
  const moments = [0, 1, 2, 3, 4].map((days) => NOW + days * DAY);
  expect(momentsText(moments.slice(0, 1))).toBe(first);
  expect(momentsText(moments.slice(0, 3))).toBe(`${first}, ${second}, ${third}`);
  expect(momentsText(moments)).toBe(`${first}, ${second}, ${third} and 2 more`);
});
