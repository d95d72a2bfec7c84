import type { AsOf, Availability } from '../../contract/time/moments.ts';
import type { Dispute } from '../../contract/time/vintages.ts';
import type { KeyValue, StoredRow } from './rows.ts';
import type { AccessTag } from './series.ts';

/** What the mirror can tell of a moment. */
export interface Knowledge {
  /** True when the mirror can tell what was known of the series at the moment, be it that nothing was. */
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

/** Which differences of one series. */
export interface DifferencePage {
  readonly from: AsOf;
  readonly to: AsOf;
  readonly limit: number;
  /** Only rows behind this key, in answer order. */
  readonly after?: readonly KeyValue[];
}
