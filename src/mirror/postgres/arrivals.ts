import { eventOf } from '../../contract/release-event.ts';
import type { Via } from '../journal.ts';
import { type Arrival, type Arrivals, arrivalsOf } from '../journal-arrivals.ts';
import type { NewRow, PageCommit } from '../mirror.ts';
import type { Prepared } from '../rows.ts';
import { nameSeries } from './progress.ts';
import { anyOf, type Seat } from './seat.ts';

/** Notes the events of a page, and the series that those name which were not known. */
export async function noteArrivals(
  seat: Seat,
  rows: readonly Prepared[],
  { commit, via, series }: { commit: PageCommit; via: Via; series: number },
): Promise<Arrivals> {
  const arrivals = arrivalsOf(rows, commit, await arrive(seat, commit, { via, series }));
  for (const named of arrivals.named) await nameSeries(seat, commit, named);
  return arrivals;
}

async function arrive(
  { ledger }: Seat,
  { rows, at }: PageCommit,
  { via, series }: { via: Via; series: number },
): Promise<readonly Arrival[]> {
  if (rows.length === 0) return [];
  const idOf = ({ value }: NewRow) => String(value.event_id);
  const held = await ledger
    .selectFrom('journal')
    .select(['event', 'position', 'timestamp'])
    .where('series', '=', series)
    .where('event', '=', anyOf(rows.map(idOf)))
    .execute();
  const byId = new Map(held.map(({ event, position, timestamp: known }) => [event, { position, known }]));
  const arrivals: Arrival[] = [];
  for (const row of rows) {
    const known = byId.get(idOf(row));
    const arrival = known ?? { position: await keep(ledger, series, row), known: undefined };
    if (!known) byId.set(idOf(row), { position: arrival.position, known: eventOf(row).timestamp });
    arrivals.push(arrival);
  }
  const all = [...new Set(arrivals.map(({ position }) => position))];
  await ledger
    .insertInto('arrivals')
    .values(all.map((position) => ({ position, via, at })))
    .onConflict((on) => on.doNothing())
    .execute();
  return arrivals;
}

/** Events get their positions one after the other: who follows the journal reads them in this order. */
async function keep(ledger: Seat['ledger'], series: number, row: NewRow): Promise<number> {
  const { eventId, timestamp, currency, indicator, release = null, text } = eventOf(row);
  const { position } = await ledger
    .insertInto('journal')
    .values({ series, event: eventId, timestamp, currency, indicator, release, text })
    .returning('position')
    .executeTakeFirstOrThrow();
  return position;
}
