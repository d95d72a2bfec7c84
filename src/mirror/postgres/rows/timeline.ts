import type { SeriesChanges, SeriesTimeline } from '../../api/mirror.ts';
import { changeSelects, changesOfReleases } from '../../core/as-of/timeline/series-changes.ts';
import { commitsOfTimeline, seriesTimeline } from '../../core/as-of/timeline/series-timeline.ts';
import { timelineSelects } from '../../core/as-of/timeline/timeline-selects.ts';
import type { RowVersionTuple } from '../../core/row-versions.ts';
import type { VintageTuple } from '../../core/vintages.ts';
import type { PastRowPosition } from './past.ts';
import { readUndone } from './undone.ts';

/** Reads the timeline of a series; undefined where rows list no vintages. */
export async function readTimeline(place: PastRowPosition): Promise<SeriesTimeline | undefined> {
  const { connection, times, table, series } = place;
  if (table.vintages === undefined) return undefined;
  const selects = timelineSelects(table, series);
  const stored = {
    texts: await connection.tuples<RowVersionTuple>(selects.texts),
    listed: await connection.tuples<VintageTuple>(selects.listed),
  };
  const commits = commitsOfTimeline(stored);
  await times.learn(commits);
  return seriesTimeline(table, {
    ...stored,
    commitTimes: new Map([...commits].map((commit) => [commit, times.at(commit)])),
    undone: await readUndone(connection, series),
  });
}

/** Reads when a series changed. */
export async function readChangeTimes(place: PastRowPosition): Promise<SeriesChanges> {
  const { connection, times, table, series } = place;
  const timeline = await readTimeline(place);
  if (timeline) return timeline.changes();
  const selects = changeSelects(table, series);
  const commits = (await connection.tuples<[number]>(selects.commits)).map(([commit]) => commit);
  const releases = (await connection.tuples<[number]>(selects.releases)).map(([seconds]) => seconds);
  await times.learn(commits);
  return changesOfReleases(commits.map(times.at), releases);
}
