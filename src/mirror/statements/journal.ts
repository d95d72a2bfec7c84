import { asJsonText } from '../../contract/json/json.ts';
import type {
  Failure,
  Journal,
  JournalAsk,
  JournalConsumer,
  JournalEvent,
  JournalGap,
  Subject,
  Via,
} from '../api/journal.ts';
import type { SystemRows } from '../rules/system-tables.ts';
import type { Engine, EngineWork, Writer } from './engine.ts';
import { askRow, askRows, execute, type Transactions } from './transactions.ts';

type GapRow = SystemRows['gaps'];
type Bounds = Pick<JournalGap, 'from' | 'to'>;
type EventRow = SystemRows['journal'] & Pick<SystemRows['series'], 'origin'>;
type FailureRow = SystemRows['failures'];

/** The journal of a mirror of any engine. */
export function createJournal({ read, change }: Transactions): Journal {
  return {
    events: (wanted) => read((engine) => readEvents(engine, wanted)),
    event: (id) =>
      read(function* (engine) {
        const sql = `${EVENTS} where event = ? order by position desc limit 1`;
        return (yield* withArrivals(engine, yield* askRows<EventRow>(engine, sql, id)))[0];
      }),
    newest: () => read(newestPosition),
    subjects: (after) => read((engine) => askRows<Subject>(engine, SUBJECTS, after)),
    consumers: () => read((engine) => readConsumers(engine)),
    consumer: async (name) => (await read((engine) => readConsumers(engine, name)))[0],
    moveConsumer: (name, position, at, event) =>
      change((writer) => moveConsumer(writer, { name, position, at }, event)),
    forgetConsumer: (name) =>
      change(function* (writer) {
        yield* execute(writer, 'delete from consumers where name = ?', name);
        yield* execute(writer, 'delete from failures where consumer = ?', name);
      }),
    noteFailure: ({ consumer, position, error, failedAt, nextAt = null }) =>
      change(function* (writer) {
        return toFailure(yield* askRow<FailureRow>(writer, FAIL, consumer, position, error, failedAt, nextAt));
      }),
    failures: (consumer) =>
      read(function* (engine) {
        const [where, values] = consumer === undefined ? ['', []] : ['where consumer = ?', [consumer]];
        const sql = `select * from failures ${where} order by position, consumer`;
        return (yield* askRows<FailureRow>(engine, sql, ...values)).map(toFailure);
      }),
    forgetFailure: (consumer, position) =>
      change((writer) =>
        execute(writer, 'delete from failures where consumer = ? and position = ?', consumer, position),
      ),
    noteGap: (gap) => change((writer) => noteJournalGap(writer, gap)),
    closeGap: (id, at) =>
      change((writer) => execute(writer, 'update gaps set closed_at = ? where id = ? and closed_at is null', at, id)),
    gaps: (limit) =>
      read(function* (engine) {
        return (yield* askRows<GapRow>(engine, 'select * from gaps order by id desc limit ?', limit)).map(toGap);
      }),
  };
}

const EVENTS = 'select journal.*, series.origin from journal join series on series.id = journal.series';

const SUBJECTS = `select origin, currency, indicator, max(position) as position
  from journal join series on series.id = journal.series
  where position > ? group by origin, currency, indicator order by max(position)`;

const FAIL = `insert into failures (consumer, position, attempts, error, failed_at, next_at) values (?, ?, 1, ?, ?, ?)
  on conflict (consumer, position) do update set attempts = failures.attempts + 1, error = excluded.error,
    failed_at = excluded.failed_at, next_at = excluded.next_at returning *`;

/** Notes a gap once, although stream and polling may both report it, first as fillable and then as lost. */
function* noteJournalGap(writer: Writer, gap: Omit<JournalGap, 'id' | 'closedAt'>): EngineWork<number> {
  const { origin, from = null, to = null, reason, via, notedAt } = gap;
  const open = yield* askRows<GapRow>(
    writer,
    'select * from gaps where origin = ? and closed_at is null order by id',
    origin,
  );
  const widen = (id: number, { starts, ends, reason: why }: Pick<GapRow, 'starts' | 'ends' | 'reason'>) => {
    writer.run({
      sql: 'update gaps set starts = ?, ends = ?, reason = ? where id = ?',
      values: [starts, ends, why, id],
    });
    return id;
  };
  const same = open.find((one) => isSame(one, gap));
  if (same) return widen(same.id, { reason: same.reason, ...widened(same, gap) });
  const ended = open.find((one) => isEnd(one, gap));
  if (ended) return widen(ended.id, { reason, starts: from, ends: to });
  const sql = 'insert into gaps (origin, starts, ends, reason, via, noted_at) values (?, ?, ?, ?, ?, ?) returning id';
  return (yield* askRow<Pick<GapRow, 'id'>>(writer, sql, origin, from, to, reason, via, notedAt)).id;
}

/** True of gaps that overlap and are both lost (with an end) or both open: filling one must not close the other. */
function isSame({ starts, ends }: GapRow, { from, to }: Bounds): boolean {
  if ((ends === null) !== (to === undefined)) return false;
  const startsBefore = starts === null || to === undefined || starts <= to;
  return startsBefore && (ends === null || from === undefined || ends >= from);
}

/** True where nobody knew the end of a gap, and it is known now: what lies behind it has come. */
function isEnd({ starts, ends }: GapRow, { to }: Bounds): boolean {
  return ends === null && to !== undefined && (starts === null || starts <= to);
}

/** Both missing ranges as one. An end that nobody knows stays unknown. */
function widened(same: GapRow, { from, to }: Bounds): Pick<GapRow, 'starts' | 'ends'> {
  return {
    starts: same.starts === null || from === undefined ? null : Math.min(same.starts, from),
    ends: same.ends === null || to === undefined ? null : Math.max(same.ends, to),
  };
}

function toGap({ id, origin, starts, ends, reason, via, noted_at, closed_at }: GapRow): JournalGap {
  return {
    ...{ id, origin, from: starts ?? undefined, to: ends ?? undefined, reason },
    via: via as Via, // the table lets nothing else in but what noteGap was given
    ...{ notedAt: noted_at, closedAt: closed_at ?? undefined },
  };
}

function* readEvents(
  engine: Engine,
  { after, limit, currencies, indicators }: JournalAsk,
): EngineWork<readonly JournalEvent[]> {
  const lists = [
    ...(currencies ? [['currency', currencies] as const] : []),
    ...(indicators ? [['indicator', indicators] as const] : []),
  ];
  const among = lists.map(([name]) => ` and ${engine.among(name)}`).join('');
  const sql = `${EVENTS} where position > ?${among} order by position limit ?`;
  return yield* withArrivals(
    engine,
    yield* askRows<EventRow>(engine, sql, after, ...lists.map(([, list]) => list), limit),
  );
}

/** Position of the newest event; 0 when there is none. */
export function* newestPosition(engine: Engine): EngineWork<number> {
  return (yield* askRow<{ newest: number }>(engine, 'select coalesce(max(position), 0) as newest from journal')).newest;
}

function* withArrivals(engine: Engine, rows: readonly EventRow[]): EngineWork<readonly JournalEvent[]> {
  if (rows.length === 0) return [];
  const sql = `select * from arrivals where ${engine.among('position')} order by at, via`;
  const positions = rows.map(({ position }) => position);
  const arrivals = yield* askRows<SystemRows['arrivals']>(engine, sql, positions);
  const byEvent = Map.groupBy(arrivals, ({ position }) => position);
  return rows.map(({ position, origin, event, timestamp, currency, indicator, release, text }) => ({
    ...{ position, origin, id: event, timestamp, currency, indicator },
    release: release ?? undefined,
    text: asJsonText(text),
    arrivals: (byEvent.get(position) ?? []).map(({ via, at }) => ({ via: via as Via, at })), // the table lets nothing else in
  }));
}

/** Where consumers stand; of one, or of all. */
export function* readConsumers(engine: Engine, name?: string): EngineWork<readonly JournalConsumer[]> {
  const [where, values] = name === undefined ? ['', []] : ['where name = ?', [name]];
  const sql = `select * from consumers ${where} order by name`;
  const rows = yield* askRows<SystemRows['consumers']>(engine, sql, ...values);
  return rows.map((row) => ({ name: row.name, position: row.position, movedAt: row.moved_at }));
}

/** A consumer never moves back. With the id of the event there it moves only while the journal has that. */
export function* moveConsumer(
  writer: Writer,
  { name, position, at }: { readonly name: string; readonly position: number; readonly at: number },
  event?: string,
): EngineWork<void> {
  if (event !== undefined) {
    const [found] = yield* askRows<{ event: string }>(writer, 'select event from journal where position = ?', position);
    if (found?.event !== event) return;
  }
  const sql = `insert into consumers (name, position, moved_at) values (?, ?, ?) on conflict (name)
    do update set position = excluded.position, moved_at = excluded.moved_at where consumers.position <= excluded.position`;
  yield* execute(writer, sql, name, position, at);
}

const toFailure = (row: FailureRow): Failure => ({
  ...{ consumer: row.consumer, position: row.position, attempts: row.attempts, error: row.error },
  ...{ failedAt: row.failed_at, nextAt: row.next_at ?? undefined },
});
