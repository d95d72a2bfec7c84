import { setImmediate } from 'node:timers/promises';
import type { LedgerSchema } from '../../ledger/ledger.ts';
import type { Evidence } from '../../verify/evidence.ts';
import type { SqliteConnection } from '../database-file.ts';
import { foreignIn } from '../file-schema.ts';
import { assertIntegrity } from '../integrity.ts';
import { requireSchemaMatch } from '../schema-match.ts';

/** Rows between two looks at whether somebody wants an end. */
const PORTION = 5000;

/** What a file tells a check; its connection is in a transaction. */
export function fileEvidence(db: SqliteConnection, path: string): Evidence {
  return {
    rows: async <Row>(sql: string, ...values: readonly unknown[]) => db.prepare<unknown[], Row>(sql).all(...values),
    async *portions<Row extends readonly unknown[]>({ sql, values }: { sql: string; values: readonly unknown[] }) {
      let portion: Row[] = [];
      for (const row of db
        .prepare(sql)
        .raw()
        .iterate(...values) as Iterable<Row>) {
        // as the caller selects
        portion.push(row);
        if (portion.length < PORTION) continue;
        yield portion;
        portion = [];
        await setImmediate();
      }
      yield portion;
    },
    proofs: async (series) =>
      db
        .prepare<[number], LedgerSchema['proofs']>(
          'select * from proofs where series = ? order by access, starts, ends',
        )
        .all(series),
    tables: async () =>
      db
        .prepare<[], string>(
          `select schema.name from sqlite_schema schema join pragma_table_info(schema.name) info on info.name = 'series'
           where schema.type = 'table' order by schema.name`,
        )
        .pluck()
        .all(),
    foreign: async (tables) => foreignIn(db, tables),
    requireSound: async () => assertIntegrity(db, path, 'whole'),
    requireFit: async (table) => requireSchemaMatch(db, table, path),
  };
}
