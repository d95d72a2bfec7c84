import type { AsOf, Availability } from '../../../../contract/time/as-of.ts';
import type { StoredRow } from '../../../api/mirror.ts';
import { parseStoredRow } from '../../columns.ts';
import type { StoredRowVersion } from '../../row-versions.ts';
import type { Table } from '../../tables.ts';
import type { CommitClock } from '../commit-clock.ts';
import { datedOf } from '../dated.ts';
import { captureOf, type Dated } from '../dated-value.ts';
import { publicHistory } from '../never-public.ts';
import { momentOf, type PastMoment } from '../past-row.ts';
import { haveRivals } from '../past-settled.ts';
import { historyIn, rowThen } from '../past-stored.ts';
import type { UndoneDates } from '../undone.ts';

/** What the rows of one series are dated by. */
export interface TimelineContext {
  readonly table: Table;
  readonly clock: CommitClock;
  readonly undone: readonly UndoneDates[];
}

/** One row at any moment. */
export interface RowTimeline {
  /** Undefined when it was not known then, or gone. */
  at(asOf: AsOf): StoredRow | undefined;
  /** The moments (milliseconds, ascending) at which it may become another one. */
  moments(): readonly number[];
}

/**
 * A row changes at few moments: those that its texts, its vintages and its commits name. Between two of them everything that
 * `rowThen` compares a moment with lies on the same side, so one state stands for all of the time between.
 */
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
    // What lists nothing may state its capture.
    if (listed.length === 0) add(captureOf(table, parseStoredRow(texts[0][6])));
    return [...moments].sort((a, b) => a - b);
  }
  const whole = historyIn(table, { texts, listed });
  const histories = undone.length > 0 ? [whole, publicHistory(table, whole, undone)] : [whole];
  for (const history of histories)
    for (const dated of datedOf(table, history, clock)) for (const ns of timesOf(dated)) add(ns);
  return [...moments].sort((a, b) => a - b);
}

/**
 * A row that never changed, whose vintages came with it and claim no time twice, is dated by its columns and theirs: by a
 * publication time, a capture or its commit. So are most rows, and `datedOf` would read each of them for nothing.
 */
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
