import { createHash } from 'node:crypto';
import type { Column } from '../../contract/mapping.ts';
import { MacroError } from '../../errors.ts';
import type { KeyValue } from '../api/series.ts';
import { parseStoredRow, valueIn } from '../rules/columns.ts';
import { storageErrorOf } from '../rules/failures.ts';
import { missingTables, partTables, storedRowCounts } from '../rules/select.ts';
import { columnNamesOf, createTables, quote, type Table } from '../rules/tables.ts';
import { type View, viewsOf } from '../rules/views.ts';
import { type ServerConnection, unnestOf } from './connection.ts';
import { DAMAGED } from './failures.ts';
import type { Pool } from './pool.ts';
import { DIALECT, SERVER_VIEWS } from './schema.ts';
import { makeAlone, requireServerVersionNow } from './version.ts';

/** Rows whose texts are read at a time to fill a new column. */
const PORTION = 2000;

const TYPES: Readonly<Record<string, Column['type']>> = { text: 'text', bigint: 'integer', 'double precision': 'real' };

/** The columns that a schema has, by table, each with its type; undefined for a type that mappings do not know. */
type Columns = ReadonlyMap<string, ReadonlyMap<string, Column['type'] | undefined>>;

/** The note about the views of a schema at their creation, by name. */
type Noted = ReadonlyMap<string, string | null>;

/** Makes tables and views fit their mappings, new columns filled from texts. One program at a time does it. */
export async function matchServerSchema(pool: Pool, tables: readonly Table[], name: string): Promise<void> {
  const stale = await pool.reading(async (connection) => {
    const [columns, views] = [await columnsIn(connection), await viewsIn(connection)];
    return tables.filter((table) => isStale(columns, table, name) || staleServerViews(views, table).length > 0);
  });
  if (stale.length === 0) return;
  await pool.writing(async (connection) => {
    await makeAlone(connection);
    await requireServerVersionNow(connection, name);
    for (const table of stale) await requireStoredTables(connection, table, name);
    for (const table of stale) for (const statement of createTables(table, DIALECT)) await connection.run(statement);
    const columns = await columnsIn(connection);
    for (const table of stale) await addColumns(connection, table, { columns, name });
    const views = await viewsIn(connection);
    for (const table of stale) await renewServerViews(connection, staleServerViews(views, table));
  });
}

function isStale(columns: Columns, table: Table, name: string): boolean {
  return (
    partTables(table).some(([, part]) => !columns.has(bare(part))) ||
    rowParts(table).some(({ part }) => missingIn(table, { part, columns, name }).length > 0)
  );
}

/** Refuses a mirror that has lost a table with rows: a new one in its place would hide that. */
async function requireStoredTables(connection: ServerConnection, table: Table, name: string): Promise<void> {
  const kept = await connection.tuples<[string, number]>(storedRowCounts(table));
  const columns = await columnsIn(connection);
  const [lost] = missingTables(
    table,
    kept.map(([part, rows]) => [part, Number(rows)] as const),
    (part) => columns.has(bare(part)),
  );
  const [happened, ...rest] = DAMAGED;
  if (lost !== undefined) throw storageErrorOf(name, [`${happened}: its table ${lost} is gone`, ...rest]);
}

async function addColumns(
  connection: ServerConnection,
  table: Table,
  { columns, name }: { columns: Columns; name: string },
): Promise<void> {
  for (const { part, more } of rowParts(table))
    for (const column of missingIn(table, { part, columns, name })) {
      await connection.run(`alter table ${part} add column ${quote(column.name)} ${DIALECT.types[column.type]}`);
      await fill(connection, { part, key: [...table.key, ...more], column });
    }
}

/** The tables of an endpoint with typed columns, and the columns behind the key in each. */
function rowParts(table: Table): readonly { readonly part: string; readonly more: readonly Column[] }[] {
  return [
    { part: table.current, more: [] },
    { part: table.superseded, more: [{ name: 'revision', type: 'integer' }] },
  ];
}

async function columnsIn(connection: ServerConnection): Promise<Columns> {
  const found = await connection.tuples<[table: string, column: string, type: string]>({
    sql: `select c.relname::text, a.attname::text, format_type(a.atttypid, null)
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'f', 'v', 'm')`,
    values: [],
  });
  const tables = Map.groupBy(found, ([table]) => table);
  return new Map([...tables].map(([table, of]) => [table, new Map(of.map(([, name, type]) => [name, TYPES[type]]))]));
}

function missingIn(
  table: Table,
  { part, columns, name }: { part: string; columns: Columns; name: string },
): readonly Column[] {
  const found = columns.get(bare(part));
  if (!found) return [];
  const isOther = (column: Column) => found.has(column.name) && found.get(column.name) !== column.type;
  if (table.key.some((column) => !found.has(column.name)) || [...table.key, ...table.columns].some(isOther))
    throw misfit(name, part);
  return table.columns.filter((column) => !found.has(column.name));
}

const bare = (quoted: string): string => quoted.replaceAll('"', '');

async function fill(
  connection: ServerConnection,
  { part, key, column }: { part: string; key: readonly Column[]; column: Column },
): Promise<void> {
  const own: readonly Column[] = [{ name: 'series', type: 'integer' }, ...key];
  const select = { sql: `select text, ${columnNamesOf(own).join(', ')} from ${part}`, values: [] };
  const filled = { name: 'filled', type: column.type };
  const same = columnNamesOf(own).map((one) => `${part}.${one} = input.${one}`);
  for await (const rows of connection.portions<[text: string, ...key: KeyValue[]]>(select, PORTION)) {
    const values = unnestOf(
      [...own, filled],
      rows.map(([text, ...of]) => [...of, valueIn(parseStoredRow(text), column)]),
    );
    await connection.tuples({
      sql: `update ${part} set ${quote(column.name)} = input.filled from ${values.sql} as input(${values.names}) where ${same.join(' and ')}`,
      values: values.values,
    });
  }
}

function misfit(name: string, part: string): MacroError {
  return new MacroError('mirror', `Table ${part} of the mirror ${name} does not fit this version of the program.`, {
    code: 'mirror_misfit',
    hint: 'Use the version that wrote it, or name another schema and run `macro sync`.',
  });
}

async function viewsIn(connection: ServerConnection): Promise<Noted> {
  const found = await connection.tuples<[name: string, note: string | null]>({
    sql: `select relname, obj_description(oid, 'pg_class') from pg_class
      where relkind = 'v' and relnamespace = current_schema()::regnamespace`,
    values: [],
  });
  return new Map(found);
}

/** Views that are not there, or were made by another definition: the server tells a view in words of its own. */
function staleServerViews(noted: Noted, table: Table): readonly View[] {
  return viewsOf(table, SERVER_VIEWS).filter((view) => noted.get(view.name) !== noteOf(view));
}

/** Makes views anew. If a foreign view depends on a view, the old view stays: its owner decides. */
async function renewServerViews(connection: ServerConnection, views: readonly View[]): Promise<void> {
  for (const view of views) {
    const name = quote(view.name);
    await connection.run('savepoint renewing');
    try {
      await connection.run(
        `drop view if exists ${name}; ${view.sql}; comment on view ${name} is '${noteOf(view)}'; release savepoint renewing`,
      );
    } catch (error) {
      if (!isRestedOn(error)) throw error;
      await connection.run('rollback to savepoint renewing');
    }
  }
}

function noteOf({ sql }: View): string {
  return `made by macro as ${createHash('sha256').update(sql, 'utf8').digest('hex').slice(0, 16)}`;
}

/** dependent_objects_still_exist */
function isRestedOn(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '2BP01';
}
