import { eventOf } from '../contract/release-event.ts';
import { cameByItself } from './commit-rules.ts';
import type { Connection } from './connect.ts';
import type { Via } from './journal.ts';
import type { NamedSeries, NewRow, PageCommit } from './mirror.ts';
import type { Prepared } from './rows.ts';
import type { Ledger } from './writers.ts';

/** What a page of events brings: for the report, row by row; and which of its rows are written. */
export interface Arrivals {
  readonly arrived: readonly (number | undefined)[];
  readonly taken: readonly Prepared[];
}

/**
 * Notes the events of a page, and the series that those name which were not known. What comes by itself leaves the rows of
 * known events as they are. Runs inside the transaction of the commit, so that an event is in the journal when, and only
 * when, changes shows it.
 */
export function noteArrivals(
  { arrive, follows }: Pick<Ledger, 'arrive' | 'follows'>,
  rows: readonly Prepared[],
  { commit, via, series }: { commit: PageCommit; via: Via; series: number },
): Arrivals {
  const arrived = arrive(series, commit.rows, { via, at: commit.at });
  for (const named of namedBy(commit, arrived)) follows.name(commit, named);
  return { arrived, taken: takenOf(rows, commit, arrived) };
}

/** Series that the events name which were not known. */
export function namedBy({ rows }: PageCommit, arrived: Arrivals['arrived']): readonly NamedSeries[] {
  return rows.flatMap(({ names = [] }, i) => (arrived[i] === undefined ? [] : names));
}

/** Rows that are written: of what comes by itself only those of events that were not known. */
export function takenOf(
  rows: readonly Prepared[],
  commit: PageCommit,
  arrived: Arrivals['arrived'],
): readonly Prepared[] {
  if (!cameByItself(commit)) return rows;
  const known = new Set(commit.rows.filter((_, i) => arrived[i] === undefined));
  return known.size === 0 ? rows : rows.filter(({ row }) => !known.has(row));
}

/** Writes events into the journal; gives, row by row, the positions of those that are new. */
export function arrivalWriter(db: Connection) {
  // Looked up first: an insert that meets a known event would use up a position.
  const find = db
    .prepare<[string, number], number>('select position from journal where event = ? and series = ?')
    .pluck();
  const insert = db.prepare(
    `insert into journal (series, event, timestamp, currency, indicator, release, text)
     values (?, ?, ?, ?, ?, ?, ?)`,
  );
  const arrive = db.prepare('insert or ignore into arrivals (position, via, at) values (?, ?, ?)');
  const keep = (series: number, row: NewRow): number => {
    const { eventId, timestamp, currency, indicator, release, text } = eventOf(row);
    const kept = insert.run(series, eventId, timestamp, currency, indicator, release ?? null, text);
    return Number(kept.lastInsertRowid);
  };

  return (series: number, rows: readonly NewRow[], { via, at }: { via: Via; at: number }) =>
    rows.map((row): number | undefined => {
      const known = find.get(String(row.value.event_id), series);
      const position = known ?? keep(series, row);
      arrive.run(position, via, at);
      return known === undefined ? position : undefined;
    });
}
