/** Yields of government bonds by maturity, as series of the announcements endpoint: curves are made of them. */
import type { FileSeries, ImportedFile } from '../format.ts';
import { type AnnouncedSeries, announcedSeries } from './announced.ts';
import { refuse } from './cells.ts';
import type { CsvRecord } from './csv.ts';
import type { WallHour } from './release-days.ts';

/** CSV of the Bank of Canada's Valet service: titled sections, of which the last one is the table. */
/** Tables of the Federal Reserve Board's Data Download Program: six lines of facts about the columns, then dates. */
/** When H.15 comes out on a business day: the Board of Governors has the yields, and FRED takes them from there. */
export const H15_HOUR: WallHour = { zone: 'America/New_York', hour: 16.25 };

export interface BoardTable {
  /** A line of facts by its first cell, such as `Unit:`. */
  facts(name: string): readonly string[];
  readonly line: number;
  readonly rows: Iterable<CsvRecord>;
}

interface ValetTable {
  /** Ids of the series, one for each cell behind the date. */
  readonly ids: readonly string[];
  readonly rows: Iterable<CsvRecord>;
}

/** The indicator of a maturity such as `10Y` or `1.5M`, with its name. */
export function maturityYield(label: string, bond: string) {
  const [, size = '', unit = ''] = /^(\d+(?:\.\d+)?)([MY])$/.exec(label) ?? [];
  return {
    indicator: `gov_bond_${size.replace('.', '_')}${unit.toLowerCase()}`,
    name: `${bond} yield, ${size} ${unit === 'M' ? 'months' : size === '1' ? 'year' : 'years'}`,
    unit: '%',
  };
}

/** Who publishes a yield, and under which id. */
export type YieldPublisher = Pick<AnnouncedSeries, 'currency' | 'source' | 'sourceUrl' | 'sourceSeriesId'>;

export function yieldSeries(label: string, bond: string, publisher: YieldPublisher): FileSeries {
  return announcedSeries({
    ...publisher,
    ...maturityYield(label, bond),
    frequency: 'Daily',
    adjustment: 'NOT_APPLICABLE',
  });
}

/** Reads columns by their ids in the last line of facts, `Time Period`. @throws MacroError of kind `usage`. */
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

/**
 * The table of observations, found by its title since sections before it differ.
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
