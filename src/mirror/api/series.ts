import type { KnownSince, StoredRef } from '../../contract/hooks.ts';
import type { JsonText } from '../../contract/json/json.ts';
import type { AsOf, Availability } from '../../contract/time/moments.ts';
import type { Dispute, TimedValue } from '../../contract/time/vintages.ts';

export interface Stamp {
  /** Random identifier, made with the file. */
  readonly id: string;
  /** Identity of the service whose answers are stored; undefined until the first one. */
  readonly service: string | undefined;
  readonly nature: DataKind | undefined;
  /** When the service moved to another address; undefined when never. */
  readonly bindings?: readonly Binding[];
}

/** A mirror bound to a new address of its service. */
export interface Binding {
  readonly from: string;
  readonly to: string;
  /** Milliseconds. */
  readonly at: number;
  /** Stored rows that the new address was asked for, and those of which it said otherwise. */
  readonly compared: number;
  readonly different: number;
}

export type DataKind = 'real' | 'synthetic';

/** `keyless`, or a fingerprint of the key. Coverage of one access satisfies no other, except keyed for keyless. */
export type AccessTag = 'keyless' | `key:${string}`;

/** Names one series: who said it, of which endpoint, for which arguments. Scope values are never empty. */
export type SeriesKey = StoredRef;

export interface StoredSeries extends SeriesKey {
  readonly id: number;
  /** Digest of its rows, then of its envelope: equal in any two mirrors that hold the same. See `rowsOfState`. */
  readonly state: string;
  /** When its rows last changed, and a digest of all that they ever were: equal only where the past is equal too. */
  readonly chain: string;
  /** Members beside the rows, as last received, and what they were received for; undefined when never. */
  readonly envelope: StoredEnvelope | undefined;
  /** The last check in milliseconds, 0 for none. An answer about the past only does not move it. */
  readonly checkedAt: number;
  /** When the service began to mean another series by these words, in milliseconds: this one is of the time before. */
  readonly closedAt?: number;
}

/** Which series are meant: those of now, those of a moment (milliseconds), or all that there ever were. */
export type SeriesTime = 'now' | number | 'ever';

export interface StoredEnvelope {
  readonly text: JsonText;
  /** The question that it answered: resolved arguments, access and cutoff, as one canonical text. */
  readonly inputs: string;
  /** Digest of the rows that it was received with: it describes no others. */
  readonly rows: string;
}

/** Values by column; undefined if no row has a value in the column. */
export type ColumnValues<N extends string> = Readonly<Record<N, readonly (KeyValue | null)[] | undefined>>;

export type KeyValue = string | number;

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
  readonly keyed?: boolean | undefined;
  /** For a row as known at a moment: since when its value was known, and the vintage behind it. */
  readonly known?: KnownSince;
}

/** A value that a row had, and since when it was known. Times are Unix seconds; undefined when nobody said. */
export interface Vintage {
  readonly key: readonly KeyValue[];
  /** For the public: the service's `epoch`. */
  readonly epoch: number | undefined;
  /** For the service: its own capture. */
  readonly observedAt: number | undefined;
  /** The service's own capture in Unix nanoseconds, exact: more digits than a number keeps. */
  readonly observedNs?: string;
  /** For this mirror. */
  readonly seenAt: number;
  /** The vintage as the row listed it; the whole row's text for a value that was never listed. */
  readonly text: JsonText;
  /** `epoch` comes from an importer's publication rule. */
  readonly assumed?: boolean;
  /** When the mirror saw the row vanish, on the last vintage known until then. */
  readonly withdrawnAt?: number;
  /** The times when the value was known, and the values known beside it. */
  readonly times: TimedValue;
}

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
   * The rows as known at a moment. Public: dated by the vintage's `epoch`, its capture, the release or publication
   * rule, else first seen. Service: by capture, else first seen; mirror: by its commits. A vanished row is gone until
   * it returns. A later text loses what it says of later things. See docs/point-in-time.md.
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

/** Whose coverage is asked for: those of one access, of any (`keyless`: a key only widens), or of any key. */
export type CoverageOf = AccessTag | 'keyed';

/** A closed window of which every row is stored, as of a moment. */
export interface StoredCoverage {
  readonly from: KeyValue;
  readonly to: KeyValue;
  readonly rows: number;
  /** Milliseconds. */
  readonly checkedAt: number;
  /** For a page from the middle of an answer: the number of rows before this window. */
  readonly skipped?: SkippedRows;
  /** The newest row of a window that ended near its check, null for none: rows behind it may have come since. */
  readonly newest?: KeyValue | null;
}

/** Rows of an answer between its first bound and a covered window, stored or not. */
export interface SkippedRows {
  readonly rows: number;
  readonly front: KeyValue;
  /** The last of them came with the window itself, but share a date with rows that did not come. */
  readonly beside: number;
}

/** The facts of the mirror about a moment. */
export interface Knowledge {
  /** True if the mirror knows the state of the series at the moment, even if it had no rows then. */
  readonly tells: boolean;
  /** When the mirror first had an answer of it, in milliseconds. */
  readonly since: number;
  /** It can tell of every moment: rows say when they were published. Not looked for where `since` tells enough. */
  readonly always?: true;
}

/** A row that was not the same at two moments; undefined where it was not known, or gone. */
export interface RowDifference {
  readonly key: readonly KeyValue[];
  readonly before: StoredRow | undefined;
  readonly after: StoredRow | undefined;
}

/** The answer that brought something. */
export interface SourceCommit {
  readonly number: number;
  /** Milliseconds. */
  readonly at: number;
  readonly access: AccessTag;
  /** Method, path and query as sent, or the command that read a file. */
  readonly request: string;
}

/** Which texts of a series are requested, and between which moments (milliseconds) its name meant it. */
export interface KnownTextsAsk {
  /** Rows that no commit after this one touched are left out. */
  readonly after: number;
  readonly opens?: number;
  readonly closes?: number;
}

/** A text that answers about a row had, without what it says of its neighbours. Times are milliseconds. */
export interface KnownText {
  /** Undefined: the row is gone from then on. */
  readonly text: JsonText | undefined;
  /** Since when the public knew it, and since when the service had it; undefined where one never saw this text. */
  readonly knownFrom?: number;
  readonly capturedFrom?: number;
  readonly isCurrent: boolean;
  readonly commit: number;
  readonly seenAt: number;
  /** Unix seconds, also those of an importer's rule. */
  readonly released: number | undefined;
}

export interface KnownRow {
  readonly key: readonly KeyValue[];
  /** In the order of their moments. */
  readonly texts: readonly KnownText[];
}

/** Everything that the mirror knows of where one row came from. */
export interface RowLineage {
  /** Texts that it had, in the order in which they came. */
  readonly texts: readonly {
    readonly text: string;
    readonly brought: SourceCommit;
    /** Brought the text, where only fields of the question were different. */
    readonly refreshed?: SourceCommit;
    /** Replaced it, or saw it vanish. */
    readonly ended?: SourceCommit;
    readonly wasReplaced: boolean;
  }[];
  /** Values that it had, in the order in which the public knew them. */
  readonly values: readonly {
    /** The entry of the row's list, or the whole row. */
    readonly text: string;
    readonly isListed: boolean;
    /** The publication time follows from an importer's rule. */
    readonly isAssumed: boolean;
    /** Since when, in Unix nanoseconds. */
    readonly known: Readonly<Record<Availability, bigint>>;
    /** Other values claim its publication time. */
    readonly dispute?: Dispute;
    readonly brought: SourceCommit;
    /** Milliseconds. */
    readonly withdrawnAt?: number;
  }[];
}

export interface DifferencePage {
  readonly from: AsOf;
  readonly to: AsOf;
  readonly limit: number;
  /** Only rows behind this key, in answer order. */
  readonly after?: readonly KeyValue[];
}

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

/** The rows of a series at any moment, read once; each state of a row is one object. */
export interface SeriesTimeline {
  /** Every row that there ever was, in answer order. */
  readonly entries: readonly { readonly key: readonly KeyValue[] }[];
  /** The rows of a range as `MirrorReader.rows` gives them; bounds of the window are those of the range. */
  rows(selection: Selection & { readonly asOf: AsOf }, range: TimelineRange, page?: RowPage): readonly StoredRow[];
  changes(): SeriesChanges;
  /** The last moment (milliseconds) up to `at` at which rows changed for anybody; -Infinity before the first. */
  lastChange(at: number): number;
  /** Approximate bytes in memory, including everything that it computes later. */
  readonly bytes: number;
}

/** The findings of checks of a whole series, and earlier comparisons. Times are milliseconds. */
export interface SeriesCheck {
  /** When the service was last asked what the whole series is. */
  readonly askedAt: number;
  /** When the whole series was last read, or confirmed unchanged. */
  readonly wholeAt: number;
  /** The version of the whole series when it was last asked for. */
  readonly version?: string;
  /** The state of the stored rows at that time. */
  readonly state?: string;
  /** The stored rows have exactly this version: all were read then, or none has changed since. */
  readonly isExact?: true;
  /** Known differences between this service and the stored rows, even after a complete read: none counts as a doubt. */
  readonly ways: readonly string[];
  /** Place in the journal up to which events were compared with the rows that came. */
  readonly event: number;
  readonly comparedAt: number;
  /** A read that was no sync showed this of rows that are not stored; a sync asks for them. */
  readonly doubt?: { readonly at: number; readonly found: readonly string[] };
}
