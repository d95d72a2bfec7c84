import { asJsonText, toJsonText } from '../../../contract/json/json.ts';
import { csvLine } from '../csv.ts';
import type { FileCell, FileTableWriter, TableFile, TypedColumn } from './table.ts';

const UTF8 = new TextEncoder();

/** Writes CSV with a header line, quoted and inert as every CSV of this program. */
export function csvWriter({ columns, write }: TableFile): FileTableWriter {
  const put = (cells: readonly FileCell[]) => csvLine(cells.map((cell) => (cell === null ? '' : String(cell))));
  write(UTF8.encode(put(columns.map(({ name }) => name))));
  return {
    write: (rows) => write(UTF8.encode(rows.map(put).join(''))),
    end: () => undefined,
  };
}

/** Writes one JSON object a line; whole numbers keep all of their digits. */
export function ndjsonWriter({ columns, write }: TableFile): FileTableWriter {
  const lineOf = (row: readonly FileCell[]) => {
    const members = columns.map(({ name, type }, i) => `${toJsonText(name)}:${jsonOf(type, row[i] ?? null)}`);
    return asJsonText(`{${members.join(',')}}`);
  };
  return {
    write: (rows) => write(UTF8.encode(rows.map((row) => `${lineOf(row)}\n`).join(''))),
    end: () => undefined,
  };
}

function jsonOf(type: TypedColumn['type'], cell: FileCell): string {
  if (type === 'flag' && cell !== null) return String(Number(cell) !== 0);
  return typeof cell === 'bigint' ? String(cell) : JSON.stringify(cell);
}
