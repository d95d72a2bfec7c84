import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/contract/hooks.ts';
import type { Args } from '../../../src/contract/params/params.ts';
import { accessOfCaller } from '../../../src/coverage/intervals.ts';
import type { SeriesCoverage } from '../../../src/coverage/series-coverage.ts';
import type { CoverageOf, StoredCoverage, StoredSeries } from '../../../src/mirror/api/series.ts';
import { seriesCoverage } from '../../../src/source/read-coverage.ts';
import { DAY_MS, NOW, SECOND } from './moment.ts';
import { covered, endpointOf, series } from './stored.ts';

interface Asked {
  readonly endpoint?: string;
  readonly args?: Args;
  readonly access?: CoverageOf;
  readonly isKeyless?: boolean;
}

/** What a mirror with these intervals, for whoever asks, covers of a series. */
async function evidence(
  stored: StoredSeries,
  coveredRanges: readonly StoredCoverage[] | Partial<Record<CoverageOf, readonly StoredCoverage[]>>,
  { endpoint = stored.endpoint, args = {}, access = 'keyed', isKeyless }: Asked = {},
): Promise<SeriesCoverage | undefined> {
  const byAccess = (asked: CoverageOf) => ('length' in coveredRanges ? coveredRanges : (coveredRanges[asked] ?? []));
  const ask = {
    question: { endpoint: endpointOf(endpoint), args },
    visible: { args, window: undefined, cutoff: undefined },
    now: NOW,
    reader: {
      coveredRanges: async (_: StoredSeries, asked: CoverageOf) => byAccess(asked),
      find: async () => [],
      rows: async () => [],
      checkOf: async () => undefined,
    },
    ...(isKeyless !== undefined && { isKeyless }),
  };
  const found = await seriesCoverage(ask, stored, access as 'keyed');
  const ranges = found?.coverage.ranges.map(({ from, to }) => ({ from, to })) ?? [];
  return found && { ...found, coverage: { ...found.coverage, ranges } };
}

const [YESTERDAY, LAST_WEEK] = [NOW - DAY_MS, NOW - 7 * DAY_MS];
const RATES = series('forex', { base: 'EUR', quote: 'USD' });
const CALENDAR = series('calendar', { currency: 'USD' });
const FIXINGS = series('fx_intraday_reference_rates', { base: 'EUR', quote: 'USD' });
const INFLATION = series('announcements', { currency: 'USD', indicator: 'inflation' });

describe('whose coverage counts', () => {
  it.each<[Caller, string]>([
    [{ kind: 'keyed', plan: 'individual' }, 'keyed'],
    [{ kind: 'keyless' }, 'keyless'],
    [{ kind: 'owner' }, 'keyless'],
  ])('for %o', (caller, access) => {
    expect(accessOfCaller(caller)).toBe(access);
  });

  it('is that of the caller where a key shows more', async () => {
    const coveredRanges = { 'key:1': [covered('', '')] };
    const curve = series('curves', { currency: 'USD' });
    expect((await evidence(curve, coveredRanges, { access: 'key:1' }))?.checkedAt).toBe(NOW);
    expect((await evidence(curve, coveredRanges, { access: 'key:2' }))?.checkedAt).toBeUndefined();
    expect((await evidence(INFLATION, { keyless: [covered('1900-01-01', '2026-11-21')] }))?.checkedAt).toBeUndefined();
  });

  it('is that of everybody where a key shows nothing more, and of a file', async () => {
    const coveredRanges = { keyless: [covered('1900-01-01', '2026-11-21')] };
    expect((await evidence(series('data_catalogue', { currency: 'USD' }), coveredRanges))?.checkedAt).toBe(NOW);
    expect((await evidence(series('risk_sentiment'), coveredRanges))?.checkedAt).toBe(NOW);
    expect((await evidence({ ...RATES, origin: 'import:ECB' }, coveredRanges))?.checkedAt).toBe(NOW);
    expect((await evidence(RATES, coveredRanges))?.checkedAt).toBeUndefined();
    // USD is readable without a key, all of it.
    const all = { keyless: [covered(0, 253_402_300_799)] };
    expect((await evidence(CALENDAR, all))?.checkedAt).toBe(NOW);
  });
});

it.each(['ping', 'of another version'])('an endpoint that is not kept (%s) has no coverage', async (id) => {
  expect(await evidence(series(id), [covered('', '')], { endpoint: 'ping' })).toBeUndefined();
});

describe.each([
  ['a document', series('data_catalogue', { currency: 'USD' })],
  ['a snapshot', series('curves', { currency: 'USD' })],
])('%s', (_, stored) => {
  it('is covered whole by any look at it, as of the newest', async () => {
    expect(await evidence(stored, [covered('', '', LAST_WEEK), covered('', '', YESTERDAY)])).toEqual({
      coverage: { ranges: [{ from: '', to: '\uffff' }], isOpen: true },
      needed: { from: '', to: '' },
      checkedAt: YESTERDAY,
    });
  });

  it('is not covered without one', async () => {
    expect(await evidence(stored, [])).toEqual({
      coverage: { ranges: [], isOpen: false },
      needed: { from: '', to: '' },
      checkedAt: undefined,
    });
  });
});

describe('a list without a window', () => {
  const press = series('press_releases', { currency: 'USD' });
  const needed = { from: '0000-01-01', to: '2026-11-21' };

  it('is needed from the first date there is to this day', async () => {
    expect(await evidence(press, [covered('0000-01-01', '2026-11-21')])).toEqual({
      coverage: { ranges: [needed], isOpen: true },
      needed,
      checkedAt: NOW,
    });
  });

  it('that was read to its end a week ago is old', async () => {
    const coveredRanges = [
      covered('0000-01-01', '2026-11-14', LAST_WEEK),
      covered('2026-11-01', '2026-11-13', LAST_WEEK - 1),
    ];
    expect(await evidence(press, coveredRanges)).toEqual({
      coverage: { ranges: [{ from: '0000-01-01', to: '2026-11-14' }], isOpen: true },
      needed,
      checkedAt: LAST_WEEK,
    });
  });

  it('of which a part was read is not proven', async () => {
    expect(await evidence(press, [covered('2026-11-01', '2026-11-21')])).toEqual({
      coverage: { ranges: [{ from: '2026-11-01', to: '2026-11-21' }], isOpen: true },
      needed,
      checkedAt: undefined,
    });
  });
});

describe('a schedule', () => {
  const LAST = 253_402_300_799;

  it('is needed from now to any end, and its end is never open', async () => {
    expect(await evidence(CALENDAR, [covered(SECOND, LAST, YESTERDAY), covered(SECOND - 9, LAST, LAST_WEEK)])).toEqual({
      coverage: { ranges: [{ from: SECOND - 9, to: LAST }], isOpen: false },
      needed: { from: SECOND, to: LAST },
      checkedAt: YESTERDAY,
    });
    expect(await evidence(CALENDAR, [covered(SECOND - 9, SECOND + 9)])).toEqual({
      coverage: { ranges: [{ from: SECOND - 9, to: SECOND + 9 }], isOpen: false },
      needed: { from: SECOND, to: LAST },
      checkedAt: undefined,
    });
  });

  it('of named days goes from their first to their last second, also of those to come', async () => {
    // 2026-11-20T00:00:00Z to 2026-12-02T23:59:59Z
    const [from, to] = [1_795_132_800, 1_796_255_999];
    const args = { start_date: '2026-11-20', end_date: '2026-12-02' };
    expect(await evidence(CALENDAR, [covered(from, to, YESTERDAY)], { args })).toEqual({
      coverage: { ranges: [{ from, to }], isOpen: false },
      needed: { from, to },
      checkedAt: YESTERDAY,
    });
    const short = await evidence(CALENDAR, [covered(from, to - 1, YESTERDAY)], { args });
    expect([short?.needed, short?.checkedAt]).toEqual([{ from, to }, undefined]);
  });

  it('that several looks cover together is as old as the oldest', async () => {
    const coveredRanges = [covered(SECOND - 9, SECOND + 9, YESTERDAY), covered(SECOND + 5, LAST, LAST_WEEK)];
    expect((await evidence(CALENDAR, coveredRanges))?.checkedAt).toBe(LAST_WEEK);
    expect((await evidence(CALENDAR, coveredRanges.toReversed()))?.checkedAt).toBe(LAST_WEEK);
  });
});

describe('a history of instants', () => {
  it('is needed from its beginning up to now, and open where a look reached its own second', async () => {
    const coveredRanges = [covered(0, SECOND - 86_400, YESTERDAY + 500)];
    expect(await evidence(FIXINGS, coveredRanges)).toEqual({
      coverage: { ranges: [{ from: 0, to: SECOND - 86_400 }], isOpen: true },
      needed: { from: 0, to: SECOND },
      checkedAt: YESTERDAY + 500,
    });
    expect(await evidence(FIXINGS, [covered(0, SECOND - 86_401, YESTERDAY)])).toEqual({
      coverage: { ranges: [{ from: 0, to: SECOND - 86_401 }], isOpen: false },
      needed: { from: 0, to: SECOND },
      checkedAt: undefined,
    });
    expect(await evidence(FIXINGS, [])).toEqual({
      coverage: { ranges: [], isOpen: false },
      needed: { from: 0, to: SECOND },
      checkedAt: undefined,
    });
  });

  it('of named instants is needed between them, as far as these are over', async () => {
    const asked = (start_time: string, end_time: string) =>
      evidence(FIXINGS, [covered(0, SECOND, YESTERDAY)], { args: { start_time, end_time } });
    expect(await asked('2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z')).toMatchObject({
      needed: { from: 1_795_168_800, to: 1_795_172_400 },
      checkedAt: YESTERDAY,
    });
    expect(await asked('2026-11-20T10:00:00Z', '2026-11-22T11:00:00Z')).toMatchObject({
      needed: { from: 1_795_168_800, to: SECOND },
    });
  });

  it('is proven when the newest look that covers it alone was, else when the oldest was', async () => {
    const alone = [covered(0, SECOND, LAST_WEEK), covered(5, SECOND, NOW), covered(0, SECOND - 86_400, YESTERDAY)];
    // The second of them misses the begin; the third one reached its own second.
    expect((await evidence(FIXINGS, alone))?.checkedAt).toBe(YESTERDAY);
    const together = [covered(0, 500, YESTERDAY), covered(400, SECOND, NOW)];
    expect((await evidence(FIXINGS, together))?.checkedAt).toBe(YESTERDAY);
  });
});

describe('a history of days', () => {
  const whole = { from: '1900-01-01', to: '2026-11-21' };

  it('is needed from its beginning to this day', async () => {
    expect(await evidence(RATES, [covered('1900-01-01', '2026-11-21')])).toEqual({
      coverage: { ranges: [{ from: '0000-01-01', to: '2026-11-21' }], isOpen: true },
      needed: whole,
      checkedAt: NOW,
    });
    expect(await evidence(RATES, [])).toEqual({
      coverage: { ranges: [], isOpen: false },
      needed: whole,
      checkedAt: undefined,
    });
  });

  it('is needed in the window that is asked about, as far as it can exist by now', async () => {
    const needed = async (args: Args, endpoint = 'forex') =>
      (await evidence(RATES, [covered('1900-01-01', '2026-11-21')], { args, endpoint }))?.needed;
    const [start_date, end_date] = ['2026-01-05', '2026-02-05'];
    expect(await needed({ start_date, end_date })).toEqual({ from: start_date, to: end_date });
    expect(await needed({ start_date })).toEqual({ from: start_date, to: '2026-11-21' });
    expect(await needed({ end_date })).toEqual({ from: '1900-01-01', to: end_date });
    expect(await needed({ end_date: '2027-01-01' })).toEqual(whole);
    // Of another endpoint's series a question without a window wants the newest rows.
    expect(await needed({}, 'data_catalogue')).toEqual({ from: '2026-11-21', to: '2026-11-21' });
    expect(await needed({ end_date }, 'data_catalogue')).toEqual({ from: end_date, to: end_date });
  });

  it('whose rows are dated ahead is needed up to there, and open where a look reached as far', async () => {
    const forecasts = series('predictions', { currency: 'USD', indicator: 'inflation' });
    // 366 days after this one.
    const end = '2027-11-22';
    expect(await evidence(forecasts, [covered('1900-01-01', end)])).toEqual({
      coverage: { ranges: [{ from: '0000-01-01', to: end }], isOpen: true },
      needed: { from: '1900-01-01', to: end },
      checkedAt: NOW,
    });
    expect(await evidence(forecasts, [covered('1900-01-01', '2027-11-21')])).toEqual({
      coverage: { ranges: [{ from: '0000-01-01', to: '2027-11-21' }], isOpen: false },
      needed: { from: '1900-01-01', to: end },
      checkedAt: undefined,
    });
    const window = { start_date: '2026-11-01', end_date: '2027-02-01' };
    expect((await evidence(forecasts, [covered('1900-01-01', end)], { args: window }))?.needed).toEqual({
      from: '2026-11-01',
      to: '2027-02-01',
    });
  });

  it('begins before every series where it is covered from before any', async () => {
    const ranges = async (from: string) => (await evidence(RATES, [covered(from, '2026-11-21')]))?.coverage.ranges;
    expect(await ranges('1899-12-31')).toEqual([{ from: '0000-01-01', to: '2026-11-21' }]);
    expect(await ranges('1900-01-01')).toEqual([{ from: '0000-01-01', to: '2026-11-21' }]);
    expect(await ranges('1900-01-02')).toEqual([{ from: '1900-01-02', to: '2026-11-21' }]);
  });

  it('is closed where no look reached its own day', async () => {
    const coveredRanges = [covered('2026-01-01', '2026-03-31'), covered('2026-06-01', '2026-11-13', LAST_WEEK)];
    expect(await evidence(RATES, coveredRanges)).toEqual({
      coverage: {
        ranges: [
          { from: '2026-01-01', to: '2026-03-31' },
          { from: '2026-06-01', to: '2026-11-13' },
        ],
        isOpen: false,
      },
      needed: whole,
      checkedAt: undefined,
    });
  });

  it('knows at an open end which row was the newest', async () => {
    const newestOf = async (...coveredRanges: readonly StoredCoverage[]) =>
      (await evidence(RATES, coveredRanges))?.coverage.newest;
    const look = (from: string, to: string, newest: string | null, at = NOW) => covered(from, to, at, { newest });
    expect(await newestOf(look('1900-01-01', '2026-11-21', '2026-11-20'))).toBe('2026-11-20');
    // Of several that end there the later one.
    const two = [look('1900-01-01', '2026-11-21', '2026-11-19'), look('2026-11-01', '2026-11-21', '2026-11-20')];
    expect(await newestOf(...two)).toBe('2026-11-20');
    expect(await newestOf(...two.toReversed())).toBe('2026-11-20');
    // One that ends before says nothing of the end.
    const earlier = look('1900-01-01', '2026-11-20', '2026-11-20', YESTERDAY);
    expect(await newestOf(earlier, look('2026-11-02', '2026-11-21', '2026-11-19'))).toBe('2026-11-19');
    // One that had no row was empty from its begin on.
    expect(await newestOf(look('2026-11-03', '2026-11-21', null))).toBe('2026-11-03');
    expect(await newestOf(covered('1900-01-01', '2026-11-21'))).toBeUndefined();
    // A closed end has none.
    expect(await newestOf(look('1900-01-01', '2026-11-20', '2026-11-20'))).toBeUndefined();
  });

  it('is proven when the newest look was that covers what may have been revised', async () => {
    const base = covered('1900-01-01', '2026-11-20', YESTERDAY);
    const checkedAt = async (from: string, args: Args = {}) =>
      (await evidence(RATES, [base, covered(from, '2026-11-21')], { args }))?.checkedAt;
    // Rates are revised for 14 days.
    expect(await checkedAt('2026-11-07')).toBe(NOW);
    expect(await checkedAt('2026-11-08')).toBe(YESTERDAY);
    // Those before the end of the window, where it ends earlier.
    const earlier = { end_date: '2026-11-15' };
    expect(await checkedAt('2026-11-01', earlier)).toBe(NOW);
    expect(await checkedAt('2026-11-02', earlier)).toBe(YESTERDAY);
    // No more than is asked about.
    const later = { start_date: '2026-11-15' };
    expect(await checkedAt('2026-11-15', later)).toBe(NOW);
    expect(await checkedAt('2026-11-16', later)).toBe(YESTERDAY);
  });

  it('ahead of this day may have been revised in the days before it', async () => {
    const forecasts = series('predictions', { currency: 'USD', indicator: 'inflation' });
    const checkedAt = async (from: string) =>
      (await evidence(forecasts, [covered('1900-01-01', '2027-11-21', YESTERDAY), covered(from, '2027-11-22')]))
        ?.checkedAt;
    // 60 days.
    expect(await checkedAt('2026-09-22')).toBe(NOW);
    expect(await checkedAt('2026-09-23')).toBe(YESTERDAY);
  });

  it('is proven when the newest look was that covered it to its own day', async () => {
    const coveredRanges = [
      covered('1900-01-01', '2026-11-13', LAST_WEEK),
      covered('2026-11-01', '2026-11-20', YESTERDAY),
    ];
    expect((await evidence(RATES, coveredRanges))?.checkedAt).toBe(YESTERDAY);
  });

  it('that no look covers alone is as old as the oldest', async () => {
    const coveredRanges = [
      covered('2026-11-10', '2026-11-21'),
      covered('1900-01-01', '2026-11-15', LAST_WEEK - DAY_MS),
    ];
    expect((await evidence(RATES, coveredRanges))?.checkedAt).toBe(LAST_WEEK - DAY_MS);
  });
});

describe('a history that is clipped without a key', () => {
  // 90 days before this one.
  const shown = { keyless: [covered('2026-08-23', '2026-11-21')] };
  const ranges = async (stored: StoredSeries, coveredRanges: Parameters<typeof evidence>[1], isKeyless = true) =>
    (await evidence(stored, coveredRanges, { access: 'keyless', isKeyless }))?.coverage.ranges;

  it('is all there is for those who have none, once all that they are shown is covered', async () => {
    expect(await evidence(INFLATION, shown, { access: 'keyless', isKeyless: true })).toEqual({
      coverage: { ranges: [{ from: '0000-01-01', to: '2026-11-21' }], isOpen: true },
      checked: { ranges: [{ from: '2026-08-23', to: '2026-11-21' }], isOpen: true },
      needed: { from: '1900-01-01', to: '2026-11-21' },
      checkedAt: undefined,
    });
    const earlier = { keyless: [covered('2026-08-22', '2026-11-21')] };
    expect(await ranges(INFLATION, earlier)).toEqual([{ from: '0000-01-01', to: '2026-11-21' }]);
    const part = { keyless: [covered('2026-08-24', '2026-11-21')] };
    expect(await ranges(INFLATION, part)).toEqual([{ from: '2026-08-24', to: '2026-11-21' }]);
  });

  it('has a hole before it for whoever has a key, and where a key has covered anything', async () => {
    const clipped = [{ from: '2026-08-23', to: '2026-11-21' }];
    expect(await ranges(INFLATION, shown, false)).toEqual(clipped);
    expect(await ranges(INFLATION, { ...shown, keyed: [covered('2026-11-01', '2026-11-02')] })).toEqual(clipped);
  });

  it('is not, where everybody may see all of it', async () => {
    expect(await ranges(series('factors', { currency: 'USD', factor: 'value' }), shown)).toEqual([
      { from: '2026-08-23', to: '2026-11-21' },
    ]);
  });
});

describe('the day of the last check', () => {
  const coverageBy = async (newest: string | null, to: string) => {
    const morning = covered('2026-01-01', '2026-11-19', Date.parse('2026-11-19T08:00:00Z'), { newest });
    const found = await evidence(INFLATION, [morning], { args: { start_date: '2026-11-01', end_date: to } });
    return [found?.coverage.ranges, found?.coverage.isOpen];
  };

  it('is covered if a row of it came, or if the window ends before it', async () => {
    const whole = { from: '2026-01-01', to: '2026-11-19' };
    expect(await coverageBy('2026-11-19', '2026-11-19')).toEqual([[whole], true]);
    expect(await coverageBy('2026-10-31', '2026-11-18')).toEqual([[whole], true]);
  });

  it('is covered of a series that is not daily: its rows come long after their date', async () => {
    const whole = [[{ from: '2026-01-01', to: '2026-11-19' }], true];
    expect(await coverageBy('2026-10-31', '2026-11-19')).toEqual(whole);
    expect(await coverageBy(null, '2026-11-19')).toEqual(whole);
  });

  it('is missing of a window that ends with it, once it is over: what came later that day is not known', async () => {
    const over = [[{ from: '2026-01-01', to: '2026-11-18' }], false];
    expect(await coverageBy('2026-11-18', '2026-11-19')).toEqual(over);
    expect(await coverageBy('2026-11-14', '2026-11-19')).toEqual(over);
  });
});

describe('a feed', () => {
  const changes = series('announcements_changes');
  const nothing = { from: 1, to: 0 };
  // The keyless delay: 05:46:13 less 15 minutes, on a grid of five.
  const CUTOFF = SECOND - 16 * 60 - 13;

  it('is covered where it was watched, and open up to where the delay began', async () => {
    expect(await evidence(changes, [covered(100, CUTOFF)])).toEqual({
      coverage: { ranges: [{ from: 100, to: CUTOFF }], isOpen: true },
      needed: nothing,
      checkedAt: undefined,
    });
    expect(await evidence(changes, [covered(1, 9), covered(100, CUTOFF - 1)])).toEqual({
      coverage: {
        ranges: [
          { from: 1, to: 9 },
          { from: 100, to: CUTOFF - 1 },
        ],
        isOpen: false,
      },
      needed: nothing,
      checkedAt: undefined,
    });
    expect(await evidence(changes, [])).toEqual({
      coverage: { ranges: [], isOpen: false },
      needed: nothing,
      checkedAt: undefined,
    });
  });

  it('of numbered changes is open at any end', async () => {
    expect(await evidence(series('risk_sentiment_changes'), [covered(0, 7), covered(8, 12)])).toEqual({
      coverage: { ranges: [{ from: 0, to: 12 }], isOpen: true },
      needed: nothing,
      checkedAt: undefined,
    });
  });
});
