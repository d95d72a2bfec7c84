import { type ColumnKinds, columnKind, type Fields, rawAt, valueCell } from './rows.ts';
import { inertCell, isPlainCell, joinedPieces } from './text.ts';

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

/** A sheet whose columns follow from the names of all rows. */
export function grownSheet(
  format: SheetFormat,
  sheet: Sheet,
  columnsOf: (names: ReadonlySet<string>) => readonly string[],
): Iterable<string> {
  const names = new Set(sheet.names);
  let before: Iterable<string> = [];
  for (const row of sheet.names ? [] : sheet.rows) {
    const own = row.keys();
    if (own !== before) for (const name of own) names.add(name);
    before = own;
  }
  return sheetPieces(format, sheet, columnsOf(names));
}

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}

/** The lines of a sheet in batches. CSV quotes by RFC 4180; TSV quotes nothing, since cells have no tab or break. Formulas are inert. */
export function sheetPieces(format: SheetFormat, sheet: Sheet, columns: readonly string[]): Iterable<string> {
  return joinedPieces(sheetLines(format, sheet, columns));
}

function* sheetLines(format: SheetFormat, { rows, header, kinds }: Sheet, columns: readonly string[]) {
  const separator = SEPARATORS[format];
  if (header) yield `${columns.map(CELLS[format]).join(separator)}\n`;
  const cells = columns.map((name) => ({ name, make: cellMaker(format, columnKind(name, kinds), kinds) }));
  for (const row of rows) yield `${cells.map(({ name, make }) => make(rawAt(row, name))).join(separator)}\n`;
}

/** Makes the cells of a column. Where rows have the same value one after the other it is looked at once. */
function cellMaker(format: SheetFormat, kind: ReturnType<typeof columnKind>, { zone }: ColumnKinds) {
  const cellOf = CELLS[format];
  let before: string | undefined;
  let cell = '';
  return (raw: string | undefined) => {
    if (raw !== before) cell = cellOf(valueCell(raw, kind, zone));
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
