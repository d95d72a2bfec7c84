import { addDays } from '../../../contract/time/time.ts';
import { isFirstPrint, type ReleaseRhythm, statesOf, type VintageState } from '../../../contract/time/vintages.ts';
import { onWorkingDays } from '../../fetch/download.ts';
import type { FileLine, ImportedFile, ImportFormat } from '../../format.ts';
import { readDate, readNumber, refuse } from '../../read/cells.ts';
import type { CsvRecord } from '../../read/csv.ts';
import { headed, requireWidth } from '../../read/dated-lines.ts';
import { dateOfPeriod } from '../../read/published-series.ts';
import { isSame, type VintageStep } from '../../read/vintages.ts';
import { dateOfLine, type FredColumn, fredColumn, noSeries, rhythmOfPeriod, TERMS } from './columns.ts';
import { FRED_SERIES } from './fred-series.ts';
import { addDate, type DateSteps } from './other-series.ts';

/** Observations of ALFRED by real-time period: a line for each value with its first and last valid day. */
export const alfredPeriods: ImportFormat = {
  id: 'alfred-periods',
  publisher: 'ALFRED',
  doc: 'Observations of a series from ALFRED by real-time period (obs._by_real-time_period.csv)',
  terms: TERMS,
  publication: {
    revised: 'often',
    rule:
      'known from 08:30 New York time of its first real-time day, assumed: ALFRED has the day alone. Yields are known from ' +
      '16:15, PCE since December 2025 from 10:00',
  },
  takes: 'as',
  download: {
    page: 'https://alfred.stlouisfed.org/',
    file: 'obs._by_real-time_period.csv',
    maxBytes: 64_000_000,
    appears: onWorkingDays('18:00', 'America/New_York', 40),
    termsPage: 'https://fred.stlouisfed.org/legal/',
    seen: { on: '2025-10-19', by: 'a file in a public repository; its page makes each file anew' },
  },
  recognises: ({ head }) => /^\W*period_start_date,[^,]+,realtime_start_date,realtime_end_date/.test(head),
  read: readPeriods,
};

const OPEN: ReadonlySet<string> = new Set(['', '.', '9999-12-31']);

interface Interval {
  readonly date: string;
  readonly line: number;
  readonly val: string | undefined;
  readonly from: string;
  /** Undefined while it holds. */
  readonly to: string | undefined;
}

/** The file is read twice. A period that ends before the newest one was withdrawn, and its days show the releases. */
function* readPeriods(file: ImportedFile): Generator<FileLine> {
  const vintages = vintagesIn(file);
  const { column, intervals } = intervalsIn(file);
  let open: Interval[] = [];
  let before: string | undefined;
  for (const interval of intervals) {
    const [previous] = open;
    if (previous && previous.date !== interval.date) {
      yield lineOf(open, { column, before, vintages });
      before = previous.date;
      open = [];
    }
    if (before !== undefined && interval.date <= before)
      throw refuse(`${interval.date} stands behind ${before}.`, { line: interval.line });
    open.push(interval);
  }
  if (open.length > 0) yield lineOf(open, { column, before, vintages });
}

interface Context {
  readonly column: FredColumn;
  readonly before: string | undefined;
  readonly vintages: FileVintages;
}

/** The days of a file. */
interface FileVintages {
  /** The last day on which a value was in force. */
  readonly last: string;
  /** By the day with which each begins. */
  readonly states: readonly VintageState[];
}

function vintagesIn(file: ImportedFile): FileVintages {
  let last = '';
  const begins = new Map<string, string>();
  const days = new Set<string>();
  const { column, intervals } = intervalsIn(file);
  for (const { date, val, from, to = '9999-12-31' } of intervals) {
    if (to > last) last = to;
    const begin = begins.get(date);
    if (val !== undefined && (begin === undefined || from < begin)) begins.set(date, from);
    days.add(from);
    if (to < '9999-12-31') days.add(addDays(to, 1));
  }
  // The file says nothing of the day behind its last one.
  if (last < '9999-12-31') days.delete(addDays(last, 1));
  const { vintageIsKnown: known } = column;
  return { last, states: statesOf([...begins.values()].map(known), [...days].map(known)) };
}

function lineOf(open: readonly Interval[], { column, before, vintages }: Context): FileLine {
  const { date = '', line = 1 } = open[0] ?? {};
  const { period } = column.published;
  const steps = stepsOf(open, vintages, { column, date: dateOfPeriod(date, period), rhythm: rhythmOfPeriod(period) });
  return {
    number: line,
    date: dateOfLine({ cells: [], line, date, before }, column),
    rows: column.writer.rowsOf({ date, line, steps, precision: 'day' }),
    names: column.writer.names,
  };
}

function stepsOf(
  open: readonly Interval[],
  { last: end, states }: FileVintages,
  period: { readonly column: FredColumn; readonly date: string; readonly rhythm: ReleaseRhythm },
): readonly VintageStep[] {
  const isRelease = (epoch: number) => {
    const place = states.findIndex(({ at }) => at === epoch);
    const state = states[place];
    return state !== undefined && isFirstPrint(states[place - 1], state, period);
  };
  const sorted = [...open].sort((a, b) => (a.from < b.from ? -1 : 1));
  const steps: VintageStep[] = [];
  const add = (day: string, val: string | undefined) => {
    const last = steps.at(-1);
    if (last ? isSame(last.val, val) : val === undefined) return;
    const epoch = period.column.vintageIsKnown(day);
    steps.push({ epoch, val, isFirst: !last && isRelease(epoch) });
  };
  for (const [place, { from, to, val, line }] of sorted.entries()) {
    const next = sorted[place + 1];
    if (next && (to === undefined || next.from <= to))
      throw refuse(`its real-time period begins before the one of ${from} ends.`, { line: next.line });
    add(from, val);
    if (to !== undefined && (next ? next.from > addDays(to, 1) : to < end)) add(addDays(to, 1), undefined);
    if (to !== undefined && to < from) throw refuse(`its real-time period ends before it begins.`, { line });
  }
  return steps;
}

function intervalsIn(file: ImportedFile): { readonly column: FredColumn; readonly intervals: Iterable<Interval> } {
  const { header, records } = headed(file);
  const [, id = ''] = header.cells;
  function* intervals(of: Iterable<CsvRecord>): Generator<Interval> {
    for (const record of of) yield intervalOf(record, id);
  }
  let steps: DateSteps | undefined;
  if (!FRED_SERIES.has(id))
    for (const { date, val } of intervals(headed(file).records))
      if (val !== undefined && date !== steps?.last) steps = addDate(steps, date);
  const column = fredColumn(id, steps, file.facts);
  if (!column) throw noSeries([id], header.line);
  return { column, intervals: intervals(records) };
}

function intervalOf({ cells, line }: CsvRecord, id: string): Interval {
  const [date = '', val = '', from = '', to = ''] = cells;
  requireWidth({ cells, line }, 4);
  const day = (text: string) => readDate({ text, line }, 'YYYY-MM-DD');
  return {
    line,
    date: day(date),
    val: val === '' || val === '.' ? undefined : readNumber({ text: val, line, of: id }),
    from: day(from),
    to: OPEN.has(to) ? undefined : day(to),
  };
}
