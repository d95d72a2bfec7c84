import { releaseEventOf } from '../../contract/release-event.ts';
import type { Via } from '../api/journal.ts';
import type { KeyValue, NamedSeries, NewRow, PageCommit } from '../api/mirror.ts';
import { cameByItself } from '../core/commit/commit-rules.ts';
import type { Prepared } from '../core/rows.ts';
import type { SqliteConnection } from '../sqlite/connect.ts';

/** An event of a page: its place in the journal, and its processing time there when it was known before. */
export interface Arrival {
  readonly position: number;
  readonly known: number | undefined;
}

/** What a page of events brings. */
export interface Arrivals {
  /** For the report, row by row. */
  readonly arrived: readonly (number | undefined)[];
  /** Series that the events name which were not known. */
  readonly named: readonly NamedSeries[];
  /** Rows that are written: of what comes by itself only those of events that were not known. */
  readonly taken: readonly Prepared[];
  /** Keys of rows that stand there under another time: the feed says it otherwise than what came by itself before. */
  readonly replaced: readonly (readonly KeyValue[])[];
}

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

/** What becomes of a page of events, by what the journal knows of each. */
export function arrivalsOf(rows: readonly Prepared[], commit: PageCommit, told: readonly Arrival[]): Arrivals {
  const isNew = (i: number) => told[i]?.known === undefined;
  const news = commit.rows.filter((_, i) => isNew(i));
  const byItself = cameByItself(commit);
  const taken = new Set(news);
  return {
    arrived: told.map(({ position, known }) => (known === undefined ? position : undefined)),
    named: news.flatMap(({ names = [] }) => names),
    taken: byItself ? rows.filter(({ row }) => taken.has(row)) : rows,
    replaced: byItself ? [] : commit.rows.flatMap((row, i) => redated(row, told[i]?.known)),
  };
}

function redated(row: NewRow, known: number | undefined): readonly (readonly KeyValue[])[] {
  const { eventId, timestamp } = releaseEventOf(row);
  return known === undefined || known === timestamp ? [] : [[known, eventId]];
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
