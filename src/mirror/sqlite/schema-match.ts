import type { Column } from '../../contract/mapping.ts';
import { MacroError } from '../../errors.ts';
import { parseStoredRow, valueIn } from '../rules/columns.ts';
import { missingTables, partTables, storedRowCounts } from '../rules/select.ts';
import { wholeText } from '../rules/short-text.ts';
import { createTables, quote, type Table } from '../rules/tables.ts';
import { type View, viewsOf } from '../rules/views.ts';
import type { SqliteConnection } from './database-file.ts';
import { damaged } from './failures.ts';
import { writeTransaction } from './version.ts';

interface FoundColumn {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
}

/** Makes tables and views of an endpoint fit its mapping, columns filled from texts. Others are refused. */
export function matchSchema(db: SqliteConnection, table: Table, path: string): void {
  const fits = misfits(db, table, path).length === 0 && isComplete(db, table);
  if (fits && staleViews(db, table).length === 0) return;
  const work = writeTransaction(db, path, () => {
    requireStoredTables(db, table, path);
    for (const statement of createTables(table)) db.exec(statement);
    for (const { name, columns } of misfits(db, table, path)) {
      const [other] = columns.filter(({ is }) => is !== undefined);
      if (other)
        throw misfit(name, path, 'Run `macro mirror rebuild`: it makes the column anew from the stored texts.');
      for (const { column } of columns) db.exec(`alter table ${name} add column ${quote(column.name)} ${column.type}`);
      fillColumns(
        db,
        table,
        name,
        columns.map(({ column }) => column),
      );
    }
    renewViews(db, table);
  });
  work();
}

/** Makes the typed columns and the views of an endpoint anew; gives the number of rows of each table. */
export function remakeColumns(db: SqliteConnection, table: Table, path: string) {
  requireStoredTables(db, table, path);
  for (const { name } of viewsOf(table)) db.exec(`drop view if exists ${quote(name)}`);
  for (const statement of createTables(table)) db.exec(statement);
  for (const { name, columns } of misfits(db, table, path))
    for (const { column, is } of columns) {
      if (is !== undefined) db.exec(`alter table ${name} drop column ${quote(column.name)}`);
      db.exec(`alter table ${name} add column ${quote(column.name)} ${column.type}`);
    }
  const rebuilt = [table.current, table.superseded].map((name) => ({
    table: name.replaceAll('"', ''),
    rows: fillColumns(db, table, name, table.columns),
  }));
  renewViews(db, table);
  return rebuilt;
}

/** Fills typed columns from the texts of the rows; gives the number of rows. */
function fillColumns(db: SqliteConnection, table: Table, name: string, columns: readonly Column[]): number {
  db.function('column_of', { deterministic: true }, (text: string, of: string) => {
    const column = table.columns.find((one) => one.name === of);
    return column ? valueIn(parseStoredRow(text), column) : null;
  });
  const set = columns.map((column) => `${quote(column.name)} = column_of(${wholeText(table)}, ?)`);
  // A table without typed columns is only counted.
  const sql = `update ${name} set ${set.length > 0 ? set.join(', ') : 'text = text'}`;
  return db.prepare(sql).run(columns.map((column) => column.name)).changes;
}

/** Refuses to read from tables without one of their columns: only a writer can add it. @throws MacroError of kind `mirror`. */
export function requireSchemaMatch(db: SqliteConnection, table: Table, path: string): void {
  if (misfits(db, table, path).length === 0 && isComplete(db, table)) return;
  requireStoredTables(db, table, path);
  throw new MacroError('mirror', `The mirror ${path} was written by an older version of this program.`, {
    hint: 'Run `macro sync` once, or `macro mirror rebuild` where nothing is tracked: it adds the missing parts.',
    code: 'mirror_older',
  });
}

function isComplete(db: SqliteConnection, table: Table): boolean {
  return partTables(table).every(([, name]) => columnsOf(db, name).length > 0);
}

/** Refuses a file that lost a table with rows. @throws MacroError of kind `mirror`. */
export function requireStoredTables(db: SqliteConnection, table: Table, path: string): void {
  const { sql, values } = storedRowCounts(table);
  const kept = db
    .prepare<unknown[], [string, number]>(sql)
    .raw()
    .all(...values);
  const [lost] = missingTables(table, kept, (name) => columnsOf(db, name).length > 0);
  if (lost !== undefined) throw damaged(path, `its table ${lost} is gone`);
}

/** Columns of a table that are not there, or are of another type, which `is` tells. */
interface Misfit {
  /** Quoted. */
  readonly name: string;
  readonly columns: readonly { readonly column: Column; readonly is: string | undefined }[];
}

/** Columns that do not fit the mapping, by table. Throws where rows would need another key. */
function misfits(db: SqliteConnection, table: Table, path: string): readonly Misfit[] {
  return [
    ...misfitsIn(db, table, { name: table.current, path, tail: [] }),
    ...misfitsIn(db, table, { name: table.superseded, path, tail: ['revision'] }),
  ];
}

function misfitsIn(
  db: SqliteConnection,
  table: Table,
  { name, path, tail }: { name: string; path: string; tail: readonly string[] },
): readonly Misfit[] {
  const found = columnsOf(db, name);
  if (found.length === 0) return [];
  const types = new Map(found.map((column) => [column.name, column.type.toLowerCase()]));
  const isOther = ({ name: column, type }: Column) => types.get(column) !== type;
  const key = found.filter((column) => column.pk > 0).sort((a, b) => a.pk - b.pk);
  const expected = ['series', ...table.key.map((column) => column.name), ...tail];
  if (String(key.map((column) => column.name)) !== String(expected) || table.key.some(isOther))
    throw misfit(name, path, 'Name a new file with --mirror, then run macro sync or macro import FILE again.');
  const columns = table.columns.filter(isOther).map((column) => ({ column, is: types.get(column.name) }));
  return columns.length === 0 ? [] : [{ name, columns }];
}

function misfit(name: string, path: string, hint: string): MacroError {
  return new MacroError('mirror', `Table ${name} of the mirror ${path} does not fit this version of the program.`, {
    hint,
    code: 'mirror_misfit',
  });
}

function columnsOf(db: SqliteConnection, name: string): readonly FoundColumn[] {
  return db
    .prepare<[], FoundColumn>(`select name, type, pk from pragma_table_info(${name.replaceAll('"', "'")})`)
    .all();
}

/** Makes the views of an endpoint, and makes anew those whose definition is another one. */
function renewViews(db: SqliteConnection, table: Table): void {
  for (const { name, sql } of staleViews(db, table)) {
    db.exec(`drop view if exists ${quote(name)}`);
    db.exec(sql);
  }
}

function staleViews(db: SqliteConnection, table: Table): readonly View[] {
  const definition = db.prepare<[string], string>("select sql from sqlite_schema where type = 'view' and name = ?");
  return viewsOf(table).filter(({ name, sql }) => definition.pluck().get(name) !== sql);
}
