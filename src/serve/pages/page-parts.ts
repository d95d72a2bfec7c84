// What the pages of a server are told by whoever runs it.
import type { AsOf } from '../../contract/time/as-of.ts';
import type { Question, Reply } from '../../source/source.ts';

/** Readers that the pages need beside the source. They contact nobody. */
export interface PageParts {
  /** Version of the program. */
  readonly version: string;
  /** What everybody may know of the mirror. */
  facts(): Promise<MirrorFacts>;
  /** What only its owner and holders of its keys may know: quota, runs, and webhooks of one owner, or of all. */
  privateFacts(owner: string | undefined): Promise<readonly FactTable[]>;
  /** Every series of the mirror that a question can name. */
  series(): Promise<readonly ListedSeries[]>;
  /** An answer with the cells of its rows as text. */
  present(question: Question, reply: Reply, asOf: AsOf | undefined): Promise<PresentedAnswer>;
  /** The rows of an answer as a file, and its content type. */
  file(question: Question, reply: Reply, format: PageFileFormat): Promise<Uint8Array>;
  /** Where one row came from: each value that it had, as the JSON of `macro why`. */
  lineage(question: Question, row: string): Promise<readonly string[]>;
}

export const PAGE_FILE_TYPES = { csv: 'text/csv; charset=utf-8', parquet: 'application/vnd.apache.parquet' } as const;
export type PageFileFormat = keyof typeof PAGE_FILE_TYPES;

export interface MirrorFacts {
  /** Undefined while the mirror is empty. */
  readonly kind: 'real' | 'synthetic' | undefined;
  /** Names and values. */
  readonly lines: readonly (readonly [string, string])[];
  readonly groups: FactTable;
}

/** A small table for people. */
export interface FactTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What is said when there are no rows. */
  readonly empty: string;
}

/** A series that a person can choose. */
export interface ListedSeries {
  readonly name: string;
  readonly group: string;
  /** Path of the question, such as `/v1/forex/EUR/USD`. */
  readonly path: string;
  /** The question takes `start_date` and `end_date`. */
  readonly hasWindow: boolean;
  /** The mirror can tell what was known of it at a moment. */
  readonly hasPast: boolean;
}

/** An answer as the explorer shows it. */
export interface PresentedAnswer {
  readonly title: string;
  readonly columns: readonly string[];
  /** Cells as they are spelled; nothing for null. */
  readonly rows: readonly (readonly string[])[];
  /** Columns of a chart over time; undefined where rows are no series. */
  readonly chart: { readonly at: string; readonly value: string } | undefined;
  /** The command that gives the same answer. */
  readonly command: string;
  readonly isSynthetic: boolean;
  readonly isPartial: boolean;
  /** Parts that the mirror lacks, in words. */
  readonly missing: readonly string[];
  /** The same as ranges, where they are ranges of the window. */
  readonly holes: readonly { readonly from: string; readonly to: string }[];
  /** Commands that bring what is missing. */
  readonly cures: readonly string[];
  /** When the mirror last looked, ISO. */
  readonly checkedAt: string;
  /** ISO; undefined for now. */
  readonly asOf: string | undefined;
}
