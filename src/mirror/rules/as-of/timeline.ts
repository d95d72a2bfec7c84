import { firstPlace } from '../../../contract/time/coverage.ts';
import type { AsOf, Availability } from '../../../contract/time/moments.ts';
import type { KeyValue, RowPage, SeriesChanges, SeriesTimeline, StoredRow, TimelineRange } from '../../api/series.ts';
import { parseStoredRow } from '../columns.ts';
import { orderOf, type Where } from '../select.ts';
import { releaseColumn, type Table } from '../tables.ts';
import {
  ROW_VERSION_KEY,
  type RowVersionTuple,
  rowVersionColumns,
  type StoredRowVersion,
  VINTAGE_KEY,
  type VintageTuple,
  vintageColumns,
} from '../vintages.ts';
import { type CommitClock, captureOf, type Dated, datedOf, publicStages } from './dated.ts';
import { isSelected } from './past-conditions.ts';
import { momentOf, type PastMoment } from './past-row.ts';
import { byRow, haveRivals, listedInOrder, type PastSelection, rowThen, stagesIn } from './past-stored.ts';
import type { UndoneDates } from './undone.ts';

/** All that is stored of the rows of a series. */
export interface StoredTimeline {
  /** In answer order. */
  readonly texts: readonly RowVersionTuple[];
  /** In the same order. */
  readonly listed: readonly VintageTuple[];
  /** When each of the commits that brought them was, in milliseconds. */
  readonly commitTimes: ReadonlyMap<number, number>;
  readonly undone: readonly UndoneDates[];
}

/** The dates of the rows of one series. */
export interface TimelineContext {
  readonly table: Table;
  readonly clock: CommitClock;
  readonly undone: readonly UndoneDates[];
}

interface RowTimeline {
  /** Undefined when it was not known then, or gone. */
  at(asOf: AsOf): StoredRow | undefined;
  /** The moments (milliseconds, ascending) at which it may become another one. */
  moments(): readonly number[];
}

/** The commits that brought, refreshed and ended the stored texts and vintages. */
export function commitsOfTimeline({ texts, listed }: Pick<StoredTimeline, 'texts' | 'listed'>): ReadonlySet<number> {
  const commits = new Set<number>();
  for (const [ended, seen, refreshed] of texts)
    for (const commit of [ended, seen, refreshed]) if (commit !== null) commits.add(commit);
  for (const [, , , seen] of listed) commits.add(seen);
  return commits;
}

interface Entry extends RowTimeline {
  readonly key: readonly KeyValue[];
}

/** The timeline of a series whose rows list their vintages. */
export function seriesTimeline(table: Table, stored: StoredTimeline): SeriesTimeline {
  const rowsStored = storedRows(table, stored);
  const context = timelineContext(table, stored);
  const entries: readonly Entry[] = rowsStored.map((row) => ({ key: row.key, ...rowTimeline(context, row) }));
  let known: SeriesChanges | undefined;
  const changes = () => {
    known ??= seriesChanges(
      stored.commitTimes.values(),
      entries.flatMap((entry) => entry.moments()),
    );
    return known;
  };

  function rows(selection: PastSelection, { start, end }: TimelineRange, page?: RowPage): readonly StoredRow[] {
    const { limit = Number.POSITIVE_INFINITY, offset = 0, reverse = false } = page ?? {};
    const taken: StoredRow[] = [];
    let place = 0;
    for (let i = start; i < end && taken.length < limit; i += 1) {
      const row = entries[reverse ? end - 1 - (i - start) : i]?.at(selection.asOf);
      if (!row || !isSelected(table, row, selection)) continue;
      if (place >= offset) taken.push(row);
      place += 1;
    }
    return taken;
  }

  return {
    entries,
    rows,
    changes,
    lastChange: (at) => lastBy(changes().all, at),
    bytes: rowsStored.reduce((bytes, row) => bytes + bytesOf(row), 0),
  };
}

export function timelineContext(table: Table, { commitTimes, undone }: StoredTimeline): TimelineContext {
  return { table, clock: clockOf(commitTimes), undone };
}

export function storedRows(table: Table, { texts, listed }: StoredTimeline): readonly StoredRowVersion[] {
  const listedOf = listedInOrder(table, listed, false);
  return byRow(texts).map((row) => ({ ...row, listed: listedOf(row.key) }));
}

/** Commits of a series among themselves: its rows are compared with no others. */
function clockOf(times: ReadonlyMap<number, number>): CommitClock {
  const ordered = [...times].sort(([a], [b]) => a - b);
  return {
    at: (commit) => times.get(commit) ?? 0,
    lastBy: (at) => ordered.findLast(([, time]) => time <= at)?.[0] ?? 0,
  };
}

/** Bytes of a text or a vintage besides its characters, and the typical number of states of a row. */
const OBJECT_BYTES = 700;
const STATES = 2;

function bytesOf({ texts, listed }: StoredRowVersion): number {
  const text = texts.reduce((bytes, [, , , , , , one]) => bytes + one.length, 0);
  const vintages = listed.reduce((bytes, [, , , , , one]) => bytes + one.length + OBJECT_BYTES, 0);
  return (text + OBJECT_BYTES * texts.length) * (1 + STATES) + vintages;
}

/** The states of a row between the moments that its texts, vintages and commits name. */
export function rowTimeline(context: TimelineContext, stored: StoredRowVersion): RowTimeline {
  let known: readonly number[] | undefined;
  const moments = () => {
    known ??= momentsOf(context, stored);
    return known;
  };
  const states = new Map<Availability, (StoredRow | 'none' | undefined)[]>();
  return {
    moments,
    at({ at, by }) {
      const of = states.get(by) ?? [];
      states.set(by, of);
      const all = moments();
      const passed = passedBy(all, at);
      const before = of[passed];
      if (before !== undefined) return before === 'none' ? undefined : before;
      const first = passed === 0 ? Math.min(at, (all[0] ?? at) - 1) : (all[passed - 1] ?? at);
      const moment = momentAt(context, { at: first, by });
      const isUnknown = passed === 0 && stored.texts.every(([, seen]) => seen > moment.commit);
      const row = isUnknown ? undefined : rowThen(context.table, stored, { moment, clock: context.clock });
      of[passed] = row ?? 'none';
      return row;
    },
  };
}

function momentAt({ clock, undone }: TimelineContext, asOf: AsOf): PastMoment {
  return momentOf(asOf, clock, undone);
}

/** How many of some moments, in ascending order, are not after one. */
function passedBy(moments: readonly number[], at: number): number {
  let passed = moments.length;
  while (passed > 0 && (moments[passed - 1] ?? 0) > at) passed -= 1;
  return passed;
}

/** The moments (milliseconds, ascending) at which a row may become another one. */
function momentsOf({ table, clock, undone }: TimelineContext, { texts, listed }: StoredRowVersion): readonly number[] {
  const moments = new Set<number>();
  const add = (ns: bigint | undefined) => ns !== undefined && moments.add(millisecondsFrom(ns));
  for (const [ended, seen, refreshed, release, assumed] of texts) {
    for (const commit of [ended, seen, refreshed]) if (commit !== null) moments.add(clock.at(commit));
    for (const seconds of [release, assumed]) if (seconds !== null) moments.add(Math.ceil(seconds * 1000));
  }
  for (const [, epoch, observed, seen] of listed) {
    moments.add(clock.at(seen));
    if (epoch !== null) moments.add(Math.ceil(epoch * 1000));
    if (observed !== null) add(BigInt(observed));
  }
  if (undone.length === 0 && isDatedByColumns(texts, listed)) {
    // An empty list may state its capture.
    if (listed.length === 0) add(captureOf(table, parseStoredRow(texts[0][6])));
    return [...moments].sort((a, b) => a - b);
  }
  const whole = stagesIn(table, { texts, listed });
  const histories = undone.length > 0 ? [whole, publicStages(table, whole, undone)] : [whole];
  for (const history of histories)
    for (const dated of datedOf(table, history, clock)) for (const ns of timesOf(dated)) add(ns);
  return [...moments].sort((a, b) => a - b);
}

/** An unchanged row with its own vintages and distinct times, as most are: its columns date it without `datedOf`. */
function isDatedByColumns(texts: StoredRowVersion['texts'], listed: StoredRowVersion['listed']): boolean {
  const [[ended, seen]] = texts;
  if (texts.length > 1 || ended !== null) return false;
  return listed.every(([, , , came]) => came === seen) && !haveRivals(listed);
}

function timesOf({ known, shown = [], withdrawnAt, dispute }: Dated): readonly (bigint | undefined)[] {
  return [
    ...[known.public, known.captured, known.mirrored, withdrawnAt, dispute?.from, dispute?.until],
    ...shown.map(({ at }) => at),
  ];
}

/** The first whole millisecond that is not before a time. */
function millisecondsFrom(ns: bigint): number {
  const whole = ns / 1_000_000n;
  return Number(whole * 1_000_000n < ns ? whole + 1n : whole);
}

/** Selects commits and releases (Unix seconds), each once: the only changes of a series without vintages. */
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
function seriesChanges(commits: Iterable<number>, moments: Iterable<number>): SeriesChanges {
  const own = [...commits];
  return { commits: ascending(own), all: ascending([...own, ...moments]) };
}

function ascending(moments: readonly number[]): Float64Array {
  return Float64Array.from(new Set(moments)).sort();
}

/** The last of some moments, in ascending order, that is not after another one; -Infinity where none is. */
export function lastBy(moments: Float64Array, at: number): number {
  return moments[firstPlace(moments.length, (place) => (moments[place] ?? 0) > at) - 1] ?? Number.NEGATIVE_INFINITY;
}

/** The selects of a timeline: every text of some rows of a series, and every vintage in their lists, in answer order. */
export function timelineSelects(
  table: Table,
  { sql: where, values }: Where,
): { readonly texts: Where; readonly listed?: Where } {
  const { superseded, current } = rowVersionColumns(table);
  const orderBy = (first: number) =>
    orderOf(
      table.key.map((_, i) => first + i),
      table,
    );
  return {
    texts: {
      sql: `select ${superseded} from ${table.superseded} where ${where}
        union all select ${current} from ${table.current} where ${where} order by ${orderBy(ROW_VERSION_KEY)}`,
      values: [...values, ...values],
    },
    ...(table.vintages && {
      listed: {
        sql: `select ${vintageColumns(table)} from ${table.vintages} where ${where} order by ${orderBy(VINTAGE_KEY)}`,
        values,
      },
    }),
  };
}
