/** Columns of a table of the Federal Reserve Bank of St. Louis, and the periods of its lines. */

import type { ReleaseRhythm } from '../../../contract/time/vintages.ts';
import { FX_PUBLISHERS } from '../../../contract/words/publishers.ts';
import type { MacroError } from '../../../errors.ts';
import { onWorkingDays } from '../../fetch/download.ts';
import type { FileSeries, TellableFacts } from '../../format.ts';
import type { Period } from '../../generic/release-rule.ts';
import { readDate, readNumber, readPositive, refuse } from '../../read/cells.ts';
import type { CsvRecord } from '../../read/csv.ts';
import { requireWidth } from '../../read/dated-lines.ts';
import { H10_CURRENCIES, pairSeries, rateRow, ratesOf } from '../../read/fx-rates.ts';
import {
  beginsPeriod,
  checkPeriod,
  dateOfPeriod,
  type PublishedWriter,
  writerOf,
} from '../../read/published-series.ts';
import { endOfDay, H15_HOUR, weekdaysLater } from '../../read/release-days.ts';
import { FRED_SERIES, type FredSeries } from './fred-series.ts';

export const TERMS =
  'Data of agencies of the United States: public domain; series of others have terms of their own. FRED asks to be named.';

/** The bank has no hours of its own: a new state of a series can be there after any day. */
export const ST_LOUIS = {
  appears: onWorkingDays('18:00', 'America/New_York', 40),
  termsPage: 'https://fred.stlouisfed.org/legal/',
} as const;

/** How a file spells a value that is missing. */
const NO_VALUE: ReadonlySet<string> = new Set(['', '.']);

export const isDateTitle = (title: string | undefined): boolean => title === 'DATE' || title === 'observation_date';

/** A series of the file, and what writes its rows. */
export interface FredColumn {
  readonly published: Pick<FredSeries, 'sourceSeriesId' | 'period'>;
  readonly writer: PublishedWriter;
  /** Unix seconds of a vintage, by its day. */
  vintageIsKnown(day: string): number;
  /** The period was found by the nearest dates, and others may lie further apart. */
  readonly mayLackDates?: true;
  /** Unix seconds of the value of a date, where it is never changed; left out where it is. */
  isKnown?(date: string): number | undefined;
}

const yieldIsKnown = weekdaysLater(2, H15_HOUR);

/**
 * The series of an id; undefined where neither id nor dates identify it. An id gets a word of the interface only if it
 * is exactly that series. The effective rate is not the target; a monthly average is no daily yield.
 */
export function fredColumn(
  id: string,
  steps: DateSteps | undefined,
  { as = 'USD' }: TellableFacts,
): FredColumn | undefined {
  const known = FRED_SERIES.get(id);
  if (known)
    return {
      published: known,
      writer: writerOf(known),
      vintageIsKnown: releaseOf(known),
      ...(known.period === 'day' && { isKnown: yieldIsKnown }),
    };
  const rate = dollarRateWriter(id);
  if (rate)
    return {
      published: { sourceSeriesId: id, period: 'day' },
      writer: rate,
      vintageIsKnown: endOfDay,
      isKnown: rateIsKnown,
    };
  const period = steps && isFredId(id) ? periodOfSteps(steps) : undefined;
  if (!period) return undefined;
  return {
    published: { sourceSeriesId: id, period },
    writer: otherWriter(id, as, period),
    vintageIsKnown: endOfDay,
    mayLackDates: true,
  };
}

/** The error of a file of which no column can be read. */
export function noSeries(ids: readonly string[], line: number): MacroError {
  return refuse(
    `nothing says how often ${ids.join(', ')} has a value: by its dates it has none for each day, week, month, quarter or year.`,
    { line, hint: 'Download more of its dates, or describe it as a table: macro import csv --help' },
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
export function* linesBelow(records: Iterable<CsvRecord>, width: number): Generator<FredLine> {
  let before: string | undefined;
  for (const { cells, line } of records) {
    // A sheet that became a text keeps its empty lines.
    if (cells[0] === '' && cells.every((cell) => cell === '')) continue;
    const date = readDate({ text: cells[0] ?? '', line }, 'YYYY-MM-DD');
    requireWidth({ cells, line }, width);
    if (before !== undefined && date === before) throw refuse(`${date} stands in the file twice.`, { line });
    if (before !== undefined && date < before) throw refuse(`${date} stands behind ${before}.`, { line });
    yield { cells, line, date, before };
    before = date;
  }
}

export const hasValue = ({ cells }: CsvRecord, place: number): boolean => !NO_VALUE.has(cells[place] ?? '');

/** The steps of the dates with a value, by the place of the column. */
export function stepsBelow(records: Iterable<CsvRecord>, width: number): readonly (DateSteps | undefined)[] {
  const steps: (DateSteps | undefined)[] = Array.from({ length: width });
  for (const line of linesBelow(records, width))
    for (let place = 1; place < width; place += 1)
      if (hasValue(line, place)) steps[place] = addDate(steps[place], line.date);
  return steps;
}

/** The number of a cell; undefined where it is missing. */
export function fredValue(line: FredLine, place: number, of: string): string | undefined {
  return hasValue(line, place) ? readNumber({ text: line.cells[place] ?? '', line: line.line, of }) : undefined;
}

/** The period that all series of a file share: a line has one date. @throws MacroError of kind `usage`. */
export function periodOf(columns: readonly FredColumn[], line: number): Period {
  const periods = [...new Set(columns.map(({ published }) => published.period))];
  const [only, other] = periods;
  if (only !== undefined && other === undefined) return only;
  throw refuse(`its series have values for each ${periods.join(', ')}. Download a file for each.`, { line });
}

/** How often a series gets a new period, for what tells a first print: no longer one than a quarter is known. */
export const rhythmOfPeriod = (period: Period): ReleaseRhythm => (period === 'year' ? 'quarter' : period);

/**
 * The last day of the period that a line speaks of. A file of averages of longer periods is refused here.
 * @throws MacroError of kind `usage`.
 */
export function dateOfLine({ date, before, line }: FredLine, { published, mayLackDates }: FredColumn): string {
  const { period } = published;
  if (!mayLackDates) checkPeriod(published, { date, before, line });
  if (!beginsPeriod(date, period)) throw refuse(`${date} is no first day of a ${period}.`, { line });
  return dateOfPeriod(date, period);
}

const { publication } = ratesOf(FX_PUBLISHERS.fred, 'as those of H.10');

/** Unix seconds from which a dollar rate is known. The Board never changes one. */
const rateIsKnown = (date: string): number | undefined =>
  publication.revised === 'never' ? publication.at(date) : undefined;

/** Writer of a dollar rate: `DEX..US` is units for a dollar, `DEXUS..` dollars. Undefined for another id. */
function dollarRateWriter(id: string): PublishedWriter | undefined {
  const [, dollars, units] = /^DEX(?:US([A-Z]{2})|([A-Z]{2})US)$/.exec(id) ?? [];
  const currency = H10_CURRENCIES[dollars ?? units ?? ''];
  if (currency === undefined) return undefined;
  const [base, quote] = dollars === undefined ? ['USD', currency] : [currency, 'USD'];
  const series = pairSeries(FX_PUBLISHERS.fred, base, quote);
  return {
    names: [series],
    rowsOf({ date, line, steps, knownFrom }) {
      const text = steps.at(-1)?.val;
      if (text === undefined) return [];
      return [{ ...rateRow(series, date, readPositive({ text, line, of: id })), knownFrom }];
    },
  };
}

/** Titles of other tables with a column DATE. */
const NO_IDS: ReadonlySet<string> = new Set([
  ...Intl.supportedValuesOf('currency'),
  ...'ADJ CLOSE CODE COUNTRY HIGH ID INDEX LOW NAME OPEN PRICE RATE SYMBOL TICKER TIME VALUE VOLUME'.split(' '),
]);

/** Could this be the id of a series? Those of FRED have capital letters and digits. */
export const isFredId = (title: string): boolean => /^[A-Z0-9][A-Z0-9_]+$/.test(title) && !NO_IDS.has(title);

/** The database of the Bank of England has codes of this form below a header `DATE`, and FRED has SONIA as IUDSOIA. */
export const OF_THE_BANK_OF_ENGLAND = /^[IX]U[DM][A-Z0-9]{4}$/;

/** Writer of a series known by its id alone: `fred_dff`. Its unit is unknown. */
function otherWriter(id: string, currency: string, period: Period): PublishedWriter {
  return writerOf({
    currency,
    source: 'FRED',
    sourceUrl: `https://fred.stlouisfed.org/series/${id}`,
    sourceSeriesId: id,
    period,
    ...(period === 'day' && { everyDay: true }),
    outputs: [{ indicator: `fred_${id.toLowerCase()}`, name: `${id} of FRED` }],
  });
}

/** Facts about the dates of a column while they are read in ascending order. */
export interface DateSteps {
  readonly last: string;
  /** Fewest days between two of them; undefined while there is only one. */
  readonly fewest?: number;
  /** All of them are whole weeks apart. */
  readonly areWeeks: boolean;
  /** The max period that begins with each of them. */
  readonly begins: 'day' | 'month' | 'quarter' | 'year';
}

const DAY_MS = 86_400_000;

/** Takes one more date of a column with a value. */
export function addDate(steps: DateSteps | undefined, date: string): DateSteps {
  const begins = beginOf(date);
  if (!steps) return { last: date, areWeeks: true, begins };
  const days = (Date.parse(date) - Date.parse(steps.last)) / DAY_MS;
  return {
    last: date,
    fewest: Math.min(days, steps.fewest ?? days),
    areWeeks: steps.areWeeks && days % 7 === 0,
    begins: BEGINS[Math.min(BEGINS.indexOf(begins), BEGINS.indexOf(steps.begins))] ?? 'day',
  };
}

const BEGINS = ['day', 'month', 'quarter', 'year'] as const;

function beginOf(date: string): DateSteps['begins'] {
  if (!date.endsWith('-01')) return 'day';
  const month = Number(date.slice(5, 7));
  return month === 1 ? 'year' : month % 3 === 1 ? 'quarter' : 'month';
}

/** How often a series has a value, by the dates that have one; undefined where they do not tell, as a single one. */
function periodOfSteps({ fewest, areWeeks, begins }: DateSteps): Period | undefined {
  if (fewest === undefined) return undefined;
  if (fewest < 7) return 'day';
  if (areWeeks && fewest < 28) return 'week';
  if (begins === 'day') return undefined;
  if (fewest < 89) return fewest < 28 ? undefined : 'month';
  if (fewest < 180) return begins === 'month' ? 'month' : 'quarter';
  return fewest >= 365 && begins === 'year' ? 'year' : undefined;
}
