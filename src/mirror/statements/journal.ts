import { asJsonText } from '../../contract/json/json.ts';
import type { Failure, Journal, JournalAsk, JournalConsumer, JournalEvent, JournalGap, Via } from '../api/journal.ts';
import type { LedgerSchema } from '../rules/ledger.ts';
import { type LedgerAccess, type LedgerDialect, type LedgerWork, onlyRow, statement } from './statement.ts';

type Row = LedgerSchema['gaps'];
type Bounds = Pick<JournalGap, 'from' | 'to'>;

const openGaps = statement(({ query }, { origin }: { origin: string }) =>
  query.selectFrom('gaps').selectAll().where('origin', '=', origin).where('closed_at', 'is', null).orderBy('id'),
);

const add = statement(({ query }, gap: Omit<Row, 'id' | 'closed_at'>) =>
  query
    .insertInto('gaps')
    .values({ ...gap })
    .returning('id'),
);

const widen = statement(({ query }, { id, ...bounds }: Pick<Row, 'id' | 'starts' | 'ends' | 'reason'>) =>
  query.updateTable('gaps').set(bounds).where('id', '=', id),
);

const close = statement(({ query }, { id, at }: { id: number; at: number }) =>
  query.updateTable('gaps').set({ closed_at: at }).where('id', '=', id).where('closed_at', 'is', null),
);

const newestGaps = statement(({ query }, { limit }: { limit: number }) =>
  query.selectFrom('gaps').selectAll().orderBy('id', 'desc').limit(limit),
);

/** Where consumers stand; of one, or of all. */
const consumersBy = statement(({ query }, { name }: { name?: string | undefined }) => {
  const all = query.selectFrom('consumers').selectAll().orderBy('name');
  return name === undefined ? all : all.where('name', '=', name);
});

/** A consumer never moves back. */
const move = statement(({ query }, row: LedgerSchema['consumers']) =>
  query
    .insertInto('consumers')
    .values({ name: row.name, position: row.position, moved_at: row.moved_at })
    .onConflict((on) =>
      on
        .column('name')
        .doUpdateSet((to) => ({ position: to.ref('excluded.position'), moved_at: to.ref('excluded.moved_at') }))
        .whereRef('consumers.position', '<=', 'excluded.position'),
    ),
);

const fail = statement(({ query }, failed: Omit<LedgerSchema['failures'], 'attempts'>) =>
  query
    .insertInto('failures')
    .values({ ...failed, attempts: 1 })
    .onConflict((on) =>
      on.columns(['consumer', 'position']).doUpdateSet((to) => ({
        attempts: to('failures.attempts', '+', 1),
        error: to.ref('excluded.error'),
        failed_at: to.ref('excluded.failed_at'),
        next_at: to.ref('excluded.next_at'),
      })),
    )
    .returningAll(),
);

const failuresOf = statement(({ query }, { consumer }: { consumer?: string | undefined }) => {
  const all = query.selectFrom('failures').selectAll().orderBy('position').orderBy('consumer');
  return consumer === undefined ? all : all.where('consumer', '=', consumer);
});

const forget = statement(({ query }, failed: { consumer: string; position: number }) =>
  query.deleteFrom('failures').where('consumer', '=', failed.consumer).where('position', '=', failed.position),
);

/** The journal of a mirror of any engine. */
export function createJournal({ read, change, changeOnce }: LedgerAccess): Journal {
  return {
    events: (ask) => read(() => readEvents(ask)),
    event: (id) => read(() => eventById(id)),
    newest: () => read(newestPosition),
    subjects: (after) => read(() => subjectsAfter({ after })),
    consumers: () => read(() => readConsumers()),
    consumer: async (name) => (await read(() => readConsumers(name)))[0],
    moveConsumer: (name, position, at, event) => change(() => moveConsumer({ name, position, moved_at: at }, event)),
    noteFailure: (failure) => changeOnce(() => noteFailure(failure)),
    failures: (consumer) => read(() => readFailures(consumer)),
    forgetFailure: (consumer, position) => changeOnce(() => forgetFailure(consumer, position)),
    noteGap: (gap) => change(() => noteJournalGap(gap)),
    closeGap: (id, at) => changeOnce(() => closeGap(id, at)),
    gaps: (limit) => read(() => readGaps(limit)),
  };
}

/** Stream and polling may both report a gap, first as one that may be filled and then as one that is lost: it is noted once. */
function* noteJournalGap(gap: Omit<JournalGap, 'id' | 'closedAt'>): LedgerWork<number> {
  const { origin, from, to, reason, via, notedAt } = gap;
  const open = yield* openGaps({ origin });
  const same = open.find((one) => isSame(one, gap));
  if (same) {
    yield* widen({ id: same.id, reason: same.reason, ...widened(same, gap) });
    return same.id;
  }
  const ended = open.find((one) => isEnd(one, gap));
  if (ended) {
    yield* widen({ id: ended.id, reason, starts: from ?? null, ends: to ?? null });
    return ended.id;
  }
  const bounds = { starts: from ?? null, ends: to ?? null };
  return onlyRow(yield* add({ origin, ...bounds, reason, via, noted_at: notedAt })).id;
}

function* closeGap(id: number, at: number): LedgerWork<void> {
  yield* close({ id, at });
}

function* readGaps(limit: number): LedgerWork<readonly JournalGap[]> {
  return (yield* newestGaps({ limit })).map(toGap);
}

/** True of gaps that overlap and are both lost (with an end) or both open: filling one must not close the other. */
function isSame({ starts, ends }: Row, { from, to }: Bounds): boolean {
  if ((ends === null) !== (to === undefined)) return false;
  const startsBefore = starts === null || to === undefined || starts <= to;
  return startsBefore && (ends === null || from === undefined || ends >= from);
}

/** True where nobody knew the end of a gap, and it is known now: what lies behind it has come. */
function isEnd({ starts, ends }: Row, { to }: Bounds): boolean {
  return ends === null && to !== undefined && (starts === null || starts <= to);
}

/** Both missing ranges as one. An end that nobody knows stays unknown. */
function widened(same: Row, { from, to }: Bounds): Pick<Row, 'starts' | 'ends'> {
  return {
    starts: same.starts === null || from === undefined ? null : Math.min(same.starts, from),
    ends: same.ends === null || to === undefined ? null : Math.max(same.ends, to),
  };
}

function toGap({ id, origin, starts, ends, reason, via, noted_at, closed_at }: Row): JournalGap {
  return {
    id,
    origin,
    from: starts ?? undefined,
    to: ends ?? undefined,
    reason,
    via: via as Via, // the table lets nothing else in but what noteGap was given
    notedAt: noted_at,
    closedAt: closed_at ?? undefined,
  };
}

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

const eventAt = statement(({ query }, { position }: { position: number }) =>
  query.selectFrom('journal').select('event').where('position', '=', position),
);

const arrivalsOfEvents = statement(({ query, isAmong }, { positions }: { positions: readonly number[] }) =>
  query.selectFrom('arrivals').selectAll().where(isAmong('position', positions)).orderBy('at').orderBy('via'),
);

const newest = statement(({ query }) =>
  query.selectFrom('journal').select((from) => from.fn.max('position').as('position')),
);

const SUBJECT = ['series.origin', 'journal.currency', 'journal.indicator'] as const;

/** What the events after a position are about. */
const subjectsAfter = statement(({ query }, { after }: { after: number }) =>
  query
    .selectFrom('journal')
    .innerJoin('series', 'series.id', 'journal.series')
    .where('position', '>', after)
    .select([...SUBJECT, (from) => from.fn.max('position').as('position')])
    .groupBy([...SUBJECT])
    .orderBy((from) => from.fn.max('position')),
);

function* readEvents(ask: JournalAsk): LedgerWork<readonly JournalEvent[]> {
  return yield* withArrivals(yield* eventsAfter(ask));
}

function* eventById(id: string): LedgerWork<JournalEvent | undefined> {
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

export function* readConsumers(name?: string): LedgerWork<readonly JournalConsumer[]> {
  const rows = yield* consumersBy({ name });
  return rows.map(({ name, position, moved_at: movedAt }) => ({ name, position, movedAt }));
}

export function* moveConsumer(row: LedgerSchema['consumers'], event?: string): LedgerWork<void> {
  const [found] = event === undefined ? [] : yield* eventAt(row);
  if (found?.event === event) yield* move(row);
}

function* noteFailure(failed: Omit<Failure, 'attempts'>): LedgerWork<Failure> {
  const { consumer, position, error, failedAt, nextAt } = failed;
  return toFailure(onlyRow(yield* fail({ consumer, position, error, failed_at: failedAt, next_at: nextAt ?? null })));
}

function* readFailures(consumer?: string): LedgerWork<readonly Failure[]> {
  return (yield* failuresOf({ consumer })).map(toFailure);
}

function* forgetFailure(consumer: string, position: number): LedgerWork<void> {
  yield* forget({ consumer, position });
}

const toFailure = (row: LedgerSchema['failures']): Failure => ({
  consumer: row.consumer,
  position: row.position,
  attempts: row.attempts,
  error: row.error,
  failedAt: row.failed_at,
  nextAt: row.next_at ?? undefined,
});
