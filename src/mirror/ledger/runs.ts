import { readJson } from '../../contract/json/json.ts';
import type { RunEnd, SyncRun } from '../api/mirror.ts';
import type { SqliteConnection } from '../sqlite/connect.ts';
import type { LedgerSchema } from './ledger.ts';

type Row = LedgerSchema['runs'];

/** Runs that are kept; older ones go. */
export const KEPT_RUNS = 1000;

/** What is noted of a run that nobody ended. */
export const DIED = 'The program ended before the run did.';

/** Reads the latest runs, newest first. */
export function runReader(db: SqliteConnection) {
  const select = db.prepare<[number], Row>('select * from runs order by id desc limit ?');
  return (limit: number): readonly SyncRun[] => select.all(limit).map(runOf);
}

export function runOf(row: Row): SyncRun {
  return {
    id: row.id,
    started: row.started,
    ended: row.ended ?? undefined,
    holder: row.holder,
    words: row.words,
    outcome: outcomeOf(row.outcome),
    requests: row.requests,
    rows: row.rows,
    problem: row.problem ?? undefined,
    failed: row.failed ? readJson(row.failed) : [],
  };
}

/** How the failed series of a run are kept. */
export function failedText(failed: RunEnd['failed'] = []): string | null {
  return failed.length === 0 ? null : JSON.stringify(failed);
}

const OUTCOMES = ['complete', 'incomplete', 'stopped', 'failed'] as const;

function outcomeOf(text: string | null): RunEnd['outcome'] | undefined {
  return OUTCOMES.find((outcome) => outcome === text);
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
