import type { SeriesChanges } from '../../../api/timeline.ts';
import type { Where } from '../../select.ts';
import { releaseColumn, type Table } from '../../tables.ts';

/**
 * Where rows list no vintages, a series changes with its commits and when a release comes: selects the numbers of the commits
 * and the releases (Unix seconds), each once.
 */
export function changeSelects(table: Table, series: number): { readonly commits: Where; readonly releases: Where } {
  const release = releaseColumn(table);
  const { current, superseded } = table;
  const commits = [
    ...['seen', 'refreshed'].map((column) => ({ column, from: current })),
    ...['seen', 'refreshed', 'superseded'].map((column) => ({ column, from: superseded })),
  ];
  const releases = [current, superseded].map((from) => ({ column: release, from }));
  return { commits: distinctIn(commits, series), releases: distinctIn(releases, series) };
}

/** The values of some columns, without nulls. */
function distinctIn(columns: readonly { readonly column: string; readonly from: string }[], series: number): Where {
  const selects = columns.map(
    ({ column, from }) => `select ${column} from ${from} where series = ? and ${column} is not null`,
  );
  return { sql: selects.join(' union '), values: columns.map(() => series) };
}

/** When a series changed, from the times of its commits (milliseconds) and its releases. */
export function changesOfReleases(commits: readonly number[], releases: readonly number[]): SeriesChanges {
  return seriesChanges(
    commits,
    releases.map((seconds) => Math.ceil(seconds * 1000)),
  );
}

/** The same from all moments of its rows, be they those of commits or not. */
export function seriesChanges(commits: Iterable<number>, moments: Iterable<number>): SeriesChanges {
  const own = [...commits];
  return { commits: ascending(own), all: ascending([...own, ...moments]) };
}

function ascending(moments: readonly number[]): Float64Array {
  return Float64Array.from(new Set(moments)).sort();
}

/** The last of some moments, in ascending order, that is not after another one; -Infinity where none is. */
export function lastBy(moments: Float64Array, at: number): number {
  return moments[firstPlace(moments, (moment) => moment > at) - 1] ?? Number.NEGATIVE_INFINITY;
}

/** The first place that `isBehind` holds of; it holds of all later ones. */
export function firstPlace(values: Float64Array, isBehind: (value: number) => boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(values[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}
