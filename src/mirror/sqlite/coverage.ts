import type { AccessTag, CoverageInterval, CoverageOf, KeyValue } from '../api/series.ts';
import {
  certainDayOf,
  certainProofs,
  coverageAfter,
  type DatedProof,
  intervalOf,
  lateDaysOf,
  latestCheck,
  mayComeLate,
  newestSelect,
  type ProofColumns,
  skippedText,
} from '../rules/coverage.ts';
import type { LedgerSchema } from '../rules/ledger.ts';
import { once, type Table } from '../rules/tables.ts';
import { type SqliteConnection, type Statements, statementsOf } from './database-file.ts';

const COLUMNS = 'access, starts, ends, rows, proven_at, commit_number, held, skipped';

/** Proofs that satisfy an access, as far as they are certain. */
export function coverageReader(db: SqliteConnection) {
  const looksAt = datedProofReader(db);
  return (table: Table, series: number, access: CoverageOf): readonly CoverageInterval[] =>
    certainProofs(looksAt(table, series, access), lateDaysOf(table));
}

/** What was noted of checks of a whole series. */
export function checkReader(db: SqliteConnection) {
  const noted = db.prepare<unknown[], Pick<LedgerSchema['checks'], 'access' | 'facts'>>(
    'select access, facts from checks where series = ?',
  );
  return (series: number, access: CoverageOf) => latestCheck(noted.all(series), access);
}

/** The looks behind them. The newest row of one is read when somebody wants it, inside the caller's transaction. */
export function datedProofReader(db: SqliteConnection) {
  const statements = statementsOf(db);
  const own = db.prepare<unknown[], ProofColumns>(
    `select ${COLUMNS} from proofs where series = ? and access = ? order by starts, ends`,
  );
  const every = db.prepare<unknown[], ProofColumns>(
    `select ${COLUMNS} from proofs where series = ? order by starts, ends`,
  );
  const keyed = db.prepare<unknown[], ProofColumns>(
    `select ${COLUMNS} from proofs where series = ? and access <> 'keyless' order by starts, ends`,
  );
  const rowsOf = (series: number, access: CoverageOf) =>
    access === 'keyless' ? every.all(series) : access === 'keyed' ? keyed.all(series) : own.all(series, access);
  return (table: Table, series: number, access: CoverageOf): readonly DatedProof[] =>
    rowsOf(series, access).map((row) => {
      const newest = once(() => newestIn(statements, table, series, row));
      return {
        proof: intervalOf(row),
        get newest() {
          return newest();
        },
      };
    });
}

/** The newest row that a proof is known to have had. */
function newestIn(
  statements: Statements,
  table: Table,
  series: number,
  row: Pick<ProofColumns, 'access' | 'starts' | 'ends' | 'commit_number'>,
) {
  const { access, starts: from, ends: to, commit_number: commit } = row;
  if (commit === null || !mayComeLate(table, access)) return undefined;
  const { sql, values } = newestSelect(table, series, { from, to, commit });
  return certainDayOf(statements.raw<[KeyValue]>(sql).get(...values)?.[0] ?? null);
}

interface ProofPlace {
  readonly table: Table;
  readonly series: number;
  readonly access: AccessTag;
}

interface NewProof {
  readonly proof: CoverageInterval;
  /** The last commit. */
  readonly commit: number;
  /** Counts the stored rows of a window. */
  countRows(from: KeyValue, to: KeyValue): number;
}

/** Adds a proof, and notes how many rows of its window are stored: whoever deletes one later contradicts it. */
export function coverageWriter(db: SqliteConnection) {
  const statements = statementsOf(db);
  const select = db.prepare<unknown[], ProofColumns>(`select ${COLUMNS} from proofs where series = ? and access = ?`);
  const clear = db.prepare('delete from proofs where series = ? and access = ?');
  const insert = db.prepare(
    `insert into proofs (series, access, starts, ends, rows, proven_at, commit_number, held, skipped)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return ({ table, series, access }: ProofPlace, { proof, commit, countRows }: NewProof) => {
    const before = select.all(series, access).map((row) => ({
      proof: { ...intervalOf(row), commit: row.commit_number, held: row.held },
      newest: newestIn(statements, table, series, row),
    }));
    const { from: starts, to: ends } = proof;
    const newest = newestIn(statements, table, series, { access, starts, ends, commit_number: commit });
    clear.run(series, access);
    for (const { one, isKnown, isNoted } of coverageAfter(before, { proof, newest }, lateDaysOf(table))) {
      const { from, to, rows, provenAt } = one;
      const noted = isNoted ? one : { commit, held: countRows(from, to) };
      const known = isKnown ? rows : noted.held;
      insert.run(series, access, from, to, known, provenAt, noted.commit, noted.held, skippedText(one));
    }
  };
}
