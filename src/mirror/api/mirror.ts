import type { SeriesRef } from '../../contract/hooks.ts';
import type { JsonText } from '../../contract/json/json.ts';
import type { AsOf } from '../../contract/time/moments.ts';
import type { Journal } from './journal.ts';
import type { Outbox } from './outbox.ts';
import type { CommitReport, Follow, NewRow, PageCommit, UnfinishedWalk } from './page-commit.ts';
import type {
  AccessTag,
  Binding,
  ColumnValues,
  CoverageOf,
  DifferencePage,
  KeyValue,
  Knowledge,
  KnownRow,
  KnownTextsAsk,
  RowDifference,
  RowLineage,
  RowPage,
  Selection,
  SeriesChanges,
  SeriesCheck,
  SeriesKey,
  SeriesTime,
  SeriesTimeline,
  SourceCommit,
  Stamp,
  StoredCoverage,
  StoredRow,
  StoredSeries,
  Vintage,
} from './series.ts';
import type { SharedMirror } from './shared.ts';
import type { Verification, VerifyAsk } from './verification.ts';

/** The mirror's border: whole operations, each one transaction without network, free of driver types. */
export interface Mirror extends MirrorReader {
  /** Path of the file or address of the server, for messages. */
  readonly name: string;
  /** The owner of this mirror; undefined members are not decided yet. */
  stamp(): Promise<Stamp>;
  /** Takes what the service said at its earlier address for its own. Somebody has compared the two. */
  bind(binding: Binding): Promise<void>;
  /** Runs reads that all see one state of the mirror. */
  snapshot<T>(read: (reader: SnapshotReader) => Promise<T>): Promise<T>;
  /** The current state of the mirror: it differs after every commit, whoever made it. */
  look(): Promise<MirrorState>;
  /**
   * The state without waiting: every later read belongs to it until it changes. Absent if only a read can show it, as
   * on a server. `this turn`: the state at the first check in this turn of the event loop, plus own commits. Throws if
   * another file replaced the mirror.
   */
  readonly state?: (of?: 'this turn') => MirrorState;
  /** Rows, envelope, validators, walk position and coverage of one answer, in one transaction. */
  commitPage(commit: PageCommit): Promise<CommitReport>;
  /** The same for several answers in their order, all of them or none: most of what a page costs is its transaction. */
  commitPages(commits: readonly PageCommit[]): Promise<readonly CommitReport[]>;
  /** The same for more than memory holds: each commit is asked for when the last is written, all or none. */
  commitStream(endpoints: readonly string[], commits: Iterable<PageCommit>): Promise<readonly CommitReport[]>;
  /** The reports of a stream of commits, which are made and undone. Nobody gets a message. */
  rehearseStream(endpoints: readonly string[], commits: Iterable<PageCommit>): Promise<readonly CommitReport[]>;
  /** Resolves when all commits so far would survive a power loss: acknowledgements to others wait for it. */
  flush(): Promise<void>;
  /** The unfinished walk of a series, to be continued; undefined when none. */
  walk(series: SeriesKey, access: AccessTag): Promise<UnfinishedWalk | undefined>;
  /** Forgets an unfinished walk, when its result moved under it. */
  dropWalk(series: SeriesKey, access: AccessTag): Promise<void>;
  /** Validator (ETag) of an earlier answer to exactly this question under this access. */
  validator(access: AccessTag, question: string): Promise<string | undefined>;
  /** Series of an endpoint that a feed keeps current under this access. */
  follows(endpoint: string, access: AccessTag): Promise<readonly Follow[]>;
  /** Renews coverage of followed series that their feed has not named until `at`; gives their number. */
  confirmFollowed(endpoint: string, access: AccessTag, at: number): Promise<number>;
  /** The findings of checks of whole series under this access, by the series' id. */
  checks(endpoint: string, access: AccessTag): Promise<ReadonlyMap<number, SeriesCheck>>;
  /** A text that is another one once rows of a series are added, revised or withdrawn; not where only texts are refreshed. */
  rowsState(series: number): Promise<string>;
  noteCheck(series: number, access: AccessTag, check: SeriesCheck): Promise<void>;
  /** Takes the lock between syncs until released or the program ends; throws `busy` with the holder's name. */
  lockSync(): Promise<SyncLock>;
  /** The same for a consumer of the journal: two programs that were the same one would share its cursor, not the work. */
  lockConsumer(name: string): Promise<SyncLock>;
  /** Notes that a run begins; runs before it that have no end are noted as failed. Only under the lock. */
  startRun(run: Pick<SyncRun, 'started' | 'holder' | 'words'>): Promise<number>;
  endRun(id: number, end: RunEnd): Promise<void>;
  /** The latest runs of a sync, newest first. */
  runs(limit: number): Promise<readonly SyncRun[]>;
  /** Release events in the order in which they came, and how far their followers are. */
  readonly journal: Journal;
  /** Subscriptions of the webhooks of whoever serves this mirror, and what they are still owed. */
  readonly outbox: Outbox;
  /** The rows of the files. */
  readonly files: FileLog;
  /** The shared state of several machines beside the rows; absent for a mirror in a file. */
  readonly shared?: SharedMirror;
  /** Gives rows of some series as a view shows them, each series in the order of its table, all of one state, page by page. */
  viewRows(ask: ViewAsk, take: (page: ViewPage) => void): Promise<void>;
  /** Checks every stored row against the sums recorded with it. Changes nothing, and sends no request. */
  verify(ask?: VerifyAsk): Promise<Verification>;
  close(): void;
}

/** A word for the contents of a mirror. A server stores it, so restoring an earlier state restores the word too. */
export type MirrorState = number | string;

export interface SnapshotReader extends MirrorReader {
  /** The state and stamp of the snapshot; undefined if reading them is free. */
  readonly seen: { readonly state: MirrorState; readonly stamp: Stamp } | undefined;
}

export interface SyncLock {
  /** Throws `lock_lost` when it is gone: a server gives a lock to others unless it is renewed in time. */
  requireHeld(): Promise<void>;
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
  /** The selections of the run, as typed. */
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
  /** Matching series; an absent scope name matches any value. A closed series is found for times before it closed. */
  find(ref: SeriesRef, time?: SeriesTime): Promise<readonly StoredSeries[]>;
  count(series: StoredSeries, selection: Selection): Promise<number>;
  /** Rows in answer order. */
  rows(series: StoredSeries, selection: Selection, page?: RowPage): Promise<readonly StoredRow[]>;
  /** The texts of the same rows alone, where there are many and nothing else of them matters. */
  texts(series: StoredSeries, selection: Selection): Promise<readonly JsonText[]>;
  /** Columns of the selected rows by name, each in answer order: for many rows of which only numbers matter. */
  columns<N extends string>(series: StoredSeries, selection: Selection, names: readonly N[]): Promise<ColumnValues<N>>;
  /** Vintages of the rows with this key prefix, oldest first. `from` and `to` leave out rows that their key dates outside. */
  vintages(
    series: StoredSeries,
    key: readonly KeyValue[],
    selection?: Pick<Selection, 'from' | 'to' | 'asOf'>,
  ): Promise<readonly Vintage[]>;
  /** The mirror's knowledge at a moment; undated rows count as unknown before it first saw them. */
  knowledge(series: StoredSeries, asOf: AsOf): Promise<Knowledge>;
  /** The rows of a series at any moment; undefined where rows list no vintages. Reads all that was ever stored of them. */
  timeline(series: StoredSeries): Promise<SeriesTimeline | undefined>;
  /** The rows of a series at every moment, oldest row first: what answers as of any moment say of them. */
  knownTexts(series: StoredSeries, ask: KnownTextsAsk): Promise<readonly KnownRow[]>;
  /** The commit of a number; the last one when left out. */
  commit(number?: number): Promise<SourceCommit | undefined>;
  /** When a series changed, also one whose rows list no vintages. Where they do it reads as much as `timeline`. */
  changes(series: StoredSeries): Promise<SeriesChanges>;
  /** Rows that were not the same at two moments, in answer order. */
  differences(series: StoredSeries, page: DifferencePage): Promise<readonly RowDifference[]>;
  /** Where one row came from: every text that it had, and since when each value was known. */
  lineage(series: StoredSeries, key: readonly KeyValue[]): Promise<RowLineage>;
  /** Windows covered under an access that satisfies `access`. */
  coveredRanges(series: StoredSeries, access: CoverageOf): Promise<readonly StoredCoverage[]>;
  /** The last check of the whole series under an access that satisfies `access`; undefined if there is none. */
  checkOf(series: StoredSeries, access: CoverageOf): Promise<SeriesCheck | undefined>;
}

/** A commit that added rows of a file, or removed them again. */
export interface FileCommit {
  readonly number: number;
  /** Milliseconds. */
  readonly at: number;
  readonly series: SeriesKey;
  readonly request: string;
  readonly added: number;
  readonly revised: number;
  readonly vanished: number;
}

/** The effect of later commits on the rows of a window. */
export interface EarlierRows {
  /** Rows as they were, where they are no longer so. */
  readonly rows: readonly NewRow[];
  /** How many current rows came later. */
  readonly later: number;
}

/** The facts of the mirror about imported files. */
export interface FileLog {
  /** In their order. */
  fileCommits(): Promise<readonly FileCommit[]>;
  /** Rows of some dates of a series that differed before a commit. */
  rowsBefore(
    series: StoredSeries,
    window: { readonly from: KeyValue; readonly to: KeyValue },
    commit: number,
  ): Promise<EarlierRows>;
}
export interface ViewAsk {
  readonly endpoint: string;
  readonly part: ViewPart;
  /** Ids of the series, in the requested order of their rows. */
  readonly series: readonly number[];
  /** Rows at most in one page. */
  readonly page: number;
  readonly signal: AbortSignal;
}

/** Whole numbers have all their digits. */
export type ViewCell = string | number | bigint | null;

/** Rows in the order of the view's columns. */
export type ViewPage = readonly (readonly ViewCell[])[];

/** The views of a kind of rows: current rows, superseded rows, and vintages by their publication. */
export const VIEW_PARTS = ['current', 'superseded', 'vintages'] as const;
export type ViewPart = (typeof VIEW_PARTS)[number];
