import { setImmediate } from 'node:timers/promises';
import type { SystemRows } from '../rules/system-tables.ts';
import type { Table } from '../rules/tables.ts';
import type { FactsToVerify, ForeignObject } from '../rules/verify-rows.ts';
import { type View, viewsOf } from '../rules/views.ts';
import type { SqliteConnection } from './database-file.ts';
import { requireSchemaMatch } from './schema-match.ts';
import { assertIntegrity, type SchemaObject, schemaOf, systemSchema } from './version.ts';

/** Rows between two looks at whether somebody wants an end. */
const PORTION = 5000;

/** The facts of a file for a check; its connection is in a transaction. */
export function factsOfFile(db: SqliteConnection, path: string): FactsToVerify {
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
    coveredRanges: async (series) =>
      db
        .prepare<[number], SystemRows['proofs']>('select * from proofs where series = ? order by access, starts, ends')
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

/** Objects in a file's schema that no version of this program makes, and views that differ from this version's. */
function foreignIn(db: SqliteConnection, tables: readonly Table[]): readonly ForeignObject[] {
  const system = new Set(systemSchema().map(({ name }) => name));
  const data = dataTables(db);
  const views = new Map(tables.flatMap((table) => viewsOf(table)).map((view) => [view.name, view]));
  return schemaOf(db).flatMap((found) => {
    if (found.type === 'trigger') return [objectOf(found, 'alters')];
    if (found.type === 'view' && views.has(found.name)) return otherwise(found, views.get(found.name));
    if (system.has(found.name) || data.has(found.name)) return [];
    return [
      objectOf(found, found.type === 'index' && /^create\s+unique/i.test(found.sql ?? '') ? 'alters' : 'stands beside'),
    ];
  });
}

/** The tables of rows of a file, recognised by their names, whichever endpoints there are. */
function dataTables(db: SqliteConnection): ReadonlySet<string> {
  const names = new Set(schemaOf(db).flatMap(({ type, name }) => (type === 'table' ? [name] : [])));
  const current = [...names].filter((name) => names.has(`${name}_superseded`));
  return new Set(current.flatMap((name) => [name, `${name}_superseded`, `${name}_vintages`]));
}

function otherwise(found: SchemaObject, view: View | undefined): readonly ForeignObject[] {
  return found.sql === view?.sql ? [] : [objectOf(found, 'is another')];
}

function objectOf({ type, name, on }: SchemaObject, effect: ForeignObject['effect']): ForeignObject {
  return { type, name, on, effect };
}
