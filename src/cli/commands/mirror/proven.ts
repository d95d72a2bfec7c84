import { isoSeconds } from '../../../contract/time/time.ts';
import type { CoverageInterval } from '../../../mirror/api/mirror.ts';
import { dateRangesOf, timeRangesOf } from '../../../source/coverage/coverage.ts';

/** How many ranges a cell names; JSON has all of them. */
const MOST_NAMED = 3;

/** A stretch of which every row is held: dates, or moments where the series goes by them; null is no bound. */
export interface ProvenRange {
  readonly from: string | null;
  readonly to: string | null;
}

/** The stretches that are proven of a series, oldest first; what lies between two of them is not. */
export function provenRanges(proofs: readonly CoverageInterval[]): readonly ProvenRange[] {
  // A series without a window is proven as a whole.
  if (proofs.some(({ to }) => to === '')) return [{ from: null, to: null }];
  if (proofs.every(({ from }) => typeof from === 'string'))
    return dateRangesOf(proofs).map(({ from, to }) => ({ from, to }));
  return timeRangesOf(proofs).map(({ from, to }) => ({ from: isoSeconds(from), to: isoSeconds(to) }));
}

/** The same for people, by days: `2004-01-06..2004-12-28, 2025-01-07..2025-01-21`. */
export function provenText(ranges: readonly ProvenRange[]): string | null {
  if (ranges.length === 0) return null;
  const named = ranges.slice(0, MOST_NAMED).map(rangeText).join(', ');
  return ranges.length > MOST_NAMED ? `${named} … and ${ranges.length - MOST_NAMED} more` : named;
}

function rangeText({ from, to }: ProvenRange): string {
  return from === null || to === null ? 'whole' : `${from.slice(0, DAY)}..${to.slice(0, DAY)}`;
}

const DAY = '2004-01-06'.length;
