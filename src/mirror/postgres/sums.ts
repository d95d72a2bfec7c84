import type { Column } from '../../contract/mapping.ts';
import {
  type ChecksumPart,
  checksumChangeOf,
  coverageFact,
  isNothing,
  type Sum,
  seriesFact,
  stampFact,
  sumOf,
  sumText,
  WHOLE_FILE,
} from '../rules/digest.ts';
import type { LedgerSchema } from '../rules/ledger.ts';
import { anyOf, batchesOf, type ServerConnection, unnestOf } from './connection.ts';
import { boundOf } from './schema.ts';

/** The sum of a part of a series as it is to be noted. */
export interface NewSum {
  readonly series: number;
  readonly part: ChecksumPart;
  readonly sum: Sum;
}

type Parts = Partial<Record<ChecksumPart, Sum>>;

/** What the sums of a series come to, once something was added. All this is noted in the transaction that changes what is summed. */
export async function changedSums(connection: ServerConnection, series: number, by: Parts): Promise<readonly NewSum[]> {
  const parts = Object.keys(by) as ChecksumPart[]; // the names of a record of parts
  const moved = parts.flatMap((part) => (by[part] && !isNothing(by[part]) ? [{ part, sum: by[part] }] : []));
  if (moved.length === 0) return [];
  const stored = await connection.ledger.selectFrom('sums').selectAll().where('series', '=', series).execute();
  const found = new Map(stored.map((row) => [row.part, row]));
  return moved.map(({ part, sum }) => ({ series, part, sum: checksumChangeOf(found.get(part), sum) }));
}

/** What the ledger says of some series. */
export function seriesSums(rows: readonly LedgerSchema['series'][]): readonly NewSum[] {
  return rows.map((row) => ({ series: row.id, part: 'series', sum: sumOf([seriesFact(row)]) }));
}

/** What it says of their proofs now. */
export async function coverageSums(connection: ServerConnection, ids: readonly number[]): Promise<readonly NewSum[]> {
  const facts = Map.groupBy(await coverageRows(connection, ids), ({ series }) => series);
  return ids.map((series) => ({ series, part: 'proofs', sum: sumOf((facts.get(series) ?? []).map(coverageFact)) }));
}

export async function stampSum(connection: ServerConnection): Promise<NewSum> {
  const rows = await connection.ledger.selectFrom('mirror').selectAll().execute();
  return { series: WHOLE_FILE, part: 'stamp', sum: sumOf(rows.map(stampFact)) };
}

/** The proofs of some series as the ledger of both engines has them. */
export async function coverageRows(
  { ledger }: ServerConnection,
  ids: readonly number[],
): Promise<readonly LedgerSchema['proofs'][]> {
  const rows = await ledger.selectFrom('proofs').selectAll().where('series', '=', anyOf(ids)).execute();
  return rows.map((row) => ({ ...row, starts: boundOf(row.starts), ends: boundOf(row.ends) }));
}

export async function noteSums(connection: ServerConnection, sums: readonly NewSum[]): Promise<void> {
  for (const part of batchesOf(sums)) {
    const rows = part.map((one) => [one.series, one.part, one.sum.rows, sumText(one.sum)]);
    const values = unnestOf(COLUMNS, rows);
    await connection.tuples({
      sql: `insert into sums (series, part, rows, sum) select * from ${values.sql}
        on conflict (series, part) do update set rows = excluded.rows, sum = excluded.sum`,
      values: values.values,
    });
  }
}

const COLUMNS: readonly Column[] = [
  { name: 'series', type: 'integer' },
  { name: 'part', type: 'text' },
  { name: 'rows', type: 'integer' },
  { name: 'sum', type: 'text' },
];
