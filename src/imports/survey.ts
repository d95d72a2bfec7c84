/** The check of a whole file before anything is written: dates, order, what each series has. */
import { isJsonObject } from '../contract/json/json.ts';
import { addDays, dateOf, dateToMs, isCalendarDate, isoSeconds } from '../contract/time/time.ts';
import type { MacroError } from '../errors.ts';
import type { FetchedFrom } from './fetch/download.ts';
import { type FileLine, type FileRow, type FileSeries, type ImportFormat, nameOfFileSeries } from './format.ts';
import { refuse } from './read/cells.ts';
import type { OpenedFile } from './read/open-file.ts';
import { dayEndingAt } from './read/release-days.ts';

/** The contents of a file, found without storing it. */
export interface Survey {
  readonly file: OpenedFile;
  readonly format: ImportFormat;
  /** Left out of a file that was handed over. */
  readonly fetched?: FetchedFrom;
  readonly rows: number;
  /** First and last date that the file speaks about. */
  readonly from: string;
  readonly to: string;
  /** By `nameOfFileSeries`. */
  readonly series: ReadonlyMap<string, SurveyedSeries>;
  /** Columns that the format leaves out. */
  readonly leftOut: readonly string[];
}

export interface SurveyedSeries {
  readonly series: FileSeries;
  readonly rows: number;
  /** How its dates follow each other in the file. */
  readonly order: RowOrder;
  /** Its first and last date with a value. Empty where it has none. */
  readonly oldest: string;
  readonly newest: string;
  /** The file does not say since when its values are known. */
  readonly isUndated: boolean;
  /** Since when its first value is known (Unix seconds), by the file's date or a rule. */
  readonly knownFrom: number | undefined;
}

export type RowOrder = 'ascending' | 'descending' | 'mixed';

type Growing = { -readonly [Member in keyof SurveyedSeries]: SurveyedSeries[Member] } & { last: string };

const NOTHING_YET = { rows: 0, order: 'ascending', last: '', oldest: '', newest: '', isUndated: false } as const;

/** Max rows in memory of series whose dates are in no order; of all others only a few are in memory. */
const MOST_UNORDERED_ROWS = 500_000;

/** A value takes a byte and more even where it is packed. A file with more values than this was made to keep us busy. */
const maxRowsOf = (bytes: number): number => 250_000 + bytes / 2;

export function surveyFile(format: ImportFormat, file: OpenedFile, now: number): Survey {
  const series = new Map<string, Growing>();
  const today = dateOf(now);
  const maxRows = maxRowsOf(file.length);
  let [from, to, rows] = ['', '', 0];
  let leftOut: readonly string[] = [];
  const grow = (one: FileSeries): Growing => {
    const name = nameOfFileSeries(one);
    const known = series.get(name);
    if (known) return known;
    const made: Growing = { ...NOTHING_YET, series: one, knownFrom: undefined };
    series.set(name, made);
    return made;
  };
  for (const line of format.read(file)) {
    checkDate(line, today);
    if (from === '' || line.date < from) from = line.date;
    if (line.date > to) to = line.date;
    for (const one of line.names ?? []) grow(one);
    leftOut = line.leftOut ?? leftOut;
    for (const row of line.rows) {
      const grown = grow(row.series);
      follow(grown, line, row);
      if (!grown.isUndated) checkVintages(row, line, now);
    }
    rows += line.rows.length;
    if (rows > maxRows) throw refuse(`its ${file.length} bytes hold more than ${Math.floor(maxRows)} values.`);
  }
  if (!format.mayEndOpen && mayBeCutOff(file.end)) throw cutOff();
  if (rows === 0) throw refuse('it has a header and no values.');
  checkUnordered(series);
  return { file, format, rows, from, to, series, leftOut };
}

/**
 * True if the last line could go on. Only its last cell can be incomplete, since it has all cells of the header. Such a
 * number is shorter than the one above it; such an empty cell is below a filled one.
 */
function mayBeCutOff(end: string): boolean {
  if (end === '' || /[\r\n]$/.test(end)) return false;
  const [last = '', ...above] = end
    .split(/\r\n|\n|\r/)
    .reverse()
    .map(lastCell);
  if (last === '') return above[0] !== '';
  const number = above.find((cell) => NUMBER.test(cell));
  if (!NUMBER.test(last) || number === undefined) return false;
  const [decimals, others] = [last, number].map((cell) => /[.,](\d*)$/.exec(cell)?.[1]?.length ?? 0);
  if (decimals !== others) return Number(decimals) < Number(others);
  return decimals === 0 && last.length < number.length;
}

const NUMBER = /^-?\d*[.,]?\d+[.,]?$/;

/** A line that ends with a mark has an empty last cell. */
const lastCell = (line: string): string => /[^,;\t]*$/.exec(line)?.[0].trim() ?? '';

/** The last line as read may be incomplete, such as the first digits of a number. */
function cutOff(): MacroError {
  return refuse('it ends within its last line, so it may have been cut off.', {
    hint: 'Download it again. If it is whole, add a line end to its last line.',
  });
}

/** Nobody publishes the value of a day that has not come: the file is no such file, or the clock of the machine is wrong. */
function checkDate({ date, number }: FileLine, today: string): void {
  if (!isCalendarDate(date)) throw refuse(`'${date}' is no date.`, { line: number });
  if (date > today)
    throw refuse(`it speaks of ${date}, and today is ${today} by the clock of this machine.`, { line: number });
}

/** A file of today may carry the day of tomorrow, which ends a day and a half later: what stands behind that is no vintage. */
const MOST_HOURS_AHEAD = 60;

/** Flash estimates of a month come out up to so many days before its end. */
const FLASH_DAYS = 3;

/** Nobody knows a value before its period ends, nor from a vintage that has not come. */
function checkVintages({ row, series, knownFrom }: FileRow, { date, number: line }: FileLine, now: number): void {
  if (knownFrom !== undefined) return;
  const vintages = Object.values(row.value).find(Array.isArray);
  const [first, last] = [vintages?.at(0), vintages?.at(-1)].map((one) =>
    isJsonObject(one) ? Number(one.epoch) : Number.NaN,
  );
  if (Number(first) * 1000 < dateToMs(series.period ? addDays(date, -FLASH_DAYS) : date))
    throw refuse(`its vintage of ${dayEndingAt(Number(first))} has a forecast of ${date}, which had not ended then.`, {
      line,
      hint: 'No series of values takes forecasts. Leave it out, correct the vintage, or name a file of FRED-MD by its own month.',
    });
  if (Number(last) * 1000 > now + MOST_HOURS_AHEAD * 3_600_000)
    throw refuse(
      `it has a vintage of ${isoSeconds(Number(last))}, and now it is ${isoSeconds(Math.floor(now / 1000))} by the clock of this machine.`,
      { line },
    );
}

/** Notes one more row of a series. Where dates follow each other in order, a doubled one stands right behind its twin. */
function follow(grown: Growing, { date, number }: FileLine, { knownFrom, row }: FileRow): void {
  if (date === grown.last) throw refuse(`${date} stands in the file twice.`, { line: number });
  if (grown.rows > 0) {
    const order = date > grown.last ? 'ascending' : 'descending';
    if (grown.rows === 1) grown.order = order;
    else if (grown.order !== order) grown.order = 'mixed';
  }
  // The first row tells for all of them. A list is that of its vintages.
  if (grown.rows === 0) {
    grown.isUndated = knownFrom === undefined && !Object.values(row.value).some(Array.isArray);
    grown.knownFrom = knownFrom;
  }
  // A time that moves with the dates is a rule, and says nothing of the file.
  if (knownFrom !== grown.knownFrom) grown.isUndated = true;
  grown.rows += 1;
  grown.last = date;
  if (grown.oldest === '' || date < grown.oldest) grown.oldest = date;
  if (date > grown.newest) grown.newest = date;
}

function checkUnordered(series: ReadonlyMap<string, SurveyedSeries>): void {
  const unordered = [...series.values()].filter(({ order }) => order === 'mixed');
  const rows = unordered.reduce((sum, one) => sum + one.rows, 0);
  if (rows > MOST_UNORDERED_ROWS)
    throw refuse(`${rows} of its rows are in no order of dates. Sort the file by date and try again.`);
}
