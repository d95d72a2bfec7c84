/** Yields by maturity as series of the announcements endpoint, and tables of the Bank of Canada and of the Federal Reserve Board. */
import type { FileLine, FileRow, FileSeries, ImportedFile } from '../format.ts';
import { type AnnouncedSeries, announcedSeries } from './announced.ts';
import { type PlacedCell, readDate, refuse } from './cells.ts';
import type { CsvRecord } from './csv.ts';
import { datedLines } from './dated-lines.ts';
import type { WallHour } from './release-days.ts';
import { isMarkup } from './xml.ts';

/** When H.15 comes out on a business day: the Board of Governors has the yields, and FRED takes them from there. */
export const H15_HOUR: WallHour = { zone: 'America/New_York', hour: 16.25 };

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

/** A series of the Board's data, with what its file says of it. */
export interface BoardSeries {
  /** `RXI_N.B.CA` */
  readonly id: string;
  readonly unit: string;
  readonly multiplier: string;
  readonly currency: string;
  readonly line: number;
}

/** The parts of a Board release that are read. */
interface BoardRelease {
  /** An id, for messages. */
  readonly example: string;
  /** A series of averages, which has no values of days. */
  isAverage(id: string): boolean;
  /** Undefined for a series that is left out. @throws MacroError of kind `usage`. */
  seriesOf(described: BoardSeries): FileSeries | undefined;
  rowOf(series: FileSeries, date: string, cell: PlacedCell): FileRow;
}

/** `ND` is a holiday, and `NC` and `NA` are days on which there was none. */
const NO_VALUE = ['ND', 'NC', 'NA'];

/** Does a file begin as the XML of a release does, such as `H15`? */
export const isBoardXml = (head: string, release: string): boolean =>
  isMarkup(head) && new RegExp(`(?:compact/|DataSet [^>]*\\bid=")${release}(?![A-Z\\d])`).test(head);

/** Both forms: a table of the Data Download Program, or the release itself as XML. @throws MacroError of kind `usage`. */
export function boardLines(file: ImportedFile, release: BoardRelease): Iterable<FileLine> {
  return isMarkup(file.head) ? linesOfXml(file, release) : linesOfTable(file, release);
}

/** Six lines of facts about the columns, then dates. The last line of facts, `Time Period`, has the ids. */
function* linesOfTable(file: ImportedFile, { example, isAverage, seriesOf, rowOf }: BoardRelease): Generator<FileLine> {
  const all = file.records({ separator: ',' })[Symbol.iterator]();
  const facts = new Map<string, readonly string[]>();
  for (let next = all.next(); !next.done; next = all.next()) {
    const { cells, line } = next.value;
    const [first = '', ...ids] = cells;
    facts.set(first, cells);
    if (first !== 'Time Period') continue;
    const average = ids.find(isAverage);
    if (average !== undefined)
      throw refuse(`its column ${average} has averages, and those are no daily values.`, { line });
    const columns = ids.flatMap((id, at) => {
      const place = at + 1;
      const fact = (name: string) => facts.get(name)?.[place] ?? '';
      const [unit, multiplier, currency] = [fact('Unit:'), fact('Multiplier:'), fact('Currency:')];
      const series = seriesOf({ id, unit, multiplier, currency, line });
      return series ? [{ place, name: id, series }] : [];
    });
    if (columns.length === 0) throw refuse(`its line Time Period names no series such as ${example}.`, { line });
    const records: Iterable<CsvRecord> = { [Symbol.iterator]: () => all };
    const table = { records, columns, width: cells.length, missing: NO_VALUE, rowOf };
    return yield* datedLines({ ...table, spellings: ['YYYY-MM-DD'] });
  }
  throw refuse('it ends before its line Time Period.');
}

/** A `Series` has an `Obs` for each day, and -9999 beside a status that says that there is none. */
function* linesOfXml(file: ImportedFile, { example, seriesOf, rowOf }: BoardRelease): Generator<FileLine> {
  let open: { readonly id: string; readonly series: FileSeries } | undefined;
  let hasAny = false;
  for (const { name, attributes, line } of file.elements()) {
    if (name === 'Series' && attributes) {
      const { SERIES_NAME: id = '', UNIT: unit = '', UNIT_MULT: multiplier = '', CURRENCY: currency = '' } = attributes;
      const series = seriesOf({ id, unit, multiplier, currency, line });
      open = series && { id, series };
      hasAny ||= open !== undefined;
    } else if (name === 'Obs' && attributes && open) {
      const { TIME_PERIOD: day = '', OBS_VALUE: text = '', OBS_STATUS: status = '' } = attributes;
      const date = readDate({ text: day, line }, 'YYYY-MM-DD');
      const isMissing = NO_VALUE.includes(status);
      if (!isMissing && text === '-9999')
        throw refuse(`${text} stands for no value, and the status of ${open.id} is '${status}'.`, { line });
      const rows = isMissing ? [] : [rowOf(open.series, date, { text, line, of: open.id })];
      yield { number: line, date, rows, names: [open.series] };
    }
  }
  if (!hasAny) throw refuse(`it has no series such as ${example}.`);
}

/** The table of observations of the Valet service, found by its title. @throws MacroError of kind `usage`. */
export function readValet(file: ImportedFile): {
  /** Ids of the series, one for each cell behind the date. */
  readonly ids: readonly string[];
  readonly records: Iterable<CsvRecord>;
} {
  const all = file.records({ separator: ',' })[Symbol.iterator]();
  let line = 1;
  let hasTitle = false;
  for (let next = all.next(); !next.done; next = all.next()) {
    line = next.value.line;
    const [first, ...ids] = next.value.cells;
    if (hasTitle && first === 'date') return { ids, records: { [Symbol.iterator]: () => all } };
    hasTitle = first === 'OBSERVATIONS';
  }
  throw refuse('it ends before its table OBSERVATIONS with a first column date.', { line });
}
