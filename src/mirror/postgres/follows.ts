import { dateOf } from '../../contract/time/time.ts';
import type { Follow } from '../api/page-commit.ts';
import type { AccessTag, CoverageInterval } from '../api/series.ts';
import { intervalOf, lateDaysOf, newestCertain } from '../rules/coverage.ts';
import type { LedgerSchema } from '../rules/ledger.ts';
import type { Table } from '../rules/tables.ts';
import { lastCommit } from './commit.ts';
import { anyOf, type ServerConnection } from './connection.ts';
import { compareBounds, countRows, readDatedProofs, writeCoverage } from './ledger.ts';
import { boundText } from './schema.ts';
import { coverageRows, coverageSum, noteSums, seriesSums } from './sums.ts';

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

/** Renews the newest proof of followed series that the feed has not named, for one day all at once. */
export async function confirmFollowed(
  connection: ServerConnection,
  table: Table,
  { access, at }: { access: AccessTag; at: number },
): Promise<number> {
  const unnamed = (await readServerFollows(connection, table.endpoint, access)).filter(({ due }) => due === undefined);
  const stored = Map.groupBy(
    await coverageRows(
      connection,
      unnamed.map(({ series }) => series),
    ),
    ({ series }) => series,
  );
  const renewed = await newestProofs(connection, { table, unnamed, stored }, { access, at });
  if (renewed.length > 0) {
    const commit = (await lastCommit(connection)).number;
    const today = dateOf(at);
    const [same, grown] = [
      renewed.filter(({ proof }) => proof.to >= today),
      renewed.filter(({ proof }) => proof.to < today),
    ];
    moveMoment(connection, same, { access, at });
    const growing = grown.map(async ({ series, proof }) => {
      const window = { from: proof.from, to: today };
      const rows = await countRows(connection, { table, series }, window);
      const grows = { proof: { ...window, rows, provenAt: at }, commit, stored: stored.get(series) ?? [] };
      return coverageSum(series, await writeCoverage(connection, { table, series, access }, grows));
    });
    const moving = same.map(({ series, proof }) => {
      const isMoved = (row: LedgerSchema['proofs']) =>
        row.access === access && row.starts === proof.from && row.ends === proof.to;
      const rows = (stored.get(series) ?? []).map((row) => (isMoved(row) ? { ...row, proven_at: at } : row));
      return coverageSum(series, rows);
    });
    const ids = renewed.map(({ series }) => series);
    const checked = await connection.ledger
      .updateTable('series')
      .set({ checked_at: at })
      .where('id', '=', anyOf(ids))
      .returningAll()
      .execute();
    noteSums(connection, [...moving, ...(await Promise.all(growing)), ...seriesSums(checked)]);
  }
  return unnamed.length;
}

interface Renewed {
  readonly series: number;
  readonly proof: CoverageInterval;
}

async function newestProofs(
  connection: ServerConnection,
  { table, unnamed, stored }: Unnamed,
  { access, at }: { access: AccessTag; at: number },
): Promise<readonly Renewed[]> {
  // A keyless question is satisfied by the proofs of any key.
  const satisfies = (row: LedgerSchema['proofs']) => access === 'keyless' || row.access === access;
  const newest = unnamed.map(async ({ series }): Promise<readonly Renewed[]> => {
    const rows = (stored.get(series) ?? [])
      .filter(satisfies)
      .toSorted((a, b) => compareBounds(a.starts, b.starts) || compareBounds(a.ends, b.ends));
    // One look alone is whole whatever its newest row is: reading that would be a statement for each of thousands of series.
    const looks =
      rows.length === 1
        ? rows.map((row) => ({ proof: intervalOf(row), newest: undefined }))
        : await readDatedProofs(connection, { table, series }, rows);
    const proof = newestCertain(looks, lateDaysOf(table));
    return proof && proof.provenAt < at ? [{ series, proof }] : [];
  });
  return (await Promise.all(newest)).flat();
}

interface Unnamed {
  readonly table: Table;
  readonly unnamed: readonly Follow[];
  /** Proofs by series. */
  readonly stored: ReadonlyMap<number, readonly LedgerSchema['proofs'][]>;
}

/** On the same day the window is the same, and so is what was counted in it. */
function moveMoment(
  { send }: ServerConnection,
  same: readonly Renewed[],
  { access, at }: { access: AccessTag; at: number },
): void {
  if (same.length === 0) return;
  const ids = same.map(({ series }) => series);
  const starts = same.map(({ proof }) => boundText(proof.from));
  const ends = same.map(({ proof }) => boundText(proof.to));
  send({
    sql: `update proofs set proven_at = ? from unnest(?::bigint[], ?::text[], ?::text[]) as input(id, low, high)
      where access = ? and series = input.id and starts = input.low and ends = input.high`,
    values: [at, ids, starts, ends, access],
  });
}
