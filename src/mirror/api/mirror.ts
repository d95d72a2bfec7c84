import type { KnownSince, SeriesRef, StoredRef } from '../../contract/hooks.ts';
import type { JsonText } from '../../contract/json/json.ts';
import type { AsOf } from '../../contract/time/as-of.ts';
import type { TimedValue } from '../../contract/time/vintage-steps.ts';
import type { DifferencePage } from '../core/as-of/differences.ts';
import type { Journal } from './journal.ts';
import type { Outbox } from './outbox.ts';
import type { CommitReport, PageCommit } from './page-commit.ts';
import type { Knowledge, RowDifference, RowLineage } from './past-knowledge.ts';
import type { RowPage, Selection } from './selection.ts';
import type { Verification, VerifyAsk } from './verification.ts';
import type { ViewAsk, ViewPage } from './view-ask.ts';

export type { CommitReport, NewRow, PageCommit } from './page-commit.ts';
export type { Knowledge, RowDifference, RowLineage, SourceCommit } from './past-knowledge.ts';
export type { RowPage, Selection } from './selection.ts';

/**
 * The mirror's border: whole operations, each one transaction with no network inside, free of driver types. SQLite is
 * the first engine behind it; a second one implements the same interface and passes the same tests.
 */
export interface Mirror extends MirrorReader {
  /** Path of the file or address of the server, for messages. */
  readonly name: string;
  /** Who this mirror belongs to; what is undefined is not decided yet. */
  stamp(): Promise<Stamp>;
  /** Runs reads that all see one state of the mirror. */
  snapshot<T>(read: (reader: MirrorReader) => Promise<T>): Promise<T>;
  /** Changes whenever anyone commits anything: a cheap test for "nothing happened since". */
  version(): number;
  /** Rows, envelope, validators, walk position and proof of one answer, in one transaction. */
  commitPage(commit: PageCommit): Promise<CommitReport>;
  /** The same for several answers in their order, all of them or none: most of what a page costs is its transaction. */
  commitPages(commits: readonly PageCommit[]): Promise<readonly CommitReport[]>;
  /** The unfinished walk of a series, to be continued; undefined when none. */
  walk(series: SeriesKey, access: AccessTag): Promise<PaginationRun | undefined>;
  /** Forgets an unfinished walk, when its result moved under it. */
  dropWalk(series: SeriesKey, access: AccessTag): Promise<void>;
  /** Validator (ETag) of an earlier answer to exactly this question under this access. */
  validator(access: AccessTag, question: string): Promise<string | undefined>;
  /** Series of an endpoint that a feed keeps current under this access. */
  follows(endpoint: string, access: AccessTag): Promise<readonly Follow[]>;
  /**
   * Renews what is proven of the followed series that their feed has not named: nothing of them has changed until `at`.
   * Gives how many there are.
   */
  confirmFollowed(endpoint: string, access: AccessTag, at: number): Promise<number>;
  /**
   * Takes the lock that keeps two syncs apart, until it is released or the program ends, however it ends; throws `busy`
   * and names the holder when another one has it.
   */
  lockSync(): Promise<SyncLock>;
  /** The same for a consumer of the journal: two programs that were the same one would share its cursor, not the work. */
  lockConsumer(name: string): Promise<SyncLock>;
  /** Notes that a run begins; runs before it that have no end are noted as failed. Only under the lock. */
  startRun(run: Pick<SyncRun, 'started' | 'holder' | 'words'>): Promise<number>;
  endRun(id: number, end: RunEnd): Promise<void>;
  /** Release events in the order in which they came, and how far their followers are. */
  readonly journal: Journal;
  /** Subscriptions of the webhooks of whoever serves this mirror, and what they are still owed. */
  readonly outbox: Outbox;
  /** Gives rows of some series as a view shows them, each series in the order of its table, all of one state, page by page. */
  viewRows(ask: ViewAsk, take: (page: ViewPage) => void): Promise<void>;
  /** Checks all that is held against what was noted when it came in. Changes nothing, and asks nobody. */
  verify(ask?: VerifyAsk): Promise<Verification>;
  close(): void;
}

/** A series whose changes are announced by a feed, which was read without a gap since the series was last asked for. */
export interface Follow {
  readonly series: number;
  /** When all that its publisher may still correct was last asked for, in milliseconds. */
  readonly checkedAt: number;
  /** Earliest date that the feed says may have changed; empty when any may have; undefined when none has. */
  readonly due: string | undefined;
}

/** Series that a feed names: every one whose scope has these values. */
export interface NamedSeries {
  readonly endpoint: string;
  readonly scope: Readonly<Record<string, string>>;
  /** Earliest date that may have changed; empty when it is not known. */
  readonly due: string;
}

export interface SyncLock {
  /** Throws `lock_lost` when it is known to be gone: a server holds it for a connection, which may break. */
  requireHeld(): void;
  release(): Promise<void>;
}

/** A run of a sync. Times are milliseconds. */
export interface SyncRun {
  readonly id: number;
  readonly started: number;
  /** Undefined while it runs, and when it died. */
  readonly ended: number | undefined;
  /** Who runs it, for people: process and machine. */
  readonly holder: string;
  /** What was asked for. */
  readonly words: string;
  readonly outcome: RunEnd['outcome'] | undefined;
  readonly requests: number;
  readonly rows: number;
  readonly problem: string | undefined;
  /** Words of the series that it tried and did not bring. */
  readonly failed: readonly string[];
}

export interface RunEnd {
  readonly ended: number;
  readonly outcome: 'complete' | 'incomplete' | 'stopped' | 'failed';
  readonly requests: number;
  /** Rows added and revised. */
  readonly rows: number;
  readonly problem?: string;
  readonly failed?: readonly string[];
}

export interface MirrorReader {
  /** Series that match, with what is known about them. A scope name left out of the reference matches any value. */
  find(ref: SeriesRef): Promise<readonly StoredSeries[]>;
  count(series: StoredSeries, selection: Selection): Promise<number>;
  /** Rows in answer order. */
  rows(series: StoredSeries, selection: Selection, page?: RowPage): Promise<readonly StoredRow[]>;
  /** Columns of the selected rows by name, each in answer order: for many rows of which only numbers matter. */
  columns<N extends string>(series: StoredSeries, selection: Selection, names: readonly N[]): Promise<ColumnValues<N>>;
  /** Vintages of the rows with this key prefix, oldest first. `from` and `to` leave out rows that their key dates outside. */
  vintages(
    series: StoredSeries,
    key: readonly KeyValue[],
    selection?: Pick<Selection, 'from' | 'to' | 'asOf'>,
  ): Promise<readonly Vintage[]>;
  /** What the mirror can tell of a moment: of what nobody dated it knows nothing before it saw it. */
  knowledge(series: StoredSeries, asOf: AsOf): Promise<Knowledge>;
  /** Rows that were not the same at two moments, in answer order. */
  differences(series: StoredSeries, page: DifferencePage): Promise<readonly RowDifference[]>;
  /** Where one row came from: every text that it had, and since when each value was known. */
  lineage(series: StoredSeries, key: readonly KeyValue[]): Promise<RowLineage>;
  /** Windows that are proven complete under an access that satisfies `access`. */
  proofs(series: StoredSeries, access: CoverageOf): Promise<readonly CoverageInterval[]>;
  /** The latest runs of a sync, newest first. */
  runs(limit: number): Promise<readonly SyncRun[]>;
}

/** Values by column; undefined for a column that holds none in any of the rows. */
export type ColumnValues<N extends string> = Readonly<Record<N, readonly (KeyValue | null)[] | undefined>>;

export interface Stamp {
  /** Random identifier, made with the file. */
  readonly id: string;
  /** Identity of the service whose answers are kept; undefined until the first one. */
  readonly service: string | undefined;
  readonly nature: DataKind | undefined;
}

export type DataKind = 'real' | 'synthetic';

/** `keyless`, or a fingerprint of the key. What one access proved never satisfies another, except keyed for keyless. */
export type AccessTag = 'keyless' | `key:${string}`;

/** Whose proofs are asked for: those of one access, of any (`keyless`: a key only widens), or of any key. */
export type CoverageOf = AccessTag | 'keyed';

export type KeyValue = string | number;

/** Names one series: who said it, of which endpoint, for which arguments. Scope values are never empty. */
export type SeriesKey = StoredRef;

export interface StoredSeries extends SeriesKey {
  readonly id: number;
  /** Number of the commit that last changed the series' rows or envelope. */
  readonly generation: number;
  /** Members beside the rows, as last received, and what they were received for; undefined when never. */
  readonly envelope: StoredEnvelope | undefined;
  /**
   * When the series was last confirmed by its origin, in milliseconds. An answer about a past stretch that ends
   * before the newest held row confirms nothing of the present and does not move it. 0 when it never was: it began with an
   * event that came by itself.
   */
  readonly checkedAt: number;
}

export interface StoredEnvelope {
  readonly text: JsonText;
  /** The question that it answered: resolved arguments, access and cutoff, as one canonical text. */
  readonly inputs: string;
  /** Commit at which it was received: rows changed later are not the ones that it describes. */
  readonly commit: number;
}

export interface StoredRow {
  /** Values of the key columns, in the mapping's order. */
  readonly key: readonly KeyValue[];
  /** Key and further typed columns by name. */
  readonly columns: Readonly<Record<string, KeyValue | null>>;
  readonly text: JsonText;
  /** Commit that brought this text. */
  readonly commit: number;
  /** When the mirror first saw this observation, in milliseconds; a text refreshed in dependent fields keeps it. */
  readonly seenAt: number;
  /** An answer to a key brought or confirmed this text: nobody knows whether it is to be seen without one. */
  readonly keyed?: boolean;
  /** Of a row as it was known at a moment: since when its value was known, and the vintage that says so. */
  readonly known?: KnownSince;
}

/** A value that a row had, and since when it was known. Times are Unix seconds; undefined when nobody said. */
export interface Vintage {
  readonly key: readonly KeyValue[];
  /** To the public: the service's `epoch`. */
  readonly epoch: number | undefined;
  /** To the service: its own capture. */
  readonly observedAt: number | undefined;
  /** The service's own capture in Unix nanoseconds, exact: more digits than a number keeps. */
  readonly observedNs?: string;
  /** To this mirror. */
  readonly seenAt: number;
  /** The vintage as the row listed it; the whole row's text for a value that was never listed. */
  readonly text: JsonText;
  /** `epoch` comes from an importer's publication rule. */
  readonly assumed?: boolean;
  /** When the mirror saw the row vanish, on the last vintage known until then. */
  readonly withdrawnAt?: number;
  /** What tells when it was known, and what was known besides it. */
  readonly times: TimedValue;
}

/** A closed window of which every row is held, as of a moment. */
export interface CoverageInterval {
  readonly from: KeyValue;
  readonly to: KeyValue;
  readonly rows: number;
  /** Milliseconds. */
  readonly provenAt: number;
  /** Of a page from the middle of an answer: how many rows the answer has before this window. */
  readonly skipped?: SkippedRows;
  /**
   * Of a window that reached the day on which it was proven: its newest row at that time, null when it had none. The window
   * is certain up to this row; what lies behind it was seen empty then.
   */
  readonly newest?: KeyValue | null;
}

/** Rows that an answer has between the bound where it begins and a proven window, held or not. */
export interface SkippedRows {
  readonly rows: number;
  readonly front: KeyValue;
  /** The last of them came with the window itself, but share a date with rows that did not come. */
  readonly beside: number;
}

/** An unfinished walk over a closed window. */
export interface PaginationRun {
  readonly question: string;
  readonly from: KeyValue;
  readonly to: KeyValue;
  /** Offset or cursor of the next page. */
  readonly next: string;
  /** Total that every page must repeat; undefined where the service gives none. */
  readonly total: number | undefined;
  readonly seen: number;
  /** The service's version of the data behind the pages; a resumed walk is pinned to it. */
  readonly version?: string;
  /** Key of the last row committed, for contiguity. */
  readonly lastKey: readonly KeyValue[] | undefined;
  /** Key intervals between neighbouring pages: rows held inside of them have vanished, once the walk is proven. */
  readonly seams: readonly (readonly [readonly KeyValue[], readonly KeyValue[]])[];
  readonly startedAt: number;
}
