import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import readSheets from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import { edit, sql } from '../mirror/support.ts';
import { duck, duckTypes, HAS_DUCK } from '../support/duck.ts';
import { type TestPlatform, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const RATES = 'Date,USD,JPY,\n2026-11-20,1.1500,178.20,\n2026-11-19,1.1490,N/A,\n';

async function imported(): Promise<{ at: TestPlatform; file: (name: string) => string; path: string }> {
  const at = testPlatform({ stdin: RATES });
  await macro('import ecb - --quiet', at);
  const path = join(at.folder, 'macro', 'mirrors', 'default.db');
  return { at, path, file: (name) => join(at.folder, name) };
}

describe('macro mirror export', () => {
  it.skipIf(!HAS_DUCK)(
    'writes Parquet whose types, decimals, rows and facts DuckDB reads as the mirror has them',
    async () => {
      const { at, file, path } = await imported();
      expect(await macro('mirror export fx -o rates.parquet --with-text', at)).toMatchObject({
        code: 0,
        out: '',
        err: `note: 3 rows of 2 series are in ${file('rates.parquet')}.\n`,
      });
      const rates = file('rates.parquet');
      expect(await duckTypes(rates)).toMatchObject({
        base: 'VARCHAR',
        date: 'DATE',
        val: 'DOUBLE',
        val_text: 'VARCHAR',
        ohlc_point_count: 'BIGINT',
        observation_datetime: 'TIMESTAMP WITH TIME ZONE',
        released_at: 'TIMESTAMP WITH TIME ZONE',
        commit_number: 'BIGINT',
      });
      const columns =
        'base, quote, cast(date as varchar) as date, val, val_text, publisher, origin, nature, access, row';
      expect(await duck(`select ${columns} from '${rates}'`)).toEqual(
        sql(path, `select ${columns.replace('varchar', 'text')} from v_fx`),
      );
      expect(await duck(`select strftime(released_at, '%Y-%m-%dT%H:%M:%SZ') as released_at from '${rates}'`)).toEqual(
        sql(path, 'select released_at from v_fx'),
      );
      const facts = await duck(
        `select decode(key) as name, decode(value) as value from parquet_kv_metadata('${rates}')`,
      );
      expect(facts).toEqual(
        expect.arrayContaining([
          { name: 'nature', value: 'real' },
          { name: 'origin', value: 'import:ECB' },
          { name: 'selection', value: 'fx' },
          { name: 'generated_at', value: '2026-11-21T05:46:13Z' },
        ]),
      );
    },
  );

  it.skipIf(!HAS_DUCK)('leaves the texts of numbers out of Parquet unless they are asked for', async () => {
    const { at, file } = await imported();
    await macro('mirror export fx -o rates.parquet', at);
    const types = await duckTypes(file('rates.parquet'));
    expect([types.val, Object.keys(types).filter((name) => name.endsWith('_text'))]).toEqual(['DOUBLE', []]);
  });

  it('writes a workbook with numbers as numbers, dates as dates, and a sheet of where they come from', async () => {
    const { at, file } = await imported();
    await macro('mirror export fx eur usd -o rates.xlsx', at);
    const [rows, provenance] = await readSheets(file('rates.xlsx'));
    const [head = [], first = []] = rows?.data ?? [];
    const cell = (name: string) => first[head.indexOf(name)];
    expect([rows?.sheet, provenance?.sheet, rows?.data.length]).toEqual(['rows', 'provenance', 3]);
    expect(['quote', 'date', 'val', 'val_text', 'open', 'released_at'].map(cell)).toEqual([
      'USD',
      new Date('2026-11-20'),
      1.15,
      '1.1500',
      null,
      new Date('2026-11-20T15:00:00Z'),
    ]);
    expect(provenance?.data).toEqual(
      expect.arrayContaining([
        ['nature', 'real'],
        ['selection', 'fx eur usd'],
      ]),
    );
  });

  it('leaves formulas of a publisher as text, marked to stay text when they are edited', async () => {
    const { at, file, path } = await imported();
    edit(path, `update commits set request = '=HYPERLINK("http://x.example","y")'`);
    await macro('mirror export fx eur usd -o rates.xlsx', at);
    const [rows] = await readSheets(file('rates.xlsx'));
    expect(rows?.data[1]).toContain('=HYPERLINK("http://x.example","y")');
    await macro('mirror export fx eur usd -o rates.csv', at);
    expect(readFileSync(file('rates.csv'), 'utf8')).toContain(`"'=HYPERLINK(""http://x.example"",""y"")"`);
  });

  it('writes CSV and NDJSON with one column set', async () => {
    const { at, file } = await imported();
    await macro('mirror export fx eur jpy -o rates.csv', at);
    await macro('mirror export fx eur jpy -o rates.ndjson', at);
    const [head = '', row = '', ...rest] = readFileSync(file('rates.csv'), 'utf8').split('\n');
    const parsed: unknown = JSON.parse(readFileSync(file('rates.ndjson'), 'utf8'));
    expect(Object.keys(parsed as object)).toEqual(head.split(','));
    expect(parsed).toMatchObject({ base: 'EUR', quote: 'JPY', date: '2026-11-20', val: 178.2, val_text: '178.20' });
    expect([row.startsWith('EUR,JPY,2026-11-20,178.2,178.20,'), rest]).toEqual([true, ['']]);
  });

  it('leaves no half file when it fails, and the one that was there as it was', async () => {
    const { at, file, path } = await imported();
    await macro('mirror export fx -o rates.csv', at);
    const before = readFileSync(file('rates.csv'), 'utf8');
    edit(path, 'drop view v_fx; drop table fx_daily');
    expect((await macro('mirror export fx -o rates.csv', at)).code).not.toBe(0);
    expect(readFileSync(file('rates.csv'), 'utf8')).toBe(before);
    expect(readdirSync(at.folder).filter((name) => name.includes('rates'))).toEqual(['rates.csv']);
  });

  it.each([
    ['mirror export fx', 'macro: An export is a file.\n'],
    ['mirror export fx -o rates.json', 'macro: A mirror is not exported as json.\n'],
    [
      'mirror export fx -o x.pdf',
      'macro: A mirror is not exported as pdf.\nEndings are .csv, .ndjson, .parquet, .xlsx.\n',
    ],
    ['mirror export fx -o rates', 'macro: A mirror is not exported as rates.\nEndings are .csv, '],
    ['mirror export fx -o none/rates.csv', 'macro: There is no folder '],
    ['mirror export fx --part vintages -o rates.csv', 'macro: The rows of fx list no vintages.\n'],
    ['mirror export fx -o rates.csv --format csv', "macro: Unknown option '--format'.\n"],
    [
      'mirror export fx --part curent -o rates.csv',
      "macro: 'curent' is no legal value for --part.\nDid you mean current?",
    ],
  ])('refuses what it cannot do: %s', async (line, message) => {
    const { at } = await imported();
    const { code, err } = await macro(line, at);
    expect([code, err.slice(0, message.length)]).toEqual([2, message]);
  });

  it('is exit 3 for series that are not held', async () => {
    const { at } = await imported();
    expect((await macro('mirror export cot eur -o cot.csv', at)).code).toBe(3);
  });
});

describe('the answer of a question', () => {
  it.each([
    ['--all', '2 of 2', {}],
    ['--limit 500', '2 of 2', {}],
    ['--limit 1 --offset 1', '1 of 2, after the first 1', {}],
    ['--as-of 2026-11-20', '1 of 1', { as_of: '2026-11-20T00:00:00Z', availability: 'public' }],
  ])('says in the file which question and which rows of it are there: %s', async (more, told, past) => {
    const { at, file } = await imported();
    await macro(`fx eur usd --start 2026-11-01 --end 2026-11-20 ${more} --offline --quiet -o rates.xlsx`, at);
    const [, provenance] = await readSheets(file('rates.xlsx'));
    const { question, rows, as_of, availability } = Object.fromEntries(provenance?.data ?? []);
    expect([question, rows]).toEqual(['forex?base=EUR&end_date=2026-11-20&quote=USD&start_date=2026-11-01', told]);
    expect(JSON.parse(JSON.stringify({ as_of, availability }))).toEqual(past);
  });

  it.skipIf(!HAS_DUCK)('is written as Parquet and as a workbook too', async () => {
    const { at, file } = await imported();
    await macro('fx eur usd --offline --quiet -o rates.parquet', at);
    const read = (columns: string) =>
      duck(`select cast(date as varchar) as date, ${columns} from '${file('rates.parquet')}'`);
    expect(await duckTypes(file('rates.parquet'))).toMatchObject({ date: 'DATE', val: 'DOUBLE' });
    expect(await duckTypes(file('rates.parquet'))).not.toHaveProperty('val_text');
    await macro('fx eur usd --offline --quiet --with-text -o rates.parquet', at);
    expect(await read('val, val_text, cast(observation_datetime as varchar) as midnight')).toEqual([
      { date: '2026-11-20', val: 1.15, val_text: '1.15', midnight: '2026-11-20 00:00:00+00' },
      { date: '2026-11-19', val: 1.149, val_text: '1.149', midnight: '2026-11-19 00:00:00+00' },
    ]);
    await macro('fx eur usd --offline --quiet --fields date,val -o rates.xlsx', at);
    expect((await readSheets(file('rates.xlsx')))[0]?.data).toEqual([
      ['date', 'val', 'val_text'],
      [new Date('2026-11-20'), 1.15, '1.15'],
      [new Date('2026-11-19'), 1.149, '1.149'],
    ]);
  });

  it('is not written as a table when it is none', async () => {
    const { code, err } = await macro('openapi -o document.parquet');
    expect([code, err]).toEqual([
      2,
      'macro: This is no table of rows, so it cannot be written as parquet.\nChoose another ending, such as .json.\n',
    ]);
  });
});
