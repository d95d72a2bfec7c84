import { asJsonText } from '../../../contract/json/json.ts';
import type { Journal, JournalEvent, Subject, Via } from '../../api/journal.ts';
import { toConsumer, toFailure } from '../../ledger/journal-followers.ts';
import { toGap, widened } from '../../ledger/journal-gaps.ts';
import { anyOf, type ServerConnection } from '../connection.ts';
import type { ServerReading } from '../rows/reader.ts';
import type { Writing } from '../writing.ts';

/** The journal of a mirror on a server. */
export function createJournal(reading: ServerReading, { change }: Pick<Writing, 'change'>): Journal {
  return {
    events: ({ after, limit, currencies, indicators }) =>
      reading(async (seat) => {
        let events = eventsOf(seat).where('position', '>', after).orderBy('position').limit(limit);
        if (currencies) events = events.where('currency', '=', anyOf(currencies));
        if (indicators) events = events.where('indicator', '=', anyOf(indicators));
        return withArrivals(seat, await events.execute());
      }),
    event: (id) =>
      reading(async (seat) => {
        const newest = eventsOf(seat).where('event', '=', id).orderBy('position', 'desc').limit(1);
        return (await withArrivals(seat, await newest.execute()))[0];
      }),
    newest: () => reading(newestPosition),
    subjects: (after) => reading((seat) => subjectsAfter(seat, after)),
    consumers: () =>
      reading(async ({ ledger }) =>
        (await ledger.selectFrom('consumers').selectAll().orderBy('name').execute()).map(toConsumer),
      ),
    consumer: (name) =>
      reading(async ({ ledger }) => {
        const row = await ledger.selectFrom('consumers').selectAll().where('name', '=', name).executeTakeFirst();
        return row && toConsumer(row);
      }),
    moveConsumer: (name, position, at) => change((seat) => moveConsumer(seat, { name, position, moved_at: at })),
    noteFailure: ({ consumer, position, error, failedAt, nextAt }) =>
      change(async ({ ledger }) => {
        const told = { error, failed_at: failedAt, next_at: nextAt ?? null };
        const row = await ledger
          .insertInto('failures')
          .values({ consumer, position, attempts: 1, ...told })
          .onConflict((on) =>
            on
              .columns(['consumer', 'position'])
              .doUpdateSet((to) => ({ attempts: to('failures.attempts', '+', 1), ...told })),
          )
          .returningAll()
          .executeTakeFirstOrThrow();
        return toFailure(row);
      }),
    failures: (consumer) =>
      reading(async ({ ledger }) => {
        const all = ledger.selectFrom('failures').selectAll().orderBy('position').orderBy('consumer');
        const wanted = consumer === undefined ? all : all.where('consumer', '=', consumer);
        return (await wanted.execute()).map(toFailure);
      }),
    forgetFailure: (consumer, position) =>
      change(async ({ ledger }) => {
        await ledger.deleteFrom('failures').where('consumer', '=', consumer).where('position', '=', position).execute();
      }),
    noteGap: (gap) => change((seat) => noteGap(seat, gap)),
    closeGap: (id, at) =>
      change(async ({ ledger }) => {
        await ledger
          .updateTable('gaps')
          .set({ closed_at: at })
          .where('id', '=', id)
          .where('closed_at', 'is', null)
          .execute();
      }),
    gaps: (limit) =>
      reading(async ({ ledger }) =>
        (await ledger.selectFrom('gaps').selectAll().orderBy('id', 'desc').limit(limit).execute()).map(toGap),
      ),
  };
}

/** Position of the newest event; 0 when there is none. */
export async function newestPosition({ ledger }: ServerConnection): Promise<number> {
  const newest = ledger.selectFrom('journal').select((from) => from.fn.max('position').as('position'));
  return (await newest.executeTakeFirst())?.position ?? 0;
}

function subjectsAfter({ ledger }: ServerConnection, after: number): Promise<readonly Subject[]> {
  const subject = ['series.origin', 'journal.currency', 'journal.indicator'] as const;
  return ledger
    .selectFrom('journal')
    .innerJoin('series', 'series.id', 'journal.series')
    .where('position', '>', after)
    .select([...subject])
    .select((from) => from.fn.max('position').as('position'))
    .groupBy([...subject])
    .orderBy('position')
    .execute();
}

const eventsOf = ({ ledger }: ServerConnection) =>
  ledger
    .selectFrom('journal')
    .innerJoin('series', 'series.id', 'journal.series')
    .selectAll('journal')
    .select('series.origin');

type EventRow = Awaited<ReturnType<ReturnType<typeof eventsOf>['execute']>>[number];

async function withArrivals({ ledger }: ServerConnection, rows: readonly EventRow[]): Promise<readonly JournalEvent[]> {
  const arrivals = await ledger
    .selectFrom('arrivals')
    .selectAll()
    .where('position', '=', anyOf(rows.map(({ position }) => position)))
    .orderBy('at')
    .orderBy('via')
    .execute();
  const byEvent = Map.groupBy(arrivals, ({ position }) => position);
  return rows.map(({ position, origin, event, timestamp, currency, indicator, release, text }) => ({
    ...{ position, origin, id: event, timestamp, currency, indicator },
    release: release ?? undefined,
    text: asJsonText(text),
    arrivals: (byEvent.get(position) ?? []).map(({ via, at }) => ({ via: via as Via, at })), // the table lets nothing else in
  }));
}

/** A consumer never moves back. */
async function moveConsumer(
  { ledger }: ServerConnection,
  row: { readonly name: string; readonly position: number; readonly moved_at: number },
): Promise<void> {
  await ledger
    .insertInto('consumers')
    .values(row)
    .onConflict((on) => on.column('name').doUpdateSet(row).where('consumers.position', '<=', row.position))
    .execute();
}

async function noteGap({ ledger }: ServerConnection, gap: Parameters<Journal['noteGap']>[0]): Promise<number> {
  const { origin, from, to, reason, via, notedAt } = gap;
  let open = ledger.selectFrom('gaps').selectAll().where('origin', '=', origin).where('closed_at', 'is', null);
  open = open.where('ends', to === undefined ? 'is' : 'is not', null);
  if (to !== undefined) open = open.where((is) => is.or([is('starts', 'is', null), is('starts', '<=', to)]));
  if (from !== undefined) open = open.where((is) => is.or([is('ends', 'is', null), is('ends', '>=', from)]));
  const same = await open.orderBy('id').limit(1).executeTakeFirst();
  if (same) {
    await ledger.updateTable('gaps').set(widened(same, gap)).where('id', '=', same.id).execute();
    return same.id;
  }
  const { id } = await ledger
    .insertInto('gaps')
    .values({ origin, starts: from ?? null, ends: to ?? null, reason, via, noted_at: notedAt })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
