import { sql } from 'kysely';
import { dateOf } from '../../../contract/time/time.ts';
import type { CoverageInterval } from '../../api/coverage.ts';
import type { Follow } from '../../api/follows.ts';
import type { AccessTag } from '../../api/series.ts';
import type { Table } from '../../core/tables.ts';
import { lateDaysOf } from '../../ledger/certain.ts';
import { intervalOf, newestCertain } from '../../ledger/coverage.ts';
import { lastCommit } from '../commit.ts';
import { anyOf, type ServerConnection } from '../connection.ts';
import { coverageRows, coverageSums, noteSums, seriesSums } from '../rows/sums.ts';
import { boundText } from '../schema.ts';
import { compareBounds, countRows, readLooks, writeCoverage } from './coverage.ts';

export async function readServerFollows(
  { ledger }: ServerConnection,
  endpoint: string,
  access: AccessTag,
): Promise<readonly Follow[]> {
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
  connection: ServerConnection,
  table: Table,
  { access, at }: { access: AccessTag; at: number },
): Promise<number> {
  const unnamed = (await readServerFollows(connection, table.endpoint, access)).filter(({ due }) => due === undefined);
  const renewed = await newestProofs(connection, { table, unnamed }, { access, at });
  if (renewed.length > 0) {
    const commit = (await lastCommit(connection)).number;
    const today = dateOf(at);
    const [same, grown] = [
      renewed.filter(({ proof }) => proof.to >= today),
      renewed.filter(({ proof }) => proof.to < today),
    ];
    await moveMoment(connection, same, { access, at });
    for (const { series, proof } of grown) {
      const window = { from: proof.from, to: today };
      const rows = await countRows(connection, { table, series }, window);
      await writeCoverage(connection, { table, series, access }, { proof: { ...window, rows, provenAt: at }, commit });
    }
    const ids = renewed.map(({ series }) => series);
    const checked = await connection.ledger
      .updateTable('series')
      .set({ checked_at: at })
      .where('id', '=', anyOf(ids))
      .returningAll()
      .execute();
    await noteSums(connection, [...(await coverageSums(connection, ids)), ...seriesSums(checked)]);
  }
  return unnamed.length;
}

interface Renewed {
  readonly series: number;
  readonly proof: CoverageInterval;
}

async function newestProofs(
  connection: ServerConnection,
  { table, unnamed }: { table: Table; unnamed: readonly Follow[] },
  { access, at }: { access: AccessTag; at: number },
): Promise<readonly Renewed[]> {
  const rows = await coverageRows(
    connection,
    unnamed.map(({ series }) => series),
  );
  // A keyless question is satisfied by the proofs of any key.
  const own = Map.groupBy(
    access === 'keyless' ? rows : rows.filter((row) => row.access === access),
    (row) => row.series,
  );
  const renewed: Renewed[] = [];
  for (const { series } of unnamed) {
    const rows = (own.get(series) ?? []).toSorted(
      (a, b) => compareBounds(a.starts, b.starts) || compareBounds(a.ends, b.ends),
    );
    // One look alone is whole whatever its newest row is: reading that would be a statement for each of thousands of series.
    const looks =
      rows.length === 1
        ? rows.map((row) => ({ proof: intervalOf(row), newest: undefined }))
        : await readLooks(connection, { table, series }, rows);
    const proof = newestCertain(looks, lateDaysOf(table));
    if (proof && proof.provenAt < at) renewed.push({ series, proof });
  }
  return renewed;
}

/** On the same day the window is the same, and so is what was counted in it. */
async function moveMoment(
  { ledger }: ServerConnection,
  same: readonly Renewed[],
  { access, at }: { access: AccessTag; at: number },
): Promise<void> {
  if (same.length === 0) return;
  const ids = same.map(({ series }) => series);
  const starts = same.map(({ proof }) => boundText(proof.from));
  const ends = same.map(({ proof }) => boundText(proof.to));
  await sql`update proofs set proven_at = ${at}
    from unnest(${ids}::bigint[], ${starts}::text[], ${ends}::text[]) as input(id, low, high)
    where access = ${access} and series = input.id and starts = input.low and ends = input.high`.execute(ledger);
}
