import type { Journal, JournalGap, Via } from '../api/journal.ts';
import { eventById, newestPosition, readEvents, subjectsAfter } from './journal-events.ts';
import { forgetFailure, moveConsumer, noteFailure, readConsumers, readFailures } from './journal-followers.ts';
import type { LedgerSchema } from './ledger.ts';
import type { LedgerAccess } from './statements/execute.ts';
import { type LedgerWork, onlyRow, statement } from './statements/statement.ts';

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

const widen = statement(({ query }, { id, starts, ends }: Pick<Row, 'id' | 'starts' | 'ends'>) =>
  query.updateTable('gaps').set({ starts, ends }).where('id', '=', id),
);

const close = statement(({ query }, { id, at }: { id: number; at: number }) =>
  query.updateTable('gaps').set({ closed_at: at }).where('id', '=', id).where('closed_at', 'is', null),
);

const newestGaps = statement(({ query }, { limit }: { limit: number }) =>
  query.selectFrom('gaps').selectAll().orderBy('id', 'desc').limit(limit),
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
    moveConsumer: (name, position, at) => changeOnce(() => moveConsumer(name, position, at)),
    noteFailure: (failure) => changeOnce(() => noteFailure(failure)),
    failures: (consumer) => read(() => readFailures(consumer)),
    forgetFailure: (consumer, position) => changeOnce(() => forgetFailure(consumer, position)),
    noteGap: (gap) => change(() => noteJournalGap(gap)),
    closeGap: (id, at) => changeOnce(() => closeGap(id, at)),
    gaps: (limit) => read(() => readGaps(limit)),
  };
}

/** Stream and polling may both report a hole: it is noted once. */
function* noteJournalGap(gap: Omit<JournalGap, 'id' | 'closedAt'>): LedgerWork<number> {
  const { origin, from, to, reason, via, notedAt } = gap;
  const same = (yield* openGaps({ origin })).find((open) => isSame(open, gap));
  if (same) {
    yield* widen({ id: same.id, ...widened(same, gap) });
    return same.id;
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

/**
 * True of holes that overlap. A hole without an end may still be filled, one with an end is lost: the two never become one,
 * or filling the first would close the other.
 */
function isSame({ starts, ends }: Row, { from, to }: Bounds): boolean {
  if ((ends === null) !== (to === undefined)) return false;
  const startsBefore = starts === null || to === undefined || starts <= to;
  return startsBefore && (ends === null || from === undefined || ends >= from);
}

/** Both holes as one. An end that nobody knows stays unknown. */
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
