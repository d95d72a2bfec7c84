// Rows of a whole history as whoever sees all of it is shown them.
import type { MissingRange, WholeRows } from '../../contract/hooks.ts';
import type { JsonText } from '../../contract/json/json.ts';
import { type Coverage, runEnds } from '../../contract/time/coverage.ts';
import { missingIn } from '../../coverage/missing-parts.ts';
import { type Cadence, cadenceOf, SAMPLE } from '../cadence.ts';
import { type ComparedPrint, type SeriesKind, withChange } from './change-members.ts';
import { type Print, printText, readPrint } from './print.ts';

/** Rows by their place, each with what it says of the rows behind it: made when they are first shown. */
export interface HistoryRows {
  readonly dates: readonly string[];
  text(place: number): JsonText;
  /** What the comparisons of a row need and is not covered. */
  missingRanges(place: number): readonly MissingRange[];
  /** The rhythm of a page that begins there. */
  cadence(place: number): Cadence | undefined;
}

interface Showing {
  readonly kind: SeriesKind;
  readonly coverage: Coverage;
  readonly identify: (print: Print) => Print;
}

/** No row is compared with one that is farther away: a year of days. */
const FARTHEST_ROWS = 800;

/** A row's own rhythm follows from itself and so many dates behind it. */
export const BEHIND_ROWS = SAMPLE + 1;

export function historyRows(whole: WholeRows, { kind, coverage, identify }: Showing): HistoryRows {
  const [days, vals] = [whole.values('date') ?? [], whole.values('val')];
  const dates = Array.from(days, String);
  const ends = runEnds(coverage, dates);
  const older = dates.map((date, place): ComparedPrint => {
    const val = vals?.[place];
    return { date, val: typeof val === 'number' && !Number.isNaN(val) ? val : null, altered: false, place };
  });
  const printAt = (place: number) => ({ ...readPrint(whole.text(place)), place });
  const texts = new Array<JsonText | undefined>(whole.length);
  const missingRanges = new Map<number, MissingRange[]>();
  const shownAt = (place: number) => {
    const found: MissingRange[] = [];
    const compared = {
      before: place + 1 < dates.length ? printAt(place + 1) : undefined,
      older: older.slice(place + 1, place + 1 + FARTHEST_ROWS),
    };
    const shown = withChange(printAt(place), compared, {
      ...{
        kind,
        coverage,
        cadence: cadenceAt(dates, ends, { place, count: BEHIND_ROWS }),
        visibleFrom: undefined,
        asReceived: true,
      },
      commitOf: ({ place: at }) => (at === undefined ? undefined : whole.commit(at)),
      onMissing: (range) => found.push(...missingIn(coverage, range)),
    });
    if (found.length > 0) missingRanges.set(place, found);
    return printText(identify(shown));
  };
  const text = (place: number) => {
    texts[place] ??= shownAt(place);
    return texts[place] ?? shownAt(place);
  };
  return {
    dates,
    text,
    cadence: (place) => cadenceAt(dates, ends, { place, count: 2 * SAMPLE }),
    missingRanges(place) {
      text(place);
      return missingRanges.get(place) ?? [];
    },
  };
}

/** The rhythm of some dates from a place on, without a missing range: across one it would look slower than it is. */
export function cadenceAt(
  dates: readonly string[],
  ends: readonly number[],
  { place, count }: { readonly place: number; readonly count: number },
): Cadence | undefined {
  return cadenceOf(dates.slice(place, Math.min(ends[place] ?? place, place + count)));
}
