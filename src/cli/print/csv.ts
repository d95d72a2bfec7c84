import { type RowNumbers, type RowValues, valueAt } from '../../contract/json/body.ts';
import { createPiece } from './piece.ts';
import { type ColumnKinds, type Fields, rawAt, valueCell } from './rows.ts';
import { inertCell, isPlainCell } from './text.ts';

export type SheetFormat = 'csv' | 'tsv';

export interface Sheet {
  /** The names of every row, where they are known to be the same. */
  readonly names?: readonly string[] | undefined;
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
 * A sheet whose columns follow from the names in all of its rows. The header has them all, so nothing is given before the last
 * row was seen, unless they are known. Mostly the first row has the names of all: a sheet made by them is right until another name comes.
 */
export function grownSheet(
  format: SheetFormat,
  sheet: Sheet,
  columnsOf: (names: ReadonlySet<string>) => readonly string[],
): Iterable<Uint8Array> {
  if (sheet.names) return sheetPieces(format, sheet, columnsOf(new Set(sheet.names)));
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

/**
 * A sheet with these columns, in pieces. CSV has the quoting of RFC 4180; lines end with a newline and hold none. In TSV tabs
 * and breaks cannot occur in a cell, so nothing is quoted. Formulas are inert.
 */
export function* sheetPieces(
  format: SheetFormat,
  { rows, header, kinds }: Sheet,
  columns: readonly string[],
): Generator<Uint8Array> {
  const separator = SEPARATORS[format];
  const piece = createPiece();
  if (header) piece.text(`${columns.map(CELLS[format]).join(separator)}\n`);
  const cells = columns.map((name) => cellMaker(format, kinds.times?.has(name) === true, kinds));
  let shape: Iterable<string> | undefined;
  let numbered: RowNumbers['columns'] | undefined;
  let places: readonly number[] = [];
  let numbers: readonly (Float64Array | undefined)[] = [];
  for (const row of rows) {
    const { made } = row;
    const names = row.keys();
    if (made && (names !== shape || made.numbers?.columns !== numbered)) {
      const own = [...names];
      places = columns.map((name) => own.indexOf(name));
      numbers = places.map((place) => columnAt(made, place));
      shape = names;
      numbered = made.numbers?.columns;
    }
    for (let at = 0; at < columns.length; at += 1) {
      if (at > 0) piece.text(separator);
      const place = made ? (places[at] ?? -1) : -1;
      const number = made?.numbers && finiteOf(made.numbers, numbers[at]);
      // It is no time, no formula, and needs no quotes.
      if (number !== undefined) piece.number(number);
      else piece.text(cells[at]?.(made && place >= 0 ? valueAt(made, place) : rawAt(row, columns[at] ?? '')) ?? '');
    }
    piece.text('\n');
    if (piece.isFull()) yield piece.take();
  }
  const last = piece.take();
  if (last.length > 0) yield last;
}

/** Makes the cells of a column. Where rows have the same value one after the other it is looked at once. */
function cellMaker(format: SheetFormat, isTime: boolean, { zone }: ColumnKinds): (raw: string | undefined) => string {
  const cellOf = CELLS[format];
  let before: string | undefined;
  let cell = '';
  return (raw) => {
    if (raw !== before) cell = cellOf(valueCell(raw, isTime, zone));
    before = raw;
    return cell;
  };
}

/** Where a semicolon separates cells, what follows one could begin with a formula: it is quoted, too. */
function csvCell(cell: string): string {
  if (isPlainCell(cell)) return cell;
  const text = inertCell(cell);
  return /[",;]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The column of the numbers that stand at a place of each row; undefined where texts do. */
function columnAt({ numbers }: RowValues, place: number): Float64Array | undefined {
  return numbers && place >= numbers.from ? numbers.columns[place - numbers.from] : undefined;
}

/** The number of a row in its column as it is shown, NaN for none; undefined where there is no column, and for what is infinite. */
function finiteOf({ row, round }: RowNumbers, column: Float64Array | undefined): number | undefined {
  if (!column) return undefined;
  const number = round(column[row] ?? Number.NaN);
  return Math.abs(number) === Number.POSITIVE_INFINITY ? undefined : number;
}
