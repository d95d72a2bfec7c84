import { eventOf } from '../../contract/release-event.ts';
import type { Via } from '../journal.ts';
import { namedBy, takenOf } from '../journal-arrivals.ts';
import type { NewRow, PageCommit } from '../mirror.ts';
import type { Prepared } from '../rows.ts';
import { nameSeries } from './progress.ts';
import { anyOf, type Seat } from './seat.ts';

/**
 * Notes the events of a page, and the series that those name which were not known; gives, row by row, the positions of those
 * that are new, and the rows that are written.
 */
export async function noteArrivals(
  seat: Seat,
  rows: readonly Prepared[],
  { commit, via, series }: { commit: PageCommit; via: Via; series: number },
) {
  const arrived = await arrive(seat, commit, { via, series });
  for (const named of namedBy(commit, arrived)) await nameSeries(seat, commit, named);
  return { arrived, taken: takenOf(rows, commit, arrived) };
}

async function arrive(
  { ledger }: Seat,
  { rows, at }: PageCommit,
  { via, series }: { via: Via; series: number },
): Promise<readonly (number | undefined)[]> {
  if (rows.length === 0) return [];
  const idOf = ({ value }: NewRow) => String(value.event_id);
  const held = await ledger
    .selectFrom('journal')
    .select(['event', 'position'])
    .where('series', '=', series)
    .where('event', '=', anyOf(rows.map(idOf)))
    .execute();
  const positions = new Map(held.map(({ event, position }) => [event, position]));
  const arrived: (number | undefined)[] = [];
  for (const row of rows) {
    const isKnown = positions.has(idOf(row));
    if (!isKnown) positions.set(idOf(row), await keep(ledger, series, row));
    arrived.push(isKnown ? undefined : positions.get(idOf(row)));
  }
  const all = [...new Set(rows.map((row) => positions.get(idOf(row)) ?? 0))];
  await ledger
    .insertInto('arrivals')
    .values(all.map((position) => ({ position, via, at })))
    .onConflict((on) => on.doNothing())
    .execute();
  return arrived;
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
