import type { KeyValue } from './rows.ts';
import type { AccessTag } from './series.ts';

/** Whose proofs are asked for: those of one access, of any (`keyless`: a key only widens), or of any key. */
export type CoverageOf = AccessTag | 'keyed';

/** A closed window of which every row is stored, as of a moment. */
export interface CoverageInterval {
  readonly from: KeyValue;
  readonly to: KeyValue;
  readonly rows: number;
  /** Milliseconds. */
  readonly provenAt: number;
  /** Of a page from the middle of an answer: how many rows the answer has before this window. */
  readonly skipped?: SkippedRows;
  /**
   * Of a window that ended so shortly before its look, or behind it, that rows may have come since: its newest row at that
   * time, null when it had none. The window is certain up to this row; what lies behind it was seen empty then.
   */
  readonly newest?: KeyValue | null;
}

/** Rows that an answer has between the bound where it begins and a proven window, stored or not. */
export interface SkippedRows {
  readonly rows: number;
  readonly front: KeyValue;
  /** The last of them came with the window itself, but share a date with rows that did not come. */
  readonly beside: number;
}
