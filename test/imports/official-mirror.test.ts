import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readParams } from '../../src/contract/params/read-params.ts';
import announcements from '../../src/endpoints/announcements/series.ts';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { recogniseFormat } from '../../src/imports/formats.ts';
import { runImport } from '../../src/imports/import.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { fileOf, surveyOf } from './read-format.ts';

const NOW = Date.parse('2026-11-22T09:00:00Z');
const fixtures = join(import.meta.dirname, '../fixtures/official');
const OFFICIAL = join(import.meta.dirname, '../../../shared/data/official');

async function freshMirror(): Promise<Mirror> {
  const { platform, folder } = testPlatform({ now: NOW });
  const mirror = await openMirror({ path: join(folder, 'mirror.db'), mappings: MAPPINGS, platform, mode: 'write' });
  onTestFinished(() => mirror.close());
  return mirror;
}

async function bring(mirror: Mirror, path: string, now = NOW) {
  const [bytes, name] = [readFileSync(path), basename(path)];
  const survey = surveyOf(recogniseFormat(fileOf(bytes, name)), bytes, { now, name });
  const [report] = await runImport({ surveys: [survey], mirror, now });
  if (!report) throw new Error('no file was reported');
  return report;
}

async function ask(mirror: Mirror, indicator: string, query: Record<string, string>) {
  const raw = { path: { currency: 'USD', indicator }, query: { limit: '100', ...query } };
  const { args } = readParams(announcements, raw, { mode: 'strict', now: NOW });
  const labels = { service: 'macro', storage: 'mirror', publicBaseUrl: '', subscribeUrl: '', docsUrl: '' };
  const source = createMirrorSource({ mirror, labels });
  const reply = await source.ask({ endpoint: announcements, args }, { caller: { kind: 'owner' }, now: NOW });
  return JSON.parse(reply.body);
}

/** The columns of a file without quoted cells. */
function cellsOf(path: string): string[][] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.slice(1).map((line) => line.split(','));
}

function monthEnd(first: string): string {
  const [year = 0, month = 0] = first.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

async function expectTwoStates(mirror: Mirror, older: string, newer: string) {
  const [old, fresh] = [new Map(cellsOf(older) as [string, string][]), cellsOf(newer)];
  const held = fresh.filter(([, val]) => val !== '' && val !== '.');
  const additions = held.filter(([date = '']) => !old.has(date));
  const revisions = held.filter(([date = '', val]) => old.has(date) && Number(old.get(date)) !== Number(val));
  await bring(mirror, older, NOW - 1000);
  expect(await bring(mirror, newer)).toMatchObject({
    added: additions.length,
    revised: revisions.length,
    vanished: 0,
    unchanged: held.length - additions.length - revisions.length,
  });
  const [series] = await mirror.find({
    endpoint: 'announcements',
    scope: { currency: 'USD', indicator: 'unemployment' },
  });
  if (!series) throw new Error('the series is gone');
  for (const [date = '', val] of revisions) {
    const vintages = await mirror.vintages(series, [monthEnd(date)]);
    expect(vintages.map(({ text, seenAt }) => [JSON.parse(text).val, seenAt])).toEqual([
      [Number(old.get(date)), (NOW - 1000) / 1000],
      [Number(val), NOW / 1000],
    ]);
  }
  expect(await bring(mirror, newer, NOW + 1000)).toMatchObject({ added: 0, revised: 0, vanished: 0 });
  return { additions: additions.length, revisions: revisions.length };
}

describe('two states of a series of FRED', () => {
  it.skipIf(!existsSync(OFFICIAL))('differ in the mirror by exactly what the files differ in', async () => {
    const states = ['old-header-2017', 'new-header-2026'].map((state) => join(OFFICIAL, 'stlouisfed-fred', state));
    const [older = '', newer = ''] = states.map((state) => join(state, 'UNRATE.csv'));
    expect(await expectTwoStates(await freshMirror(), older, newer)).toEqual({ additions: 104, revisions: 15 });
  });

  it('are refused in the wrong order, unless somebody says that the one that ends earlier is newer', async () => {
    const mirror = await freshMirror();
    const [older, newer] = [join(fixtures, 'fred-unrate-2017.csv'), join(fixtures, 'fred-unrate-2026.csv')];
    await bring(mirror, newer, NOW - 1000);
    const before = await ask(mirror, 'unemployment', {});
    await expect(bring(mirror, older)).rejects.toMatchObject({
      code: 'bad_import',
      message: expect.stringMatching(
        /^Line \d+ of fred-unrate-2017\.csv cannot be imported: \d{4}-\d\d-\d\d is [\d.]+ here and [\d.]+ in the mirror, which has the series until 2026-02-28\./,
      ),
    });
    expect((await ask(mirror, 'unemployment', {})).data).toEqual(before.data);
    const [bytes, name] = [readFileSync(older), basename(older)];
    const surveys = [surveyOf(recogniseFormat(fileOf(bytes, name)), bytes, { now: NOW, name })];
    const [report] = await runImport({ surveys, mirror, now: NOW, areNewer: true });
    expect(report?.revised).toBeGreaterThan(0);
  });

  it.each([
    [
      'fred',
      'DATE,DGS10\n1991-01-28,8.07\n1991-01-29,8.05\n',
      'DATE,DGS10\n1991-01-28,8.07\n1991-01-29,8.03\n1991-01-30,8.06\n',
    ],
    [
      'treasury',
      'Date,"2 Yr","10 Yr"\n01/29/1991,7.10,8.05\n',
      'Date,"2 Yr","10 Yr"\n01/30/1991,7.11,8.06\n01/29/1991,7.10,8.03\n',
    ],
  ])('of yields of %s never bring back a number that was corrected', async (id, older, newer) => {
    const mirror = await freshMirror();
    const load = (text: string, now: number, areNewer = false) => {
      const format = recogniseFormat(fileOf(text));
      expect(format.id).toBe(id);
      return runImport({ surveys: [surveyOf(format, text, { now })], mirror, now, areNewer });
    };
    await load(newer, NOW - 3000);
    const refusal = {
      code: 'bad_import',
      message: expect.stringContaining('1991-01-29 is 8.05 here and 8.03 in the mirror'),
    };
    await expect(load(older, NOW - 2000)).rejects.toMatchObject(refusal);
    await load(older.replace('8.05', '8.03'), NOW - 1000);
    expect((await load(older, NOW, true))[0]?.revised).toBe(1);
  });

  it('of one command are written in their order', async () => {
    const paths = [join(fixtures, 'fred-unrate-2026.csv'), join(fixtures, 'fred-unrate-2017.csv')];
    const states = await Promise.all(
      [paths, paths.toReversed()].map(async (files) => {
        const mirror = await freshMirror();
        const surveys = files.map((path) => {
          const [bytes, name] = [readFileSync(path), basename(path)];
          return surveyOf(recogniseFormat(fileOf(bytes, name)), bytes, { now: NOW, name });
        });
        await runImport({ surveys, mirror, now: NOW });
        return (await ask(mirror, 'unemployment', { start_date: '1948-01-01' })).data;
      }),
    );
    expect(states[0]).toEqual(states[1]);
    expect(states[0][0].date).toBe('2026-02-28');
  });

  it('differ so in excerpts as well, and are known from the import alone', async () => {
    const mirror = await freshMirror();
    const [older, newer] = [join(fixtures, 'fred-unrate-2017.csv'), join(fixtures, 'fred-unrate-2026.csv')];
    await expectTwoStates(mirror, older, newer);
    const then = ask(mirror, 'unemployment', { as_of: '2020-01-01T00:00:00Z', start_date: '2016-01-01' });
    await expect(then).rejects.toThrow('The mirror does not know the published values');
  });
});

describe('vintages of ALFRED', () => {
  it('answer what was known at a moment, before and after each release', async () => {
    const mirror = await freshMirror();
    await bring(mirror, join(fixtures, 'alfred-payems-change-2021.csv'));
    const path = join(fixtures, 'alfred-payems-change-2021.csv');
    const [header = ''] = readFileSync(path, 'utf8').split('\n', 1);
    const vintages = header.split(',').map((title) => title.slice(-8));
    const known = async (as_of: string) => {
      const { data } = await ask(mirror, 'non_farm_payrolls_change', {
        as_of,
        start_date: '2020-01-01',
        end_date: '2021-12-31',
      });
      return data.map(({ date, val }: { date: string; val: number }) => [date, val]);
    };
    const column = (place: number) =>
      cellsOf(path)
        .filter((cells) => cells[place] !== '.')
        .map(([date = '', ...cells]) => [monthEnd(date), Number(cells[place - 1])])
        .reverse();
    for (const day of ['20210205', '20210604', '20211203', '20220107']) {
      const place = vintages.indexOf(day);
      const date = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
      expect(await known(`${date}T13:30:00Z`)).toEqual(column(place));
    }
    expect(await known('2021-06-04T12:29:59Z')).toEqual(column(vintages.indexOf('20210507')));
    expect(await known('2021-06-04T12:30:00Z')).toEqual(column(vintages.indexOf('20210604')));
    // What was known before the first vintage of the file does not stand in it.
    await expect(known('2021-02-05T13:29:59Z')).rejects.toMatchObject({
      code: 'not_known_then',
      message: expect.stringContaining('It has them since 2021-02-05T13:30:00Z.'),
    });
  });
});

describe('yields of ALFRED', () => {
  it.each([
    ['alfred', 'DATE,DGS10_20260205,DGS10_20260206\n2026-02-04,4.29,4.29\n2026-02-05,.,4.21\n'],
    [
      'alfred-periods',
      'period_start_date,DGS10,realtime_start_date,realtime_end_date\n2026-02-04,4.29,2026-02-05,\n2026-02-05,4.21,2026-02-06,\n',
    ],
  ])('%s: are known from 16:15 in New York, when H.15 comes out', async (id, text) => {
    const mirror = await freshMirror();
    const format = recogniseFormat(fileOf(text));
    expect(format.id).toBe(id);
    await runImport({ surveys: [surveyOf(format, text, { now: NOW })], mirror, now: NOW });
    const known = async (as_of: string) => {
      const { data } = await ask(mirror, 'gov_bond_10y', { as_of, start_date: '2026-02-01', end_date: '2026-02-05' });
      return data.map(({ date, val }: { date: string; val: number }) => [date, val]);
    };
    // 16:15 in New York is 21:15 UTC in winter.
    expect(await known('2026-02-06T21:14:59Z')).toEqual([['2026-02-04', 4.29]]);
    expect(await known('2026-02-06T21:15:00Z')).toEqual([
      ['2026-02-05', 4.21],
      ['2026-02-04', 4.29],
    ]);
  });
});

describe('unadjusted prices of BLS', () => {
  const ALL_ITEMS: Record<string, string> = {
    1973: '42.6 42.9 43.3 43.6 43.9 44.2 44.3 45.1 45.2 45.6 45.9 46.2',
    1974: '46.6 47.2 47.8 48.0 48.6 49.0 49.4 50.0 50.6 51.1 51.5 51.9',
    1987: '111.2 111.6 112.1 112.7 113.1 113.5 113.8 114.4 115.0 115.3 115.4 115.4',
    1988: '115.7 116.0',
    1999: '164.3 164.5 165.0 166.2 166.2 166.2 166.7 167.1 167.9 168.2 168.3 168.3',
    2000: '168.8 169.8 171.2 171.3 171.5 172.4 172.8 172.8 173.7',
  };

  async function mirrorOf(...years: number[]) {
    const lines = years.flatMap((year) =>
      (ALL_ITEMS[year] ?? '')
        .split(' ')
        .map((val, place) => `CUUR0000SA0      \t${year}\tM${String(place + 1).padStart(2, '0')}\t${val}\t`),
    );
    const text = `series_id        \tyear\tperiod\t       value\tfootnote_codes\r\n${lines.join('\r\n')}\r\n`;
    const mirror = await freshMirror();
    const format = recogniseFormat(fileOf(text));
    expect(format.id).toBe('bls-prices');
    await runImport({ surveys: [surveyOf(format, text, { now: NOW })], mirror, now: NOW });
    /** The newest two values, or the code of a refusal. */
    return async (as_of: string, query: Record<string, string>) => {
      const { data, code } = await ask(mirror, 'inflation', { as_of, ...query }).catch((error) => error);
      return code ?? data.slice(0, 2).map(({ date, val }: { date: string; val: number }) => [date, val]);
    };
  }

  it('are known no earlier than the first index on their base, released on 1988-02-26', async () => {
    const then = await mirrorOf(1973, 1974);
    const window = { start_date: '1973-01-01', end_date: '1974-12-31' };
    // Published was 12.2, from 155.4 and 138.5 on the base 1967=100.
    for (const as_of of ['1975-03-10T00:00:00Z', '1988-02-26T13:29:59Z', '1988-03-04T13:29:59Z'])
      expect(await then(as_of, window)).toBe('not_known_then');
    expect(await then('1988-03-04T13:30:00Z', window)).toEqual([
      ['1974-12-31', 12.3], // 51.9 / 46.2 = 1.1234
      ['1974-11-30', 12.2], // 51.5 / 45.9 = 1.1220
    ]);
    for (const as_of of ['1975-03-10T00:00:00Z', '1988-03-04T13:29:59Z'])
      expect(await then(as_of, { ...window, frequency: 'level' })).toBe('not_known_then');

    const later = await mirrorOf(1987, 1988);
    const year = { start_date: '1987-01-01', end_date: '1988-12-31' };
    expect(await later('1988-03-04T13:30:00Z', year)).toEqual([['1988-01-31', 4]]); // 115.7 / 111.2 = 1.0405
    // 33 days behind 1988-02-29.
    expect(await later('1988-04-02T13:29:59Z', year)).toEqual([['1988-01-31', 4]]);
    expect(await later('1988-04-02T13:30:00Z', year)).toEqual([
      ['1988-02-29', 3.9], // 116.0 / 111.6 = 1.0394
      ['1988-01-31', 4],
    ]);
  });

  // BLS published them again on 2000-09-28: "higher by 0.1 index point, except for the May and July CPI-U values".
  it('of January to August 2000 are known from their correction', async () => {
    const known = await mirrorOf(1999, 2000);
    const level = { start_date: '1999-01-01', end_date: '2000-12-31', frequency: 'level' };
    const before = [
      ['1999-12-31', 168.3],
      ['1999-11-30', 168.3],
    ];
    expect(await known('2000-06-20T00:00:00Z', level)).toEqual(before);
    expect(await known('2000-09-29T11:59:59Z', level)).toEqual(before);
    expect(await known('2000-09-29T12:00:00Z', level)).toEqual([
      ['2000-07-31', 172.8],
      ['2000-06-30', 172.4],
    ]);
    expect(await known('2000-11-02T13:30:00Z', level)).toEqual([
      ['2000-09-30', 173.7],
      ['2000-08-31', 172.8],
    ]);
  });
});

describe('an older file of vintages behind a newer one', () => {
  it('adds what was known earlier, and brings no old value back', async () => {
    const mirror = await freshMirror();
    const [old, fresh] = ['PAYEMS_CHG_20210604', 'PAYEMS_CHG_20260330'].map((title, place) => ({
      title,
      // 2021-01-31 was revised, 2021-02-28 was not.
      text: `DATE,${title}\n2021-01-01,${['233', '520'][place]}\n2021-02-01,536\n`,
    }));
    const load = async (file: { text: string } | undefined, now: number) => {
      const bytes = new TextEncoder().encode(file?.text);
      const survey = surveyOf(recogniseFormat(fileOf(bytes, 'alfredgraph.csv')), bytes, {
        now,
        name: 'alfredgraph.csv',
      });
      return (await runImport({ surveys: [survey], mirror, now }))[0];
    };
    await load(fresh, NOW - 3000);
    expect(await load(old, NOW - 2000)).toMatchObject({ revised: 2, unchanged: 0, vanished: 0 });
    const now = async (query = {}) =>
      (await ask(mirror, 'non_farm_payrolls_change', { start_date: '2021-01-01', ...query })).data.map(
        ({ date, val }: { date: string; val: number }) => [date, val],
      );
    const values = [
      ['2021-02-28', 536],
      ['2021-01-31', 520],
    ];
    expect(await now()).toEqual(values);
    expect(await now({ as_of: '2022-01-01T00:00:00Z' })).toEqual([
      ['2021-02-28', 536],
      ['2021-01-31', 233],
    ]);
    for (const file of [old, fresh, old])
      expect(await load(file, NOW - 1000)).toMatchObject({ added: 0, revised: 0, vanished: 0, unchanged: 2 });
    expect(await now()).toEqual(values);
    expect((await mirror.verify()).findings).toEqual([]);
  });
});

describe('payrolls of the Philadelphia Fed', () => {
  it.skipIf(!existsSync(OFFICIAL))('are whole: the newest one answers until a newer file comes', async () => {
    const mirror = await freshMirror();
    await bring(mirror, join(OFFICIAL, 'philadelphia-fed/employMvMd.xlsx'));
    const { data, mirror: missingParts } = await ask(mirror, 'non_farm_payrolls', {});
    expect([data.length, data[0].date, data[0].val, missingParts]).toEqual([1, '2024-02-29', 157_808, undefined]);
  });

  const path = join(OFFICIAL, 'philadelphia-fed/employMvMd.xlsx');
  // The last vintages of the workbook as a table, made by another program.
  const table = join(OFFICIAL, 'philadelphia-fed/derived/employ-last-24-vintages.csv');

  it.skipIf(!existsSync(table))(
    'are those of the vintage before and after the benchmarks of 2023 and 2024',
    async () => {
      const mirror = await freshMirror();
      await bring(mirror, path);
      const [header = '', ...lines] = readFileSync(table, 'utf8').trimEnd().split('\n');
      const titles = header.split(',');
      for (const vintage of ['EMPLOY22M8', 'EMPLOY23M1', 'EMPLOY23M2', 'EMPLOY23M3', 'EMPLOY24M1', 'EMPLOY24M2']) {
        const [, year = '', month = ''] = /^EMPLOY(\d\d)M(\d+)$/.exec(vintage) ?? [];
        const place = titles.indexOf(vintage);
        const expected = lines
          .map((line) => line.split(','))
          .filter((cells) => cells[place] !== '' && cells[place] !== '#N/A' && (cells[0] ?? '') >= '2016:01')
          .map((cells) => [monthEnd(`${cells[0]?.replace(':', '-')}-01`), Number(cells[place])])
          .reverse();
        const as_of = `20${year}-${month.padStart(2, '0')}-20T00:00:00Z`;
        const { data } = await ask(mirror, 'non_farm_payrolls', { as_of, start_date: '2016-01-01' });
        expect(data.map(({ date, val }: { date: string; val: number }) => [date, val])).toEqual(expected);
      }
    },
  );
});
