// Rows of a history as they are shown, by its own route and wherever else one of them stands.

import { type RowSums, rowSumsOf } from '../../contract/content-sum.ts';
import type { MissingRange, WholeRows } from '../../contract/hooks.ts';
import type { JsonText } from '../../contract/json/json.ts';
import { runEnds } from '../../contract/time/coverage.ts';
import { missingIn } from '../../coverage/missing-parts.ts';
import { type Cadence, cadenceOf, SAMPLE } from '../cadence.ts';
import { type ChangeRules, type ComparedPrint, withChange } from './change-members.ts';
import { type Print, printText, readPrint } from './print.ts';

/** Rows by their place, each with what it says of the rows behind it: made when they are first shown. */
export interface IndicatorRows {
  readonly dates: readonly string[];
  /** Memory of all of them, once they are made. */
  readonly bytes: number;
  text(place: number): JsonText;
  readonly sumOf: RowSums;
  /** The uncovered dates that the comparisons of a row need. */
  missingRanges(place: number): readonly MissingRange[];
  /** The rhythm of a page that begins there. */
  cadence(place: number): Cadence | undefined;
}

/** Prints in answer order. */
export interface PrintSource {
  readonly dates: readonly string[];
  print(place: number): Print;
  /** Those from a place on that a row may be compared with, where its rhythm is this. */
  older(place: number, cadence: Cadence | undefined): readonly ComparedPrint[];
  /** The commit that brought a row. */
  commit?(place: number): number | undefined;
}

interface Showing extends Pick<ChangeRules, 'kind' | 'coverage' | 'visibleFrom' | 'asReceived'> {
  /** The last change of a print that is shown. */
  readonly finish: (print: Print) => Print;
}

/** Comparisons go back at most this many rows: a year of days. */
const FARTHEST_ROWS = 800;

const ROW_BYTES = 700;

/** A row's own rhythm follows from itself and so many dates behind it. */
const BEHIND_ROWS = SAMPLE + 1;

export function indicatorRows(source: PrintSource, { finish, ...showing }: Showing): IndicatorRows {
  const { dates, commit } = source;
  const { coverage } = showing;
  const ends = runEnds(coverage, dates);
  const texts: (JsonText | undefined)[] = [];
  const missingRanges = new Map<number, MissingRange[]>();
  const shownAt = (place: number) => {
    const found: MissingRange[] = [];
    const cadence = rhythmAt(dates, ends, { place, count: BEHIND_ROWS });
    const before = place + 1 < dates.length ? source.print(place + 1) : undefined;
    const shown = withChange(
      { ...source.print(place), place },
      { before: before && { ...before, place: place + 1 }, older: source.older(place + 1, cadence) },
      {
        ...showing,
        cadence,
        commitOf: commit && (({ place: at }) => (at === undefined ? undefined : commit(at))),
        onMissing: (range) => found.push(...missingIn(coverage, range)),
      },
    );
    if (found.length > 0) missingRanges.set(place, found);
    return printText(finish(shown));
  };
  const text = (place: number) => {
    const known = texts[place] ?? shownAt(place);
    texts[place] = known;
    return known;
  };
  return {
    dates,
    bytes: dates.length * ROW_BYTES,
    text,
    sumOf: rowSumsOf(dates.length, (sum, place) => sum.add(text(place))),
    cadence: (place) => rhythmAt(dates, ends, { place, count: 2 * SAMPLE }),
    missingRanges(place) {
      text(place);
      return missingRanges.get(place) ?? [];
    },
  };
}

/** All rows of a series as they are stored. */
export function storedPrints(whole: WholeRows): PrintSource {
  const dates = Array.from(whole.values('date') ?? [], String);
  const vals = whole.values('val');
  const compared = dates.map((date, place): ComparedPrint => {
    const val = vals?.[place];
    return { date, val: typeof val === 'number' && !Number.isNaN(val) ? val : null, altered: false, place };
  });
  return {
    dates,
    print: (place) => readPrint(whole.text(place)),
    older: (place) => compared.slice(place, place + FARTHEST_ROWS),
    commit: whole.commit,
  };
}

/** The rhythm of some dates from a place on, without a missing range: across one it would look slower than it is. */
function rhythmAt(
  dates: readonly string[],
  ends: readonly number[],
  { place, count }: { readonly place: number; readonly count: number },
): Cadence | undefined {
  return cadenceOf(dates.slice(place, Math.min(ends[place] ?? place, place + count)));
}
