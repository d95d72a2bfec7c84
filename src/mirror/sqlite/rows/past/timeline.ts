import type { SeriesChanges, SeriesTimeline } from '../../../api/mirror.ts';
import { changeSelects, changesOfReleases } from '../../../core/as-of/timeline/series-changes.ts';
import { commitsOfTimeline, seriesTimeline } from '../../../core/as-of/timeline/series-timeline.ts';
import { timelineSelects } from '../../../core/as-of/timeline/timeline-selects.ts';
import type { RowVersionTuple } from '../../../core/row-versions.ts';
import type { Where } from '../../../core/select.ts';
import type { Table } from '../../../core/tables.ts';
import type { VintageTuple } from '../../../core/vintages.ts';
import type { HistoryTables } from './past-reader.ts';
import { undoneReader } from './undone.ts';

/** Reads the timeline of a series; undefined where rows list no vintages. */
export function timelineReader({ statements, clock }: HistoryTables, table: Table) {
  const undoneOf = undoneReader(statements);
  const all = <Row extends unknown[]>({ sql, values }: Where) => statements.raw<Row>(sql).all(...values);

  return (series: number): SeriesTimeline | undefined => {
    if (table.vintages === undefined) return undefined;
    const selects = timelineSelects(table, series);
    const stored = { texts: all<RowVersionTuple>(selects.texts), listed: all<VintageTuple>(selects.listed) };
    return seriesTimeline(table, {
      ...stored,
      commitTimes: new Map([...commitsOfTimeline(stored)].map((commit) => [commit, clock.at(commit)])),
      undone: undoneOf(series),
    });
  };
}

/** Reads when a series changed. */
export function changesReader({ statements, clock }: HistoryTables, table: Table, timeline: TimelineReader) {
  const numbers = ({ sql, values }: Where) =>
    statements
      .raw<[number]>(sql)
      .all(...values)
      .map(([one]) => one);

  return (series: number): SeriesChanges => {
    const known = timeline(series);
    if (known) return known.changes();
    const { commits, releases } = changeSelects(table, series);
    return changesOfReleases(numbers(commits).map(clock.at), numbers(releases));
  };
}

type TimelineReader = ReturnType<typeof timelineReader>;
