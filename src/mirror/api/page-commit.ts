import type { JsonObject, JsonText } from '../../contract/json/json.ts';
import type { SkippedRows } from './coverage.ts';
import type { NamedSeries } from './follows.ts';
import type { Via } from './journal.ts';
import type { PaginationRun } from './pagination-run.ts';
import type { KeyValue } from './rows.ts';
import type { AccessTag, DataKind, SeriesKey } from './series.ts';

/** One answer as the mirror takes it: rows, envelope, validator, position and proof, kept together or not at all. */
export interface PageCommit {
  readonly series: SeriesKey;
  readonly nature: DataKind;
  readonly access: AccessTag;
  /** Method, path and query as sent, for provenance; never a key. */
  readonly request: string;
  /** Canonical text of the question with paging, the key of its validator. */
  readonly question: string;
  readonly etag?: string;
  readonly envelope?: { readonly text: JsonText; readonly inputs: string };
  readonly rows: readonly NewRow[];
  /**
   * `listed`: between the first and the last row there are no others, so a stored row that is missing there has vanished.
   * `replaces`: these are all rows of the series (or of the window, when one is given). `adds`: nothing is said of others.
   * A keyless answer never takes away or replaces what an answer to a key brought, unless it speaks of a later moment.
   */
  readonly extent: 'listed' | 'replaces' | 'adds';
  /** Bounds of the window column, both inclusive; rows outside of them are not stored. */
  readonly window?: { readonly from?: KeyValue; readonly to?: KeyValue };
  /** The walk after this page; null when it is finished. Left out when the page belongs to none. */
  readonly paginationRun?: PaginationRun | null;
  /** What is proven once this page is in. */
  readonly proof?: {
    readonly from: KeyValue;
    readonly to: KeyValue;
    readonly rows: number;
    /** Milliseconds; `at` when left out. A walk proves what was there when it started. */
    readonly provenAt?: number;
    readonly skipped?: SkippedRows;
  };
  /** Seams of a finished walk, see `Walk`. */
  readonly seams?: PaginationRun['seams'];
  /**
   * An answer to another question than the base one, cut down to it: of what is stored it changes neither the members beside the
   * rows nor those that depend on the question.
   */
  readonly excerpt?: true;
  /** The rows say themselves since when they are known: of two states of a row the later one counts, whichever came first. */
  readonly dated?: true;
  /** An answer that is itself incomplete: no walk that it belongs to proves anything. */
  readonly doubtful?: true;
  /**
   * The rows are release events that came this way: the journal takes those that it does not know. What comes by itself (in
   * no answer of the feed) leaves the row of a known event as it is, since each way spells it a little differently.
   */
  readonly arrived?: { readonly via: Via };
  /** Series that this answer, a page of a feed, says have changed. */
  readonly named?: readonly NamedSeries[];
  /**
   * With this page the series is known to where its feed stands; `checked` when all that its publisher may still correct
   * was asked for. A page of which rows were held back says nothing of the kind.
   */
  readonly follows?: { readonly checked: boolean };
  /** Takes back what commits since an earlier one did to the window; the rows are those that they ended. */
  readonly undo?: Undo;
  /** Milliseconds. */
  readonly at: number;
}

/**
 * What an import did to a window is taken back: the rows that it brought are gone, those that it ended are the commit's rows
 * and come back. It is recorded even where no row was different.
 */
export interface Undo {
  /** The first commit of the import. */
  readonly since: number;
  /** The series as it was when this was found out: a commit in between makes it wrong, and it is refused. */
  readonly generation: number;
  /** When the files that are left confirmed the series last, in milliseconds. */
  readonly checkedAt: number;
  /** What the files that are left prove, in place of all that was proven; how many rows, the mirror counts. */
  readonly proofs: readonly { readonly from: KeyValue; readonly to: KeyValue; readonly provenAt: number }[];
}

/** A row as received: the mirror takes key and columns from `value` by its mapping. */
export interface NewRow {
  readonly text: JsonText;
  readonly value: JsonObject;
  /** Name of the row in a body that is a map; empty or left out in any other. */
  readonly name?: string;
  /** Publication time (Unix seconds) stated by an importer's rule, where the row carries none. */
  readonly assumedRelease?: number;
  /** Of a row that is a release event: the series that it says have changed. They count when it was not known before. */
  readonly names?: readonly NamedSeries[];
}

export interface CommitReport {
  /** Number of this commit; of the last one before when nothing that can be read has changed, for then none is recorded. */
  readonly commit: number;
  readonly added: number;
  readonly revised: number;
  readonly vanished: number;
  /** Rows that were stored; those whose text was refreshed for a neighbour's or the question's sake are among them. */
  readonly unchanged: number;
  /** Of a page of events, row by row: the event's position in the journal, undefined when it was known before. */
  readonly arrived?: readonly (number | undefined)[];
  /** Rows of the page were not taken, because an answer to a key says otherwise: nothing may rest on the page. */
  readonly heldBack?: true;
}
