/** Columns of a table of the Federal Reserve Bank of St. Louis, and the periods of its lines. */
import type { FileSeries, ImportedFile } from '../../format.ts';
import { periodEnd } from '../../generic/release-rule.ts';
import { readDate, readNumber, refuse } from '../../read/cells.ts';
import type { CsvRecord } from '../../read/csv.ts';
import {
  beginsPeriod,
  checkPeriod,
  type PublishedPeriod,
  type PublishedWriter,
  writerOf,
} from '../../read/published-series.ts';
import { weekdaysLater } from '../../read/release-days.ts';
import { FRED_SERIES, type FredSeries } from './fred-series.ts';

export const TERMS = 'Data of agencies of the United States: public domain. FRED asks to be named.';

/** How a file spells a value that is missing. */
const NO_VALUE: ReadonlySet<string> = new Set(['', '.']);

/** Rates of FRED that are averages of daily ones. */
const MONTHLY_AVERAGE = /^(?:FEDFUNDS|GS\d+M?|TB\dMS|TB\d[YM]S?)$/;

export const isDateTitle = (title: string | undefined): boolean => title === 'DATE' || title === 'observation_date';

/** A series of the file, and what writes its rows. */
export interface FredColumn {
  readonly published: FredSeries;
  readonly writer: PublishedWriter;
  /** Unix seconds of a vintage, by its day. */
  vintageIsKnown(day: string): number;
}

export function fredColumn(id: string, line: number): FredColumn {
  const published = FRED_SERIES.get(id);
  if (published) return { published, writer: writerOf(published), vintageIsKnown: releaseOf(published) };
  if (MONTHLY_AVERAGE.test(id))
    throw refuse(`its series '${id}' has averages of months, and those are no daily rates.`, { line });
  throw refuse(
    `its series '${id}' is none of ${[...FRED_SERIES.keys()].join(', ')}. For another one: macro import csv --help`,
    { line },
  );
}

function releaseOf({ released, laterSince }: FredSeries): (day: string) => number {
  const usual = weekdaysLater(0, released);
  if (!laterSince) return usual;
  const later = weekdaysLater(0, laterSince.hour);
  return (day) => (day < laterSince.day ? usual(day) : later(day));
}

export function seriesIn(columns: readonly FredColumn[]): readonly FileSeries[] {
  return columns.flatMap(({ writer }) => writer.names);
}

/** A line below the header, with its date and its cells. */
export interface FredLine extends CsvRecord {
  /** First day of the period. */
  readonly date: string;
  /** Date of the line before. */
  readonly before: string | undefined;
}

/** Lines below the header, each as long as it and in ascending order. @throws MacroError of kind `usage`. */
export function* linesBelow(records: Iterator<CsvRecord>, width: number): Generator<FredLine> {
  let before: string | undefined;
  for (let next = records.next(); !next.done; next = records.next()) {
    const { cells, line } = next.value;
    const date = readDate({ text: cells[0] ?? '', line }, 'YYYY-MM-DD');
    if (cells.length !== width) throw refuse(`it has ${cells.length} cells and the header has ${width}.`, { line });
    if (before !== undefined && date === before) throw refuse(`${date} stands in the file twice.`, { line });
    if (before !== undefined && date < before) throw refuse(`${date} stands behind ${before}.`, { line });
    yield { cells, line, date, before };
    before = date;
  }
}

export function firstRecord(file: ImportedFile, separator: ',' | '\t') {
  const records = file.records({ separator })[Symbol.iterator]();
  const next = records.next();
  if (next.done) throw refuse('it is empty.');
  return { header: next.value, records };
}

export const hasValue = ({ cells }: CsvRecord, place: number): boolean => !NO_VALUE.has(cells[place] ?? '');

/** The number of a cell; undefined where it is missing. */
export function fredValue(line: FredLine, place: number, of: string): string | undefined {
  return hasValue(line, place) ? readNumber({ text: line.cells[place] ?? '', line: line.line, of }) : undefined;
}

/** The period that all series of a file share: a line has one date. @throws MacroError of kind `usage`. */
export function periodOf(columns: readonly FredColumn[], line: number): PublishedPeriod {
  const periods = [...new Set(columns.map(({ published }) => published.period))];
  const [only, other] = periods;
  if (only !== undefined && other === undefined) return only;
  throw refuse(`its series have values for each ${periods.join(', ')}. Download a file for each.`, { line });
}

/**
 * The last day of the period that a line speaks of. A file of averages of longer periods is refused here.
 * @throws MacroError of kind `usage`.
 */
export function dateOfLine({ date, before, line }: FredLine, { published }: FredColumn): string {
  const { period } = published;
  checkPeriod(published, { date, before, line });
  if (!beginsPeriod(date, period)) throw refuse(`${date} is no first day of a ${period}.`, { line });
  return periodEnd(date, period);
}
