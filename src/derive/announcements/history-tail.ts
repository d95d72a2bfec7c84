// The newest year of a history: what is shown of it, and how much of the series it takes to know.

import type { HeadOfRows, LoadedRow, LoadedSeries, MissingPart } from '../../contract/hooks.ts';
import type { JsonObject } from '../../contract/json/json.ts';
import { isCovered, runEnds } from '../../contract/time/coverage.ts';
import { addDays, BEGINNING, dateOf } from '../../contract/time/time.ts';
import { type Cadence, cadenceOf, monthsBefore, newestUpTo, RHYTHMS, SAMPLE, standsForMonths } from '../cadence.ts';
import { comparedWith } from './change-members.ts';
import { type Print, printReader, readKept } from './print.ts';
import { missingOfHistory, selectVintage } from './series.ts';

export interface HistoryTail {
  readonly envelope: JsonObject;
  /** Undefined where the caller may see no print. */
  readonly shown: ShownPrints | undefined;
  /** Release time of the newest print that the caller may not see yet. */
  readonly hidden: number | undefined;
  readonly cadence: Cadence | undefined;
  /** Older prints may exist that the newest one is compared with: a missing range lies before the last of these. */
  readonly isCut: boolean;
  /** More of the series that it takes to know all this; undefined where it is known. */
  readonly needs: HeadOfRows | undefined;
}

/** Prints as the caller may see them. */
export interface ShownPrints {
  readonly latest: Print;
  readonly previous: Print | undefined;
  /** Values that the newest one is compared with; undefined where there is none. */
  readonly before: Readonly<Record<'month' | 'quarter' | 'year', number | null | undefined>>;
}

/** What is read of a history first: enough to tell the cadence, and all of it where periods are months or longer. */
export const FIRST_HEAD: HeadOfRows = { head: 2 * SAMPLE };

const LONGEST_YEAR_DAYS = 366;

/** True where nothing newer than the newest row existed when the mirror last looked: only then is it the latest. */
export function isKnownToEnd({ rows, coverage }: LoadedSeries, now: number): boolean {
  const newest = rows[0]?.columns.date;
  return typeof newest === 'string' && isCovered(coverage, { from: newest, to: dateOf(now * 1000) });
}

/** Missing part behind the newest row of a history: something newer may exist there. */
export function missingOfEnd({ ref, rows, coverage }: LoadedSeries, now: number): readonly MissingPart[] {
  return missingOfHistory(ref, coverage, { from: String(rows[0]?.columns.date), to: dateOf(now * 1000) });
}

export function moreForTails(
  histories: Iterable<LoadedSeries>,
  cutoff: number | undefined,
  now: number,
): ReadonlyMap<LoadedSeries, HeadOfRows> {
  const more = new Map<LoadedSeries, HeadOfRows>();
  for (const history of histories) {
    const { needs } = history.isHead ? readTail(history, cutoff, now) : {};
    if (needs) more.set(history, needs);
  }
  return more;
}

/** A period; of those far from the newest only the value is loaded. */
interface Period {
  readonly date: string;
  readonly row: LoadedRow | undefined;
  readonly val: number | null;
}

/** The newest year of a history, without what the delay hides. */
export function readTail(series: LoadedSeries, cutoff: number | undefined, now: number): HistoryTail {
  const { envelope, kept, coverage, columns, isHead } = series;
  const read = printReader(series);
  const all = periodsOf(series);
  const runEnd = runEnds(
    coverage,
    all.map(({ date }) => date),
  )[0];
  const run = all.slice(0, runEnd);
  const cadence = cadenceOf(run.map(({ date }) => date));
  const perYear = cadence ? RHYTHMS[cadence].rowsPerYear : 2;
  const shown: Period[] = [];
  let hidden: number | undefined;
  for (const period of run) {
    if (shown.length > perYear) break;
    const release = cutoff === undefined || !period.row ? undefined : readKept(read(period.row.text), kept).release;
    if (cutoff !== undefined && release !== undefined && release > cutoff) hidden ??= release;
    else shown.push(period);
  }
  const isRead = shown.length > perYear || run.length < all.length || !isHead || columns !== undefined;
  const isCut = shown.length <= perYear && !isCovered(coverage, { from: BEGINNING, to: String(run.at(-1)?.date) });
  return {
    envelope,
    shown: isRead ? shownPrints(series, shown, { cadence, cutoff, now }) : undefined,
    hidden,
    cadence,
    isCut,
    needs: isRead ? undefined : moreFor(series, { cadence, cutoff, head: perYear + 1 + run.length - shown.length }),
  };
}

function periodsOf({ rows, columns }: LoadedSeries): readonly Period[] {
  if (!columns?.date) return rows.map((row) => ({ date: String(row.columns.date), row, val: null }));
  const { date: dates, val: values } = columns;
  return dates.map((date, i) => {
    const val = values?.[i];
    return { date: String(date), row: rows[i], val: typeof val === 'number' ? val : null };
  });
}

/** Further rows: a year of values is enough for comparisons unless something is hidden or missing. */
function moreFor(
  { rows, kept, coverage }: LoadedSeries,
  {
    cadence,
    cutoff,
    head,
  }: { readonly cadence: Cadence | undefined; readonly cutoff: number | undefined; readonly head: number },
): HeadOfRows {
  const newest = String(rows[0]?.columns.date);
  const isWhole = isCovered(coverage, { from: BEGINNING, to: newest });
  if (!cadence || cutoff !== undefined || kept || !isWhole) return { head };
  const from = addDays(newest, -LONGEST_YEAR_DAYS - RHYTHMS[cadence].tolerance);
  return { head: rows.length, values: { names: ['date', 'val'], from } };
}

function shownPrints(
  series: LoadedSeries,
  [latest, ...older]: readonly Period[],
  {
    cadence,
    cutoff,
    now,
  }: { readonly cadence: Cadence | undefined; readonly cutoff: number | undefined; readonly now: number },
): ShownPrints | undefined {
  if (!latest) return undefined;
  const read = printReader(series);
  const question = { revisions: 'latest', asOf: undefined, availability: 'public', cutoff, now } as const;
  const printOf = (period: Period | undefined) => {
    const print = period?.row && readKept(read(period.row.text), series.kept);
    return print && (selectVintage(print, question) ?? print);
  };
  const valueIn = (period: Period | undefined) => period && (period.row ? printOf(period)?.val : period.val);
  const first = printOf(latest);
  if (!first) return undefined;
  const { monthAgo, yearAgo } = comparedWith(latest, older, cadence);
  const quarterAgo =
    cadence === 'quarterly'
      ? newestUpTo(older, monthsBefore(latest.date, 3, standsForMonths(cadence)), RHYTHMS.quarterly.tolerance)
      : undefined;
  return {
    latest: first,
    previous: printOf(older[0]),
    before: { month: valueIn(monthAgo), quarter: valueIn(quarterAgo), year: valueIn(yearAgo) },
  };
}
