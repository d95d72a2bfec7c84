import { zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import {
  dayOf,
  type FileCell,
  type FileTableWriter,
  millisecondsOf,
  type TableFile,
  type TypedColumn,
} from './file.ts';

/** Rows of a row group. */
const GROUP_ROWS = 100_000;

const INSTANT = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const;

const ELEMENTS: Readonly<Record<TypedColumn['type'], Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  integer: { type: 'INT64' },
  real: { type: 'DOUBLE' },
  flag: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  instant: INSTANT,
  seconds: INSTANT,
};

/** Seconds from year 0 to the end of 9999: readers give no other instants. */
const [FIRST_SECOND, LAST_SECOND] = [-62_167_219_200n, 253_402_300_799n];

/** Writes a Parquet file; rows of all pages are gathered into row groups. */
export function parquetWriter({ columns, facts, write }: TableFile): FileTableWriter {
  const bytes = new ByteWriter();
  const flush = () => {
    write(bytes.getBytes());
    bytes.index = 0;
  };
  const root: SchemaElement = { name: 'root', num_children: columns.length };
  const elements = columns.map(
    ({ name, type }): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...ELEMENTS[type] }),
  );
  const file = new ParquetWriter({
    writer: bytes,
    schema: [root, ...elements],
    codec: 'ZSTD',
    compressors: { ZSTD: (input) => zstdCompressSync(input) },
    kvMetadata: Object.entries(facts).map(([key, value]) => ({ key, value })),
    createdBy: 'macro',
  });
  let group: unknown[][] = columns.map(() => []);
  let rowsInGroup = 0;
  const cut = () => {
    if (rowsInGroup === 0) return;
    const columnData = columns.map(({ name }, i) => ({ name, data: group[i] ?? [] }));
    void file.write({ columnData, rowGroupSize: rowsInGroup });
    group = columns.map(() => []);
    rowsInGroup = 0;
    flush();
  };
  return {
    write(rows) {
      for (const row of rows) {
        for (const [i, { type }] of columns.entries()) group[i]?.push(physicalValue(type, row[i] ?? null));
        rowsInGroup += 1;
        if (rowsInGroup === GROUP_ROWS) cut();
      }
    },
    end() {
      cut();
      void file.finish();
      flush();
    },
  };
}

/** A cell in the form that its column takes; null when it has no such form. */
export function physicalValue(type: TypedColumn['type'], cell: FileCell): unknown {
  if (cell === null) return null;
  if (type === 'date') return dayOf(cell);
  if (type === 'instant') {
    const ms = millisecondsOf(cell);
    return ms === null ? null : BigInt(ms);
  }
  if (type === 'text') return String(cell);
  if (typeof cell === 'string') return null;
  if (type === 'integer') return BigInt(cell);
  if (type === 'seconds') {
    const seconds = BigInt(cell);
    return seconds < FIRST_SECOND || seconds > LAST_SECOND ? null : seconds * 1000n;
  }
  return type === 'real' ? Number(cell) : Number(cell) !== 0;
}
