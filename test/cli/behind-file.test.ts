import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { duck, duckTypes, HAS_DUCK } from '../support/duck.ts';
import { type TestPlatform, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

/** First and last line of the Treasury's file of 2022-03-11: a file that begins where the history begins is whole. */
const TREASURY = `Date,"1 Mo","2 Mo","3 Mo","6 Mo","1 Yr","2 Yr","3 Yr","5 Yr","7 Yr","10 Yr","20 Yr","30 Yr"
03/11/2022,0.17,0.28,0.40,0.78,1.22,1.75,1.91,1.96,2.01,2.00,2.45,2.36
01/02/1990,,,7.83,7.89,7.81,7.87,7.90,7.87,7.98,7.94,,8.00
`;
/** Ten years, with two of the Federal Reserve Board's, up to 2022-03-14. */
const TEN_YEARS = 'observation_date,DGS10\n2022-03-11,2.00\n2022-03-14,2.14\n';
const ECB = 'Date,USD,\n2026-04-13,1.1680,\n1999-01-04,1.1789,\n';

async function mirrorOf(files: Readonly<Record<string, string>>): Promise<TestPlatform> {
  const at = testPlatform();
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(at.folder, name), text);
    expect(await macro(`import ${name} --quiet`, at)).toMatchObject({ code: 0, err: '' });
  }
  return at;
}

describe('a day behind the last one of a file', () => {
  let at: TestPlatform;
  beforeAll(async () => {
    at = await mirrorOf({ 'treasury.csv': TREASURY, 'ecb.csv': ECB });
  });
  const ask = async (line: string) => {
    const { code, out } = await macro(`${line} --offline --format json`, at);
    return [code, JSON.parse(out)] as const;
  };

  it.each([
    ['2022-03-11', 0, 12],
    // The file does not tell whether there was a curve on Saturday, as little as it tells of Monday.
    ['2022-03-12', 10, 0],
    ['2022-04-11', 10, 0],
    ['2023-01-01', 10, 0],
  ])('has no curve: %s', async (date, code, nodes) => {
    const [ended, { data }] = await ask(`curve usd --date ${date}`);
    expect([ended, data.length]).toEqual([code, nodes]);
  });

  it('is what is missing of a comparison of two curves', async () => {
    const [code, { mirror }] = await ask('curve usd --date 2022-03-11,2022-04-11');
    expect(code).toBe(10);
    expect(mirror.missing).toContainEqual({
      series: 'announcements usd gov_bond_10y',
      from: '2022-03-12',
      to: '2022-04-11',
    });
  });

  it('takes no node of an older day beside one of its own', async () => {
    const two = await mirrorOf({ 'treasury.csv': TREASURY, 'ten.csv': TEN_YEARS });
    const { code, out } = await macro('curve usd --date 2022-03-14 --view slopes --offline --format json', two);
    expect([code, JSON.parse(out).data]).toEqual([10, []]);
    const nodes = await macro('curve usd --date 2022-03-14 --offline --format json', two);
    expect(JSON.parse(nodes.out).data).toMatchObject([{ maturity: '10Y', val: 2.14, date: '2022-03-14' }]);
  });

  it('is unknown at a decision before today and at one to come, and old at one of now', async () => {
    // 05:46:13 is the moment of the question.
    const times = '2026-11-20T00:00:00Z,2026-11-21T05:46:13Z,2026-11-22T00:00:00Z,2027-06-01T00:00:00Z';
    const window = '--start 2022-01-01 --end 2022-03-11';
    const [code, { data }] = await ask(`panel --series usd:gov_bond_10y --at ${times} ${window}`);
    const values = data.map((row: { values: [{ val: number | null; reason?: string }] }) => row.values[0]);
    expect([code, values.map(({ val, reason }: { val: number | null; reason?: string }) => reason ?? val)]).toEqual([
      10,
      ['not_known_then', 2, 'not_known_then', 'not_known_then'],
    ]);
  });

  it.skipIf(!HAS_DUCK)('has the types of its columns in a file, also where all values are unknown', async () => {
    const path = join(at.folder, 'panel.parquet');
    const line = `panel --series usd:gov_bond_10y --at 2026-11-20 --start 2022-01-01 --end 2022-03-11 -o ${path}`;
    expect((await macro(line, at)).code).toBe(10);
    // Those that docs/notebooks.md names: dates, UTC timestamps and doubles.
    expect(await duckTypes(path)).toMatchObject({ date: 'DATE', val: 'DOUBLE', known_at: 'TIMESTAMP WITH TIME ZONE' });
    expect(await duck(`select val, reason from '${path}'`)).toEqual([{ val: null, reason: 'not_known_then' }]);
  });

  it.each([
    // A Sunday within the file: it says that there is none.
    ['why eur/usd 2026-04-12', 3, 'no_such_row'],
    ['why eur/usd 2026-04-14', 10, 'mirror_incomplete'],
    ['why eur/usd 2026-11-20', 10, 'mirror_incomplete'],
    ['why usd/gov_bond_10y 2022-03-14', 10, 'mirror_incomplete'],
  ])('%s is exit %i', async (line, code, word) => {
    const ran = await macro(`${line} --format json`, at);
    expect([ran.code, JSON.parse(ran.err).code]).toEqual([code, word]);
  });
});

/** Consumer prices of the Bureau of Labor Statistics from where they begin; its file is cut here. */
const PRICES_OF_1913 = ['9.8', '9.8', '9.8', '9.8', '9.7', '9.8', '9.9', '9.9', '10.0', '10.0', '10.1', '10.0', '10.0'];

it('a period behind the last one of a file has no record, and nobody may take that for "not released"', async () => {
  const lines = PRICES_OF_1913.map(
    (val, i) => `CUUR0000SA0      \t${i < 12 ? 1913 : 1914}\tM${String((i % 12) + 1).padStart(2, '0')}\t${val}\t`,
  );
  const at = await mirrorOf({
    cpi: `series_id        \tyear\tperiod\t       value\tfootnote_codes\n${lines.join('\n')}\n`,
  });
  const record = async (period: string) => {
    const ran = await macro(`settlement record usd inflation --period ${period} --offline --format json`, at);
    return [ran.code, JSON.parse(ran.err).code];
  };
  expect(await record('1914-02-28')).toEqual([10, 'mirror_incomplete']);
  // The change over the first year that the file has is that of January 1914: of December there is none.
  expect((await record('1913-12-31'))[0]).toBe(3);
});

describe('an end that is named', () => {
  const missing = (to: string) => [{ from: '2026-04-14', to }];
  const EVERY_END = [
    ['', undefined],
    ['--end 2026-04-13', undefined],
    ['--end 2026-11-20', missing('2026-11-20')],
    ['--end 2026-11-21', missing('2026-11-21')],
    ['--end today', missing('2026-11-21')],
    ['--end 2027-01-01', missing('2026-11-21')],
  ] as const;

  it.each(EVERY_END)('%s is one question, however it is written', async (end, parts) => {
    const at = await mirrorOf({ 'ecb.csv': ECB });
    const { code, out } = await macro(`fx eur usd --start 2026-04-01 ${end} --offline --format json`, at);
    expect([code, JSON.parse(out).mirror?.missing]).toEqual([parts ? 10 : 0, parts]);
  });

  it('today is old and not missing while the last check is of yesterday', async () => {
    const at = await mirrorOf({ 'ecb.csv': ECB.replace('2026-04-13', '2026-11-20') });
    for (const end of ['', '--end today', '--end 2027-01-01'])
      expect((await macro(`fx eur usd --start 2026-04-01 ${end} --offline --format json`, at)).code).toBe(0);
  });
});

it('a start behind the last day of a file is missing, also if it is the start that nobody names', async () => {
  const at = await mirrorOf({ 'ecb.csv': ECB.replace('2026-04-13', '2025-02-06') });
  const codes = async (start: string) => (await macro(`fx eur usd ${start} --offline --format json`, at)).code;
  for (const start of ['2025-11-20', '2025-11-21', '2025-11-22', '-365d'])
    expect([start, await codes(`--start ${start}`)]).toEqual([start, 10]);
  expect(await codes('')).toBe(0);
});

it('a rate that is computed has assumed release times where a rate that it rests on has them', async () => {
  const at = await mirrorOf({ 'ecb.csv': 'Date,USD,JPY,\n2026-04-13,1.1680,182.50,\n1999-01-04,1.1789,133.73,\n' });
  for (const pair of ['eur usd', 'usd eur', 'usd jpy', 'usd jpy --as-of 2026-04-20']) {
    const { out } = await macro(`fx ${pair} --start 2026-04-13 --end 2026-04-13 --offline --format json`, at);
    expect([pair, JSON.parse(out).data_quality.has_assumed_release_times]).toEqual([pair, true]);
  }
});
