import type { RunEnd, SyncRun } from '../../api/mirror.ts';
import type { LedgerSchema } from '../../ledger/ledger.ts';
import { DIED, failedText, KEPT_RUNS, runOf } from '../../ledger/runs.ts';
import type { SqliteConnection } from '../database-file.ts';

type Row = LedgerSchema['runs'];

/** Reads the latest runs, newest first. */
export function runReader(db: SqliteConnection) {
  const select = db.prepare<[number], Row>('select * from runs order by id desc limit ?');
  return (limit: number): readonly SyncRun[] => select.all(limit).map(runOf);
}

/** Notes where runs begin and end. A run without an end died: whoever holds the lock next says so. */
export function runWriter(db: SqliteConnection) {
  const bury = db.prepare(`update runs set outcome = 'failed', problem = '${DIED}' where outcome is null`);
  const insert = db.prepare('insert into runs (started, holder, words) values (?, ?, ?)');
  const prune = db.prepare('delete from runs where id <= ?');
  const end = db.prepare(
    'update runs set ended = ?, outcome = ?, requests = ?, rows = ?, problem = ?, failed = ? where id = ?',
  );
  const start = db.transaction(({ started, holder, words }: Pick<SyncRun, 'started' | 'holder' | 'words'>) => {
    bury.run();
    const id = Number(insert.run(started, holder, words).lastInsertRowid);
    prune.run(id - KEPT_RUNS);
    return id;
  });
  return {
    start: start.immediate,
    end: (id: number, { ended, outcome, requests, rows, problem, failed }: RunEnd) =>
      void end.run(ended, outcome, requests, rows, problem ?? null, failedText(failed), id),
  };
}
