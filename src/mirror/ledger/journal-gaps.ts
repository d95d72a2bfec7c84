import type { JournalGap, Via } from '../api/journal.ts';
import type { SqliteConnection } from '../sqlite/connect.ts';
import type { LedgerSchema } from './ledger.ts';

type Row = LedgerSchema['gaps'];

/**
 * Holes in the journal. Stream and polling may both report one: it is noted once. A hole without an end may still be filled, one
 * with an end is lost: the two never become one, or filling the first would close the other.
 */
export function gapStatements(db: SqliteConnection) {
  const open = db.prepare<unknown[], Row>(
    `select * from gaps where origin = :origin and closed_at is null and (ends is null) = (:to is null)
     and (starts is null or :to is null or starts <= :to) and (ends is null or :from is null or ends >= :from)
     order by id limit 1`,
  );
  const insert = db.prepare(
    `insert into gaps (origin, starts, ends, reason, via, noted_at)
     values (:origin, :from, :to, :reason, :via, :notedAt)`,
  );
  const widen = db.prepare('update gaps set starts = ?, ends = ? where id = ?');
  const close = db.prepare('update gaps set closed_at = ? where id = ? and closed_at is null');
  const list = db.prepare<[number], Row>('select * from gaps order by id desc limit ?');

  const note = db.transaction(
    ({ origin, from, to, reason, via, notedAt }: Omit<JournalGap, 'id' | 'closedAt'>): number => {
      const bounds = { from: from ?? null, to: to ?? null };
      const same = open.get({ origin, ...bounds });
      if (!same) return Number(insert.run({ origin, ...bounds, reason, via, notedAt }).lastInsertRowid);
      const { starts, ends } = widened(same, { from, to });
      widen.run(starts, ends, same.id);
      return same.id;
    },
  );

  return {
    noteGap: (gap: Omit<JournalGap, 'id' | 'closedAt'>) => note.immediate(gap),
    closeGap: (id: number, at: number) => void close.run(at, id),
    gaps: (limit: number): readonly JournalGap[] => list.all(limit).map(toGap),
  };
}

/** Both holes as one. An end that nobody knows stays unknown. */
export function widened(same: Row, { from, to }: Pick<JournalGap, 'from' | 'to'>): Pick<Row, 'starts' | 'ends'> {
  return {
    starts: same.starts === null || from === undefined ? null : Math.min(same.starts, from),
    ends: same.ends === null || to === undefined ? null : Math.max(same.ends, to),
  };
}

export function toGap({ id, origin, starts, ends, reason, via, noted_at, closed_at }: Row): JournalGap {
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
