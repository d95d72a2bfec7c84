import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatNamed, recogniseFormat } from '../../src/imports/formats.ts';
import { fileOf, surveyOf } from './read-format.ts';

const here = import.meta.dirname;
const hasPython = spawnSync('python3', ['--version']).status === 0;

/** What a program that shares no code with ours reads. */
function readIndependently(format: string, path: string): Record<string, string[][]> {
  const { stdout, status, stderr } = spawnSync('python3', [join(here, 'independent_reader.py'), format, path], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Every rate of a file as it is read here, by pair. */
function readHere(path: string) {
  const bytes = readFileSync(path);
  const format = recogniseFormat(fileOf(bytes));
  const { file, series } = surveyOf(format, bytes);
  const found: Record<string, string[][]> = {};
  for (const { rows, date } of format.read(file))
    for (const { series, row } of rows) {
      const pair = `${series.scope.base}/${series.scope.quote}`;
      found[pair] ??= [];
      found[pair].push([date, /"val":([^}]*)\}$/.exec(row.text)?.[1] ?? '']);
    }
  return { format: format.id, found, series: series.size };
}

const fixtures = join(here, '../fixtures/official');

describe.skipIf(!hasPython)('excerpts of official files, beside an independent reader', () => {
  it.each([
    ['ecb', 'ecb-eurofxref-2026-04-13.csv'],
    ['bank-of-canada', 'boc-fx-daily-2017-01.csv'],
    ['nbp', 'nbp-table-a-2022-12.csv'],
    ['rba', 'rba-f11.1-2024-12.csv'],
    ['bundesbank', 'bbk-eur-gbp-2022-03-en.csv'],
    ['bundesbank', 'bbk-eur-usd-2022-04-de.csv'],
  ])('%s: %s', (id, name) => {
    const path = join(fixtures, name);
    expect(readHere(path)).toMatchObject({ format: id, found: readIndependently(id, path) });
  });
});

const OFFICIAL = join(here, '../../../shared/data/official');

/** Files of a folder beside the checkout, which a clone does not have. */
function filesIn(folder: string): readonly string[] {
  const path = join(OFFICIAL, folder);
  return existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : [];
}

describe.skipIf(!hasPython || !existsSync(OFFICIAL))('whole official files, beside an independent reader', () => {
  it.each([
    ['bank-of-canada', 'bank-of-canada/2019', 18_876],
    ['nbp', 'nbp', 16_930],
    ['rba', 'rba/f11.1-daily-2024-12-18', 8_415],
    ['bundesbank', 'bundesbank/en', 5_948],
    ['bundesbank', 'bundesbank/de', 5_964],
  ])('%s: every rate of %s, at least %i', (id, folder, rates) => {
    let count = 0;
    for (const path of filesIn(folder)) {
      const { format, found } = readHere(path);
      expect(format).toBe(id);
      expect(found).toEqual(readIndependently(id, path));
      count += Object.values(found).flat().length;
    }
    // More files of a publisher may come to the folder.
    expect(count).toBeGreaterThanOrEqual(rates);
  });

  it.each([
    ['ecb', 'ecb-zip', 'ecb/2018-01-24/eurofxref-hist.zip', 150_000],
    ['ecb', 'ecb-zip', 'ecb/2025-02-07/eurofxref-hist.zip', 200_000],
    ['h10', 'h10', 'federal-reserve-board/h10-daily-2-currencies/FRB_H10.csv', 4_900],
  ])('%s: every rate of the other states, %s: %s', (id, kind, name, rates) => {
    const path = join(OFFICIAL, name);
    const { format, found } = readHere(path);
    expect({ format, found }).toEqual({ format: id, found: readIndependently(kind, path) });
    expect(Object.values(found).flat().length).toBeGreaterThanOrEqual(rates);
  });

  it('of months are no daily rates', () => {
    for (const [id, folder] of [
      ['rba', 'rba/f11-monthly'],
      ['h10', 'federal-reserve-board/h10-monthly-23-currencies'],
    ] as const)
      for (const path of filesIn(folder))
        expect(() => surveyOf(formatNamed(id) ?? expect.fail(), readFileSync(path))).toThrow(
          /no daily (?:rates|values)/,
        );
  });
});

describe('a number that the Bundesbank republishes', () => {
  it.skipIf(!existsSync(OFFICIAL))('is the number of the European Central Bank, on every common day', () => {
    const ecb = readHere(join(OFFICIAL, '../ecb-reference-rates.csv')).found;
    let common = 0;
    for (const path of [...filesIn('bundesbank/en'), ...filesIn('bundesbank/de')])
      for (const [pair, rates] of Object.entries(readHere(path).found)) {
        const theirs = new Map(ecb[pair]?.map(([date = '', rate = '']) => [date, rate]));
        for (const [date = '', rate = ''] of rates) {
          const other = theirs.get(date);
          if (other === undefined) continue;
          common += 1;
          expect([pair, date, Number(rate)]).toEqual([pair, date, Number(other)]);
        }
      }
    expect(common).toBe(11_912);
  });
});
