// Files of a part of a history: what follows from values before their first date is not in them, and that takes nothing away.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import panel from '../../src/endpoints/announcements/panel.ts';
import announcements from '../../src/endpoints/announcements/series.ts';
import forex from '../../src/endpoints/fx/forex.ts';
import prices from '../../src/endpoints/prices/prices.ts';
import { formatNamed } from '../../src/imports/formats.ts';
import { runImport } from '../../src/imports/import.ts';
import { fileCoverageOf } from '../../src/imports/request.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS } from '../support/service.ts';
import { surveyOf } from './read-format.ts';

const NOW = Date.parse('2026-11-22T09:00:00Z');

/** An index that stands at 100 for a year, rises to 111 month by month, and stays there: 1 to 11 per cent, then less. */
const INDEX: readonly (readonly [month: string, value: number])[] = [
  ...Array.from({ length: 12 }, (_, i) => [`2014-${String(i + 1).padStart(2, '0')}`, 100] as const),
  ...Array.from({ length: 12 }, (_, i) => [`2015-${String(i + 1).padStart(2, '0')}`, 100 + i] as const),
  ['2016-01', 111],
  ['2016-02', 111],
];

const fileFrom = (first: string, last = '9999-12') =>
  `observation_date,CPIAUCNS\n${INDEX.filter(([month]) => month >= first && month <= last)
    .map(([month, value]) => `${month}-01,${value}\n`)
    .join('')}`;

/** First and last day of the window that is missing; rows of it may be compared with what lies before it. */
function within(ranges: readonly { from: string; to: string }[], { start_date: start = '' }): string | undefined {
  const [from] = ranges.map((range) => range.from).sort();
  const to = ranges
    .map((range) => range.to)
    .sort()
    .at(-1);
  return from === undefined ? undefined : `${from > start ? from : start}..${to}`;
}

async function mirrorWith(...files: readonly string[]) {
  return imported('fred', 'CPIAUCNS.csv', files);
}

async function imported(id: string, name: string, files: readonly string[]) {
  const mirror = await freshMirror(testPlatform({ now: NOW }).platform);
  onTestFinished(() => mirror.close());
  const reports = [];
  for (const [i, content] of files.entries()) {
    const now = NOW - 1_000_000 + i * 1000;
    const survey = surveyOf(formatNamed(id) ?? expect.fail(id), content, { now, name });
    reports.push(...(await runImport({ surveys: [survey], mirror, now })));
  }
  const source = createMirrorSource({ mirror, labels: LABELS });
  const askOf = async (endpoint: Endpoint, path: Record<string, string>, query: Record<string, string>) => {
    const { args } = readParams(endpoint, { path, query: { limit: '100', ...query } }, { mode: 'strict', now: NOW });
    const { body } = await source.ask({ endpoint, args }, { caller: { kind: 'owner' }, now: NOW });
    const { data, requested_window_has_data: has, mirror: mark } = JSON.parse(body);
    const rows = has === false ? [] : data.map(({ date, val }: { date: string; val: number }) => [date, val]);
    return { rows, missing: within(mark?.missing ?? [], query) };
  };
  const ask = (query: Record<string, string>) =>
    askOf(announcements, { currency: 'USD', indicator: 'inflation' }, query);
  const askPanel = async (from: string) => {
    const query = {
      series: 'USD:unemployment',
      decision_times: '2026-11-22T09:00:00Z',
      start_date: from,
      end_date: '2026-12-31',
    };
    const { args } = readParams(panel, { path: {}, query }, { mode: 'strict', now: NOW });
    const { body } = await source.ask({ endpoint: panel, args }, { caller: { kind: 'owner' }, now: NOW });
    const { data, mirror: mark } = JSON.parse(body);
    const { val, reason } = data[0].values[0];
    return { val, reason, isPartial: mark !== undefined };
  };
  return { reports, ask, askOf, askPanel };
}

describe('a file of the later part of an index', () => {
  const YEAR = { start_date: '2015-10-01', end_date: '2016-02-29' };
  const RATES = [
    ['2016-02-29', 9.9],
    ['2016-01-31', 11],
    ['2015-12-31', 11],
    ['2015-11-30', 10],
    ['2015-10-31', 9],
  ];

  it.each(['2015-01', '2015-12', '2016-01', '2016-02'])(
    'takes no change over the year away, begun in %s',
    async (first) => {
      const { reports, ask } = await mirrorWith(fileFrom('2014-01'), fileFrom(first));
      expect(reports.map(({ vanished }) => vanished)).toEqual([0, 0]);
      expect(await ask(YEAR)).toEqual({ rows: RATES, missing: undefined });
    },
  );

  it('covers the changes of which it has both values, and no others', async () => {
    const { ask } = await mirrorWith(fileFrom('2015-01'));
    expect(await ask(YEAR)).toEqual({
      rows: [
        ['2016-02-29', 9.9],
        ['2016-01-31', 11],
      ],
      missing: '2015-10-01..2015-12-31',
    });
    // A level is shown beside its change over the year: that of 2016 needs 2015.
    expect(await ask({ ...YEAR, start_date: '2016-01-01', frequency: 'level' })).toMatchObject({ missing: undefined });
  });

  it('of less than a year has no change over the year', async () => {
    const { ask, reports } = await mirrorWith(fileFrom('2015-12'), fileFrom('2015-12'));
    expect(reports.map(({ series }) => series)).toEqual([1, 1]);
    expect(await ask({ ...YEAR, frequency: 'level' })).toMatchObject({ missing: '2015-10-01..2015-11-30' });
  });

  it('lacks no day beside the file of the months before it', async () => {
    const { ask } = await mirrorWith(fileFrom('2014-01', '2015-11'), fileFrom('2015-12'));
    expect(await ask({ ...YEAR, frequency: 'level' })).toEqual({
      rows: [
        ['2016-02-29', 111],
        ['2016-01-31', 111],
        ['2015-12-31', 111],
        ['2015-11-30', 110],
        ['2015-10-31', 109],
      ],
      missing: undefined,
    });
    expect((await ask(YEAR)).missing).toBe('2015-12-01..2016-02-29');
  });
});

describe('two files of daily rates that follow each other', () => {
  const [header = '', ...lines] = readFileSync(
    join(import.meta.dirname, '../fixtures/official/ecb-eurofxref-2026-04-13.csv'),
    'utf8',
  ).split('\n');
  const between = (from: string, to: string) =>
    `${[header, ...lines.filter((line) => line.slice(0, 10) >= from && line.slice(0, 10) <= to)].join('\n')}\n`;
  // 2026-03-06 was a Friday.
  const first = between('2026-01-01', '2026-03-06');

  it.each([
    ['on Friday and Monday have no hole', '2026-03-09', undefined],
    ['on Friday and Tuesday lack the days between', '2026-03-10', '2026-03-07..2026-03-09'],
  ])('%s', async (_, from, missing) => {
    const { askOf } = await imported('ecb', 'eurofxref-hist.csv', [first, between(from, '2026-04-13')]);
    const window = { start_date: '2026-03-05', end_date: '2026-03-12' };
    expect(await askOf(forex, { base: 'EUR', quote: 'USD' }, window)).toMatchObject({ missing });
  });
});

it('a panel whose periods begin behind the end of a file knows none of them', async () => {
  // It begins where the history begins: of the days behind it nothing is missing until somebody names one.
  const whole = 'observation_date,UNRATE\n1948-01-01,3.4\n1948-02-01,3.8\n1948-03-01,4.0\n1948-04-01,3.9\n';
  const { askPanel } = await imported('fred', 'UNRATE.csv', [whole]);
  expect(await askPanel('1948-01-01')).toEqual({ val: 3.9, reason: undefined, isPartial: false });
  expect(await askPanel('1950-01-01')).toEqual({ val: null, reason: 'not_known_then', isPartial: true });
});

it('two files of SONIA that follow each other over the New Year have no hole', async () => {
  const year = (...lines: readonly string[]) => `DATE,IUDSOIA\n${lines.map((line) => `${line}\n`).join('')}`;
  const files = [year('28 Dec 2023,5.1864', '29 Dec 2023,5.1870'), year('02 Jan 2024,5.1866', '03 Jan 2024,5.1871')];
  const { askOf } = await imported('sonia', 'SONIA.csv', files);
  const window = { start_date: '2023-12-28', end_date: '2024-01-03' };
  expect(await askOf(prices, { currency: 'GBP' }, window)).toMatchObject({ missing: undefined });
});

it('a file of the first days that can be spelled covers none before them', () => {
  const survey = { from: '0000-01-02', to: '0000-01-02', format: {} };
  expect(fileCoverageOf(survey, { ofBusinessDays: true })).toEqual({ from: '0000-01-01', to: '0000-01-02' });
});
