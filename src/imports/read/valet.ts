/** CSV of the Bank of Canada's Valet service: titled sections, of which the last one is the table. */
import type { ImportedFile } from '../format.ts';
import { refuse } from '../refuse.ts';
import type { CsvRecord } from './csv.ts';

export interface ValetTable {
  /** Ids of the series, one for each cell behind the date. */
  readonly ids: readonly string[];
  readonly rows: Iterable<CsvRecord>;
}

/**
 * The table of observations. Sections before it differ from file to file, so it is found by its title.
 * @throws MacroError of kind `usage`.
 */
export function readValet(file: ImportedFile): ValetTable {
  const records = file.records({ separator: ',' })[Symbol.iterator]();
  let line = 1;
  let hasTitle = false;
  for (let next = records.next(); !next.done; next = records.next()) {
    line = next.value.line;
    const [first, ...ids] = next.value.cells;
    if (hasTitle && first === 'date') return { ids, rows: { [Symbol.iterator]: () => records } };
    hasTitle = first === 'OBSERVATIONS';
  }
  throw refuse('it ends before its table OBSERVATIONS with a first column date.', { line });
}
