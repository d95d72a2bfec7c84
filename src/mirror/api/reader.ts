import type { SeriesRef } from '../../contract/hooks.ts';
import type { JsonText } from '../../contract/json/json.ts';
import type { AsOf } from '../../contract/time/as-of.ts';
import type { CoverageInterval, CoverageOf } from './coverage.ts';
import type { DifferencePage, Knowledge, RowDifference, RowLineage } from './past-knowledge.ts';
import type { ColumnValues, KeyValue, StoredRow, Vintage } from './rows.ts';
import type { RowPage, Selection } from './selection.ts';
import type { StoredSeries } from './series.ts';
import type { SeriesChanges, SeriesTimeline } from './timeline.ts';

export interface MirrorReader {
  /** Series that match, with what is known about them. A scope name left out of the reference matches any value. */
  find(ref: SeriesRef): Promise<readonly StoredSeries[]>;
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
  /** What the mirror can tell of a moment: of what nobody dated it knows nothing before it saw it. */
  knowledge(series: StoredSeries, asOf: AsOf): Promise<Knowledge>;
  /** The rows of a series at any moment; undefined where rows list no vintages. Reads all that was ever stored of them. */
  timeline(series: StoredSeries): Promise<SeriesTimeline | undefined>;
  /** When a series changed, also one whose rows list no vintages. Where they do it reads as much as `timeline`. */
  changes(series: StoredSeries): Promise<SeriesChanges>;
  /** Rows that were not the same at two moments, in answer order. */
  differences(series: StoredSeries, page: DifferencePage): Promise<readonly RowDifference[]>;
  /** Where one row came from: every text that it had, and since when each value was known. */
  lineage(series: StoredSeries, key: readonly KeyValue[]): Promise<RowLineage>;
  /** Windows that are proven complete under an access that satisfies `access`. */
  proofs(series: StoredSeries, access: CoverageOf): Promise<readonly CoverageInterval[]>;
}
