import type { ColumnValues, KeyValue, StoredRow } from '../../../api/rows.ts';
import type { RowPage } from '../../../api/selection.ts';
import type { CommitClock } from '../../../core/as-of/commit-clock.ts';
import type { PastSelection } from '../../../core/as-of/past.ts';
import type { Statements } from '../../statements.ts';

/** What reading the past needs of a connection. */
export interface HistoryTables {
  readonly statements: Statements;
  readonly clock: CommitClock;
}

/** Rows of one table as they were known at a moment. */
export interface PastReader {
  /** One after the other in answer order, read as far as somebody takes them. */
  iterate(series: number, selection: PastSelection, after?: readonly KeyValue[]): Generator<StoredRow>;
  page(series: number, selection: PastSelection, page?: RowPage): readonly StoredRow[];
  columns<N extends string>(series: number, selection: PastSelection, names: readonly N[]): ColumnValues<N>;
  count(series: number, selection: PastSelection): number;
}
