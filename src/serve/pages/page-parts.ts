// The facts that pages of a server get from its operator.
import type { AsOf } from '../../contract/time/moments.ts';
import type { Question, Reply } from '../../source/source.ts';
import type { FactTable, ListedSeries, MirrorFacts, PresentedAnswer } from './page-data.ts';

/** Readers that the pages need beside the source. They contact nobody. */
export interface PageParts {
  readonly version: string;
  /** Public facts of the mirror. */
  facts(): Promise<MirrorFacts>;
  /** Facts for the owner and people with its keys only: quota, runs, and webhooks of one owner, or of all. */
  privateFacts(owner: string | undefined): Promise<readonly FactTable[]>;
  /** Every series of the mirror that a question can name. */
  series(): Promise<readonly ListedSeries[]>;
  /** An answer with the cells of its rows as text. Times are milliseconds. */
  present(question: Question, reply: Reply, moment: { asOf: AsOf | undefined; now: number }): Promise<PresentedAnswer>;
  /** The rows of an answer as a file. */
  file(question: Question, reply: Reply, options: { format: PageFileFormat; now: number }): Promise<Uint8Array>;
  /** Where one row came from: each value that it had, as the JSON of `macro why`. */
  lineage(question: Question, row: string): Promise<readonly string[]>;
}

export const PAGE_FILE_TYPES = { csv: 'text/csv; charset=utf-8', parquet: 'application/vnd.apache.parquet' } as const;
export type PageFileFormat = keyof typeof PAGE_FILE_TYPES;
