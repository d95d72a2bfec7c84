import { readJson } from '../../contract/json/json.ts';
import { addDays, isCalendarDate } from '../../contract/time/time.ts';
import type { AccessTag, CoverageInterval, CoverageOf, KeyValue } from '../api/mirror.ts';
import type { Table } from '../core/tables.ts';
import type { SqliteConnection } from '../sqlite/connect.ts';
import { type Statements, statementsOf } from '../sqlite/statements.ts';
import {
  certainDayOf,
  certainPart,
  certainProofs,
  type DatedProof,
  mayComeLate,
  newestOfAll,
  newestSelect,
} from './certain.ts';
import type { LedgerSchema } from './ledger.ts';

type Row = Pick<
  LedgerSchema['proofs'],
  'access' | 'starts' | 'ends' | 'rows' | 'proven_at' | 'commit_number' | 'held' | 'skipped'
>;

const COLUMNS = 'access, starts, ends, rows, proven_at, commit_number, held, skipped';

/** More overlapping proofs than this of one series and access are not worth their keep. */
const KEPT = 4;

/** Proofs that satisfy an access, as far as they are certain. */
export function coverageReader(db: SqliteConnection) {
  const statements = statementsOf(db);
  const own = db.prepare<unknown[], Row>(
    `select ${COLUMNS} from proofs where series = ? and access = ? order by starts, ends`,
  );
  const every = db.prepare<unknown[], Row>(`select ${COLUMNS} from proofs where series = ? order by starts, ends`);
  const keyed = db.prepare<unknown[], Row>(
    `select ${COLUMNS} from proofs where series = ? and access <> 'keyless' order by starts, ends`,
  );
  const rowsOf = (series: number, access: CoverageOf) =>
    access === 'keyless' ? every.all(series) : access === 'keyed' ? keyed.all(series) : own.all(series, access);
  return (table: Table, series: number, access: CoverageOf): readonly CoverageInterval[] =>
    certainProofs(
      rowsOf(series, access).map((row) => ({
        proof: intervalOf(row),
        newest: newestIn(statements, table, series, row),
      })),
    );
}

/** The newest row that a proof is known to have had. */
function newestIn(
  statements: Statements,
  table: Table,
  series: number,
  row: Pick<Row, 'access' | 'starts' | 'ends' | 'commit_number'>,
) {
  const { access, starts: from, ends: to, commit_number: commit } = row;
  if (commit === null || !mayComeLate(table, access)) return undefined;
  const { sql, values } = newestSelect(table, series, { from, to, commit });
  return certainDayOf(statements.raw<[KeyValue]>(sql).get(...values)?.[0] ?? null);
}

export function intervalOf(row: Omit<Row, 'access' | 'commit_number' | 'held'>): CoverageInterval {
  const { starts: from, ends: to, rows, proven_at: provenAt, skipped } = row;
  return {
    from,
    to,
    rows,
    provenAt,
    ...(skipped !== null && { skipped: readJson<NonNullable<CoverageInterval['skipped']>>(skipped) }),
  };
}

/** What a proof says of the rows before it, as it is kept. */
export function skippedText({ skipped }: CoverageInterval): string | null {
  return skipped ? JSON.stringify({ rows: skipped.rows, front: skipped.front, beside: skipped.beside }) : null;
}

/** A proof with what the mirror held of its window when it was noted. */
export interface CoverageRow extends CoverageInterval {
  readonly commit?: number | null;
  readonly held?: number | null;
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
  /** Counts the held rows of a window. */
  countRows(from: KeyValue, to: KeyValue): number;
}

/** Adds a proof, and notes how many rows of its window are held: whoever deletes one later contradicts it. */
export function coverageWriter(db: SqliteConnection) {
  const statements = statementsOf(db);
  const select = db.prepare<unknown[], Row>(`select ${COLUMNS} from proofs where series = ? and access = ?`);
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
    for (const { one, isKnown, isNoted } of coverageAfter(before, { proof, newest })) {
      const { from, to, rows, provenAt } = one;
      const noted = isNoted ? one : { commit, held: countRows(from, to) };
      const known = isKnown ? rows : noted.held;
      insert.run(series, access, from, to, known, provenAt, noted.commit, noted.held, skippedText(one));
    }
  };
}

/**
 * The proofs once one more is in. `isKnown`: how many rows its window has was told by an answer. `isNoted`: how many of
 * them were held was noted before.
 */
export function coverageAfter(before: readonly DatedProof<CoverageRow>[], added: DatedProof) {
  const last = newestOfAll([...before, added]);
  const [own] = certainPart(added, last);
  const rest: readonly CoverageRow[] = before.flatMap((look) => certainPart(look, last)).map(({ proof }) => proof);
  const after = own ? addInterval(rest, own.proof) : rest;
  const known = [added, ...before].map(({ proof }) => proof);
  return after.map((one) => ({
    one,
    isKnown: known.some(({ from, to }) => one.from === from && one.to === to),
    isNoted: before.some(({ proof }) => proof === one),
  }));
}

/**
 * The proofs once a new one is in. An older one inside of it says nothing more. An older one that it touches grows over it:
 * what is held as of now includes what was to be held then, so the union is proven as of the older moment, and the new
 * window as of the new one. Of many that overlap, the oldest go; the windows they covered stay covered.
 */
export function addInterval(before: readonly CoverageRow[], added: CoverageInterval): readonly CoverageRow[] {
  const grown = new Map<string, CoverageInterval>();
  for (const old of before) {
    if (contains(added, old)) continue;
    const next = touches(old, added) ? grownOver(old, added) : old;
    const name = JSON.stringify([next.from, next.to]);
    const other = grown.get(name);
    if (!other || other.provenAt < next.provenAt) grown.set(name, next);
  }
  const kept = [...grown.values(), added];
  while (kept.length > KEPT) {
    const spare = kept
      .filter((proof) => proof !== added && kept.some((other) => other !== proof && contains(other, proof)))
      .sort((a, b) => a.provenAt - b.provenAt)[0];
    if (!spare) break;
    kept.splice(kept.indexOf(spare), 1);
  }
  return kept;
}

function contains(outer: CoverageInterval, inner: CoverageInterval): boolean {
  return outer.from <= inner.from && outer.to >= inner.to;
}

function touches(a: CoverageInterval, b: CoverageInterval): boolean {
  return a.from <= following(b.to) && b.from <= following(a.to);
}

/** The next bound: windows of days and of seconds join without a gap. */
export function following(bound: KeyValue): KeyValue {
  if (typeof bound === 'number') return bound + 1;
  return isCalendarDate(bound) ? addDays(bound, 1) : bound;
}

/** The union, or the old one itself where it says no more. */
function grownOver(old: CoverageInterval, added: CoverageInterval): CoverageInterval {
  const { from, to, provenAt, skipped } = union(old, added);
  const isSame = from === old.from && to === old.to && provenAt === old.provenAt && skipped === old.skipped;
  return isSame ? old : union(old, added);
}

function union(old: CoverageInterval, added: CoverageInterval): CoverageInterval {
  const skipped = skippedBy(old, added);
  return {
    ...(skipped && { skipped }),
    from: old.from < added.from ? old.from : added.from,
    to: old.to > added.to ? old.to : added.to,
    rows: old.rows,
    provenAt: Math.min(old.provenAt, added.provenAt),
  };
}

/** Rows before a union: those before the one of both that reaches the side where they lie. Windows without any lie at the front. */
function skippedBy(old: CoverageInterval, added: CoverageInterval): CoverageInterval['skipped'] {
  const front = (added.skipped ?? old.skipped)?.front;
  if (front === undefined) return undefined;
  const isNewestFirst = [old, added].some(({ skipped, to }) => skipped !== undefined && skipped.front > to);
  const reach = isNewestFirst ? Number(added.to >= old.to) : Number(added.from <= old.from);
  const isEven = isNewestFirst ? added.to === old.to : added.from === old.from;
  if (isEven) return added.skipped;
  return (reach ? added : old).skipped;
}
