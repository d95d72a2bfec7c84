import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const NBP = join(import.meta.dirname, '../fixtures/official/nbp-table-a-2022-12.csv');
const ECB = 'Date,USD,GBP,\n2023-01-02,1.0683,0.88535,\n2022-12-30,1.0666,0.88693,\n';

let at: TestPlatform;

/** A file of the National Bank of Poland that ends with 2022, and one of the European Central Bank that goes on. */
beforeAll(async () => {
  at = testPlatform();
  copyFileSync(NBP, join(at.folder, 'nbp.csv'));
  writeFileSync(join(at.folder, 'ecb.csv'), ECB);
  expect((await macro('import nbp.csv ecb.csv --quiet', at)).code).toBe(0);
});

describe('a publisher whose file ends before the day', () => {
  const ask = async (line: string) => {
    const { code, out, err } = await macro(`${line} --offline --no-header`, at);
    return [code, out.split('\n').length - 1, err.includes('for: National Bank of Poland.')];
  };

  it.each([
    ['fx reference eur usd --date 2022-12-30', 0, 2, false],
    // Another publisher covers it.
    ['fx reference eur usd --date 2023-01-02', 0, 1, true],
    ['fx reference eur usd --start 2022-12-30 --end 2023-01-02', 0, 3, true],
    // It was asked for.
    ['fx reference eur usd --date 2023-01-02 --source nbp_table_a_daily', 10, 0, false],
    ['fx reference eur usd --date 2023-01-02 --source ecb_eurofxref_daily', 0, 1, false],
    // Nobody covers it.
    ['fx reference eur usd --date 2023-01-03', 10, 0, false],
    ['fx sources', 0, 2, false],
    // Two native pairs; their reverses and crosses are derived.
    ['fx universe --source ecb_eurofxref_daily', 0, 6, false],
  ])('%s: exit %i, %i rows', async (line, ...expected) => {
    expect(await ask(line)).toEqual(expected);
  });

  const BOTH = 'sources are ecb_eurofxref_daily, nbp_table_a_daily.';
  const NO_CURE = 'macro: This answer is partial. Missing in the mirror:';

  it.each([
    // The service may have sources that no file here is of: whether files cover the day or not.
    [
      'fx reference eur usd --date 2023-01-02 --source ecb',
      10,
      `note: 'ecb' is no source of EUR/USD here: ${BOTH} Did you mean ecb_eurofxref_daily?\n${NO_CURE}`,
    ],
    [
      'fx reference eur usd --date 2023-01-03 --source tokyo',
      10,
      `note: 'tokyo' is no source of EUR/USD here: ${BOTH}\n${NO_CURE}`,
    ],
    ['fx universe --source tokyo', 0, `note: 'tokyo' is no source of reference rates here: ${BOTH}\n`],
    [
      'fx reference eur usd --date 2023-01-03 --source boc_fx_daily',
      10,
      `note: 'boc_fx_daily' is no source of EUR/USD here: ${BOTH}\n${NO_CURE}`,
    ],
    ['fx universe --source nbp_table_a_daily', 0, ''],
  ])('%s says which sources there are', async (line, ...expected) => {
    const { code, err } = await macro(`${line} --offline`, at);
    expect([code, err.slice(0, err.includes(NO_CURE) ? err.indexOf(NO_CURE) + NO_CURE.length : undefined)]).toEqual(
      expected,
    );
  });

  it('is no source any more once its import is undone', async () => {
    const other = testPlatform();
    writeFileSync(join(other.folder, 'ecb.csv'), ECB);
    await macro('import ecb.csv --quiet', other);
    await macro('import undo 1 --quiet', other);
    const { code, out, err } = await macro('fx sources --offline --allow-partial', other);
    expect([code, out, err.split('\n')[0]]).toEqual([3, '', 'macro: The mirror has nothing for fx sources.']);
  });
});
