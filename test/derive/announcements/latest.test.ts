import { describe, expect, test } from 'vitest';
import type { Caller } from '../../../src/contract/hooks.ts';
import { composeLatest } from '../../../src/derive/announcements/latest.ts';
import { contextOf, type HeldSeries, loaded, rowsIn } from './loaded.ts';
import { LABELS } from './page.ts';

const OCTOBER = 1791981000; // 2026-10-14T12:30:00Z
const NOVEMBER = 1794576600; // 2026-11-13T13:30:00Z

const NOVEMBER_ROW = {
  date: '2026-10-31',
  val: 3.0,
  announcement_datetime: NOVEMBER,
  source: 'BLS',
  source_url: 'https://x.example/n',
};
const OCTOBER_ROW = {
  date: '2026-09-30',
  val: 3.2,
  announcement_datetime: OCTOBER,
  source: 'BLS',
  source_url: 'https://x.example/o',
};

const IDENTITY = {
  indicator: 'inflation',
  name: 'Inflation (CPI)',
  unit: '%YoY',
  frequency: 'Monthly',
  source: 'BLS',
  seasonal_adjustment: 'NSA',
  has_official_forecast: true,
};

const { indicator: _, ...TOLD } = IDENTITY;

const history = (rows: HeldSeries['rows'], indicator = 'inflation'): HeldSeries => ({
  endpoint: 'announcements',
  scope: { currency: 'USD', indicator },
  envelope: TOLD,
  rows,
});

const document = (...rows: HeldSeries['rows']): HeldSeries => ({
  endpoint: 'announcements_latest',
  scope: { currency: 'USD' },
  envelope: { currency: 'USD', source: 'store', provenance: { storage: 'store' }, as_of: '2020-01-01', count: 99 },
  rows,
});

const answer = (held: readonly HeldSeries[], now = '2026-11-21T12:00:00Z', caller: Caller['kind'] = 'keyed') =>
  composeLatest.build(held.map(loaded), contextOf({ currency: 'USD' }, now, caller));

const NO_CHANGES = { pct_diff_prev: null, pct_change_mom: null, pct_change_qoq: null, pct_change_yoy: null };

describe('an entry from the history', () => {
  test('has the two newest prints and the percentages of its frequency', () => {
    const composed = answer([history([NOVEMBER_ROW, OCTOBER_ROW])]);
    expect(rowsIn(composed)).toEqual([
      { ...IDENTITY, latest: NOVEMBER_ROW, previous: OCTOBER_ROW, pct_diff_prev: -6.25, pct_change_mom: -6.25 },
    ]);
    expect(composed?.envelope).toMatchObject({ currency: 'USD', as_of: '2026-10-31', count: 1 });
  });

  test('is of the publisher that all histories name, else of the store', () => {
    const named = (source: string, indicator: string) => ({
      ...history([NOVEMBER_ROW]),
      scope: { currency: 'USD', indicator },
      envelope: { source },
    });
    const sourceOf = (held: readonly HeldSeries[]) => answer(held)?.envelope.source;
    expect(sourceOf([named('BLS', 'inflation'), named('BLS', 'unemployment')])).toBe('BLS');
    expect(sourceOf([named('BLS', 'inflation'), named('BEA', 'gdp')])).toBe(LABELS.storage);
  });

  test('spells its values as the rows do', () => {
    const [text] =
      answer([history(['{"date":"2026-10-31","val":3.50}', '{"date":"2026-09-30","val":2.0}'])])?.rows ?? [];
    expect(text).toContain(
      '"latest":{"date":"2026-10-31","val":3.50},"previous":{"date":"2026-09-30","val":2.0},"pct_diff_prev":75.0',
    );
  });

  test('compares quarters with quarters and years', () => {
    const quarter = (date: string, val: number) => ({ date, val });
    const composed = answer([
      history([
        quarter('2026-09-30', 105),
        quarter('2026-06-30', 104),
        quarter('2026-03-31', 103),
        quarter('2025-12-31', 102),
        quarter('2025-09-30', 100),
      ]),
    ]);
    expect(rowsIn(composed)[0]).toMatchObject({ pct_diff_prev: 0.96, pct_change_qoq: 0.96, pct_change_yoy: 5 });
    expect(rowsIn(composed)[0]).not.toHaveProperty('pct_change_mom');
  });

  test('of a daily series compares with the day, the month and the year before', () => {
    const day = (date: string, val: number) => ({ date, val });
    const rows = Array.from({ length: 370 }, (_, i) =>
      day(new Date(Date.UTC(2026, 10, 20 - i)).toISOString().slice(0, 10), 400 - i),
    );
    const { latest: __, previous: ___, ...others } = rowsIn(answer([history(rows)]))[0] ?? {};
    // 2026-11-20 is 400; 19 November 399; 20 October 369 (31 days); 20 November 2025 35 (365 days).
    expect(others).toMatchObject({ pct_diff_prev: 0.25, pct_change_mom: 8.4, pct_change_yoy: 1042.86 });
  });
});

describe('the service’s own entry', () => {
  const stored = {
    ...IDENTITY,
    latest: OCTOBER_ROW,
    previous: { date: '2026-08-31', val: 3.4, announcement_datetime: 1789129800 },
    pct_diff_prev: -5.9,
    odd_member: [1],
  };

  test('is served as it came where nothing newer is held', () => {
    expect(rowsIn(answer([document(stored)]))).toEqual([stored]);
    expect(rowsIn(answer([document(stored), history([OCTOBER_ROW])]))).toEqual([stored]);
    expect(answer([document(stored)])?.envelope).toEqual({
      currency: 'USD',
      source: 'store',
      provenance: { storage: 'store' },
      as_of: '2026-09-30',
      count: 1,
    });
  });

  test('gives way to a newer print of the history and keeps its description', () => {
    expect(rowsIn(answer([document(stored), history([NOVEMBER_ROW, OCTOBER_ROW])]))).toEqual([
      {
        ...IDENTITY,
        odd_member: [1],
        latest: NOVEMBER_ROW,
        previous: OCTOBER_ROW,
        pct_diff_prev: -6.25,
        pct_change_mom: -6.25,
      },
    ]);
  });

  test('gives way to a revision of the same print', () => {
    const revised = { ...OCTOBER_ROW, val: 3.3 };
    expect(rowsIn(answer([document(stored), history([revised])]))).toMatchObject([{ latest: revised }]);
  });

  test('wins over an older history', () => {
    const newer = { ...stored, latest: NOVEMBER_ROW, previous: OCTOBER_ROW };
    expect(rowsIn(answer([document(newer), history([OCTOBER_ROW])]))).toEqual([newer]);
  });
});

describe('an entry from before the keyless window', () => {
  const old = { date: '2026-06-30', val: 4.1, announcement_datetime: 1784000000 };
  const gdp = { indicator: 'gdp', latest: old, previous: { date: '2026-03-31', val: 4.0 } };
  const held = [document({ ...IDENTITY, latest: NOVEMBER_ROW, previous: old }, gdp), history([old], 'wages')];

  test('is left out and not counted; a previous print may be older', () => {
    const composed = answer(held, '2026-11-21T12:00:00Z', 'keyless');
    expect(rowsIn(composed)).toEqual([{ ...IDENTITY, latest: NOVEMBER_ROW, previous: old }]);
    expect([composed?.envelope.count, composed?.total, composed?.envelope.as_of]).toEqual([1, 1, '2026-10-31']);
  });

  test('stays to the day on which it leaves the window, and for whoever has a key', () => {
    const shown = (now: string, kind: Caller['kind']) => rowsIn(answer(held, now, kind)).map((row) => row.indicator);
    const all = ['gdp', 'inflation', 'wages'];
    expect(shown('2026-09-28T12:00:00Z', 'keyless')).toEqual(all);
    expect(shown('2026-09-29T12:00:00Z', 'keyless')).toEqual([]);
    expect(shown('2026-11-21T12:00:00Z', 'keyed')).toEqual(all);
  });
});

describe('a print inside the keyless delay', () => {
  const withheld = {
    ...IDENTITY,
    latest: OCTOBER_ROW,
    ...NO_CHANGES,
    withheld: { announcement_datetime: NOVEMBER, available_at: 1794577500, available_at_iso: '2026-11-13T13:45:00Z' },
  };
  const before = '2026-11-13T13:44:59Z';
  const entry = { ...IDENTITY, latest: NOVEMBER_ROW, previous: OCTOBER_ROW, pct_diff_prev: -6.25 };

  test('gives way to the print before it, with a marker and null changes', () => {
    const fromHistory = answer([history([NOVEMBER_ROW, OCTOBER_ROW])], before, 'keyless');
    expect(rowsIn(fromHistory)).toEqual([withheld]);
    expect(fromHistory?.envelope).toMatchObject({ as_of: '2026-09-30', count: 1 });
    expect(fromHistory?.withheld).toEqual([NOVEMBER]);
    expect(rowsIn(answer([document(entry)], before, 'keyless'))).toEqual([withheld]);
    expect(rowsIn(answer([document(entry), history([OCTOBER_ROW])], before, 'keyless'))).toEqual([withheld]);
  });

  test('opens at a quarter to, and at once for a key and for the owner', () => {
    const held = [history([NOVEMBER_ROW, OCTOBER_ROW])];
    expect(rowsIn(answer(held, '2026-11-13T13:45:00Z', 'keyless'))).toMatchObject([{ latest: NOVEMBER_ROW }]);
    expect(answer(held, '2026-11-13T13:45:00Z', 'keyless')?.withheld).toEqual([]);
    expect(rowsIn(answer(held, before, 'keyed'))).toMatchObject([{ latest: NOVEMBER_ROW }]);
    expect(rowsIn(answer(held, before, 'owner'))).toMatchObject([{ latest: NOVEMBER_ROW }]);
  });

  test('is not even named by an indicator that has no other print', () => {
    const composed = answer([history([NOVEMBER_ROW])], before, 'keyless');
    expect([composed?.rows, composed?.withheld]).toEqual([[], [NOVEMBER]]);
  });

  test('hides the revision that came with it', () => {
    const revised = {
      ...OCTOBER_ROW,
      val: 3.1,
      revisions: [
        { epoch: OCTOBER, val: 3.2 },
        { epoch: NOVEMBER, val: 3.1 },
      ],
    };
    expect(rowsIn(answer([history([NOVEMBER_ROW, revised])], before, 'keyless'))).toEqual([withheld]);
  });

  test('a marker that the service sent stays as it came', () => {
    expect(rowsIn(answer([document(withheld)], before, 'keyless'))).toEqual([withheld]);
    expect(rowsIn(answer([document(withheld)], before, 'owner'))).toEqual([withheld]);
  });
});

describe('the whole answer', () => {
  test('is ordered by indicator, and its date is the newest that is shown', () => {
    const composed = answer([
      history([{ date: '2026-11-20', val: 1 }], 'unemployment'),
      history([OCTOBER_ROW], 'gdp'),
      document({ indicator: 'm2', latest: { date: '2026-11-21', val: 1 } }),
    ]);
    expect(rowsIn(composed).map((row) => row.indicator)).toEqual(['gdp', 'm2', 'unemployment']);
    expect(composed?.envelope).toMatchObject({ as_of: '2026-11-21', count: 3 });
  });

  test('reads the canonical series of the currency only', () => {
    expect(composeLatest.reads({ currency: 'USD' })).toEqual([
      { endpoint: 'announcements_latest', scope: { currency: 'USD' } },
      { endpoint: 'announcements', scope: { currency: 'USD' } },
    ]);
    // It tells which indicators there are.
    expect(composeLatest.lists?.({ currency: 'USD' })).toEqual([
      { endpoint: 'data_catalogue', scope: { currency: 'USD' } },
    ]);
    const refs = [history([]), { ...history([]), scope: { currency: 'USD', indicator: 'gdp', frequency: 'qoq' } }].map(
      (held) => loaded(held).ref,
    );
    expect(composeLatest.selectSeries?.({ currency: 'USD' }, refs)).toEqual([refs[0]]);
  });

  test('does not exist where nothing is held', () => {
    expect(answer([])).toBeUndefined();
    expect(answer([history([])])).toBeUndefined();
  });

  test('takes of two origins the one that speaks for the newest date', () => {
    const imported = { ...history([{ date: '2026-11-30', val: 9 }]), origin: 'import:bls' };
    const until = { ranges: [{ from: '', to: '2026-11-15' }], isOpen: true };
    const checked = { ...history([NOVEMBER_ROW]), coverage: until };
    expect(rowsIn(answer([imported, checked]))).toMatchObject([{ latest: { val: 9 } }]);
    // A check of the service shows that it has nothing of that date.
    expect(rowsIn(answer([imported, history([NOVEMBER_ROW])]))).toMatchObject([{ latest: { val: 3 } }]);
    const same = { ...history([{ date: '2026-10-31', val: 9 }]), origin: 'import:bls' };
    expect(rowsIn(answer([same, history([NOVEMBER_ROW])]))).toMatchObject([{ latest: { val: 3 } }]);
  });
});

describe('a history that may go on behind its newest row', () => {
  const until = (to: string, isOpen: boolean) => ({ ranges: [{ from: '', to }], isOpen });
  const ended: HeldSeries = {
    ...history([NOVEMBER_ROW, OCTOBER_ROW], 'inflation_mom'),
    origin: 'import:bls',
    coverage: until('2026-10-31', false),
  };
  const whole: HeldSeries = { ...history([NOVEMBER_ROW, OCTOBER_ROW]), coverage: until('2026-10-31', true) };
  const lackOf = (indicator: string) => ({
    series: { endpoint: 'announcements', scope: { currency: 'USD', indicator }, exact: true },
    range: { from: '2026-11-01', to: '2026-11-21' },
  });
  const named = (held: readonly HeldSeries[]) => {
    const composed = answer(held);
    return { shown: rowsIn(composed).map(({ indicator }) => indicator), missingParts: composed?.missingParts };
  };

  test('is left out, and named beside the list of newest prints', () => {
    const list = { series: { endpoint: 'announcements_latest', scope: { currency: 'USD' }, exact: true } };
    expect(named([whole, ended])).toEqual({ shown: ['inflation'], missingParts: [list, lackOf('inflation_mom')] });
  });

  test('is named once where the catalogue lists it, also where an older history of it is whole', () => {
    const catalogue: HeldSeries = {
      endpoint: 'data_catalogue',
      scope: { currency: 'USD' },
      rows: [{ slug: 'inflation' }, { slug: 'inflation_mom' }],
    };
    const older = { ...history([OCTOBER_ROW], 'inflation_mom'), coverage: until('2026-09-30', true) };
    const expected = { shown: ['inflation'], missingParts: [lackOf('inflation_mom')] };
    expect(named([catalogue, whole, ended])).toEqual(expected);
    expect(named([catalogue, whole, older, ended])).toEqual(expected);
  });

  test('is named also beside the service’s list where that has no entry of it', () => {
    const entry = { ...IDENTITY, latest: NOVEMBER_ROW };
    expect(named([document(entry), ended])).toEqual({ shown: ['inflation'], missingParts: [lackOf('inflation_mom')] });
    const own = document({ ...entry, indicator: 'inflation_mom' });
    expect(named([own, ended])).toEqual({ shown: ['inflation_mom'], missingParts: [] });
  });
});
