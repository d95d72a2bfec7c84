import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { addDays } from '../../../src/contract/time/time.ts';
import { deriveHistory, type HistoryArgs } from '../../../src/derive/announcements/indicator-history.ts';
import { bodyOf, pageOf, rowsOf, type Situation } from './page.ts';

const ARGS: HistoryArgs = {
  currency: 'USD',
  indicator: 'inflation',
  start_date: '2025-11-21',
  end_date: '2026-11-21',
  revisions: 'latest',
  availability: 'public',
  value_mode: 'normalized',
  limit: 20,
  offset: 0,
};

const NOW = '2026-11-21T12:00:00Z';

/** Bare rows, newest first: date, value as spelled, and further members. */
const rows = (...lines: readonly (readonly [string, string, string?])[]) =>
  lines.map(([date, val, more]) => `{"date":"${date}","val":${val}${more ? `,${more}` : ''}}`);

const ask = async (situation: Partial<Situation<HistoryArgs>> & { readonly rows: readonly string[] }) => {
  const view = pageOf({ args: ARGS, now: NOW, ...situation });
  return deriveHistory(view);
};

const shown = async (unit: string, lines: readonly (readonly [string, string, string?])[]) => {
  const derived = await ask({ rows: rows(...lines), stored: { unit } });
  const ids = ['announcement_id', 'observation_id'];
  return rowsOf(derived).map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !ids.includes(name))));
};

describe('a percent-type series', () => {
  test('compares each print with the one before it', async () => {
    const answer = await shown('%YoY', [
      ['2026-10-31', '3.0', '"announcement_datetime":1794576600'],
      ['2026-09-30', '3.2', '"announcement_datetime":1791981000'],
    ]);
    expect(answer[0]).toEqual({
      date: '2026-10-31',
      val: 3.0,
      announcement_datetime: 1794576600,
      previous_value: 3.2,
      previous_date: '2026-09-30',
      previous_announcement_datetime: 1791981000,
      change_from_previous: -0.20000000000000018,
      pct_change_from_previous: -6.25,
    });
    expect(answer[1]).toEqual({ date: '2026-09-30', val: 3.2, announcement_datetime: 1791981000 });
  });

  test('names the print before a period that was never published, and no change over it', async () => {
    const lines = [
      ['2025-12-31', '2.7'],
      ['2025-11-30', '2.7'],
      ['2025-09-30', '3.0'],
      ['2025-08-31', '2.9'],
      ['2025-07-31', '2.7'],
      ['2025-06-30', '2.7'],
    ] as const;
    const answer = await shown('%YoY', lines);
    expect(answer.slice(0, 2)).toEqual([
      {
        ...{ date: '2025-12-31', val: 2.7, previous_value: 2.7, previous_date: '2025-11-30' },
        ...{ change_from_previous: 0, pct_change_from_previous: 0 },
      },
      { date: '2025-11-30', val: 2.7, previous_value: 3.0, previous_date: '2025-09-30' },
    ]);
  });

  test.each([
    ['over a previous of zero no percentage', '0.5', '0.0', { change_from_previous: 0.5 }],
    [
      'a negative previous divides by its size',
      '0.5',
      '-0.25',
      { change_from_previous: 0.75, pct_change_from_previous: 300 },
    ],
    [
      'deeper below zero is a negative change',
      '-0.5',
      '-0.25',
      { change_from_previous: -0.25, pct_change_from_previous: -100 },
    ],
    [
      'a tie goes to the even digit',
      '8.01',
      '8.0',
      { change_from_previous: 0.009999999999999787, pct_change_from_previous: 0.12 },
    ],
  ])('%s', async (_, val, before, expected) => {
    const [row] = await shown('%', [
      ['2026-10-31', val],
      ['2026-09-30', before],
    ]);
    expect(row).toEqual({
      date: '2026-10-31',
      val: Number(val),
      previous_value: Number(before),
      previous_date: '2026-09-30',
      ...expected,
    });
  });

  test('says nothing of changes where a value is missing', async () => {
    const answer = await shown('%', [
      ['2026-10-31', '1.0'],
      ['2026-09-30', 'null'],
      ['2026-08-31', '2.0'],
    ]);
    expect(answer).toEqual([
      { date: '2026-10-31', val: 1, previous_date: '2026-09-30' },
      { date: '2026-09-30', val: null, previous_value: 2, previous_date: '2026-08-31' },
      { date: '2026-08-31', val: 2 },
    ]);
  });

  test('spells measured values with a decimal point and keeps the publisher’s spelling of others', async () => {
    const derived = await ask({
      stored: { unit: '%' },
      rows: rows(['2026-10-31', '3.50', '"more":1.10'], ['2026-09-30', '2.50']),
    });
    expect(derived.rows?.[0]).toBe(
      '{"date":"2026-10-31","val":3.50,"more":1.10,"previous_value":2.50,"previous_date":"2026-09-30",' +
        '"change_from_previous":1.0,"pct_change_from_previous":40.0,"announcement_id":"usd_inflation_2026-10-31",' +
        '"observation_id":"usd_inflation_canonical_level_default_standard_period_2026-10-31"}',
    );
  });
});

describe('a level series', () => {
  const month = (date: string, val: string) => [date, val] as const;

  test('compares with the period, the month and the year before, month ends with month ends', async () => {
    const derived = await ask({
      args: { ...ARGS, start_date: '2025-02-28', end_date: '2025-02-28' },
      stored: { unit: 'Index' },
      rows: rows(
        month('2025-02-28', '110.0'),
        month('2025-01-31', '100.0'),
        ...Array.from({ length: 10 }, (_, i) => month(addDays('2024-12-31', -31 * i), '50.0')),
        month('2024-02-29', '88.0'),
        month('2024-01-31', '10.0'),
      ),
    });
    expect(rowsOf(derived)[0]).toMatchObject({ change: 10, pct_change_mom: 10, pct_change_yoy: 25 });
  });

  test('leaves out what a missing month would distort', async () => {
    const [newest] = await shown('Index', [
      month('2026-10-31', '120.0'),
      month('2026-08-31', '99.0'),
      month('2026-07-31', '98.0'),
      month('2026-06-30', '97.0'),
    ]);
    expect(newest).toEqual({ date: '2026-10-31', val: 120 });
  });

  test('has no monthly percentage where the periods are quarters', async () => {
    const answer = await shown('USD bn', [
      month('2026-09-30', '105.0'),
      month('2026-06-30', '104.0'),
      month('2026-03-31', '103.0'),
      month('2025-12-31', '102.0'),
      month('2025-09-30', '100.0'),
    ]);
    expect(answer[0]).toEqual({ date: '2026-09-30', val: 105, change: 1, pct_change_yoy: 5 });
  });
});

describe('members that came with a row', () => {
  const told = (value: string, date: string) =>
    `"previous_value":${value},"previous_date":"${date}","change_from_previous":-0.1,"pct_change_from_previous":-3.0`;
  const stored = { unit: '%YoY' };

  test('stay while the print before is the one that they speak of, odd roundings included', async () => {
    const held = rows(['2026-10-31', '3.0', told('3.2', '2026-09-30')], ['2026-09-30', '3.2']);
    const [row] = rowsOf(await ask({ rows: held, stored }));
    expect(row).toMatchObject({ change_from_previous: -0.1, pct_change_from_previous: -3 });
  });

  test('are computed again when the print before was revised, and nothing else is touched', async () => {
    const held = rows(['2026-10-31', '3.0', `"val_mom":0.10,${told('3.1', '2026-09-30')}`], ['2026-09-30', '3.2']);
    const derived = await ask({ rows: held, stored });
    expect(rowsOf(derived)[0]).toMatchObject({
      val_mom: 0.1,
      previous_value: 3.2,
      change_from_previous: -0.20000000000000018,
      pct_change_from_previous: -6.25,
    });
    expect(derived.rows?.[0]).toContain('"val_mom":0.10');
  });

  test('stay when the mirror lacks the print that they speak of', async () => {
    const held = rows(['2026-10-31', '3.0', told('3.1', '2026-09-30')], ['2026-06-30', '2.0']);
    expect(rowsOf(await ask({ rows: held, stored }))[0]).toMatchObject({
      previous_value: 3.1,
      previous_date: '2026-09-30',
    });
  });

  test('give way when a print appeared in between', async () => {
    const held = rows(['2026-10-31', '3.0', told('3.1', '2026-08-31')], ['2026-09-30', '3.2'], ['2026-08-31', '3.1']);
    expect(rowsOf(await ask({ rows: held, stored }))[0]).toMatchObject({
      previous_value: 3.2,
      previous_date: '2026-09-30',
    });
  });

  test('of a level stay as the service computed them, until the row before changes later', async () => {
    const held = rows(['2026-10-31', '110.0', '"change":7.0,"pct_change_mom":6.8'], ['2026-09-30', '100.0']);
    const level = { unit: 'Index' };
    const asReceived = { change: 7, pct_change_mom: 6.8 };
    expect(rowsOf(await ask({ rows: held, stored: level }))[0]).toMatchObject(asReceived);
    expect(rowsOf(await ask({ rows: held, stored: level, commits: [5, 4] }))[0]).toMatchObject(asReceived);
    const later = rowsOf(await ask({ rows: held, stored: level, commits: [5, 6] }))[0];
    expect(later).toMatchObject({ change: 10, pct_change_mom: 10 });
  });
});

describe('a series without a cadence', () => {
  const old = rows(['2026-01-31', '4.0'], ['2025-12-31', '4.0'], ['2025-11-30', '4.25']);
  const stale = async (indicator: string, stored = {}) => {
    const body = bodyOf(await ask({ rows: old, stored, args: { ...ARGS, indicator } }));
    const { is_stale, stale_after_days } = body.data_quality as Record<string, unknown>;
    return [is_stale, stale_after_days];
  };

  test('is never stale: by the contract, or because the service says that it is a policy rate', async () => {
    expect(await stale('unemployment')).toEqual([true, 95]);
    expect(await stale('policy_rate_mro')).toEqual([false, undefined]);
    expect(await stale('sight_deposits', { policy_role: 'headline' })).toEqual([false, undefined]);
    expect(await stale('policy_rate_expectations')).toEqual([true, 95]);
  });
});

describe('a keyless caller', () => {
  const stored = { unit: '%YoY' };
  const held = rows(['2026-10-31', '3.0'], ['2026-08-31', '3.2'], ['2026-07-31', '3.3']);

  test('sees previous members of visible rows only: 90 days', async () => {
    const answer = rowsOf(await ask({ rows: held, stored, caller: 'keyless' }));
    expect(answer.map(({ date, previous_date }) => [date, previous_date])).toEqual([
      ['2026-10-31', '2026-08-31'],
      ['2026-08-31', undefined],
    ]);
  });

  test('loses the previous members that a keyed capture had on the oldest visible row', async () => {
    const captured = rows(
      ['2026-10-31', '3.0'],
      ['2026-08-31', '3.2', '"previous_value":3.3,"previous_date":"2026-07-31","change_from_previous":-0.1'],
      ['2026-07-31', '3.3'],
    );
    const oldest = rowsOf(await ask({ rows: captured, stored, caller: 'keyless' }))[1];
    expect(oldest).toEqual({
      date: '2026-08-31',
      val: 3.2,
      announcement_id: 'usd_inflation_2026-08-31',
      observation_id: expect.any(String),
    });
  });

  test('gets percentages of a level series from the full history', async () => {
    const level = rows(
      ['2026-08-31', '120.0'],
      ...Array.from({ length: 12 }, (_, i) => [`${addDays('2026-07-31', -31 * i).slice(0, 7)}-28`, '100.0'] as const),
    );
    const answer = rowsOf(await ask({ rows: level, stored: { unit: 'Index' }, caller: 'keyless' }));
    expect(answer).toHaveLength(1);
    expect(answer[0]).toMatchObject({ change: 20, pct_change_mom: 20, pct_change_yoy: 20 });
  });
});

describe('an empty window', () => {
  const stored = { unit: '%YoY' };
  const held = rows(['2026-10-31', '3.0', '"announcement_datetime":1794576600'], ['2026-09-30', '3.2']);
  const window = { start_date: '2026-11-10', end_date: '2026-11-21' };

  test('shows the newest print before it and says so', async () => {
    const derived = await ask({ rows: held, stored, args: { ...ARGS, ...window } });
    expect(rowsOf(derived)).toEqual([
      {
        date: '2026-10-31',
        val: 3,
        announcement_datetime: 1794576600,
        previous_value: 3.2,
        previous_date: '2026-09-30',
        change_from_previous: -0.20000000000000018,
        pct_change_from_previous: -6.25,
        announcement_id: 'usd_inflation_2026-10-31',
        observation_id: 'usd_inflation_canonical_yoy_default_standard_period_2026-10-31',
        outside_requested_window: true,
        returned_reason: 'latest_before_window',
        staleness_days: 10,
      },
    ]);
    expect(derived.total).toBe(1);
    expect(bodyOf(derived)).toMatchObject({
      requested_start_date: '2026-11-10',
      requested_end_date: '2026-11-21',
      requested_window_has_data: false,
      end_date: '2026-11-21',
      latest_available_date: '2026-10-31',
      data_quality: { requested_window_has_data: false, row_count: 1 },
    });
    expect(bodyOf(derived)).not.toHaveProperty('start_date');
  });

  test('in the future falls back the same way', async () => {
    const args = { ...ARGS, start_date: '2027-01-01', end_date: '2026-11-21' };
    expect(rowsOf(await ask({ rows: held, stored, args }))).toMatchObject([{ date: '2026-10-31', staleness_days: 62 }]);
  });

  test('between two prints shows the one before, not the newest', async () => {
    const args = { ...ARGS, start_date: '2026-10-10', end_date: '2026-10-20' };
    const derived = await ask({ rows: held, stored, args });
    expect(rowsOf(derived)).toMatchObject([{ date: '2026-09-30', staleness_days: 10 }]);
    expect(bodyOf(derived)).toMatchObject({ page_includes_latest_available: false });
  });

  test('has one row, so a further page is empty', async () => {
    const derived = await ask({ rows: held, stored, args: { ...ARGS, ...window, offset: 1 } });
    expect([derived.rows, derived.total]).toEqual([[], 1]);
  });

  test('never falls back beyond the keyless cutoff', async () => {
    const args = { ...ARGS, start_date: '2026-03-01', end_date: '2026-03-31' };
    const derived = await ask({ rows: rows(['2026-02-28', '3.0']), stored, args, caller: 'keyless' });
    expect([derived.rows, derived.total]).toEqual([[], 0]);
    expect(bodyOf(derived)).toMatchObject({ requested_start_date: '2026-08-23', requested_window_has_data: false });
  });

  test('is not what a page beyond the end of a full window is', async () => {
    const derived = await ask({ rows: held, stored, args: { ...ARGS, offset: 20 } });
    expect([derived.rows, derived.total]).toEqual([[], 2]);
    expect(bodyOf(derived)).toMatchObject({ requested_window_has_data: true, page_includes_latest_available: false });
  });
});

const CPI = '../shared/data/us-cpi.csv';

describe.skipIf(!existsSync(CPI))(`the official consumer price index (skipped without ${CPI})`, () => {
  test('has the publisher’s own monthly changes, at the publisher’s rounding', async () => {
    const lines = readFileSync(CPI, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','));
    const held = lines.map(([date = '', val = '']) => `{"date":"${date}","val":${val}}`).reverse();
    const changes: number[] = [];
    for (let offset = 0; offset < held.length; offset += 100) {
      const args = { ...ARGS, start_date: '1900-01-01', end_date: '2100-01-01', limit: 100, offset };
      const derived = await ask({ rows: held, stored: { unit: 'Index' }, args });
      changes.push(...rowsOf(derived).map((row) => Number(row.pct_change_mom)));
    }
    const told = lines
      .map(([date = '', , change = '']) => ({ date, change }))
      .reverse()
      .map(({ date, change }, i) => ({
        date,
        change: Number(change),
        isTold: change !== '',
        computed: changes[i] ?? Number.NaN,
      }))
      .filter(({ isTold }) => isTold);
    expect(told.length).toBeGreaterThan(1000);
    // No index was published for October 2025: the file compares over the gap, a monthly change does not.
    const withoutMonth = told.filter(({ computed }) => Number.isNaN(computed));
    expect(withoutMonth.map(({ date }) => date)).toEqual(['2025-11-01']);
    const apart = told.filter(({ change, computed }) => !Number.isNaN(computed) && change !== computed);
    // 16.0 to 16.1 is 0.625: the publisher rounds a tie up, the interface to the even digit.
    expect(apart.map(({ date, change, computed }) => [date, change, computed])).toEqual([['1942-04-01', 0.63, 0.62]]);
  });
});
