import type { Failure, JournalConsumer } from '../api/journal.ts';
import type { SqliteConnection } from '../sqlite/connect.ts';
import type { LedgerSchema } from './ledger.ts';

/** Where the followers of the journal stand, and what they could not deal with. */
export function followerStatements(db: SqliteConnection) {
  const consumers = db.prepare<[], LedgerSchema['consumers']>('select * from consumers order by name');
  const consumer = db.prepare<[string], LedgerSchema['consumers']>('select * from consumers where name = ?');
  const move = db.prepare(
    `insert into consumers (name, position, moved_at) values (?, ?, ?)
     on conflict do update set position = excluded.position, moved_at = excluded.moved_at
     where excluded.position >= position`,
  );
  const fail = db.prepare<unknown[], LedgerSchema['failures']>(
    `insert into failures (consumer, position, attempts, error, failed_at, next_at)
     values (:consumer, :position, 1, :error, :failedAt, :nextAt)
     on conflict do update set attempts = attempts + 1, error = excluded.error, failed_at = excluded.failed_at,
       next_at = excluded.next_at
     returning *`,
  );
  const failures = db.prepare<unknown[], LedgerSchema['failures']>(
    'select * from failures where :consumer is null or consumer = :consumer order by position, consumer',
  );
  const forget = db.prepare('delete from failures where consumer = ? and position = ?');

  return {
    consumers: () => consumers.all().map(toConsumer),
    consumer(name: string): JournalConsumer | undefined {
      const row = consumer.get(name);
      return row && toConsumer(row);
    },
    moveConsumer: (name: string, position: number, at: number) => void move.run(name, position, at),
    noteFailure({ consumer: name, position, error, failedAt, nextAt }: Omit<Failure, 'attempts'>): Failure {
      const row = fail.get({ consumer: name, position, error, failedAt, nextAt: nextAt ?? null });
      return { consumer: name, position, attempts: row?.attempts ?? 1, error, failedAt, nextAt };
    },
    failures: (name?: string) => failures.all({ consumer: name ?? null }).map(toFailure),
    forgetFailure: (name: string, position: number) => void forget.run(name, position),
  };
}

export const toConsumer = (row: LedgerSchema['consumers']): JournalConsumer => ({
  name: row.name,
  position: row.position,
  movedAt: row.moved_at,
});

export const toFailure = (row: LedgerSchema['failures']): Failure => ({
  consumer: row.consumer,
  position: row.position,
  attempts: row.attempts,
  error: row.error,
  failedAt: row.failed_at,
  nextAt: row.next_at ?? undefined,
});
