import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FileCell, type TypedColumn, tableWriter } from '../../../../src/cli/print/file.ts';
import { duck, HAS_DUCK } from '../../../support/duck.ts';
import { freshFolder } from '../../../support/platform.ts';
import fc, { draws } from '../../../support/properties.ts';

const COLUMNS: readonly TypedColumn[] = [
  { name: 'text', type: 'text' },
  { name: 'integer', type: 'integer' },
  { name: 'real', type: 'real' },
  { name: 'flag', type: 'flag' },
  { name: 'date', type: 'date' },
  { name: 'instant', type: 'instant' },
  { name: 'seconds', type: 'seconds' },
];

const moment = fc.date({ min: new Date('1600-01-01'), max: new Date('2999-12-31'), noInvalidDate: true });
const day = moment.map((at) => at.toISOString().slice(0, 10));
const row = fc.tuple(
  fc.option(fc.string({ unit: 'grapheme' })),
  fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  fc.option(fc.constantFrom(0n, 1n)),
  fc.option(day),
  fc.option(moment.map((at) => at.toISOString())),
  fc.option(moment.map((at) => BigInt(Math.floor(at.getTime() / 1000)))),
);
const pages = fc.array(fc.array(row, { maxLength: 5 }), { minLength: 1, maxLength: 3 });

async function written(
  format: 'parquet' | 'ndjson',
  rows: readonly (readonly (readonly FileCell[])[])[],
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const write = (bytes: Uint8Array) => void chunks.push(bytes.slice());
  const writer = await tableWriter(format, { columns: COLUMNS, facts: {}, now: 0, write });
  for (const page of rows) writer.write(page);
  writer.end();
  return Buffer.concat(chunks);
}

describe('rows that are written and read again', () => {
  it.skipIf(!HAS_DUCK)('are the same in Parquet, as DuckDB reads it, whatever the pages', async () => {
    const file = join(freshFolder(), 'rows.parquet');
    const read = `select text, integer, real, flag, cast(date as varchar) as date, epoch_ms(instant) as instant, epoch_ms(seconds) as seconds from '${file}'`;
    await fc.assert(
      fc.asyncProperty(pages, async (rows) => {
        writeFileSync(file, await written('parquet', rows));
        const expected = rows.flat().map(([text, integer, real, flag, date, instant, seconds]) => ({
          text,
          integer: integer === null ? null : String(integer),
          real,
          flag: flag === null ? null : flag === 1n,
          date,
          instant: typeof instant === 'string' ? String(Date.parse(instant)) : null,
          seconds: typeof seconds === 'bigint' ? String(seconds * 1000n) : null,
        }));
        expect(await duck(read)).toEqual(expected);
      }),
      { numRuns: draws(10) },
    );
  });

  it('are the same in NDJSON, every digit of a whole number included', async () => {
    await fc.assert(
      fc.asyncProperty(pages, async (rows) => {
        const lines = (await written('ndjson', rows)).toString('utf8').split('\n').slice(0, -1);
        const exact = (name: string, value: unknown, { source = '' }: { source?: string }) =>
          (name === 'integer' || name === 'seconds') && value !== null ? BigInt(source) : value;
        const parse = JSON.parse as (text: string, reviver: typeof exact) => Record<string, unknown>; // its third argument is newer than its type
        // JSON knows no negative zero.
        const asJson = (cell: FileCell, i: number) =>
          COLUMNS[i]?.type === 'flag' && cell !== null ? cell === 1n : Object.is(cell, -0) ? 0 : cell;
        expect(lines.map((line) => Object.values(parse(line, exact)))).toEqual(
          rows.flat().map((row) => row.map(asJson)),
        );
      }),
      { numRuns: draws(10) },
    );
  });
});

describe.skipIf(!HAS_DUCK)('row groups', () => {
  it('have 100,000 rows, however the rows come, packed with zstd', async () => {
    const file = join(freshFolder(), 'rows.parquet');
    const page = Array.from({ length: 70_000 }, (_, i): readonly FileCell[] => [null, i, null, null, null, null, null]);
    writeFileSync(file, await written('parquet', [page, page, page]));
    const groups = `select distinct row_group_id as place, row_group_num_rows as rows, compression from parquet_metadata('${file}') order by 1`;
    expect(await duck(groups)).toEqual([
      { place: '0', rows: '100000', compression: 'ZSTD' },
      { place: '1', rows: '100000', compression: 'ZSTD' },
      { place: '2', rows: '10000', compression: 'ZSTD' },
    ]);
    expect(await duck(`select count(*) as rows, sum("integer")::bigint as sum from '${file}'`)).toEqual([
      { rows: '210000', sum: String((3n * 70_000n * 69_999n) / 2n) },
    ]);
  });
});
