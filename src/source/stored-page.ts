import { addDays, dateOf } from '../contract/time/time.ts';
import type { MirrorReader } from '../mirror/api/mirror.ts';
import type { Selection, StoredCoverage, StoredSeries } from '../mirror/api/series.ts';

/** A page of the answer, as a part of the stored rows. */
export interface StoredPage {
  readonly offset: number;
  readonly limit: number;
  /** Rows that the answer has besides the stored ones, as far as that is known. */
  readonly missing: number;
}

interface AskedPage {
  readonly series: StoredSeries;
  readonly selection: Selection;
  readonly order: 'newest' | 'oldest';
  readonly limit: number;
  readonly offset: number;
}

/**
 * Where a page stands among stored rows: a stored offset counts the rows before it; else offsets count stored rows, and
 * the answer is partial.
 */
export async function positionInStored(
  reader: Pick<MirrorReader, 'coveredRanges' | 'count'>,
  { series, selection, order, limit, offset }: AskedPage,
): Promise<StoredPage> {
  const known = (await reader.coveredRanges(series, 'keyless')).filter((covered) =>
    speaksOf(covered, selection, order),
  );
  if (known.length === 0) return { offset, limit, missing: 0 };
  const marks: Mark[] = [];
  for (const { from, to, skipped } of known) {
    const before = order === 'newest' ? { from: addDays(String(to), 1) } : { to: addDays(String(from), -1) };
    const count = await reader.count(series, { ...selection, ...before });
    const { rows = 0, beside = 0 } = skipped ?? {};
    marks.push({ present: Math.max(0, count - beside), missing: Math.max(0, rows - count) });
  }
  marks.sort((a, b) => a.present - b.present || a.missing - b.missing);
  const start = heldBefore(marks, offset);
  const missing = marks.at(-1)?.missing ?? 0;
  return { offset: start, limit: heldBefore(marks, offset + limit) - start, missing };
}

/** From the stored row with this index on, so many rows before it are not stored. */
interface Mark {
  readonly present: number;
  readonly missing: number;
}

/** How many stored rows stand before a place of the answer. */
function heldBefore(marks: readonly Mark[], place: number): number {
  let before = Math.min(place, marks[0]?.present ?? place);
  for (const [i, { present, missing }] of marks.entries()) {
    const end = marks[i + 1]?.present ?? Number.POSITIVE_INFINITY;
    before += Math.max(0, Math.min(place - missing, end) - present);
  }
  return before;
}

/** A page's offset counts from where its window began, so another beginning or earlier end says nothing. */
function speaksOf(
  { skipped, checkedAt, from: oldest, to: newest }: StoredCoverage,
  { from, to, where }: Selection,
  order: AskedPage['order'],
): boolean {
  if (!skipped || where) return false;
  if (order === 'oldest') return from === skipped.front && (to === undefined || addDays(String(oldest), -1) <= to);
  if (from !== undefined && addDays(String(newest), 1) < from) return false;
  // Behind a day that was not over nothing came later, as far as the mirror looked.
  const isOpen = skipped.front >= dateOf(checkedAt);
  return to === skipped.front || (isOpen && (to === undefined || to >= skipped.front));
}
