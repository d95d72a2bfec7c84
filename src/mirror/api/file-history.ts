import type { NewRow } from './page-commit.ts';
import type { KeyValue } from './rows.ts';
import type { SeriesKey, StoredSeries } from './series.ts';

/** A commit of rows of a file, or one that took such rows back. */
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

/** What later commits did to the rows of a window. */
export interface EarlierRows {
  /** Rows as they were, where they are no longer so. */
  readonly rows: readonly NewRow[];
  /** How many current rows came later. */
  readonly later: number;
}

/** What the mirror knows of the files that were imported. */
export interface FileHistory {
  /** In their order. */
  fileCommits(): Promise<readonly FileCommit[]>;
  /** What was different of some dates of a series before a commit. */
  rowsBefore(
    series: StoredSeries,
    window: { readonly from: KeyValue; readonly to: KeyValue },
    commit: number,
  ): Promise<EarlierRows>;
}
