import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import {
  dayOf,
  type FileCell,
  type FileTableWriter,
  millisecondsOf,
  type TableFile,
  type TypedColumn,
} from './file.ts';

const ELEMENTS: Readonly<Record<TypedColumn['type'], Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  integer: { type: 'INT64' },
  real: { type: 'DOUBLE' },
  flag: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  instant: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
};

/** Writes a Parquet file, each page of rows a row group. */
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
    kvMetadata: Object.entries(facts).map(([key, value]) => ({ key, value })),
    createdBy: 'macro',
  });
  return {
    write(rows) {
      if (rows.length === 0) return;
      const columnData = columns.map(({ name, type }, i) => ({
        name,
        data: rows.map((row) => physicalValue(type, row[i] ?? null)),
      }));
      void file.write({ columnData, rowGroupSize: rows.length });
      flush();
    },
    end() {
      void file.finish();
      flush();
    },
  };
}

/** A cell in the form that its column takes; null when it has no such form. */
function physicalValue(type: TypedColumn['type'], cell: FileCell): unknown {
  if (cell === null) return null;
  if (type === 'date') return dayOf(cell);
  if (type === 'instant') {
    const ms = millisecondsOf(cell);
    return ms === null ? null : BigInt(ms);
  }
  if (type === 'integer') return typeof cell === 'string' ? null : BigInt(cell);
  if (type === 'real') return typeof cell === 'string' ? null : Number(cell);
  if (type === 'flag') return typeof cell === 'string' ? null : Number(cell) !== 0;
  return String(cell);
}
