import { MAPPINGS } from '../../endpoints/index.ts';
import type { KeyValue, Selection, StoredRow, StoredSeries } from '../../mirror/api/series.ts';

/**
 * The rows of a series that a selection takes, out of all of them in answer order. Undefined for what only the mirror can
 * select: by anything else than the first column of the key, or by a bound of another type than it.
 */
export function rowsWithin(
  series: StoredSeries,
  rows: readonly StoredRow[],
  selection: Selection,
): readonly StoredRow[] | undefined {
  const { from, to, ...others } = selection;
  if (Object.values(others).some((value) => value !== undefined)) return undefined;
  const range = rangeWithin(series, rows, { from, to });
  if (!range) return undefined;
  const part = rows.slice(range.start, range.end);
  wholes.set(part, rows);
  return part;
}

const wholes = new WeakMap<readonly StoredRow[], readonly StoredRow[]>();

/** All rows of the series that a selection was taken out of; undefined for rows that were read as they are. */
export function wholeOf(part: readonly StoredRow[]): readonly StoredRow[] | undefined {
  return wholes.get(part);
}

type Keyed = Pick<StoredRow, 'key'>;

/** The places of the rows between two bounds; undefined where only the mirror can tell them. */
export function rangeWithin(
  { endpoint }: StoredSeries,
  rows: readonly Keyed[],
  { from, to }: { readonly from: KeyValue | undefined; readonly to: KeyValue | undefined },
): { readonly start: number; readonly end: number } | undefined {
  const mapping = MAPPINGS[endpoint];
  const [key] = mapping?.key ?? [];
  if (!mapping) return undefined;
  if ((mapping.window?.column ?? key?.name) !== key?.name) return undefined;
  const sample = rows[0]?.key[0];
  if ([from, to].some((bound) => bound !== undefined && sample !== undefined && !isComparable(bound, sample)))
    return undefined;
  const isNewestFirst = mapping.order === 'newest';
  const [near, far] = isNewestFirst ? [to, from] : [from, to];
  const isBefore = (a: KeyValue, b: KeyValue) => (isNewestFirst ? a > b : a < b);
  const start = near === undefined ? 0 : firstWhere(rows, (value) => !isBefore(value, near));
  const end = far === undefined ? rows.length : firstWhere(rows, (value) => isBefore(far, value));
  return { start, end: Math.max(start, end) };
}

/** Texts outside of ASCII are not in the same order everywhere. */
function isComparable(bound: KeyValue, value: KeyValue): boolean {
  if (typeof bound === 'number' || typeof value === 'number') return typeof bound === typeof value;
  return /^[\x20-\x7e]*$/.test(bound) && /^\d/.test(value);
}

/** Index of the first row from which on a condition holds of its first key; their count when it never does. */
function firstWhere(rows: readonly Keyed[], holds: (value: KeyValue) => boolean): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = rows[middle]?.key[0];
    if (value !== undefined && holds(value)) high = middle;
    else low = middle + 1;
  }
  return low;
}
