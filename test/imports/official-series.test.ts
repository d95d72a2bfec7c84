import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type Json, readJson } from '../../src/contract/json/json.ts';
import { recogniseFormat } from '../../src/imports/formats.ts';
import { fileOf, surveyOf } from './read-format.ts';

const here = import.meta.dirname;
const hasPython = spawnSync('python3', ['--version']).status === 0;

/** What a program that shares no code with ours reads. */
function readIndependently(format: string, path: string): Record<string, unknown[][]> {
  const script = join(here, 'independent_series.py');
  const { stdout, status, stderr } = spawnSync('python3', [script, format, path], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Every row of a file as it is read here, by series: its date, its value as spelled, its vintages. */
function readHere(path: string) {
  const bytes = readFileSync(path);
  const name = basename(path);
  const format = recogniseFormat(fileOf(bytes, name));
  const { file } = surveyOf(format, bytes, { name });
  const found: Record<string, unknown[][]> = {};
  for (const { rows } of format.read(file))
    for (const { series, row } of rows) {
      const key = Object.values(series.scope).join('/');
      found[key] ??= [];
      found[key].push(toldBy(row.text));
    }
  return { format: format.id, found };
}

function toldBy(text: string): unknown[] {
  const row: Json = readJson(text);
  if (!isJsonObject(row)) throw new Error(text);
  const spelled = (part: string) => /"val":([^,}]*)/.exec(part)?.[1] ?? '';
  const value = (part: string) => (spelled(part) === 'null' ? null : spelled(part));
  const entries = /"revisions":\[(.*)\]/.exec(text)?.[1];
  const list = entries?.match(/\{[^}]*\}/g)?.map((entry) => [Number(/"epoch":(-?\d+)/.exec(entry)?.[1]), value(entry)]);
  const { date, ...counts } = row;
  if (row.open_interest !== undefined) return [date, counts];
  return [date, value(text), ...(list ? [list] : [])];
}

const fixtures = join(here, '../fixtures/official');

describe.skipIf(!hasPython)('excerpts of official files of statistics, beside an independent reader', () => {
  it.each([
    ['treasury', 'treasury-par-yields-2022-03.csv'],
    ['h15', 'frb-h15-2022-03.csv'],
    ['boc-yields', 'boc-bond-yields-2021-07.csv'],
    ['fred', 'fred-unrate-2017.csv'],
    ['fred', 'fred-unrate-2026.csv'],
    ['alfred', 'alfred-payems-change-2021.csv'],
    ['cftc-legacy', 'cftc-legacy-2004.txt'],
    ['cftc-legacy', 'cftc-legacy-2025-01.txt'],
    ['cftc-financial', 'cftc-financial-2026-06.txt'],
  ])('%s: %s', (id, name) => {
    const path = join(fixtures, name);
    expect(readHere(path)).toEqual({ format: id, found: readIndependently(id, path) });
  });
});

const OFFICIAL = join(here, '../../../shared/data/official');

// The files stand beside the checkout, and a clone does not have them.
describe.skipIf(!hasPython || !existsSync(OFFICIAL))('whole official files of statistics', () => {
  it.each([
    ['treasury', 'us-treasury/all-1990-to-2022-03-11/daily-treasury-rates.csv', 84_621],
    ['treasury', 'us-treasury/year-2000/daily-treasury-rates.csv', 2_510],
    ['h15', 'federal-reserve-board/h15-daily/FRB_H15.csv', 135_134],
    ['boc-yields', 'bank-of-canada/2021-07-15/bond_yields_all.csv', 30_841],
    ['fred', 'stlouisfed-fred/old-header-2017/UNRATE.csv', 833],
    ['fred', 'stlouisfed-fred/new-header-2026/UNRATE.csv', 937],
    ['fred', 'stlouisfed-fred/new-header-2026/PAYEMS.csv', 2_091],
    ['fred', 'stlouisfed-fred/new-header-2026/DGS10.csv', 16_042],
    ['fred', 'stlouisfed-fred/old-header-2020/DGS10.csv', 14_509],
    ['fred', 'stlouisfed-fred/old-header-2017/GDPC1.csv', 281],
    ['fred', 'stlouisfed-fred/old-header-2017/CPIAUCSL.csv', 1_689],
    ['alfred', 'stlouisfed-alfred/alfredgraph-13-vintages/alfredgraph.csv', 995],
    ['alfred', 'stlouisfed-alfred/alfredgraph-1-vintage-2026/PAYEMS.csv', 2_091],
    ['alfred', 'stlouisfed-alfred/alfredgraph-1-vintage-2026/UNRATE.csv', 937],
    ['cftc-legacy', 'cftc/legacy-2004-cut/annual.txt', 422],
    ['cftc-legacy', 'cftc/legacy-2025-01-24/annual.txt', 30],
    ['cftc-financial', 'cftc/tff-futures-only-2026-06-12/FinFutYY.txt', 207],
    ['philadelphia', 'philadelphia-fed/employMvMd.xlsx', 2_043],
    ['philadelphia', 'philadelphia-fed/resaved/ROUTPUTQvQd.xlsx', 308],
    ['philadelphia', 'philadelphia-fed/RCONQvQd.xlsx', 308],
    ['pink-sheet', 'world-bank/CMO-Historical-Data-Monthly.xlsx', 3_984],
  ])('%s: every row of %s', (id, name, rows) => {
    const path = join(OFFICIAL, name);
    const read = readHere(path);
    expect(read).toEqual({ format: id, found: readIndependently(id, path) });
    expect(Object.values(read.found).flat()).toHaveLength(rows);
  });

  it.each([
    ['boc-yields', 'boc-rates', 'bank-of-canada/rates/money_market.csv', 31_677],
    ['boc-yields', 'boc-rates', 'bank-of-canada/rates/CORRA.csv', 5_982],
    ['bank-rate', 'bank-rate', 'bank-of-england/bank-rate/bankrate.csv', 258],
    ['fred', 'fred-other', 'stlouisfed-fred/other-ids/A191RL1Q225SBEA.csv', 289],
    ['fred', 'fred-other', 'stlouisfed-fred/other-ids/DEXUSEU.csv', 5_179],
    ['fred', 'fred-other', 'stlouisfed-fred/other-ids/FEDFUNDS-fredgraph.csv', 739],
    ['fred', 'fred-other', 'stlouisfed-fred/old-header-2024/FEDFUNDS.csv', 835],
  ])('%s: every row of the other kinds, %s: %s', (id, kind, name, rows) => {
    const path = join(OFFICIAL, name);
    const read = readHere(path);
    expect(read).toEqual({ format: id, found: readIndependently(kind, path) });
    expect(Object.values(read.found).flat()).toHaveLength(rows);
  });

  it.each([
    ['bls-prices', 'bls/cu.data.1.AllItems'],
    ['eurostat-prices', 'eurostat/codes/estat_prc_hicp_midx_filtered_en.csv'],
    ['sonia', 'bank-of-england/sonia/Bank of England  Database.csv'],
    ['fred-md', 'stlouisfed-fred-md/1999-08.csv'],
    ['fred-md', 'stlouisfed-fred-md/2024-03.csv'],
  ])('%s: the series of %s', (id, name) => {
    const path = join(OFFICIAL, name);
    const { format, found } = readHere(path);
    expect({ format, found }).toMatchObject({ format: id, found: readIndependently(id, path) });
  });

  it('of several publishers have the same ten-year yields, but for one day that was corrected', () => {
    const yields = (name: string) => {
      const rows = readHere(join(OFFICIAL, name)).found['USD/gov_bond_10y'] ?? [];
      return new Map(rows.map(([date, val]) => [String(date), Number(val)]));
    };
    const board = yields('federal-reserve-board/h15-daily/FRB_H15.csv');
    const differences = (others: ReadonlyMap<string, number>) => {
      const common = [...others].filter(([date]) => board.has(date));
      const other = common.filter(([date, val]) => board.get(date) !== val);
      return { common: common.length, other: other.map(([date, val]) => [date, val, board.get(date)]) };
    };
    expect(differences(yields('us-treasury/all-1990-to-2022-03-11/daily-treasury-rates.csv'))).toEqual({
      common: 8055,
      other: [],
    });
    expect(differences(yields('stlouisfed-fred/new-header-2026/DGS10.csv'))).toEqual({ common: 15_067, other: [] });
    expect(differences(yields('stlouisfed-fred/old-header-2020/DGS10.csv'))).toEqual({
      common: 14_509,
      other: [['1991-01-29', 8.05, 8.03]],
    });
  });
});
