import { compareTexts } from './observations.ts';

/** The orders that reference and session rates can be asked in. */
export const ORDERS = ['timestamp_asc', 'timestamp_desc', 'date_asc', 'date_desc'] as const;

interface Timed {
  readonly date: string;
  /** Unix seconds. */
  readonly at: number;
}

/**
 * Sorts by time or by date. Ties are broken by the other one and then as `natural` says, so that the order is total and
 * a descending one is exactly the reverse of its twin.
 */
export function sortedRates<T extends Timed>(rows: readonly T[], order: string, natural: (a: T, b: T) => number) {
  const ascending = order.startsWith('date_')
    ? (a: T, b: T) => compareTexts(a.date, b.date) || a.at - b.at || natural(a, b)
    : (a: T, b: T) => a.at - b.at || compareTexts(a.date, b.date) || natural(a, b);
  const sorted = [...rows].sort(ascending);
  return order.endsWith('_desc') ? sorted.reverse() : sorted;
}
