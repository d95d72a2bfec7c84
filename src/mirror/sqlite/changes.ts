import type { CommitReport, PageCommit } from '../api/page-commit.ts';
import type { AccessTag, SeriesKey } from '../api/series.ts';
import { reportsIn, TakenBack } from '../rules/commit-rules.ts';
import type { SystemRows } from '../rules/system-tables.ts';
import type { Shared } from '../rules/tables.ts';
import { commitAll } from '../statements/commit.ts';
import { doNow, type EngineWork } from '../statements/engine.ts';
import { confirmFollowed } from '../statements/follows.ts';
import { dropStoredWalk } from '../statements/series.ts';
import type { SqliteConnection } from './database-file.ts';
import { writeTransaction } from './version.ts';
import { sqliteWriter } from './writer.ts';

/** Operations that change a mirror file: each is one transaction that waits for nothing. */
export function createChanges(db: SqliteConnection, shared: Shared) {
  const { path: name } = shared;
  const writer = sqliteWriter(db, shared);
  const readStamp = db.prepare<[], SystemRows['mirror']>('select id, created, service, nature, bindings from mirror');
  const inTransaction = writeTransaction(db, name, (work: () => unknown) => work());
  // One transaction does all kinds of work, so its type does not carry the result of each through.
  const change = <T>(work: () => EngineWork<T>): T => writer.within(() => inTransaction(() => doNow(work()))) as T;
  const commit = (pages: Iterable<PageCommit>) =>
    commitAll(writer, { stamp: readStamp.get(), name, now: undefined }, pages, shared.table);

  return {
    page: (received: PageCommit): CommitReport => change(() => commit([received]))[0] as CommitReport, // one of each
    stream: (commits: Iterable<PageCommit>): readonly CommitReport[] => change(() => commit(commits)),
    rehearse(commits: Iterable<PageCommit>): readonly CommitReport[] {
      try {
        return change(function* () {
          throw new TakenBack(yield* commit(commits));
        });
      } catch (error) {
        return reportsIn(error);
      }
    },
    dropRun: (series: SeriesKey, access: AccessTag): void => change(() => dropStoredWalk(writer, series, access)),
    /** Renews the newest covered ranges of followed series. */
    confirm(endpoint: string, by: { readonly access: AccessTag; readonly at: number }): number {
      const table = shared.table(endpoint);
      return table ? change(() => confirmFollowed(writer, table, by)) : 0;
    },
  };
}
