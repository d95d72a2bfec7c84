import type { Failure, JournalConsumer } from '../api/journal.ts';
import type { LedgerSchema } from './ledger.ts';
import { type LedgerWork, onlyRow, statement } from './statements/statement.ts';

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

export function* readConsumers(name?: string): LedgerWork<readonly JournalConsumer[]> {
  const rows = yield* consumersBy({ name });
  return rows.map(({ name, position, moved_at: movedAt }) => ({ name, position, movedAt }));
}

export function* moveConsumer(name: string, position: number, at: number): LedgerWork<void> {
  yield* move({ name, position, moved_at: at });
}

export function* noteFailure(failed: Omit<Failure, 'attempts'>): LedgerWork<Failure> {
  const { consumer, position, error, failedAt, nextAt } = failed;
  return toFailure(onlyRow(yield* fail({ consumer, position, error, failed_at: failedAt, next_at: nextAt ?? null })));
}

export function* readFailures(consumer?: string): LedgerWork<readonly Failure[]> {
  return (yield* failuresOf({ consumer })).map(toFailure);
}

export function* forgetFailure(consumer: string, position: number): LedgerWork<void> {
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
