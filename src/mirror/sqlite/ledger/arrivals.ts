import { releaseEventOf } from '../../../contract/release-event.ts';
import type { Via } from '../../api/journal.ts';
import type { NamedSeries, NewRow, PageCommit } from '../../api/mirror.ts';
import type { Prepared } from '../../core/rows.ts';
import { type Arrival, type Arrivals, arrivalsOf } from '../../ledger/journal-arrivals.ts';
import type { SqliteConnection } from '../database-file.ts';

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

/** Writes events into the journal; tells of each, row by row, whether it was known. */
export function arrivalWriter(db: SqliteConnection) {
  // Looked up first: an insert that meets a known event would use up a position.
  const find = db.prepare<[string, number], { position: number; known: number }>(
    'select position, timestamp as known from journal where event = ? and series = ?',
  );
  const insert = db.prepare(
    `insert into journal (series, event, timestamp, currency, indicator, release, text)
     values (?, ?, ?, ?, ?, ?, ?)`,
  );
  const arrive = db.prepare('insert or ignore into arrivals (position, via, at) values (?, ?, ?)');
  const keep = (series: number, row: NewRow): Arrival => {
    const { eventId, timestamp, currency, indicator, release, text } = releaseEventOf(row);
    const kept = insert.run(series, eventId, timestamp, currency, indicator, release ?? null, text);
    return { position: Number(kept.lastInsertRowid), known: undefined };
  };

  return (series: number, rows: readonly NewRow[], { via, at }: { via: Via; at: number }): readonly Arrival[] =>
    rows.map((row) => {
      const arrival = find.get(String(row.value.event_id), series) ?? keep(series, row);
      arrive.run(arrival.position, via, at);
      return arrival;
    });
}
