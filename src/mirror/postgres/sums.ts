import type { Column } from '../../contract/mapping.ts';
import type { LedgerSchema } from '../ledger.ts';
import {
  isNothing,
  movedBy,
  type Part,
  proofFact,
  type Sum,
  seriesFact,
  stampFact,
  sumOf,
  sumText,
  WHOLE_FILE,
} from '../sums.ts';
import { boundOf } from './schema.ts';
import { anyOf, type Seat } from './seat.ts';
import { portionsOf, unnestOf } from './unnest.ts';

type Parts = Partial<Record<Part, Sum>>;

/** Adds to the sums of a series. Everything here runs inside the transaction that changes what is summed. */
export async function moveSums(seat: Seat, series: number, by: Parts): Promise<void> {
  const moved = Object.entries(by).filter(([, sum]) => !isNothing(sum));
  if (moved.length === 0) return;
  const held = await seat.ledger.selectFrom('sums').selectAll().where('series', '=', series).execute();
  const found = new Map(held.map((row) => [row.part, row]));
  await setSums(
    seat,
    moved.map(([part, sum]) => ({ series, part, sum: movedBy(found.get(part), sum) })),
  );
}

/** Notes what the ledger says of some series now. */
export async function sealSeries(seat: Seat, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await seat.ledger.selectFrom('series').selectAll().where('id', '=', anyOf(ids)).execute();
  await setSums(
    seat,
    rows.map((row) => ({ series: row.id, part: 'series', sum: sumOf([seriesFact(row)]) })),
  );
}

export async function sealProofs(seat: Seat, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await proofRows(seat, ids);
  const facts = Map.groupBy(rows, ({ series }) => series);
  const factsOf = (id: number) => (facts.get(id) ?? []).map(proofFact);
  await setSums(
    seat,
    ids.map((series) => ({ series, part: 'proofs', sum: sumOf(factsOf(series)) })),
  );
}

export async function sealStamp(seat: Seat): Promise<void> {
  const rows = await seat.ledger.selectFrom('mirror').selectAll().execute();
  await setSums(seat, [{ series: WHOLE_FILE, part: 'stamp', sum: sumOf(rows.map(stampFact)) }]);
}

/** The proofs of some series as the ledger of both engines has them. */
export async function proofRows({ ledger }: Seat, ids: readonly number[]): Promise<readonly LedgerSchema['proofs'][]> {
  const rows = await ledger.selectFrom('proofs').selectAll().where('series', '=', anyOf(ids)).execute();
  return rows.map((row) => ({ ...row, starts: boundOf(row.starts), ends: boundOf(row.ends) }));
}

async function setSums(
  seat: Seat,
  sums: readonly { readonly series: number; readonly part: string; readonly sum: Sum }[],
): Promise<void> {
  for (const part of portionsOf(sums)) {
    const rows = part.map((one) => [one.series, one.part, one.sum.rows, sumText(one.sum)]);
    const told = unnestOf(COLUMNS, rows);
    await seat.tuples({
      sql: `insert into sums (series, part, rows, sum) select * from ${told.sql}
        on conflict (series, part) do update set rows = excluded.rows, sum = excluded.sum`,
      values: told.values,
    });
  }
}

const COLUMNS: readonly Column[] = [
  { name: 'series', type: 'integer' },
  { name: 'part', type: 'text' },
  { name: 'rows', type: 'integer' },
  { name: 'sum', type: 'text' },
];
