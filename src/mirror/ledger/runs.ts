import { readJson } from '../../contract/json/json.ts';
import type { Mirror, RunEnd, SyncRun } from '../api/mirror.ts';
import type { LedgerSchema } from './ledger.ts';
import type { LedgerAccess } from './statements/execute.ts';
import { type LedgerWork, onlyRow, statement } from './statements/statement.ts';

type Row = LedgerSchema['runs'];

/** Runs that are kept; older ones go. */
export const KEPT_RUNS = 1000;

/** What is noted of a run that nobody ended. */
const DIED = 'The program ended before the run did.';

const failUnended = statement(({ query }, { problem }: { problem: string }) =>
  query.updateTable('runs').set({ outcome: 'failed', problem }).where('outcome', 'is', null),
);

const add = statement(({ query }, run: Pick<Row, 'started' | 'holder' | 'words'>) =>
  query
    .insertInto('runs')
    .values({ ...run })
    .returning('id'),
);

const prune = statement(({ query }, { last }: { last: number }) => query.deleteFrom('runs').where('id', '<=', last));

const end = statement(
  ({ query }, { id, ended, outcome, requests, rows, problem, failed }: Omit<Row, 'started' | 'holder' | 'words'>) =>
    query.updateTable('runs').set({ ended, outcome, requests, rows, problem, failed }).where('id', '=', id),
);

const newest = statement(({ query }, { limit }: { limit: number }) =>
  query.selectFrom('runs').selectAll().orderBy('id', 'desc').limit(limit),
);

/** The runs of a mirror of any engine. */
export function createRunLog({ read, change, changeOwn }: LedgerAccess): Pick<Mirror, 'startRun' | 'endRun' | 'runs'> {
  return {
    startRun: (run) => change(() => startRun(run)),
    endRun: (id, run) => changeOwn(() => endRun(id, run)),
    runs: (limit) => read(() => readRuns(limit)),
  };
}

/** Notes that a run begins. A run without an end died: whoever holds the lock next says so. */
function* startRun({ started, holder, words }: Pick<SyncRun, 'started' | 'holder' | 'words'>): LedgerWork<number> {
  yield* failUnended({ problem: DIED });
  const { id } = onlyRow(yield* add({ started, holder, words }));
  yield* prune({ last: id - KEPT_RUNS });
  return id;
}

function* endRun(id: number, { ended, outcome, requests, rows, problem, failed }: RunEnd): LedgerWork<void> {
  yield* end({ id, ended, outcome, requests, rows, problem: problem ?? null, failed: failedText(failed) });
}

function* readRuns(limit: number): LedgerWork<readonly SyncRun[]> {
  return (yield* newest({ limit })).map(runOf);
}

function runOf(row: Row): SyncRun {
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
function failedText(failed: RunEnd['failed'] = []): string | null {
  return failed.length === 0 ? null : JSON.stringify(failed);
}

const OUTCOMES = ['complete', 'incomplete', 'stopped', 'failed'] as const;

function outcomeOf(text: string | null): RunEnd['outcome'] | undefined {
  return OUTCOMES.find((outcome) => outcome === text);
}
