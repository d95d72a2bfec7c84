/** Tables whose lines are a date and values of series, as nearly every publisher of rates has them. */
import { addDays } from '../../contract/time/time.ts';
import { type FileLine, type FileRow, type FileSeries, type ImportedFile, nameOfFileSeries } from '../format.ts';
import { type DateSpelling, type PlacedCell, readDate, refuse } from './cells.ts';
import type { CsvRecord, CsvShape } from './csv.ts';

interface ValueColumn {
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

/** How a publisher writes a table: lines of facts about its columns, known by their first cell, then a line for each date. */
interface TableForm extends Pick<DatedTable, 'spellings' | 'missing' | 'rowOf'> {
  readonly shape?: CsvShape;
  /** First cell of the line behind which the dates begin. */
  readonly header: string;
  /** First cell of the line with the titles of the columns, where it is another one. */
  readonly titles?: string;
  /** A title, for messages. */
  readonly example: string;
  /** Undefined for a column that is left out. @throws MacroError of kind `usage`. */
  seriesOf(title: string, column: { readonly line: number; fact(name: string): string }): FileSeries | undefined;
  /** The lines of dates, where others stand among them. */
  days?(lines: Iterable<CsvRecord>, columns: readonly ValueColumn[]): Iterable<CsvRecord>;
}

/** @throws MacroError of kind `usage`. */
export function* readTable(file: ImportedFile, form: TableForm): Generator<FileLine> {
  const { shape = { separator: ',' }, header, titles = header, days = (lines) => lines } = form;
  const facts = new Map<string, CsvRecord>();
  const records = filled(file.records(shape));
  for (let next = records.next(); !next.done; next = records.next()) {
    const [first = ''] = next.value.cells;
    facts.set(first, next.value);
    if (first !== header) continue;
    const named = facts.get(titles);
    if (!named) throw refuse(`its line ${titles} must stand before ${header}.`, { line: next.value.line });
    const columns = columnsIn(named, facts, form);
    const width = named.cells.length;
    return yield* datedLines({ ...form, records: days(records, columns), columns, width });
  }
  throw refuse(`no line of it begins with ${header}.`);
}

/** A sheet that became a text keeps its empty lines. */
function* filled(records: Iterable<CsvRecord>): Generator<CsvRecord, undefined> {
  for (const record of records) if (record.cells.some((cell) => cell !== '')) yield record;
}

function columnsIn(
  { cells, line }: CsvRecord,
  facts: ReadonlyMap<string, CsvRecord>,
  { seriesOf, example }: TableForm,
): readonly ValueColumn[] {
  const columns = cells.flatMap((name, place) => {
    const fact = (title: string) => facts.get(title)?.cells[place] ?? '';
    // A mark at the end of every line makes a last column without a title.
    const isNone = place === 0 || (name === '' && place === cells.length - 1);
    const series = isNone ? undefined : seriesOf(name, { line, fact });
    return series ? [{ place, name, series }] : [];
  });
  if (columns.length === 0) throw refuse(`its header names no series such as ${example}.`, { line });
  const twice = repeatedName(columns.map(({ series }) => nameOfFileSeries(series)));
  const column = columns.findLast(({ series }) => nameOfFileSeries(series) === twice);
  if (column) throw refuse(`the column ${column.name} stands there twice.`, { line });
  return columns;
}

/** The lines below a header. @throws MacroError of kind `usage`. */
function* datedLines(table: DatedTable): Generator<FileLine> {
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
  if (cells.length === width) return;
  throw refuse(`it has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'} and the header has ${width}.`, {
    line,
  });
}

/** Holidays are shorter. A wider step hides values, and a change whose day nobody knows. */
const MAX_STEP_DAYS = 10;

/** For values of each day, in either order. @throws MacroError of kind `usage`. */
export function requireEachDay(before: string | undefined, date: string, line: number): void {
  if (before === undefined || (date <= addDays(before, MAX_STEP_DAYS) && date >= addDays(before, -MAX_STEP_DAYS)))
    return;
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
