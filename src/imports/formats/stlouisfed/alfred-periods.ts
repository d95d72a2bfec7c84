import { addDays } from '../../../contract/time/time.ts';
import { isFirstPrint, statesOf, type VintageState } from '../../../contract/time/vintages.ts';
import type { FileLine, ImportedFile, ImportFormat } from '../../format.ts';
import { readDate, readNumber, refuse } from '../../read/cells.ts';
import type { CsvRecord } from '../../read/csv.ts';
import { headed, requireWidth } from '../../read/dated-lines.ts';
import { isSame, type VintageStep } from '../../read/vintages.ts';
import {
  addDate,
  type DateSteps,
  dateOfLine,
  type FredColumn,
  fredColumn,
  noSeries,
  rhythmOfPeriod,
  ST_LOUIS,
  TERMS,
} from './columns.ts';
import { FRED_SERIES } from './fred-series.ts';

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
    ...ST_LOUIS,
  },
  recognises: ({ head }) => /^\W*period_start_date,[^,]+,realtime_start_date,realtime_end_date/.test(head),
  read: readPeriods,
};

const OPEN: ReadonlySet<string> = new Set(['', '.', '9999-12-31']);
const FOREVER = '9999-12-31';

interface Interval {
  readonly date: string;
  readonly line: number;
  readonly val: string | undefined;
  readonly from: string;
  /** `FOREVER` while it holds. */
  readonly to: string;
}

/** The file is read twice. A period that ends before the newest one was withdrawn, and its days show the releases. */
function* readPeriods(file: ImportedFile): Generator<FileLine> {
  const column = columnOf(file);
  const vintages = vintagesIn(file, column);
  let before: string | undefined;
  for (const intervals of byDate(file)) {
    const { date = '', line = 1 } = intervals[0] ?? {};
    if (before !== undefined && date <= before) throw refuse(`${date} stands behind ${before}.`, { line });
    const end = dateOfLine({ cells: [], line, date, before }, column);
    const steps = stepsOf(intervals, vintages, { column, date: end });
    const { rowsOf, names } = column.writer;
    yield { number: line, date: end, rows: rowsOf({ date, line, steps, precision: 'day' }), names };
    before = date;
  }
}

/** The days of a file. */
interface FileVintages {
  /** The last day on which a value was in force. */
  readonly last: string;
  /** By the day with which each begins. */
  readonly states: readonly VintageState[];
}

function vintagesIn(file: ImportedFile, { vintageIsKnown: known }: FredColumn): FileVintages {
  let last = '';
  const begins: string[] = [];
  const days = new Set<string>();
  for (const intervals of byDate(file)) {
    const [begin] = intervals.flatMap(({ val, from }) => (val === undefined ? [] : from)).sort();
    if (begin !== undefined) begins.push(begin);
    for (const { from, to } of intervals) {
      if (to > last) last = to;
      days.add(from);
      if (to < FOREVER) days.add(addDays(to, 1));
    }
  }
  // The file says nothing of the day behind its last one.
  if (last < FOREVER) days.delete(addDays(last, 1));
  return { last, states: statesOf(begins.map(known), [...days].map(known)) };
}

function stepsOf(
  intervals: readonly Interval[],
  { last: end, states }: FileVintages,
  { column, date }: { readonly column: FredColumn; readonly date: string },
): readonly VintageStep[] {
  const rhythm = rhythmOfPeriod(column.published.period);
  const isRelease = (epoch: number) => {
    const place = states.findIndex(({ at }) => at === epoch);
    const state = states[place];
    return state !== undefined && isFirstPrint(states[place - 1], state, { date, rhythm });
  };
  const sorted = [...intervals].sort((a, b) => (a.from < b.from ? -1 : 1));
  const steps: VintageStep[] = [];
  const add = (day: string, val: string | undefined) => {
    const last = steps.at(-1);
    if (last ? isSame(last.val, val) : val === undefined) return;
    const epoch = column.vintageIsKnown(day);
    steps.push({ epoch, val, isFirst: !last && isRelease(epoch) });
  };
  for (const [place, { from, to, val, line }] of sorted.entries()) {
    const next = sorted[place + 1];
    if (next && next.from <= to)
      throw refuse(`its real-time period begins before the one of ${from} ends.`, { line: next.line });
    if (to < from) throw refuse(`its real-time period ends before it begins.`, { line });
    add(from, val);
    if (next ? next.from > addDays(to, 1) : to < end) add(addDays(to, 1), undefined);
  }
  return steps;
}

function columnOf(file: ImportedFile): FredColumn {
  const { cells, line } = headed(file).header;
  const [, id = ''] = cells;
  let steps: DateSteps | undefined;
  if (!FRED_SERIES.has(id))
    for (const intervals of byDate(file)) {
      const dated = intervals.find(({ val }) => val !== undefined);
      if (dated && dated.date !== steps?.last) steps = addDate(steps, dated.date);
    }
  const column = fredColumn(id, steps, file.facts);
  if (!column) throw noSeries([id], line);
  return column;
}

/** Intervals of one date after the other, as the lines stand there. */
function* byDate(file: ImportedFile): Generator<readonly Interval[]> {
  const { header, records } = headed(file);
  let open: Interval[] = [];
  for (const record of records) {
    const interval = intervalOf(record, header.cells[1] ?? '');
    if (open.length > 0 && open[0]?.date !== interval.date) {
      yield open;
      open = [];
    }
    open.push(interval);
  }
  if (open.length > 0) yield open;
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
    to: OPEN.has(to) ? FOREVER : day(to),
  };
}
