import type { Column } from '../../../contract/mapping.ts';
import { type ReleaseEvent, releaseEventOf } from '../../../contract/release-event.ts';
import type { Via } from '../../api/journal.ts';
import type { PageCommit } from '../../api/mirror.ts';
import type { Prepared } from '../../core/rows.ts';
import {
  type Arrival,
  type Arrivals,
  arrivalsInOrder,
  arrivalsOf,
  unknownAmong,
} from '../../ledger/journal-arrivals.ts';
import { anyOf, type ServerConnection } from '../connection.ts';
import { unnestOf } from '../rows/unnest.ts';
import { nameSeries } from './progress.ts';

/** Notes the events of a page, and the series that those name which were not known. */
export async function writeServerArrivals(
  connection: ServerConnection,
  rows: readonly Prepared[],
  { commit, via, series }: { commit: PageCommit; via: Via; series: number },
): Promise<Arrivals> {
  const arrivals = arrivalsOf(rows, commit, await arrive(connection, commit, { via, series }));
  for (const named of arrivals.named) await nameSeries(connection, commit, named);
  return arrivals;
}

async function arrive(
  connection: ServerConnection,
  { rows, at }: PageCommit,
  { via, series }: { via: Via; series: number },
): Promise<readonly Arrival[]> {
  if (rows.length === 0) return [];
  const { ledger } = connection;
  const events = rows.map(releaseEventOf);
  const stored = await ledger
    .selectFrom('journal')
    .select(['event', 'position', 'timestamp'])
    .where('series', '=', series)
    .where('event', '=', anyOf(events.map(({ eventId }) => eventId)))
    .execute();
  const known = new Map(stored.map(({ event, position, timestamp }) => [event, { position, known: timestamp }]));
  const positions = await keep(connection, series, unknownAmong(events, known));
  const arrivals = arrivalsInOrder(events, known, positions);
  const all = [...new Set(arrivals.map(({ position }) => position))];
  await ledger
    .insertInto('arrivals')
    .values(all.map((position) => ({ position, via, at })))
    .onConflict((on) => on.doNothing())
    .execute();
  return arrivals;
}

const COLUMNS: readonly Column[] = [
  { name: 'event', type: 'text' },
  { name: 'timestamp', type: 'integer' },
  { name: 'currency', type: 'text' },
  { name: 'indicator', type: 'text' },
  { name: 'release', type: 'integer' },
  { name: 'text', type: 'text' },
];

/**
 * Writes events that are not in the journal; gives their positions by event. They are counted in the order of the rows: who
 * follows the journal reads them in it.
 */
async function keep(
  connection: ServerConnection,
  series: number,
  events: readonly ReleaseEvent[],
): Promise<ReadonlyMap<string, number>> {
  if (events.length === 0) return new Map();
  const rows = events.map(({ eventId, timestamp, currency, indicator, release = null, text }) => [
    ...[eventId, timestamp, currency, indicator, release, text],
  ]);
  const values = unnestOf(COLUMNS, rows);
  const kept = await connection.tuples<[event: string, position: number]>({
    sql: `insert into journal (series, ${values.names}) select ?, ${values.names}
      from ${values.sql} with ordinality as input(${values.names}, place) order by place returning event, position`,
    values: [series, ...values.values],
  });
  return new Map(kept);
}
