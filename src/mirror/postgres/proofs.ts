import type { AccessTag, KeyValue, Proof, ProofsOf } from '../mirror.ts';
import { pageSelects } from '../page.ts';
import { proofOf, proofsAfter, skippedText } from '../proofs.ts';
import { provenSelection, whereOf } from '../select.ts';
import type { Table } from '../tables.ts';
import { boundOf, boundText } from './schema.ts';
import type { Seat } from './seat.ts';

interface ProofPlace {
  readonly table: Table;
  readonly series: number;
  readonly access: AccessTag;
}

/** Proofs that satisfy an access. */
export async function readProofs({ ledger }: Seat, series: number, access: ProofsOf): Promise<readonly Proof[]> {
  const all = ledger.selectFrom('proofs').selectAll().where('series', '=', series);
  const isOfAnyKey = access === 'keyed';
  const some = isOfAnyKey ? all.where('access', '<>', 'keyless') : all.where('access', '=', access);
  const rows = await (access === 'keyless' ? all : some).execute();
  return rows
    .map((row) => proofOf({ ...row, starts: boundOf(row.starts), ends: boundOf(row.ends) }))
    .sort((a, b) => compareBounds(a.from, b.from) || compareBounds(a.to, b.to));
}

/** Adds a proof, and notes how many rows of its window are held: whoever deletes one later contradicts it. */
export async function writeProof(
  seat: Seat,
  { table, series, access }: ProofPlace,
  { proof, commit }: { proof: Proof; commit: number },
): Promise<void> {
  const { ledger } = seat;
  const held = await ledger
    .deleteFrom('proofs')
    .where('series', '=', series)
    .where('access', '=', access)
    .returningAll()
    .execute();
  const before = held.map((row) => ({
    ...proofOf({ ...row, starts: boundOf(row.starts), ends: boundOf(row.ends) }),
    commit: row.commit_number,
    held: row.held,
  }));
  const rows = [];
  for (const { one, isKnown, isNoted } of proofsAfter(before, proof)) {
    const noted = isNoted ? one : { commit, held: await countRows(seat, { table, series }, one) };
    rows.push({
      ...{ series, access, starts: boundText(one.from), ends: boundText(one.to) },
      rows: isKnown ? one.rows : (noted.held ?? 0),
      ...{ proven_at: one.provenAt, commit_number: noted.commit ?? null, held: noted.held ?? null },
      skipped: skippedText(one),
    });
  }
  await ledger.insertInto('proofs').values(rows).execute();
}

/** Counts the held rows of a window. */
export async function countRows(
  seat: Seat,
  { table, series }: Pick<ProofPlace, 'table' | 'series'>,
  { from, to }: Pick<Proof, 'from' | 'to'>,
): Promise<number> {
  const where = whereOf(table, series, provenSelection(table, { from, to }));
  const [row] = await seat.tuples<[number]>(pageSelects(table).count(where));
  return row?.[0] ?? 0;
}

/** Bounds of one kind in their order. */
export function compareBounds(a: KeyValue, b: KeyValue): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
