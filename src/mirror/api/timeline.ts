import type { AsOf } from '../../contract/time/moments.ts';
import type { KeyValue, StoredRow } from './rows.ts';
import type { RowPage, Selection } from './selection.ts';

/** Rows of a timeline by their place, the end not included. */
export interface TimelineRange {
  readonly start: number;
  readonly end: number;
}

/** When any row of a series may have become another one: milliseconds, in ascending order. */
export interface SeriesChanges {
  /** The commits that brought, refreshed or ended rows. */
  readonly commits: Float64Array;
  /** These, and the moments since which values are known. */
  readonly all: Float64Array;
}

/**
 * The rows of one generation of a series at any moment: all that was ever stored of them, read once. What a row was is worked
 * out when it is first asked for and stays the same object from then on.
 */
export interface SeriesTimeline {
  /** Every row that there ever was, in answer order. */
  readonly entries: readonly { readonly key: readonly KeyValue[] }[];
  /** The rows of a range as `MirrorReader.rows` gives them; bounds of the window are those of the range. */
  rows(selection: Selection & { readonly asOf: AsOf }, range: TimelineRange, page?: RowPage): readonly StoredRow[];
  changes(): SeriesChanges;
  /**
   * The last moment (milliseconds) not after `at` at which any row may have become another one: all moments that share it see
   * the same rows, whoever knew of them. -Infinity before the first one.
   */
  lastChange(at: number): number;
  /** What it takes in memory with all that it may work out, roughly. */
  readonly bytes: number;
}
