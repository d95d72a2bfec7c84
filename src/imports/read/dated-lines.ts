/** Tables whose lines are a date and values of series, as nearly every publisher of rates has them. */
import type { FileLine, FileRow, FileSeries, ImportedFile } from '../format.ts';
import { type DateSpelling, type PlacedCell, readDate, refuse } from './cells.ts';
import type { CsvRecord, CsvShape } from './csv.ts';

export interface ValueColumn {
  readonly place: number;
  readonly series: FileSeries;
  /** What messages call it. */
  readonly name: string;
}

interface DatedTable {
  readonly records: Iterable<CsvRecord>;
  /** Cells of each line. */
  readonly width: number;
  readonly columns: readonly ValueColumn[];
  readonly spellings: readonly DateSpelling[];
  /** How the publisher spells a value that is missing, beside an empty cell. */
  readonly missing?: readonly string[];
  rowOf(series: FileSeries, date: string, cell: PlacedCell): FileRow;
}

/** The lines below a header. @throws MacroError of kind `usage`. */
export function* datedLines(table: DatedTable): Generator<FileLine> {
  const names = table.columns.map(({ series }) => series);
  const missing = new Set(['', ...(table.missing ?? [])]);
  for (const { cells, line } of table.records) {
    const date = readDate({ text: cells[0] ?? '', line }, ...table.spellings);
    requireWidth({ cells, line }, table.width);
    const rows = table.columns.flatMap(({ place, series, name }) => {
      const text = cells[place] ?? '';
      return missing.has(text) ? [] : [table.rowOf(series, date, { text, line, of: name })];
    });
    yield { number: line, date, rows, names };
  }
}

/** @throws MacroError of kind `usage`. */
export function requireWidth({ cells, line }: CsvRecord, width: number): void {
  if (cells.length !== width) throw refuse(`it has ${cells.length} cells and the header has ${width}.`, { line });
}

/** The first of the names that stands there before; undefined where none does. */
export const repeatedName = (names: readonly string[]): string | undefined =>
  names.find((name, place) => names.indexOf(name) < place);

/** The first record of a file, and those below it. @throws MacroError of kind `usage`. */
export function headed(file: ImportedFile, shape: CsvShape = { separator: ',' }) {
  const all = file.records(shape)[Symbol.iterator]();
  const next = all.next();
  if (next.done) throw refuse('it is empty.');
  const header: CsvRecord = next.value;
  const records: Iterable<CsvRecord> = { [Symbol.iterator]: () => all };
  return { header, records };
}
