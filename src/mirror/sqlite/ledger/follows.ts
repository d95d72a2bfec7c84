import type { Follow, NamedSeries } from '../../api/follows.ts';
import type { PageCommit } from '../../api/page-commit.ts';
import type { AccessTag } from '../../api/series.ts';
import type { LedgerSchema } from '../../ledger/ledger.ts';
import type { SqliteConnection } from '../database-file.ts';

type Row = Pick<LedgerSchema['follows'], 'series' | 'checked_at' | 'due'>;

/** The series that a feed keeps current, one row a series and access. Everything runs inside the caller's transaction. */
export function followStatements(db: SqliteConnection) {
  const list = db.prepare<unknown[], Row>(
    `select follows.series, follows.checked_at, due from follows join series on series.id = follows.series
     where endpoint = ? and access = ?`,
  );
  const settle = db.prepare(
    `insert into follows (series, access, checked_at, due) values (?, ?, ?, null)
     on conflict do update set due = null, checked_at = case when ? then excluded.checked_at else checked_at end`,
  );
  // Joined, so that the pair which fewer series have is looked up first: one select a pair reads them all.
  const having = (_: unknown, i: number) =>
    `join scopes as pair${i} on pair${i}.series = id and pair${i}.name = ? and pair${i}.value = ?`;
  const naming = (pairs: number) =>
    db.prepare(
      `update follows set due = case when due is null or due > ? then ? else due end
       where access = ? and series in
         (select id from series ${Array.from({ length: pairs }, having).join(' ')} where endpoint = ? and origin = ?)`,
    );
  const any = db.prepare('select 1 from follows where access = ? limit 1');
  const byPairs = new Map<number, ReturnType<typeof naming>>();

  return {
    list: (endpoint: string, access: AccessTag): readonly Follow[] =>
      list.all(endpoint, access).map(({ series, checked_at: checkedAt, due }) => ({
        series,
        checkedAt,
        due: due ?? undefined,
      })),
    /** The series is known to where its feed stands. */
    settle: (series: number, { access, at }: PageCommit, checked: boolean) =>
      settle.run(series, access, at, checked ? 1 : 0),
    /** The feed of this origin says that series have changed. */
    name({ series, access }: PageCommit, named: readonly NamedSeries[]): void {
      // A machine that only receives follows nothing, and the search costs as much as keeping the event.
      if (named.length === 0 || !any.get(access)) return;
      for (const { endpoint, scope, due } of named) {
        const pairs = Object.entries(scope);
        const statement = byPairs.get(pairs.length) ?? naming(pairs.length);
        byPairs.set(pairs.length, statement);
        statement.run(due, due, access, ...pairs.flat(), endpoint, series.origin);
      }
    },
  };
}
