import { expect, test } from 'vitest';
import { createColumns } from '../../src/source/columns.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { LABELS } from '../support/service.ts';
import { NOW, question, whole, world } from './world.ts';

const LAST_DAY = Date.UTC(2026, 10, 20);
const ROWS = 20_001;
const FEW_ROWS = 400;
const dayBefore = (days: number) => new Date(LAST_DAY - days * 86_400_000).toISOString().slice(0, 10);
const historyOf = (rows: number) => ({
  base: 'EUR',
  quote: 'USD',
  pagination: whole(rows),
  data: Array.from({ length: rows }, (_, i) => ({ date: dayBefore(i), val: i + 0.5 })),
});

test('a window of a long series tells where the series begins and ends', async () => {
  const held = await world();
  await held.take(question('forex', { base: 'eur', quote: 'usd' }, { start_date: '1950-01-01' }), historyOf(ROWS));
  const source = createMirrorSource({ mirror: held.mirror, labels: LABELS });
  const ask = async (window: Record<string, string>) => {
    const asked = question('forex', { base: 'eur', quote: 'usd' }, window);
    const { body, notes, partial } = await source.ask(asked, { caller: { kind: 'owner' }, now: NOW });
    const { data, data_quality: quality, pagination } = JSON.parse(body);
    const rows = data.map(({ date, val }: { date: string; val: number }) => [date, val]);
    const { row_count: count, latest_available_date: latest } = quality;
    return { rows, count, latest, isLatest: pagination.page_includes_latest_available, notes, partial };
  };
  const told = { latest: '2026-11-20', notes: [], partial: undefined };
  const inner = { start_date: '2026-11-10', end_date: '2026-11-11' };
  const two = {
    ...told,
    rows: [
      ['2026-11-11', 9.5],
      ['2026-11-10', 10.5],
    ],
    count: 2,
    isLatest: false,
  };
  expect([await ask(inner), await ask(inner)]).toEqual([two, two]);
  expect(await ask({ start_date: '2026-11-20' })).toEqual({
    ...told,
    rows: [['2026-11-20', 0.5]],
    count: 1,
    isLatest: true,
  });
  const first = dayBefore(ROWS - 1);
  const early = await ask({ start_date: '1960-01-01', end_date: first });
  expect(early).toEqual({
    ...told,
    rows: [[first, ROWS - 0.5]],
    count: 1,
    isLatest: false,
    notes: [`Rates of EUR/USD are stored from ${first} on.`],
  });
});

test('whoever asks once is told the same as whoever asks again', async () => {
  const held = await world();
  const all = question('forex', { base: 'eur', quote: 'usd' }, { start_date: '2020-01-01' });
  await held.take(all, historyOf(FEW_ROWS));
  const ask = (once: boolean, window: Record<string, string>) =>
    createMirrorSource({ mirror: held.mirror, labels: LABELS, ...(!once && { columns: createColumns() }) }).ask(
      question('forex', { base: 'eur', quote: 'usd' }, window),
      { caller: { kind: 'owner' }, now: NOW, once },
    );
  const windows = [
    { start_date: '2026-11-10', end_date: '2026-11-11' },
    { start_date: '2026-11-19' },
    { start_date: '2024-01-01', end_date: dayBefore(FEW_ROWS - 1) },
    { start_date: '2024-01-01', end_date: '2024-02-01' },
    { start_date: '2027-01-01' },
  ];
  for (const window of windows) {
    const once = await ask(true, window);
    const usual = await ask(false, window);
    expect({ ...once, pages: undefined }).toEqual({ ...usual, etag: undefined, pages: undefined });
  }
});
