import { sql } from 'kysely';
import { dateOf } from '../../../contract/time/time.ts';
import { newestOf } from '../../ledger/confirm-followed.ts';
import type { AccessTag, Follow, Proof } from '../../api/mirror.ts';
import { proofOf } from '../../ledger/coverage.ts';
import type { Table } from '../../core/tables.ts';
import { lastCommit } from '../commit.ts';
import { countRows, writeProof } from './coverage.ts';
import { boundText } from '../schema.ts';
import { anyOf, type Seat } from '../connection.ts';
import { noteSums, proofRows, proofSums, seriesSums } from '../rows/sums.ts';

export async function readFollows({ ledger }: Seat, endpoint: string, access: AccessTag): Promise<readonly Follow[]> {
  const rows = await ledger
    .selectFrom('follows')
    .innerJoin('series', 'series.id', 'follows.series')
    .select(['follows.series', 'follows.checked_at', 'due'])
    .where('endpoint', '=', endpoint)
    .where('access', '=', access)
    .orderBy('follows.series')
    .execute();
  return rows.map(({ series, checked_at: checkedAt, due }) => ({ series, checkedAt, due: due ?? undefined }));
}

/**
 * Renews the newest proof of every followed series that its feed has not named, as the engine over a file does. What is the
 * same day's proof is renewed for all series at once.
 */
export async function confirmFollowed(
  seat: Seat,
  table: Table,
  { access, at }: { access: AccessTag; at: number },
): Promise<number> {
  const unnamed = (await readFollows(seat, table.endpoint, access)).filter(({ due }) => due === undefined);
  const renewed = await newestProofs(seat, unnamed, { access, at });
  if (renewed.length > 0) {
    const commit = (await lastCommit(seat)).number;
    const today = dateOf(at);
    const [same, grown] = [
      renewed.filter(({ proof }) => proof.to >= today),
      renewed.filter(({ proof }) => proof.to < today),
    ];
    await moveMoment(seat, same, { access, at });
    for (const { series, proof } of grown) {
      const window = { from: proof.from, to: today };
      const rows = await countRows(seat, { table, series }, window);
      await writeProof(seat, { table, series, access }, { proof: { ...window, rows, provenAt: at }, commit });
    }
    const ids = renewed.map(({ series }) => series);
    const checked = await seat.ledger
      .updateTable('series')
      .set({ checked_at: at })
      .where('id', '=', anyOf(ids))
      .returningAll()
      .execute();
    await noteSums(seat, [...(await proofSums(seat, ids)), ...seriesSums(checked)]);
  }
  return unnamed.length;
}

interface Renewed {
  readonly series: number;
  readonly proof: Proof;
}

async function newestProofs(
  seat: Seat,
  unnamed: readonly Follow[],
  { access, at }: { access: AccessTag; at: number },
): Promise<readonly Renewed[]> {
  const rows = await proofRows(
    seat,
    unnamed.map(({ series }) => series),
  );
  // A keyless question is satisfied by the proofs of any key.
  const own = Map.groupBy(
    access === 'keyless' ? rows : rows.filter((row) => row.access === access),
    (row) => row.series,
  );
  return unnamed.flatMap(({ series }) => {
    const proof = newestOf((own.get(series) ?? []).map(proofOf));
    return proof && proof.provenAt < at ? [{ series, proof }] : [];
  });
}

/** On the same day the window is the same, and so is what was counted in it. */
async function moveMoment(
  { ledger }: Seat,
  same: readonly Renewed[],
  { access, at }: { access: AccessTag; at: number },
): Promise<void> {
  if (same.length === 0) return;
  const ids = same.map(({ series }) => series);
  const starts = same.map(({ proof }) => boundText(proof.from));
  const ends = same.map(({ proof }) => boundText(proof.to));
  await sql`update proofs set proven_at = ${at}
    from unnest(${ids}::bigint[], ${starts}::text[], ${ends}::text[]) as told(id, low, high)
    where access = ${access} and series = told.id and starts = told.low and ends = told.high`.execute(ledger);
}
