import { asJsonText, readJson } from '../../contract/json/json.ts';
import { MacroError } from '../../errors.ts';
import type { EarlierRows, FileCommit, FileHistory, Mirror, RunEnd, SyncRun } from '../api/mirror.ts';
import type { KeyValue } from '../api/series.ts';
import { parseStoredRow } from '../rules/columns.ts';
import { FILE_ACCESS } from '../rules/coverage.ts';
import type { LedgerSchema } from '../rules/ledger.ts';
import { type Where, whereOf } from '../rules/select.ts';
import { wholeText } from '../rules/short-text.ts';
import type { Table } from '../rules/tables.ts';
import { type LedgerAccess, type LedgerWork, onlyRow, statement } from './statement.ts';

/** The commits of files, and the rows that were there before one of them. Both engines run these texts. */
type Row = LedgerSchema['runs'];

/** Runs that are kept; older ones go. */
export const MAX_RUNS = 1000;

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

type Tuple = [number, number, string, number, number, number, string, string, string];

const COMMITS: Where = {
  sql: `select number, at, request, added, revised, vanished, endpoint, scope, origin
    from commits join series on series.id = commits.series where access = ? order by number`,
  values: [FILE_ACCESS],
};

/** How an engine reads rows as lists of columns, and the tables that it has. */
interface FileHistoryReads {
  all<Row extends unknown[]>(select: Where): Promise<readonly Row[]>;
  readonly table: (endpoint: string) => Table | undefined;
}

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
  yield* prune({ last: id - MAX_RUNS });
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

export function createFileHistory({ all, table: tableFor }: FileHistoryReads): FileHistory {
  return {
    fileCommits: async () => (await all<Tuple>(COMMITS)).map(fileCommitOf),
    rowsBefore: async (series, window, commit) => {
      const table = tableFor(series.endpoint);
      if (!table) throw new MacroError('internal', `The mirror keeps no rows of '${series.endpoint}'.`);
      const { rows, later } = beforeSelects(table, whereOf(table, series.id, window), commit);
      const [counted] = await all<[number]>(later);
      return { rows: (await all<[string, number | null]>(rows)).map(earlierRow), later: Number(counted?.[0] ?? 0) };
    },
  };
}

function fileCommitOf([number, at, request, added, revised, vanished, ...name]: Tuple): FileCommit {
  const [endpoint, scope, origin] = name;
  return { number, at, request, added, revised, vanished, series: { endpoint, scope: readJson(scope), origin } };
}

function beforeSelects(table: Table, { sql, values }: Where, commit: number) {
  const { superseded, current } = table;
  const bound = (...more: readonly KeyValue[]): readonly KeyValue[] => [...values, ...more];
  return {
    rows: {
      sql: `select ${wholeText(table)}, assumed_release from ${superseded} where ${sql} and seen < ? and superseded >= ?`,
      values: bound(commit, commit),
    },
    later: { sql: `select count(*) from ${current} where ${sql} and seen >= ?`, values: bound(commit) },
  };
}

function earlierRow([rowText, assumed]: [string, number | null]): EarlierRows['rows'][number] {
  const text = asJsonText(rowText);
  return { text, value: parseStoredRow(rowText), ...(assumed !== null && { assumedRelease: assumed }) };
}
