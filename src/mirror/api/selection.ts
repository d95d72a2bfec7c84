import type { AsOf } from '../../contract/time/moments.ts';
import type { KeyValue } from './rows.ts';

/** Which rows of a series. All bounds are inclusive. */
export interface Selection {
  /** Bounds of the window column. */
  readonly from?: KeyValue;
  readonly to?: KeyValue;
  /** Columns that must equal a value. */
  readonly where?: Readonly<Record<string, KeyValue>>;
  /** Rows whose release column is later than this are left out; rows without a release time stay. */
  readonly releasedBy?: number;
  /**
   * The rows as they were known at a moment instead of now. A row counts from the moment at which it was known, with the
   * value that was in force then: to the public since the vintage's `epoch`, else its capture, else (a first value that no
   * list dates) the row's release or an importer's publication rule, else since the mirror saw it; to the service since
   * its capture, else since the mirror saw it; to the mirror from the commit that brought a text to the one that ended it.
   * A value that changed without a time of its own is known since the mirror saw it, and a row that the mirror saw vanish
   * is gone from then until it comes back. A text that came later than the moment loses what it may say of later things:
   * members that depend on neighbours, entries of its list that were not known yet, and, where the value in force is only
   * known from such an entry, the members that speak of another one.
   */
  readonly asOf?: AsOf;
}

/** A part of the selected rows. */
export interface RowPage {
  readonly limit: number;
  readonly offset: number;
  /** Counted and given from the other end: the last row first. */
  readonly reverse?: boolean;
}
