// Several files of one series, whatever their order: each period has the newest value that any of them has.
import { describe, expect, it } from 'vitest';
import { readParams } from '../../src/contract/params/read-params.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import { formatNamed } from '../../src/imports/formats.ts';
import { runImport } from '../../src/imports/import.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS } from '../support/service.ts';
import { surveyOf } from './read-format.ts';

const NOW = Date.parse('2026-11-22T09:00:00Z');

interface File {
  readonly format: string;
  readonly content: string;
}

async function imported(files: readonly File[]) {
  const { platform } = testPlatform({ now: NOW });
  const mirror = await freshMirror(platform);
  const source = createMirrorSource({ mirror, labels: LABELS });
  for (const [i, { format, content }] of files.entries()) {
    const now = NOW - 1_000_000 + i * 1000;
    const name = format === 'fred' ? 'UNRATE.csv' : 'alfredgraph.csv';
    await runImport({
      surveys: [surveyOf(formatNamed(format) ?? expect.fail(format), content, { now, name })],
      mirror,
      now,
    });
  }
  return async (query: Record<string, string>, at?: string) => {
    const endpoint = endpointById('announcements') ?? expect.fail('announcements');
    const path = { currency: 'USD', indicator: 'unemployment' };
    const { args } = readParams(endpoint, { path, query }, { mode: 'strict', now: NOW });
    const asOf = at === undefined ? {} : { asOf: { at: Date.parse(at), by: 'public' as const } };
    const { body, notes } = await source.ask({ endpoint, args }, { caller: { kind: 'owner' }, now: NOW, ...asOf });
    return { ...JSON.parse(body), notes };
  };
}

type Ask = Awaited<ReturnType<typeof imported>>;

/** Values by date, oldest first. */
async function valuesOf(ask: Ask, query: Record<string, string>, at?: string) {
  const { data } = await ask({ start_date: '2020-01-01', limit: '100', ...query }, at);
  const rows: { date: string; val: number }[] = data;
  return rows.map(({ date, val }) => [date, val]).toReversed();
}

/** The days of releases; each brings the next month and revises what its column says. Numbers are made up. */
const DAYS = ['20210108', '20210205', '20210305', '20210402', '20210507'] as const;
const MONTHS = ['2020-12-01', '2021-01-01', '2021-02-01', '2021-03-01', '2021-04-01'];
const TABLE: readonly (readonly string[])[] = [
  ['6.7', '6.7', '6.8', '6.8', '6.9'],
  ['.', '6.3', '6.3', '6.4', '6.4'],
  ['.', '.', '6.2', '6.2', '6.1'],
  ['.', '.', '.', '6.0', '6.0'],
  ['.', '.', '.', '.', '6.5'],
];
const ENDS = ['2020-12-31', '2021-01-31', '2021-02-28', '2021-03-31', '2021-04-30'];

const alfred = (...chosen: readonly number[]): File => ({
  format: 'alfred',
  content: `${[
    ['observation_date', ...chosen.map((place) => `UNRATE_${DAYS[place]}`)],
    ...TABLE.map((cells, i) => [MONTHS[i], ...chosen.map((place) => cells[place])]).filter((cells) =>
      cells.slice(1).some((cell) => cell !== '.'),
    ),
  ]
    .map((cells) => cells.join(','))
    .join('\n')}\n`,
});

/** What FRED had on a release day. */
const fred = (place: number): File => ({
  format: 'fred',
  content: `observation_date,UNRATE\n${TABLE.flatMap((cells, i) => (cells[place] === '.' ? [] : [`${MONTHS[i]},${cells[place]}\n`])).join('')}`,
});

function ordersOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, i) => ordersOf(items.toSpliced(i, 1)).map((others) => [item, ...others]));
}

const column = (place: number) =>
  TABLE.flatMap((cells, i) => (cells[place] === '.' ? [] : [[ENDS[i], Number(cells[place])]]));

const CASES = [
  { name: 'FRED of the last release beside the first vintages', files: [alfred(0, 1, 2), fred(4)], newest: 4 },
  { name: 'an old file of FRED beside later vintages', files: [fred(1), alfred(0, 1, 2, 3, 4)], newest: 4 },
  { name: 'FRED of the day of the last vintage', files: [fred(3), alfred(0, 1, 2, 3)], newest: 3 },
] as const;

describe.each(CASES)('$name', ({ files, newest }) => {
  it('has the newest values, its first prints and its settled values in every order', async () => {
    const answers = await Promise.all(
      ordersOf<File>(files).map(async (order) => {
        const ask = await imported(order);
        return [
          await valuesOf(ask, {}),
          await valuesOf(ask, { revisions: 'first' }),
          await valuesOf(ask, { revisions: 'final' }),
        ];
      }),
    );
    const last = Math.max(...(files[0].format === 'alfred' ? [2] : [newest]));
    // The oldest vintage has no release before it, so nothing proves its month.
    const first = TABLE.slice(1, last + 1).map((cells, i) => [ENDS[i + 1], Number(cells[i + 1])]);
    const settled = column(newest).filter(([date]) => first.some(([proven]) => proven === date));
    expect(answers).toEqual(answers.map(() => [column(newest), first, settled]));
  });
});

it('lists the vintages of all sources, each with its origin', async () => {
  const ask = await imported([fred(4), alfred(0, 1, 2)]);
  const { data } = await ask({ start_date: '2020-12-01', end_date: '2020-12-31', revisions: 'all' });
  const [row] = data;
  expect([row.val, row.revisions.map((one: Record<string, unknown>) => [one.epoch, one.val, one.origin])]).toEqual([
    6.9,
    [
      // 08:30 in New York in winter.
      [Date.parse('2021-01-08T13:30:00Z') / 1000, 6.7, 'import:ALFRED'],
      [Date.parse('2021-03-05T13:30:00Z') / 1000, 6.8, 'import:ALFRED'],
    ],
  ]);
});

it('says of how many periods no source proves the first print', async () => {
  const ask = await imported([fred(4), alfred(0, 1)]);
  const { data, notes } = await ask({ start_date: '2020-12-01', revisions: 'first' });
  expect([data.map(({ date }: { date: string }) => date), notes]).toEqual([
    ['2021-01-31'],
    [
      '4 periods are left out: none of import:ALFRED, import:FRED proves a first print of them. ' +
        'A file with every vintage does, as ALFRED has them.',
    ],
  ]);
});

it('tells nothing earlier than it was known, whatever file brought it', async () => {
  const orders = ordersOf([fred(4), alfred(0, 1, 2, 3)]);
  for (const order of orders) {
    const ask = await imported(order);
    const at = (moment: string) => valuesOf(ask, { end_date: '2021-04-30' }, moment);
    expect(await at('2021-03-05T13:29:59Z')).toEqual(column(1));
    expect(await at('2021-03-05T13:30:00Z')).toEqual(column(2));
    expect(await at('2021-06-01T00:00:00Z')).toEqual(column(3));
  }
});
