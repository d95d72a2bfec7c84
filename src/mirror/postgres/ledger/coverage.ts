import type { CoverageInterval, CoverageOf } from '../../api/coverage.ts';
import type { KeyValue } from '../../api/rows.ts';
import type { AccessTag } from '../../api/series.ts';
import { pageSelects } from '../../core/page.ts';
import { coveredSelection, whereOf } from '../../core/select.ts';
import type { Table } from '../../core/tables.ts';
import {
  certainDayOf,
  certainProofs,
  type DatedProof,
  lateDaysOf,
  mayComeLate,
  newestSelect,
} from '../../ledger/certain.ts';
import { coverageAfter, intervalOf, skippedText } from '../../ledger/coverage.ts';
import type { LedgerSchema } from '../../ledger/ledger.ts';
import type { ServerConnection } from '../connection.ts';
import { boundOf, boundText } from '../schema.ts';

interface ProofPlace {
  readonly table: Table;
  readonly series: number;
  readonly access: AccessTag;
}

/** Proofs that satisfy an access, as far as they are certain. */
export async function readCoverage(
  connection: ServerConnection,
  { table, series }: Pick<ProofPlace, 'table' | 'series'>,
  access: CoverageOf,
): Promise<readonly CoverageInterval[]> {
  const all = connection.ledger.selectFrom('proofs').selectAll().where('series', '=', series);
  const isOfAnyKey = access === 'keyed';
  const some = isOfAnyKey ? all.where('access', '<>', 'keyless') : all.where('access', '=', access);
  const rows = await (access === 'keyless' ? all : some).execute();
  const looks = await readLooks(connection, { table, series }, rows.map(withBounds));
  return certainProofs(looks, lateDaysOf(table)).toSorted(
    (a, b) => compareBounds(a.from, b.from) || compareBounds(a.to, b.to),
  );
}

/** The looks behind some rows of the ledger, each with its newest row: a statement each. */
export async function readLooks(
  connection: ServerConnection,
  { table, series }: Pick<ProofPlace, 'table' | 'series'>,
  rows: readonly LedgerSchema['proofs'][],
): Promise<readonly DatedProof[]> {
  const looks = [];
  for (const row of rows)
    looks.push({ proof: intervalOf(row), newest: await newestIn(connection, { table, series }, row) });
  return looks;
}

function withBounds<R extends { readonly starts: string; readonly ends: string }>(row: R) {
  return { ...row, starts: boundOf(row.starts), ends: boundOf(row.ends) };
}

/** The newest row that a proof is known to have had. */
async function newestIn(
  connection: ServerConnection,
  { table, series }: Pick<ProofPlace, 'table' | 'series'>,
  row: Pick<LedgerSchema['proofs'], 'access' | 'starts' | 'ends' | 'commit_number'>,
): Promise<string | null | undefined> {
  const { access, starts: from, ends: to, commit_number: commit } = row;
  if (commit === null || !mayComeLate(table, access)) return undefined;
  const [newest] = await connection.tuples<[KeyValue]>(newestSelect(table, series, { from, to, commit }));
  return certainDayOf(newest?.[0] ?? null);
}

/** Adds a proof, and notes how many rows of its window are stored: whoever deletes one later contradicts it. */
export async function writeCoverage(
  connection: ServerConnection,
  { table, series, access }: ProofPlace,
  { proof, commit }: { proof: CoverageInterval; commit: number },
): Promise<void> {
  const { ledger } = connection;
  const stored = await ledger
    .deleteFrom('proofs')
    .where('series', '=', series)
    .where('access', '=', access)
    .returningAll()
    .execute();
  const before = [];
  for (const row of stored.map(withBounds)) {
    const kept = { ...intervalOf(row), commit: row.commit_number, held: row.held };
    before.push({ proof: kept, newest: await newestIn(connection, { table, series }, row) });
  }
  const own = { access, starts: proof.from, ends: proof.to, commit_number: commit };
  const newest = await newestIn(connection, { table, series }, own);
  const rows = [];
  for (const { one, isKnown, isNoted } of coverageAfter(before, { proof, newest }, lateDaysOf(table))) {
    const noted = isNoted ? one : { commit, held: await countRows(connection, { table, series }, one) };
    rows.push({
      ...{ series, access, starts: boundText(one.from), ends: boundText(one.to) },
      rows: isKnown ? one.rows : (noted.held ?? 0),
      ...{ proven_at: one.provenAt, commit_number: noted.commit ?? null, held: noted.held ?? null },
      skipped: skippedText(one),
    });
  }
  await ledger.insertInto('proofs').values(rows).execute();
}

/** Counts the stored rows of a window. */
export async function countRows(
  connection: ServerConnection,
  { table, series }: Pick<ProofPlace, 'table' | 'series'>,
  { from, to }: Pick<CoverageInterval, 'from' | 'to'>,
): Promise<number> {
  const where = whereOf(table, series, coveredSelection(table, { from, to }));
  const [row] = await connection.tuples<[number]>(pageSelects(table).count(where));
  return row?.[0] ?? 0;
}

/** Bounds of one kind in their order. */
export function compareBounds(a: KeyValue, b: KeyValue): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
