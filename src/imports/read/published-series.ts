/** Series of a publisher of statistics, and what the interface has of each: the values themselves, their changes, or both. */
import { addDays, addMonths } from '../../contract/time/time.ts';
import type { FileLine, FileRow, FileSeries } from '../format.ts';
import { type Period, periodEnd } from '../generic/release-rule.ts';
import { type AnnouncedSeries, announcedSeries, valueRow } from './announced.ts';
import { refuse } from './cells.ts';
import { periodsBack, stepsOfChange, type Transform } from './transforms.ts';
import { type VintagePrecision, type VintageStep, vintageRow } from './vintages.ts';

/** A series as its publisher has it. */
export interface PublishedSeries
  extends Omit<AnnouncedSeries, 'indicator' | 'name' | 'unit' | 'period' | 'selectors' | 'derived' | 'begins'> {
  readonly period: Period;
  /** First day of its first period. */
  readonly begins?: string;
  readonly outputs: readonly PublishedOutput[];
}

/** A series of the interface that follows from it. */
export interface PublishedOutput extends Pick<AnnouncedSeries, 'indicator' | 'name' | 'unit' | 'selectors'> {
  readonly transform?: Transform;
}

/** The facts of one period of a series. */
export interface PeriodValue {
  /** First day of the period. */
  readonly date: string;
  readonly line: number;
  readonly steps: readonly VintageStep[];
  readonly precision: VintagePrecision;
  /** Unix seconds, where no step has a time of its own. */
  readonly knownFrom?: number | undefined;
}

export interface PublishedWriter {
  readonly names: readonly FileSeries[];
  /** Rows of a period; periods come in ascending order. */
  rowsOf(value: PeriodValue): readonly FileRow[];
}

const MONTHS: Readonly<Record<Period, number>> = { day: 0, week: 0, month: 1, quarter: 3, year: 12 };

/** A writer of one reading of a file: it remembers the periods that changes look back to. */
export function writerOf(published: PublishedSeries): PublishedWriter {
  const { period, begins, outputs, ...rest } = published;
  const made = outputs.map(({ transform, ...output }) => ({
    transform,
    series: {
      ...announcedSeries({
        ...rest,
        ...output,
        period,
        ...(transform && { derived: { transform: transform.kind, how: transform.how } }),
        ...(begins !== undefined && { begins: dateOfPeriod(begins, period) }),
      }),
      ...(transform && { monthsBack: monthsIn(periodsBack(transform), period) }),
    },
  }));
  const longest = Math.max(0, ...made.map(({ transform }) => (transform ? periodsBack(transform) : 0)));
  const past = new Map<string, readonly VintageStep[]>();
  return {
    names: made.map(({ series }) => series),
    rowsOf(value) {
      const { date, steps, precision, knownFrom } = value;
      const rows = made.flatMap(({ series, transform }) => {
        const before = transform && (past.get(periodsBefore(date, periodsBack(transform), period)) ?? []);
        const own = transform && before ? stepsOfChange(transform, steps, before) : steps;
        return rowOf(series, dateOfPeriod(date, period), { steps: own, precision, knownFrom });
      });
      past.set(date, steps);
      const [oldest] = past.keys();
      if (past.size > longest && oldest !== undefined) past.delete(oldest);
      return rows;
    },
  };
}

/**
 * Gives the lines of a series whose file has one for each period. Descending periods are refused, and averages of longer
 * periods too.
 */
export function lineWriter(published: PublishedSeries): (value: PeriodValue) => FileLine {
  const writer = writerOf(published);
  let before: string | undefined;
  return (value) => {
    const { date, line } = value;
    if (before !== undefined && date <= before) throw refuse(`${date} stands behind ${before}.`, { line });
    checkPeriod(published, { date, before, line });
    before = date;
    return {
      number: line,
      date: dateOfPeriod(date, published.period),
      rows: writer.rowsOf(value),
      names: writer.names,
    };
  };
}

/** The last day of a period, by its first one. Weeks stand under the day that their publisher gives them. */
export const dateOfPeriod = (date: string, period: Period): string =>
  period === 'week' ? date : periodEnd(date, period);

function rowOf(
  series: FileSeries,
  date: string,
  { steps, precision, knownFrom }: Pick<PeriodValue, 'steps' | 'precision' | 'knownFrom'>,
): readonly FileRow[] {
  const [only] = steps;
  if (steps.length === 1 && only?.epoch === undefined && only?.val !== undefined)
    return [valueRow(series, date, only.val, knownFrom)];
  const row = vintageRow(series, date, { steps, precision });
  return row ? [row] : [];
}

/** The first day of the period that lies so many periods before. */
function periodsBefore(date: string, count: number, period: Period): string {
  const months = monthsIn(count, period);
  return months === 0 ? '' : addMonths(date, -months);
}

const monthsIn = (count: number, period: Period): number => count * MONTHS[period];

/** Days that two neighbouring dates of a file may lie apart. A holiday stands in a daily file, without a value. */
const LARGEST_GAP: Readonly<Record<Period, number>> = { day: 6, week: 9, month: 31, quarter: 92, year: 366 };

/**
 * Averages of longer periods have the same columns: the distance of the dates tells them apart.
 * @throws MacroError of kind `usage`.
 */
export function checkPeriod(
  { sourceSeriesId, period }: Pick<PublishedSeries, 'sourceSeriesId' | 'period'>,
  { date, before, line }: { readonly date: string; readonly before: string | undefined; readonly line: number },
): void {
  if (before !== undefined && date > addDays(before, LARGEST_GAP[period]))
    throw refuse(`${date} stands behind ${before}, and ${sourceSeriesId} has a value for each ${period}.`, { line });
}

/** Does a period begin on this date? */
export function beginsPeriod(date: string, period: Period): boolean {
  return period === 'day' || period === 'week' || periodEnd(addDays(date, -1), period) < date;
}
