import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { eurostatPrices } from '../../src/imports/formats/eurostat-prices.ts';
import { recogniseFormat } from '../../src/imports/formats.ts';
import { runImport } from '../../src/imports/import.ts';
import { commonFactor } from '../../src/imports/read/transforms.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { testPlatform } from '../support/platform.ts';
import { fileOf, refusalOf, surveyOf } from './read-format.ts';

const NOW = Date.parse('2026-11-22T09:00:00Z');

async function freshMirror(): Promise<Mirror> {
  const { platform, folder } = testPlatform({ now: NOW });
  const mirror = await openMirror({ path: join(folder, 'mirror.db'), mappings: MAPPINGS, platform, mode: 'write' });
  onTestFinished(() => mirror.close());
  return mirror;
}

const surveyNamed = (text: string, name: string) => surveyOf(recogniseFormat(fileOf(text)), text, { now: NOW, name });

/** Imports files of one command, one for each text. */
const bring = (mirror: Mirror, texts: readonly string[], areNewer = false) =>
  runImport({
    surveys: texts.map((text, place) => surveyNamed(text, `file${place + 1}.csv`)),
    mirror,
    now: NOW,
    areNewer,
  });

/** Values of the level of a series by month, oldest first. */
async function levelOf(mirror: Mirror, currency: string, indicator: string): Promise<readonly [string, number][]> {
  const scope = { currency, indicator, frequency: 'level' };
  const [stored] = await mirror.find({ endpoint: 'announcements', scope, exact: true });
  if (!stored) return [];
  const rows = await mirror.rows(stored, {});
  return rows
    .map(({ text }): [string, number] => [JSON.parse(text).date.slice(0, 7), JSON.parse(text).val])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

type Index = readonly [update: string, unit: string, geo: string, ...months: (readonly [string, string])[]];

const linesOf = ([update, unit, geo, ...months]: Index) =>
  months.map(([month, val]) => `ESTAT:PRC_HICP_MIDX(1.0),${update} 11:00:00,M,${unit},CP00,${geo},${month},${val}`);

const eurostat = (...indexes: Index[]) =>
  ['DATAFLOW,LAST UPDATE,freq,unit,coicop,geo,TIME_PERIOD,OBS_VALUE', ...indexes.flatMap(linesOf), ''].join('\n');

const OLD_BASE: Index = ['15/02/23', 'I05', 'EA', ['2022-10', '130.00'], ['2022-11', '131.30'], ['2022-12', '132.60']];

describe('an index on another base or of another area', () => {
  it.each([
    ['I15', 'EA'],
    ['I05', 'EA20'],
  ])('%s of %s never stands beside the other one', async (unit, geo) => {
    const mirror = await freshMirror();
    await bring(mirror, [eurostat(OLD_BASE)]);
    const part = eurostat(['15/03/23', unit, geo, ['2022-12', '102.00'], ['2023-01', '103.00']]);
    await expect(bring(mirror, [part], true)).rejects.toMatchObject({
      kind: 'usage',
      code: 'other_base',
      message:
        `file1.csv cannot be imported: it has PRC_HICP_MIDX.M.${unit}.CP00.${geo} and the mirror has ` +
        'PRC_HICP_MIDX.M.I05.CP00.EA from 2022-10-31 to 2022-12-31, of which it would replace a part. ' +
        'Another base, unit or area is another series.',
      hint:
        `Nothing was written. Give a file of PRC_HICP_MIDX.M.I05.CP00.EA, or one of PRC_HICP_MIDX.M.${unit}.CP00.${geo} ` +
        'from 2022-10-31 to 2022-12-31. Or undo the imports of the other one, which this shows: macro import list',
    });
    expect(await levelOf(mirror, 'EUR', 'inflation')).toEqual([
      ['2022-10', 130],
      ['2022-11', 131.3],
      ['2022-12', 132.6],
    ]);
  });

  it('replaces the whole with a newer file of all its dates, and never with an older one', async () => {
    const months = [
      ['2022-10', '100.00'],
      ['2022-11', '101.00'],
      ['2022-12', '102.00'],
      ['2023-01', '103.00'],
    ] as const;
    const mirror = await freshMirror();
    await bring(mirror, [eurostat(OLD_BASE)]);
    await expect(bring(mirror, [eurostat(['31/01/23', 'I15', 'EA', ...months])])).rejects.toMatchObject({
      code: 'other_base',
      message: expect.stringContaining('the mirror has PRC_HICP_MIDX.M.I05.CP00.EA, which is newer.'),
    });
    await bring(mirror, [eurostat(['15/03/23', 'I15', 'EA', ...months])]);
    expect(await levelOf(mirror, 'EUR', 'inflation')).toEqual([
      ['2022-10', 100],
      ['2022-11', 101],
      ['2022-12', 102],
      ['2023-01', 103],
    ]);
  });

  it('is refused beside the other one in a file and among the files of a command', async () => {
    const before: Index = ['15/03/23', 'I15', 'EA19', ['2022-12', '119.00']];
    expect(refusalOf(eurostatPrices, eurostat(before, ['15/03/23', 'I15', 'EA20', ['2023-01', '120.00']]))).toBe(
      'Line 3 of the file cannot be imported: it has EA20 and a line before has EA19. Another area is another series.',
    );
    expect(refusalOf(eurostatPrices, eurostat(before, ['15/03/23', 'I05', 'EA19', ['2023-01', '140.00']]))).toBe(
      'Line 3 of the file cannot be imported: it has I05 and a line before has I15. Another base is another series.',
    );
    const mirror = await freshMirror();
    await expect(bring(mirror, [eurostat(OLD_BASE), eurostat(before)])).rejects.toMatchObject({
      code: 'other_base',
      message:
        'file2.csv cannot be imported: it has PRC_HICP_MIDX.M.I15.CP00.EA19 and another file has ' +
        'PRC_HICP_MIDX.M.I05.CP00.EA. Another base, unit or area is another series.',
    });
    expect(await levelOf(mirror, 'EUR', 'inflation')).toEqual([]);
  });

  it('is refused in thousands beside millions, under one key of the ECB', async () => {
    const KEY = 'BSI.M.U2.Y.V.M30.X.1.U2.2300.Z01.E';
    const file = (month: string, value: string, multiplier: number) =>
      `KEY,FREQ,TIME_PERIOD,OBS_VALUE,UNIT,UNIT_MULT\n${KEY},M,${month},${value},EUR,${multiplier}\n`;
    const mirror = await freshMirror();
    await bring(mirror, [file('2026-08', '17215318', 6)]);
    await expect(bring(mirror, [file('2026-09', '17215318000', 3)], true)).rejects.toMatchObject({
      code: 'other_base',
      message: expect.stringContaining(`it has ${KEY} in EUR k and the mirror has ${KEY} in EUR mn from 2026-08-31`),
    });
    await bring(mirror, [file('2026-09', '17215400', 6)]);
  });

  it('of another currency is read beside it', async () => {
    const mirror = await freshMirror();
    await bring(mirror, [eurostat(OLD_BASE, ['15/02/23', 'I15', 'SE', ['2022-12', '118.50']])]);
    expect(await levelOf(mirror, 'SEK', 'inflation')).toEqual([['2022-12', 118.5]]);
  });
});

describe('a part of a series that names no base', () => {
  const fred = (...months: (readonly [string, string])[]) =>
    ['observation_date,PCEPI', ...months.map(([month, val]) => `${month}-01,${val}`), ''].join('\n');
  const HELD = [
    ['2022-01', '110.000'],
    ['2022-02', '110.511'],
    ['2022-03', '111.024'],
    ['2022-04', '111.537'],
    ['2022-05', '112.050'],
    ['2022-06', '112.563'],
    ['2022-07', '113.076'],
  ] as const;
  // 0.9 times each, with three decimals: 99.4599, 99.9216, 100.3833, 100.845, 101.3067, 101.7684.
  const REBASED = [
    ['2022-02', '99.460'],
    ['2022-03', '99.922'],
    ['2022-04', '100.383'],
    ['2022-05', '100.845'],
    ['2022-06', '101.307'],
    ['2022-07', '101.768'],
    ['2022-08', '102.230'],
  ] as const;
  const REFUSAL = {
    kind: 'usage',
    code: 'other_base',
    message: expect.stringContaining(
      ' cannot be imported: it seems to have PCEPI on another base. All 6 values that are there already would become ' +
        '0.9 times as large. Those outside of 2022-02-28 to 2022-08-31 would stay.',
    ),
    hint:
      'Nothing was written. Import a file with the whole series. ' +
      'If the publisher corrected these values on the same base, add --newer.',
  };
  const numbers = (months: readonly (readonly [string, string])[]) =>
    months.map(([month, val]) => [month, Number(val)]);

  it('is refused when each value that both have is multiplied by one factor, unless it is called newer', async () => {
    const mirror = await freshMirror();
    await bring(mirror, [fred(...HELD)]);
    await expect(bring(mirror, [fred(...REBASED)])).rejects.toMatchObject(REFUSAL);
    expect(await levelOf(mirror, 'USD', 'pce')).toEqual(numbers(HELD));
    await bring(mirror, [fred(...REBASED)], true);
    expect(await levelOf(mirror, 'USD', 'pce')).toEqual(numbers([HELD[0], ...REBASED]));
  });

  it('is refused behind the file of the same command that it does not fit', async () => {
    const mirror = await freshMirror();
    await expect(bring(mirror, [fred(...REBASED), fred(...HELD)])).rejects.toMatchObject(REFUSAL);
    expect(await levelOf(mirror, 'USD', 'pce')).toEqual([]);
  });

  it('is taken when one value does not follow the factor, or fewer than six are shared', async () => {
    for (const months of [
      REBASED.map(([month, val]) => [month, month === '2022-04' ? '100.4' : val] as const),
      REBASED.slice(1),
    ]) {
      const mirror = await freshMirror();
      await bring(mirror, [fred(...HELD)]);
      await bring(mirror, [fred(...months)]);
      const kept = HELD.filter(([month]) => month < (months[0]?.[0] ?? ''));
      expect(await levelOf(mirror, 'USD', 'pce')).toEqual(numbers([...kept, ...months]));
    }
  });

  it('is no part where it has all that is held', async () => {
    const mirror = await freshMirror();
    await bring(mirror, [fred(...HELD)]);
    const whole = [['2022-01', '99.000'], ...REBASED] as const;
    await bring(mirror, [fred(...whole)]);
    expect(await levelOf(mirror, 'USD', 'pce')).toEqual(numbers(whole));
  });
});

describe('the factor between two states of values', () => {
  const factorOf = (held: readonly number[], values: readonly number[]) =>
    commonFactor(values.map((val, place) => ({ held: held[place] ?? Number.NaN, val })));

  it.each([
    ['none, where all are the same', [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6], undefined],
    ['none, where rounding explains the difference', [10, 10, 10, 10, 10, 10], [11, 11, 11, 11, 11, 11], undefined],
    ['none, where the sign changes', [1, 2, 3, 4, 5, 6], [-2, -4, -6, -8, -10, -12], undefined],
    ['none, where one of them was nothing', [0, 20, 30, 40, 50, 60], [2, 40, 60, 80, 100, 120], undefined],
    ['that of the others, where one is nothing in both', [0, -1, 2, 3, 4, 5, 60], [0, -2, 4, 6, 8, 10, 120], 2],
  ])('%s', (_, held, values, factor) => {
    const found = factorOf(held, values);
    expect(found === undefined ? undefined : Math.round(found * 100) / 100).toBe(factor);
  });
});

describe('values that their publisher never revises', () => {
  const yields = (shift: number, from: number) =>
    `Date,"10 Yr","30 Yr"\n${Array.from({ length: 8 }, (_, day) => {
      const value = (3.01 + ((day + from) % 7) / 10 + shift).toFixed(2);
      return `03/0${day + 1}/2022,${day + 1 < from ? '' : value},${value}\n`;
    }).join('')}`;

  it('are not replaced throughout: cells of the file have moved', async () => {
    const mirror = await freshMirror();
    const older = yields(0, 0).replaceAll('03/0', '02/0');
    await bring(mirror, [older, yields(0, 0)]);
    await expect(bring(mirror, [yields(0.13, 0)])).rejects.toMatchObject({
      code: 'other_data',
      message: expect.stringMatching(/^file1\.csv .* 8 of 8 values of 10 Yr differ from the stored ones, and Treasury/),
    });
    // One correction is one.
    const [corrected] = await bring(mirror, [yields(0, 0).replace('3.01', '3.07')]);
    expect(corrected).toMatchObject({ revised: 1, added: 0 });
    const [replaced] = await bring(mirror, [yields(0.13, 0)], true);
    expect(replaced?.revised).toBe(16);
  });
});
