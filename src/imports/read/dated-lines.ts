/** Tables whose lines are a date and values of series, as nearly every publisher of rates has them. */
import { addDays } from '../../contract/time/time.ts';
import type { FileLine, FileRow, FileSeries, ImportedFile } from '../format.ts';
import { type DateSpelling, type PlacedCell, readDate, refuse } from './cells.ts';
import type { CsvRecord, CsvShape } from './csv.ts';

export interface ValueColumn {
  readonly place: number;
  readonly series: FileSeries;
  /** Its name in messages. */
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
  const { records, width, columns, spellings, rowOf } = table;
  const names = columns.map(({ series }) => series);
  const missing = new Set(['', ...(table.missing ?? [])]);
  for (const record of records) {
    const { cells, line } = record;
    const date = readDate({ text: cells[0] ?? '', line }, ...spellings);
    requireWidth(record, width);
    const rows: FileRow[] = [];
    for (const { place, series, name } of columns) {
      const text = cells[place] ?? '';
      if (!missing.has(text)) rows.push(rowOf(series, date, { text, line, of: name }));
    }
    yield { number: line, date, rows, names };
  }
}

/** @throws MacroError of kind `usage`. */
export function requireWidth({ cells, line }: CsvRecord, width: number): void {
  if (cells.length !== width) throw refuse(`it has ${cells.length} cells and the header has ${width}.`, { line });
}

/** Holidays are shorter. A wider gap hides values, and a change whose day nobody knows. */
const MAX_GAP_DAYS = 10;

/** For values of each day, in either order. @throws MacroError of kind `usage`. */
export function requireEachDay(before: string | undefined, date: string, line: number): void {
  if (before === undefined || (date <= addDays(before, MAX_GAP_DAYS) && date >= addDays(before, -MAX_GAP_DAYS))) return;
  throw refuse(`${date} stands behind ${before}, and the file must have all days between them.`, {
    line,
    hint: 'Download all days of a range, not the changes or the last values alone.',
  });
}

/** The first of the names that stands there before; undefined where none does. */
export function repeatedName(names: readonly string[]): string | undefined {
  const earlier = new Set<string>();
  return names.find((name) => earlier.size === earlier.add(name).size);
}

/** The first record of a file, and those below it. @throws MacroError of kind `usage`. */
export function headed(file: ImportedFile, shape: CsvShape = { separator: ',' }) {
  const all = file.records(shape)[Symbol.iterator]();
  const next = all.next();
  if (next.done) throw refuse('it is empty.');
  const header: CsvRecord = next.value;
  const records: Iterable<CsvRecord> = { [Symbol.iterator]: () => all };
  return { header, records };
}
