/** Tables of the Federal Reserve Board's Data Download Program: six lines of facts about the columns, then dates. */
import type { ImportedFile } from '../format.ts';
import { refuse } from '../refuse.ts';
import type { CsvRecord } from './csv.ts';

export interface BoardTable {
  /** A line of facts by its first cell, such as `Unit:`. */
  facts(name: string): readonly string[];
  readonly line: number;
  readonly rows: Iterable<CsvRecord>;
}

/**
 * The last line of facts is called `Time Period` and has the ids of the columns.
 * @throws MacroError of kind `usage`.
 */
export function readBoardTable(file: ImportedFile): BoardTable {
  const records = file.records({ separator: ',' })[Symbol.iterator]();
  const found = new Map<string, readonly string[]>();
  for (let next = records.next(); !next.done; next = records.next()) {
    const { cells, line } = next.value;
    const [first = ''] = cells;
    found.set(first, cells);
    if (first === 'Time Period')
      return { facts: (name) => found.get(name) ?? [], line, rows: sameLength(records, cells) };
  }
  throw refuse('it ends before its line Time Period.');
}

function* sameLength(records: Iterator<CsvRecord>, { length }: readonly string[]): Generator<CsvRecord> {
  for (let next = records.next(); !next.done; next = records.next()) {
    const { cells, line } = next.value;
    if (cells.length !== length) throw refuse(`it has ${cells.length} cells and its header has ${length}.`, { line });
    yield next.value;
  }
}
