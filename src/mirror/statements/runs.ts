import { asJsonText, readJson } from '../../contract/json/json.ts';
import { MacroError } from '../../errors.ts';
import type { EarlierRows, FileCommit, FileLog, Mirror, RunEnd, SyncRun } from '../api/mirror.ts';
import type { KeyValue, SeriesCheck } from '../api/series.ts';
import { parseStoredRow } from '../rules/columns.ts';
import { FILE_ACCESS } from '../rules/coverage.ts';
import { whereOf } from '../rules/select.ts';
import { wholeText } from '../rules/short-text.ts';
import type { SystemRows } from '../rules/system-tables.ts';
import type { Table } from '../rules/tables.ts';
import { together, wait } from './engine.ts';
import type { Reading } from './reader.ts';
import { askRow, askRows, execute, type Transactions } from './transactions.ts';

// The runs of a sync, the commits of files, the rows that were there before one of them, and checks of whole series.

type Row = SystemRows['runs'];

/** Stored runs; older ones go. */
export const MAX_RUNS = 1000;

const DIED = 'The program ended before the run did.';

export function createRunLog({ read, change, changeOwn }: Transactions): Pick<Mirror, 'startRun' | 'endRun' | 'runs'> {
  return {
    // A run without an end died: the next holder of the lock records that.
    startRun: ({ started, holder, words }) =>
      change(function* (writer) {
        writer.run({ sql: `update runs set outcome = 'failed', problem = ? where outcome is null`, values: [DIED] });
        const sql = 'insert into runs (started, holder, words) values (?, ?, ?) returning id';
        const { id } = yield* askRow<Pick<Row, 'id'>>(writer, sql, started, holder, words);
        writer.run({ sql: 'delete from runs where id <= ?', values: [id - MAX_RUNS] });
        return id;
      }),
    endRun: (id, { ended, outcome, requests, rows, problem = null, failed = [] }) =>
      changeOwn((writer) => {
        const text = failed.length === 0 ? null : JSON.stringify(failed);
        return execute(writer, END_RUN, ended, outcome, requests, rows, problem, text, id);
      }),
    runs: (limit) =>
      read(function* (engine) {
        return (yield* askRows<Row>(engine, 'select * from runs order by id desc limit ?', limit)).map(runOf);
      }),
  };
}

const END_RUN = 'update runs set ended = ?, outcome = ?, requests = ?, rows = ?, problem = ?, failed = ? where id = ?';

function runOf(row: Row): SyncRun {
  return {
    ...{ id: row.id, started: row.started, ended: row.ended ?? undefined, holder: row.holder, words: row.words },
    ...{ outcome: outcomeOf(row.outcome), requests: row.requests, rows: row.rows },
    problem: row.problem ?? undefined,
    failed: row.failed ? readJson(row.failed) : [],
  };
}

const OUTCOMES = ['complete', 'incomplete', 'stopped', 'failed'] as const;

function outcomeOf(text: string | null): RunEnd['outcome'] | undefined {
  return OUTCOMES.find((outcome) => outcome === text);
}

type CommitTuple = [number, number, string, number, number, number, string, string, string];

const COMMITS = {
  sql: `select number, at, request, added, revised, vanished, endpoint, scope, origin
    from commits join series on series.id = commits.series where access = ? order by number`,
  values: [FILE_ACCESS],
};

export function createFileLog(reading: Reading, tableFor: (endpoint: string) => Table | undefined): FileLog {
  return {
    fileCommits: () =>
      reading(function* (engine) {
        return (yield* wait(engine.tuples<CommitTuple>(COMMITS))).map(fileCommitOf);
      }),
    rowsBefore: (series, window, commit) =>
      reading(function* (engine) {
        const table = tableFor(series.endpoint);
        if (!table) throw new MacroError('internal', `The mirror keeps no rows of '${series.endpoint}'.`);
        const { superseded, current } = table;
        const { sql, values } = whereOf(table, series.id, window);
        const bound = (...more: readonly KeyValue[]) => [...values, ...more];
        const before = `select ${wholeText(table)}, assumed_release from ${superseded} where ${sql} and seen < ? and superseded >= ?`;
        const later = `select count(*) from ${current} where ${sql} and seen >= ?`;
        const [rows, [counted]] = yield* together<[readonly [string, number | null][], readonly [number][]]>(
          engine.tuples({ sql: before, values: bound(commit, commit) }),
          engine.tuples({ sql: later, values: bound(commit) }),
        );
        return { rows: rows.map(earlierRow), later: Number(counted?.[0] ?? 0) };
      }),
  };
}

function fileCommitOf([number, at, request, added, revised, vanished, ...name]: CommitTuple): FileCommit {
  const [endpoint, scope, origin] = name;
  return { number, at, request, added, revised, vanished, series: { endpoint, scope: readJson(scope), origin } };
}

function earlierRow([rowText, assumed]: [string, number | null]): EarlierRows['rows'][number] {
  const text = asJsonText(rowText);
  return { text, value: parseStoredRow(rowText), ...(assumed !== null && { assumedRelease: assumed }) };
}

/** The recorded checks of whole series, in a mirror of any engine. */
export function createCheckLog({ read, change }: Transactions): Pick<Mirror, 'checks' | 'noteCheck' | 'rowsState'> {
  return {
    checks: (endpoint, access) =>
      read(function* (engine) {
        const sql = `select checks.series, facts from checks join series on series.id = checks.series
          where endpoint = ? and access = ? order by checks.series`;
        const rows = yield* askRows<{ series: number; facts: string }>(engine, sql, endpoint, access);
        return new Map(rows.map(({ series, facts }) => [series, readJson<SeriesCheck>(facts)]));
      }),
    // Each row that is added, revised or withdrawn makes one of the two numbers another one, and none of them ever turns back.
    rowsState: (series) =>
      read(function* (engine) {
        const sql = `select part, rows from sums where series = ? and part in ('current', 'superseded') order by part`;
        const sums = yield* askRows<{ part: string; rows: number }>(engine, sql, series);
        return sums.map(({ part, rows }) => `${part} ${rows}`).join(', ');
      }),
    noteCheck: (series, access, check) =>
      change((writer) => execute(writer, PUT_CHECK, series, access, JSON.stringify(check))),
  };
}

const PUT_CHECK = `insert into checks (series, access, facts) values (?, ?, ?)
  on conflict (series, access) do update set facts = excluded.facts`;
