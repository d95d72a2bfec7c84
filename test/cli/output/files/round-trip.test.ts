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
    const read = `select text, integer, real, flag, cast(date as varchar) as date, epoch_ms(instant) as instant from '${file}'`;
    await fc.assert(
      fc.asyncProperty(pages, async (rows) => {
        writeFileSync(file, await written('parquet', rows));
        const expected = rows.flat().map(([text, integer, real, flag, date, instant]) => ({
          text,
          integer: integer === null ? null : String(integer),
          real,
          flag: flag === null ? null : flag === 1n,
          date,
          instant: typeof instant === 'string' ? String(Date.parse(instant)) : null,
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
          name === 'integer' && value !== null ? BigInt(source) : value;
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
