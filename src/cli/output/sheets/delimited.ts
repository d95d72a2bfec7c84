import { type ColumnKinds, sheetCell, valueCell } from '../cells.ts';
import { inertCell, isPlainCell } from '../clean.ts';
import type { Fields } from '../fields.ts';
import { joinLines } from './join-lines.ts';

export type SheetFormat = 'csv' | 'tsv';

export interface Sheet {
  /** May be read more than once. */
  readonly rows: Iterable<Fields>;
  readonly header: boolean;
  readonly kinds: ColumnKinds;
}

const SEPARATORS: Readonly<Record<SheetFormat, string>> = { csv: ',', tsv: '\t' };
const CELLS: Readonly<Record<SheetFormat, (text: string) => string>> = {
  csv: csvCell,
  tsv: (cell) => (isPlainCell(cell) ? cell : inertCell(cell)),
};

/**
 * A sheet with these columns, in pieces. CSV has the quoting of RFC 4180; lines end with a newline and hold none. In TSV tabs
 * and breaks cannot occur in a cell, so nothing is quoted. Formulas are inert.
 */
export function sheetPieces(format: SheetFormat, sheet: Sheet, columns: readonly string[]): Iterable<string> {
  return joinLines(linesOf(format, sheet, columns));
}

/**
 * A sheet whose columns follow from the names in all of its rows. The header has them all, so nothing is given before the last
 * row was seen. Mostly the first row has the names of all: a sheet made by them is right until another name comes.
 */
export function grownSheet(
  format: SheetFormat,
  sheet: Sheet,
  columnsOf: (names: ReadonlySet<string>) => readonly string[],
): Iterable<string> {
  const names = new Set<string>();
  for (const row of sheet.rows) {
    for (const name of row.keys()) names.add(name);
    break;
  }
  const known = names.size;
  const rows = {
    *[Symbol.iterator]() {
      let before: Iterable<string> = [];
      for (const row of sheet.rows) {
        const own = row.keys();
        if (own !== before) for (const name of own) names.add(name);
        before = own;
        if (names.size === known) yield row;
      }
    },
  };
  const pieces = [...sheetPieces(format, { ...sheet, rows }, columnsOf(names))];
  return names.size === known ? pieces : sheetPieces(format, sheet, columnsOf(names));
}

/** One line of CSV. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}

function* linesOf(format: SheetFormat, { rows, header, kinds }: Sheet, columns: readonly string[]): Generator<string> {
  const [cell, separator] = [CELLS[format], SEPARATORS[format]];
  if (header) yield `${columns.map(cell).join(separator)}\n`;
  const isTime = columns.map((name) => kinds.times?.has(name));
  let shape: Iterable<string> | undefined;
  let places: readonly number[] = [];
  for (const row of rows) {
    const { texts } = row;
    const names = row.keys();
    if (texts && names !== shape) {
      const own = [...names];
      places = columns.map((name) => own.indexOf(name));
      shape = names;
    }
    const cells = columns.map((name, at) => {
      const text = texts?.[places[at] ?? -1];
      return cell(text === undefined ? sheetCell(row, name, kinds) : valueCell(text, isTime[at], kinds.zone));
    });
    yield `${cells.join(separator)}\n`;
  }
}

/** Where a semicolon separates cells, what follows one could begin with a formula: it is quoted, too. */
function csvCell(cell: string): string {
  if (isPlainCell(cell)) return cell;
  const text = inertCell(cell);
  return /[",;]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}
