import { asJsonText } from '../../contract/json/json.ts';
import type { JournalAsk, JournalEvent, Via } from '../api/journal.ts';
import { type LedgerDialect, type LedgerWork, statement } from './statements/statement.ts';

const eventsOf = ({ query }: LedgerDialect) =>
  query
    .selectFrom('journal')
    .innerJoin('series', 'series.id', 'journal.series')
    .selectAll('journal')
    .select('series.origin');

type EventRow = Awaited<ReturnType<ReturnType<typeof eventsOf>['execute']>>[number];

const eventsAfter = statement((dialect, { after, limit, currencies, indicators }: JournalAsk) => {
  let events = eventsOf(dialect).where('position', '>', after).orderBy('position').limit(limit);
  if (currencies) events = events.where(dialect.isAmong('currency', currencies));
  if (indicators) events = events.where(dialect.isAmong('indicator', indicators));
  return events;
});

const newestById = statement((dialect, { id }: { id: string }) =>
  eventsOf(dialect).where('event', '=', id).orderBy('position', 'desc').limit(1),
);

const arrivalsOfEvents = statement(({ query, isAmong }, { positions }: { positions: readonly number[] }) =>
  query.selectFrom('arrivals').selectAll().where(isAmong('position', positions)).orderBy('at').orderBy('via'),
);

const newest = statement(({ query }) =>
  query.selectFrom('journal').select((from) => from.fn.max('position').as('position')),
);

const SUBJECT = ['series.origin', 'journal.currency', 'journal.indicator'] as const;

/** What the events after a position are about. */
export const subjectsAfter = statement(({ query }, { after }: { after: number }) =>
  query
    .selectFrom('journal')
    .innerJoin('series', 'series.id', 'journal.series')
    .where('position', '>', after)
    .select([...SUBJECT, (from) => from.fn.max('position').as('position')])
    .groupBy([...SUBJECT])
    .orderBy((from) => from.fn.max('position')),
);

export function* readEvents(ask: JournalAsk): LedgerWork<readonly JournalEvent[]> {
  return yield* withArrivals(yield* eventsAfter(ask));
}

export function* eventById(id: string): LedgerWork<JournalEvent | undefined> {
  const [event] = yield* withArrivals(yield* newestById({ id }));
  return event;
}

/** Position of the newest event; 0 when there is none. */
export function* newestPosition(): LedgerWork<number> {
  const [row] = yield* newest({});
  return row?.position ?? 0;
}

function* withArrivals(rows: readonly EventRow[]): LedgerWork<readonly JournalEvent[]> {
  if (rows.length === 0) return [];
  const arrivals = yield* arrivalsOfEvents({ positions: rows.map(({ position }) => position) });
  const byEvent = Map.groupBy(arrivals, ({ position }) => position);
  return rows.map(({ position, origin, event, timestamp, currency, indicator, release, text }) => ({
    ...{ position, origin, id: event, timestamp, currency, indicator },
    release: release ?? undefined,
    text: asJsonText(text),
    arrivals: (byEvent.get(position) ?? []).map(({ via, at }) => ({ via: via as Via, at })), // the table lets nothing else in
  }));
}
