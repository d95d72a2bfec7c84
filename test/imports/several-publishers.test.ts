// Files of several publishers that have the same series: what each of them knows decides, and not which came first.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readParams } from '../../src/contract/params/read-params.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import { formatNamed } from '../../src/imports/formats.ts';
import { runImport } from '../../src/imports/import.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { ALL_PAYROLLS, chosenPayrolls } from '../support/payrolls.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS } from '../support/service.ts';
import { surveyOf } from './read-format.ts';

const NOW = Date.parse('2026-11-22T09:00:00Z');

type File = readonly [format: string, content: string, name: string];

/** The mirror of somebody who imported files in this order. */
async function imported(files: readonly File[]) {
  const { platform } = testPlatform({ now: NOW });
  const mirror = await freshMirror(platform);
  const source = createMirrorSource({ mirror, labels: LABELS });
  for (const [i, [id, content, name]] of files.entries()) {
    const now = NOW - 1_000_000 + i * 1000;
    await runImport({ surveys: [surveyOf(formatNamed(id) ?? expect.fail(id), content, { now, name })], mirror, now });
  }
  return async (id: string, path: Record<string, string>, query: Record<string, string>, at?: number) => {
    const endpoint = endpointById(id) ?? expect.fail(id);
    const { args } = readParams(endpoint, { path, query }, { mode: 'strict', now: NOW });
    const { body, notes } = await source.ask(
      { endpoint, args },
      {
        caller: { kind: 'owner' },
        now: NOW,
        ...(at !== undefined && { asOf: { at, by: 'public' } }),
      },
    );
    return { ...JSON.parse(body), notes };
  };
}

const rowsOf = ({ data }: { data: { date: string; val: number }[] }) => data.map(({ date, val }) => [date, val]);

/** Thousands of jobs as FRED had them in 2026; their change in September 2021 is 147771 - 147314 = 457. */
const FRED: File = [
  'fred',
  'observation_date,PAYEMS\n2021-08-01,147314\n2021-09-01,147771\n2021-10-01,148572\n2021-11-01,149230\n2021-12-01,149816\n2022-01-01,150006\n2022-02-01,150825\n',
  'PAYEMS.csv',
];
const ALFRED: File = ['alfred', chosenPayrolls(...ALL_PAYROLLS), 'alfredgraph.csv'];
const PAYROLLS = { currency: 'USD', indicator: 'non_farm_payrolls_change' };

const ORDERS = [
  { name: 'vintages first', files: [ALFRED, FRED] },
  { name: 'vintages last', files: [FRED, ALFRED] },
];

describe.each(ORDERS)('a file of vintages beside one of the newest values, $name', ({ files }) => {
  it('tells the first prints', async () => {
    const ask = await imported(files);
    const window = { start_date: '2021-09-01', end_date: '2021-10-31' };
    const first = await ask('announcements', PAYROLLS, { ...window, revisions: 'first' });
    expect([rowsOf(first), first.mirror, first.notes]).toEqual([
      [
        ['2021-10-31', 531],
        ['2021-09-30', 194],
      ],
      undefined,
      [],
    ]);
    expect(rowsOf(await ask('announcements', PAYROLLS, window))).toEqual([
      ['2021-10-31', 801],
      ['2021-09-30', 457],
    ]);
  });

  it('lacks the first prints of months that only the other one has', async () => {
    const ask = await imported(files);
    const window = { start_date: '2021-12-01', end_date: '2022-02-28' };
    const first = await ask('announcements', PAYROLLS, { ...window, revisions: 'first' });
    expect([rowsOf(first), first.mirror.missing]).toEqual([
      [['2021-12-31', 199]],
      [{ from: '2022-01-31', to: '2022-02-28' }],
    ]);
  });

  it('settles by its first print, beside the newest value of the other one', async () => {
    const ask = await imported(files);
    const { status, first_print, settlement_value, latest_value } = await ask('settlement', PAYROLLS, {
      period: '2021-09-30',
    });
    expect({ status, first_print, settlement_value, latest_value }).toEqual({
      status: 'settled',
      first_print: { val: 194, announcement_datetime: '2021-10-08T12:30:00Z' },
      settlement_value: 194,
      latest_value: 457,
    });
  });

  it('tells a panel what was known when', async () => {
    const ask = await imported(files);
    const { data } = await ask(
      'research_panel',
      {},
      {
        series: 'USD:non_farm_payrolls_change',
        decision_times: '2021-10-08T12:30:00Z,2021-10-08T12:30:01Z,2021-11-15T00:00:00Z,2026-11-22T09:00:00Z',
        start_date: '2020-01-01',
        end_date: '2021-12-31',
      },
    );
    const decisions: { values: { val: number; date: string }[] }[] = data;
    expect(decisions.flatMap(({ values }) => values.map(({ val, date }) => [date, val]))).toEqual([
      ['2021-08-31', 235],
      ['2021-09-30', 194],
      ['2021-10-31', 531],
      // What is known today the newest file tells: 149816 - 149230.
      ['2021-12-31', 586],
    ]);
  });
});

it('a file that lists no vintages says so where first prints are asked for', async () => {
  const ask = await imported([FRED]);
  const first = await ask('announcements', PAYROLLS, { start_date: '2021-09-01', revisions: 'first', limit: '1' });
  expect(first.notes).toEqual([
    expect.stringMatching(/^\d+ periods are left out: import:FRED proves no first print of them\./),
  ]);
});

const DGS10: File = [
  'fred',
  'observation_date,DGS10\n1989-12-28,7.91\n1989-12-29,7.93\n1990-01-01,\n1990-01-02,7.94\n',
  'DGS10.csv',
];
const TREASURY: File = ['treasury', 'Date,"1 Mo","10 Yr"\n1/3/90,,7.99\n1/2/90,,7.94\n', 'daily-treasury-rates.csv'];
const YIELD = { currency: 'USD', indicator: 'gov_bond_10y' };

describe.each([
  { name: 'the shorter one last', files: [DGS10, TREASURY] },
  { name: 'the shorter one first', files: [TREASURY, DGS10] },
])('two files that begin and end on other days, $name', ({ files }) => {
  it('each answer for the window that only one of them has', async () => {
    const ask = await imported(files);
    const window = { start_date: '1989-12-28', end_date: '1989-12-31' };
    const early = await ask('announcements', YIELD, window);
    const alone = await (await imported([DGS10]))('announcements', YIELD, window);
    expect(rowsOf(early)).toEqual([
      ['1989-12-29', 7.93],
      ['1989-12-28', 7.91],
    ]);
    expect([early.data, early.mirror.missing]).toEqual([alone.data, alone.mirror.missing]);
  });

  it('each answer for the dates that they cover, and are named', async () => {
    const ask = await imported(files);
    const both = await ask('announcements', YIELD, { start_date: '1989-12-29', end_date: '1990-01-03' });
    // FRED speaks before the Treasury for each date that it covers.
    expect([rowsOf(both), both.mirror]).toEqual([
      [
        ['1990-01-03', 7.99],
        ['1990-01-02', 7.94],
        ['1989-12-29', 7.93],
      ],
      {
        complete: true,
        sources: [
          { origin: 'import:Treasury', from: '1990-01-03', to: '1990-01-03' },
          { origin: 'import:FRED', from: '1989-12-29', to: '1990-01-02' },
        ],
      },
    ]);
  });
});

it('a pair is known at a moment where one path of files is, however long ago the files of others end', async () => {
  const ecb = 'Date,USD,CAD,\n2021-04-30,1.2082,1.4834,\n2017-01-03,1.0385,1.3962,\n1999-01-04,1.1789,1.8004,\n';
  const boc = readFileSync(join(import.meta.dirname, '../fixtures/official/boc-fx-daily-2017-01.csv'), 'utf8');
  const ask = await imported([
    ['ecb', ecb, 'eurofxref-hist.csv'],
    ['bank-of-canada', boc, 'FX_RATES_DAILY.csv'],
  ]);
  const query = { start_date: '1999-01-01', end_date: '2021-04-30', limit: '100' };
  const at = Date.parse('2021-05-03T12:00:00Z');
  const rates = async (base: string, quote: string) => {
    const answer = await ask('forex', { base, quote }, query, at);
    return [rowsOf(answer).filter(([date]) => date === '2021-04-30' || date === '1999-01-04'), answer.mirror];
  };
  expect(await rates('EUR', 'USD')).toEqual([
    [
      ['2021-04-30', 1.2082],
      ['1999-01-04', 1.1789],
    ],
    undefined,
  ]);
  // 1.4834 / 1.2082 and 1.8004 / 1.1789: the file of the pair itself has January 2017 alone.
  expect(await rates('USD', 'CAD')).toEqual([
    [
      ['2021-04-30', 1.227777],
      ['1999-01-04', 1.527186],
    ],
    {
      complete: true,
      sources: [
        { origin: 'import:ECB', from: '2021-04-30', to: '2021-04-30' },
        { origin: 'import:BoC', from: '2017-01-03', to: '2017-01-30' },
        { origin: 'import:ECB', from: '1999-01-04', to: '1999-01-04' },
      ],
    },
  ]);
});

describe('a pair between the end of one path of files and the first rate of another', () => {
  const ecb = 'Date,USD,CAD,\n2016-09-30,1.1161,1.4690,\n1999-01-04,1.1789,1.8004,\n';
  const boc = readFileSync(join(import.meta.dirname, '../fixtures/official/boc-fx-daily-2017-01.csv'), 'utf8');
  const files: readonly File[] = [
    ['ecb', ecb, 'eurofxref-hist.csv'],
    ['bank-of-canada', boc, 'FX_RATES_DAILY.csv'],
  ];
  const pair = { base: 'USD', quote: 'CAD' };

  it('is not covered', async () => {
    const ask = await imported(files);
    const answer = await ask('forex', pair, { start_date: '2016-09-30', end_date: '2017-01-04' });
    expect(rowsOf(answer)).toEqual([
      ['2017-01-04', 1.3315],
      ['2017-01-03', 1.3435],
      ['2016-09-30', 1.31619],
    ]);
    expect(answer.mirror.missing.map(({ from, to }: { from: string; to: string }) => [from, to])).toEqual([
      ['2016-10-01', '2017-01-02'],
    ]);
  });

  it('is not known', async () => {
    const ask = await imported(files);
    const at = Date.parse('2016-12-15T12:00:00Z');
    const answer = await ask('forex', pair, { start_date: '2016-09-30', end_date: '2016-12-15' }, at);
    expect([rowsOf(answer), answer.mirror.complete]).toEqual([[['2016-09-30', 1.31619]], false]);
  });
});

it('a panel lacks a decision that the files of one publisher leave out and that lies before those of another', async () => {
  const ask = await imported([
    ['fred', 'observation_date,DGS10\n1989-12-28,7.91\n1989-12-29,7.93\n', 'DGS10.csv'],
    ['treasury', 'Date,"1 Mo","10 Yr"\n1/3/90,,7.99\n1/2/90,,7.94\n', 'daily-treasury-rates.csv'],
  ]);
  const panel = await ask(
    'research_panel',
    {},
    {
      series: 'USD:gov_bond_10y',
      decision_times: '1989-06-01,1990-01-02T12:00:00Z,1990-01-03T12:00:00Z',
      start_date: '1985-01-01',
      end_date: '1990-12-31',
    },
  );
  const decisions: { values: { val: number | null; reason?: string }[] }[] = panel.data;
  expect(decisions.flatMap(({ values }) => values.map(({ val, reason }) => reason ?? val))).toEqual([
    'not_known_then',
    'not_known_then',
    7.94,
  ]);
  expect(panel.mirror.complete).toBe(false);
});
