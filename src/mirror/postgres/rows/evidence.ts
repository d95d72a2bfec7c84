import type { KeyValue } from '../../api/rows.ts';
import type { Where } from '../../core/select.ts';
import type { Evidence } from '../../verify/evidence.ts';
import type { ServerConnection } from '../connection.ts';
import { compareBounds } from '../ledger/coverage.ts';
import { coverageRows } from './sums.ts';

/** Rows that are in memory at a time. */
const PORTION = 2000;

/** Triggers and rules on the tables of the mirror. Those of foreign keys and views are the server's own. */
const FOREIGN = `
  select 'trigger', t.tgname::text, c.relname::text from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal
  union all select 'rule', r.rulename::text, c.relname::text from pg_rewrite r join pg_class c on c.oid = r.ev_class
    where c.relnamespace = current_schema()::regnamespace and r.rulename <> '_RETURN'
  order by 1, 2, 3`;

/** What a server tells a check, on a connection that sees one state. */
export function serverEvidence(connection: ServerConnection): Evidence {
  return {
    rows: <Row>(sql: string, ...values: readonly KeyValue[]) => connection.records<Row>({ sql, values }),
    portions: <Row extends readonly unknown[]>(select: Where) =>
      connection.portions<unknown[]>(select, PORTION) as AsyncIterable<readonly unknown[]> as AsyncIterable<
        readonly Row[]
      >, // as the caller selects
    async proofs(series) {
      const rows = await coverageRows(connection, [series]);
      return rows.toSorted(
        (a, b) =>
          compareBounds(a.access, b.access) || compareBounds(a.starts, b.starts) || compareBounds(a.ends, b.ends),
      );
    },
    async tables() {
      const found = await connection.tuples<[string]>({
        sql: `select table_name from information_schema.columns
          where table_schema = current_schema() and column_name = 'series' order by table_name`,
        values: [],
      });
      return found.map(([name]) => name);
    },
    async foreign() {
      const found = await connection.tuples<[type: string, name: string, on: string]>({ sql: FOREIGN, values: [] });
      return found.map(([type, name, on]) => ({ type, name, on, effect: 'alters' as const }));
    },
    // The server keeps checksums of its own.
    requireSound: async () => {},
    // A column that is missing is an error of the server.
    requireFit: async () => {},
  };
}
