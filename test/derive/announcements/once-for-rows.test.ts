import { expect, test } from 'vitest';
import type { LoadedRow, LoadedSeries } from '../../../src/contract/hooks.ts';
import { asJsonText } from '../../../src/contract/json/json.ts';
import { FULL_COVERAGE } from '../../../src/contract/time/coverage.ts';
import { buildEntry } from '../../../src/derive/announcements/latest.ts';
import { readNewestYear } from '../../../src/derive/announcements/newest-year.ts';
import { orderReleases } from '../../../src/derive/announcements/recent.ts';

const NOW = Date.UTC(2026, 10, 21) / 1000;

const row = (date: string, val: number): LoadedRow => ({
  columns: { date, announcement_datetime: Date.parse(date) / 1000 },
  text: asJsonText(JSON.stringify({ date, val })),
});

const history = (indicator: string, rows: readonly LoadedRow[], more: Partial<LoadedSeries> = {}): LoadedSeries => ({
  ref: { endpoint: 'announcements', scope: { currency: 'USD', indicator }, origin: 'import:test' },
  envelope: { name: 'Made up' },
  rows,
  coverage: FULL_COVERAGE,
  proven: true,
  ...more,
});

const newest = (series: LoadedSeries) =>
  JSON.parse(
    buildEntry({
      indicator: series.ref.scope.indicator ?? '',
      stored: undefined,
      tail: readNewestYear(series, undefined, NOW),
      cutoff: undefined,
    }).text ?? 'null',
  );

test('the newest year follows from rows, members and coverage', () => {
  const rows = [row('2026-10-31', 3), row('2026-09-30', 2)];
  const tail = readNewestYear(history('inflation', rows), undefined, NOW);
  const known = { ranges: [{ from: '2026-09-01', to: '2026-11-21' }], isOpen: true };
  expect([tail.isCut, readNewestYear(history('inflation', rows, { coverage: known }), undefined, NOW).isCut]).toEqual([
    false,
    true,
  ]);
  expect(newest(history('inflation', rows))).toEqual({
    indicator: 'inflation',
    name: 'Made up',
    frequency: 'Monthly',
    latest: { date: '2026-10-31', val: 3 },
    previous: { date: '2026-09-30', val: 2 },
    pct_diff_prev: 50,
    pct_change_mom: 50,
  });
  expect(newest(history('inflation', rows, { envelope: { name: 'Another' } })).name).toBe('Another');
  expect(newest(history('inflation', [row('2026-10-31', 4), ...rows.slice(1)])).latest.val).toBe(4);
});

test('a caller with a delay is told of the same rows without those inside of it', () => {
  const rows = ['2026-10-31', '2026-09-30'].map((date) => {
    const columns = { date, announcement_datetime: Date.parse(date) / 1000 };
    return { columns, text: asJsonText(JSON.stringify({ ...columns, val: 1 })) };
  });
  readNewestYear(history('inflation', rows), undefined, NOW);
  const delayed = readNewestYear(history('inflation', rows), Date.UTC(2026, 9, 1) / 1000, NOW);
  expect([delayed.shown?.latest.date, delayed.shown?.previous, delayed.hidden]).toEqual([
    '2026-09-30',
    undefined,
    Date.UTC(2026, 9, 31) / 1000,
  ]);
});

test('releases of histories are in the order of their times', () => {
  const both = new Map([
    ['a', { series: history('a', [row('2026-10-31', 1)]) }],
    ['b', { series: history('b', [row('2026-11-15', 2), row('2026-10-15', 3)]) }],
  ]);
  const order = orderReleases(both, undefined).first(9);
  expect(order.map(({ indicator, at }) => [indicator, at])).toEqual([
    ['b', 0],
    ['a', 0],
    ['b', 1],
  ]);
});
