import type { KeyValue } from '../mirror.ts';
import type { Where } from '../select.ts';
import type { Evidence } from '../verify/evidence.ts';
import { compareBounds } from './proofs.ts';
import type { Seat } from './seat.ts';
import { proofRows } from './sums.ts';

/** Rows that are in memory at a time. */
const PORTION = 2000;

/** What a server tells a check, on a connection that sees one state. */
export function serverEvidence(seat: Seat): Evidence {
  return {
    rows: <Row>(sql: string, ...values: readonly KeyValue[]) => seat.records<Row>({ sql, values }),
    portions: <Row extends readonly unknown[]>(select: Where) =>
      seat.portions<unknown[]>(select, PORTION) as AsyncIterable<readonly unknown[]> as AsyncIterable<readonly Row[]>, // as the caller selects
    async proofs(series) {
      const rows = await proofRows(seat, [series]);
      return rows.toSorted(
        (a, b) =>
          compareBounds(a.access, b.access) || compareBounds(a.starts, b.starts) || compareBounds(a.ends, b.ends),
      );
    },
    async tables() {
      const found = await seat.tuples<[string]>({
        sql: `select table_name from information_schema.columns
          where table_schema = current_schema() and column_name = 'series' order by table_name`,
        values: [],
      });
      return found.map(([name]) => name);
    },
    // The server keeps checksums of its own.
    requireSound: async () => {},
    // A column that is missing is an error of the server.
    requireFit: async () => {},
  };
}
