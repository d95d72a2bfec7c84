// Every vintage of a series as rows and as a triangle, and one of several sources alone. The vintages are those of releases.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ALL_PAYROLLS, chosenPayrolls } from '../support/payrolls.ts';
import { type TestPlatform, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

let at: TestPlatform;

/** Thousands of jobs: 146700 - 146000 = 700 in July 2021 and 147314 - 146700 = 614 in August; June and July are made up. */
const FRED = [
  'observation_date,PAYEMS',
  ...['2021-06-01,146000', '2021-07-01,146700', '2021-08-01,147314', '2021-09-01,147771', '2021-10-01,148572'],
  ...['2021-11-01,149230', '2021-12-01,149816', '2022-01-01,150006', ''],
].join('\n');

beforeAll(async () => {
  at = testPlatform({ now: '2026-11-22T09:00:00Z' });
  writeFileSync(join(at.folder, 'alfredgraph.csv'), chosenPayrolls(...ALL_PAYROLLS));
  writeFileSync(join(at.folder, 'PAYEMS.csv'), FRED);
  for (const file of ['alfredgraph.csv', 'PAYEMS.csv']) await macro(`import ${file} --quiet`, at);
});

const WINDOW = '--start 2021-07-01 --end 2021-08-31';
const ask = (options: string) => macro(`announcements usd non_farm_payrolls_change ${WINDOW} --offline ${options}`, at);

describe('--revisions all', () => {
  it('prints a row for each vintage, and the value that no list has', async () => {
    const { out } = await ask('--revisions all --format csv --allow-partial');
    expect(out.trimEnd().split('\n')).toEqual([
      'date,val,known_at,origin,is_first_release',
      '2021-08-31,235,2021-09-03T12:30:00Z,import:ALFRED,true',
      '2021-08-31,366,2021-10-08T12:30:00Z,import:ALFRED,false',
      '2021-08-31,483,2021-11-05T12:30:00Z,import:ALFRED,false',
      '2021-08-31,614,,import:FRED,false',
      '2021-07-31,943,2021-08-06T12:30:00Z,import:ALFRED,true',
      '2021-07-31,1053,2021-09-03T12:30:00Z,import:ALFRED,false',
      '2021-07-31,1091,2021-10-08T12:30:00Z,import:ALFRED,false',
      '2021-07-31,700,,import:FRED,false',
    ]);
  });

  it('keeps a row for each period in NDJSON', async () => {
    const { out } = await ask('--revisions all --format ndjson --allow-partial');
    const rows = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ date, val, revisions }) => [date, val, revisions.length])).toEqual([
      ['2021-08-31', 614, 3],
      ['2021-07-31', 700, 3],
    ]);
  });

  it('is written as Parquet and drawn', async () => {
    for (const name of ['vintages.parquet', 'vintages.xlsx'])
      expect((await ask(`--revisions all --allow-partial --output ${name}`)).code).toBe(0);
    const bytes = readFileSync(join(at.folder, 'vintages.parquet'));
    for (const name of ['known_at', 'import:ALFRED']) expect(bytes.includes(name)).toBe(true);
  });
});

describe('--triangle', () => {
  it('puts periods down and vintages across', async () => {
    const { out } = await ask('--triangle --origin alfred --format csv --allow-partial');
    expect(out.trimEnd().split('\n')).toEqual([
      'date,first_print,2021-08-06,2021-09-03,2021-10-08,2021-11-05',
      '2021-08-31,235,,235,366,483',
      '2021-07-31,943,943,1053,1091,1091',
    ]);
  });

  it('has a column for values of which nobody states when they were known', async () => {
    const { out } = await ask('--triangle --format csv --allow-partial');
    expect(out.trimEnd().split('\n')).toEqual([
      'date,first_print,2021-08-06,2021-09-03,2021-10-08,2021-11-05,undated',
      '2021-08-31,235,,235,366,483,614',
      '2021-07-31,943,943,1053,1091,1091,700',
    ]);
  });

  it('is a table and a picture', async () => {
    const table = await ask('--triangle --origin ALFRED --format table --allow-partial');
    expect(table.out).toMatch(/2021-07-31.*943.*1053.*1091.*1091/);
    expect((await ask('--triangle --allow-partial --output triangle.svg')).code).toBe(0);
    const picture = readFileSync(join(at.folder, 'triangle.svg'), 'utf8');
    expect(['2021-08-06', '2021-11-05'].map((name) => picture.includes(name))).toEqual([true, true]);
  });

  it('is made of every vintage', async () => {
    expect(await ask('--triangle --revisions first')).toEqual({
      code: 2,
      out: '',
      err: 'macro: --triangle shows every vintage.\nLeave out --forecasts and --revisions, or give --revisions all.\n',
    });
  });
});

describe('--origin', () => {
  it('takes one source alone', async () => {
    const values = async (name: string) => {
      const { out } = await ask(`--origin ${name} --format csv --fields date,val --allow-partial`);
      return out.trimEnd().split('\n').slice(1);
    };
    expect([await values('ALFRED'), await values('import:FRED')]).toEqual([
      ['2021-08-31,483', '2021-07-31,1091'],
      ['2021-08-31,614', '2021-07-31,700'],
    ]);
  });

  it('names those that there are, and is no word of the service', async () => {
    expect([await ask('--origin ECB'), await macro('announcements usd inflation --live --origin ECB', at)]).toEqual([
      {
        code: 3,
        out: '',
        err: 'macro: ECB has no series of this question.\nThe mirror has it of: ALFRED, FRED.\n',
      },
      expect.objectContaining({ code: 4 }),
    ]);
  });
});

it('a sheet of several sources has a column for them', async () => {
  const other = testPlatform({ now: '2026-11-22T09:00:00Z' });
  const files = {
    'DGS10.csv': 'observation_date,DGS10\n1989-12-29,7.93\n1990-01-01,\n1990-01-02,7.94\n',
    'daily-treasury-rates.csv': 'Date,"1 Mo","10 Yr"\n1/3/90,,7.99\n1/2/90,,7.94\n',
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(other.folder, name), text);
    await macro(`import ${name} --quiet`, other);
  }
  const line = 'announcements usd gov_bond_10y --start 1989-12-29 --end 1990-01-03 --offline --format csv --quiet';
  const { out } = await macro(`${line} --fields date,val,origin`, other);
  expect(out.trimEnd().split('\n')).toEqual([
    'date,val,origin',
    '1990-01-03,7.99,import:Treasury',
    '1990-01-02,7.94,import:FRED',
    '1989-12-29,7.93,import:FRED',
  ]);
});
