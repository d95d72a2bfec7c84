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

/** The sums of a series as they are noted. */
export async function readSums({ ledger }: ServerConnection, series: number): Promise<readonly LedgerSchema['sums'][]> {
  return ledger.selectFrom('sums').selectAll().where('series', '=', series).execute();
}

/** What the sums of a series come to, once something was added. All this is noted in the transaction that changes what is summed. */
export function changedSums(series: number, stored: readonly LedgerSchema['sums'][], by: Parts): readonly NewSum[] {
  const parts = Object.keys(by) as ChecksumPart[]; // the names of a record of parts
  const found = new Map(stored.map((row) => [row.part, row]));
  return parts.flatMap((part) => {
    const sum = by[part];
    return sum && !isNothing(sum) ? [{ series, part, sum: checksumChangeOf(found.get(part), sum) }] : [];
  });
}

/** What the ledger says of some series. */
export function seriesSums(rows: readonly LedgerSchema['series'][]): readonly NewSum[] {
  return rows.map((row) => ({ series: row.id, part: 'series', sum: sumOf([seriesFact(row)]) }));
}

/** What it says of the proofs of a series. */
export function coverageSum(series: number, rows: readonly LedgerSchema['proofs'][]): NewSum {
  return { series, part: 'proofs', sum: sumOf(rows.map(coverageFact)) };
}

export function stampSum(row: LedgerSchema['mirror']): NewSum {
  return { series: WHOLE_FILE, part: 'stamp', sum: sumOf([stampFact(row)]) };
}

/** The proofs of some series as the ledger of both engines has them. */
export async function coverageRows(
  { ledger }: ServerConnection,
  ids: readonly number[],
): Promise<readonly LedgerSchema['proofs'][]> {
  const rows = await ledger.selectFrom('proofs').selectAll().where('series', '=', anyOf(ids)).execute();
  return rows.map((row) => ({ ...row, starts: boundOf(row.starts), ends: boundOf(row.ends) }));
}

export function noteSums(connection: ServerConnection, sums: readonly NewSum[]): void {
  for (const part of batchesOf(sums)) {
    const rows = part.map((one) => [one.series, one.part, one.sum.rows, sumText(one.sum)]);
    const values = unnestOf(COLUMNS, rows);
    connection.send({
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
