import { type ReleaseEvent, releaseEventOf } from '../../../contract/release-event.ts';
import type { NamedSeries } from '../../api/follows.ts';
import type { Via } from '../../api/journal.ts';
import type { NewRow, PageCommit } from '../../api/page-commit.ts';
import type { Prepared } from '../../core/rows.ts';
import {
  type Arrival,
  type Arrivals,
  arrivalsInOrder,
  arrivalsOf,
  storedId,
  unknownAmong,
} from '../../ledger/journal-arrivals.ts';
import type { SqliteConnection } from '../database-file.ts';
import { stretchesOf } from '../stretches.ts';

/** What writing events needs of the ledger. */
interface EventWriter {
  readonly arrive: ReturnType<typeof arrivalWriter>;
  readonly follows: { name(commit: PageCommit, named: readonly NamedSeries[]): void };
}

/**
 * Notes the events of a page, and the series that those name which were not known. Runs inside the transaction of the commit,
 * so that an event is in the journal when, and only when, changes shows it.
 */
export function writeArrivals(
  { arrive, follows }: EventWriter,
  rows: readonly Prepared[],
  { commit, via, series }: { commit: PageCommit; via: Via; series: number },
): Arrivals {
  const arrivals = arrivalsOf(rows, commit, arrive(series, commit.rows, { via, at: commit.at }));
  follows.name(commit, arrivals.named);
  return arrivals;
}

interface StoredEvent extends Arrival {
  readonly event: string;
}

/**
 * Events that one statement takes. A statement of several rows that refer to other tables keeps a copy of each page that it
 * touches, so a busy receiver has few statements.
 */
const SIZES = [64, 16, 4, 1];

/** Writes events into the journal; tells of each, row by row, whether it was known. */
export function arrivalWriter(db: SqliteConnection) {
  const find = bySize((count) =>
    db.prepare<unknown[], StoredEvent>(
      `select event, position, timestamp as known from journal where event in (${listed('?', count)}) and series = ?`,
    ),
  );
  const insert = bySize((count) =>
    db.prepare(
      `insert or fail into journal (series, event, timestamp, currency, indicator, release, text)
       values ${listed('(?, ?, ?, ?, ?, ?, ?)', count)}`,
    ),
  );
  const arrive = bySize((count) =>
    db.prepare(`insert or ignore into arrivals (position, via, at) values ${listed('(?, ?, ?)', count)}`),
  );

  /** Positions are counted in the order of the rows: who follows the journal reads them in it. */
  function keep(series: number, events: readonly ReleaseEvent[]): ReadonlyMap<string, number> {
    const positions = new Map<string, number>();
    for (const some of stretchesOf(events, SIZES)) {
      const values: (string | number | null)[] = [];
      for (const { eventId, timestamp, currency, indicator, release, text } of some)
        values.push(series, eventId, timestamp, currency, indicator, release ?? null, text);
      const last = Number(insert(some.length).run(values).lastInsertRowid);
      for (const [i, { eventId }] of some.entries()) positions.set(storedId(eventId), last - some.length + 1 + i);
    }
    return positions;
  }

  return (series: number, rows: readonly NewRow[], { via, at }: { via: Via; at: number }): readonly Arrival[] => {
    const events = rows.map(releaseEventOf);
    // Looked up first: an insert that meets a known event would use up a position.
    const known = new Map<string, Arrival>();
    for (const some of stretchesOf(events, SIZES))
      for (const { event, ...arrival } of find(some.length).all(...some.map(({ eventId }) => eventId), series))
        known.set(event, arrival);
    const arrivals = arrivalsInOrder(events, known, keep(series, unknownAmong(events, known)));
    for (const some of stretchesOf(arrivals, SIZES))
      arrive(some.length).run(some.flatMap(({ position }) => [position, via, at]));
    return arrivals;
  };
}

/** Statements by how many rows they take, each prepared once. */
function bySize<Prepared>(prepare: (count: number) => Prepared): (count: number) => Prepared {
  const prepared = new Map<number, Prepared>();
  return (count) => {
    const statement = prepared.get(count) ?? prepare(count);
    prepared.set(count, statement);
    return statement;
  };
}

const listed = (marks: string, count: number): string => Array(count).fill(marks).join(', ');
