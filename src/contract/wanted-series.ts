// Which rows of a series a composed answer reads.

/** What of a series is loaded. */
export type WantedSeries = HeadOfRows | NewestRows | RowsSince | WindowWithColumns;

/**
 * At least so many of the newest rows of a series that begins with its newest, or all of them, and some columns of every row
 * or of those from a date on. All rows without columns stand for the same.
 */
export interface HeadOfRows {
  readonly head: number;
  readonly values?: { readonly names: readonly string[]; readonly from?: string };
}

interface NewestRows {
  readonly newest: number;
}

/** The rows from a date on; of a series that ends before it, the newest row alone. */
interface RowsSince {
  readonly since: string;
  /** With the values that the mirror saw replaced. */
  readonly kept?: true;
}

/** The rows of a window, and some columns of every row, for a hook that shows the texts of a few. */
export interface WindowWithColumns {
  readonly from: string;
  readonly to: string;
  readonly columns: readonly string[];
  /** Beyond the window only the first and the last row of the series matter: the columns of others may be left out. */
  readonly beyond?: 'ends';
}
