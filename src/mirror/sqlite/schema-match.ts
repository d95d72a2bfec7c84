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

/**
 * Makes tables and views of an endpoint fit its mapping, columns filled from texts. Other differences are refused: the
 * history would be lost.
 */
export function matchSchema(db: SqliteConnection, table: Table, path: string): void {
  const fits = misfits(db, table, path).length === 0 && isComplete(db, table);
  if (fits && staleViews(db, table).length === 0) return;
  const work = writeTransaction(db, path, () => {
    requireStoredTables(db, table, path);
    for (const statement of createTables(table)) db.exec(statement);
    db.function('column_of', { deterministic: true }, (text: string, name: string) => {
      const column = table.columns.find((one) => one.name === name);
      return column ? valueIn(parseStoredRow(text), column) : null;
    });
    for (const { name, column } of misfits(db, table, path)) {
      db.exec(`alter table ${name} add column ${quote(column.name)} ${column.type}`);
      db.prepare(`update ${name} set ${quote(column.name)} = column_of(${wholeText(table)}, ?)`).run(column.name);
    }
    renewViews(db, table);
  });
  work();
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

/** Columns to be added, by quoted table name. Throws when the tables differ in a way that adding does not cure. */
function misfits(db: SqliteConnection, table: Table, path: string): readonly { name: string; column: Column }[] {
  return [
    ...missingIn(db, table, { name: table.current, path, tail: [] }),
    ...missingIn(db, table, { name: table.superseded, path, tail: ['revision'] }),
  ];
}

function missingIn(
  db: SqliteConnection,
  table: Table,
  { name, path, tail }: { name: string; path: string; tail: readonly string[] },
): readonly { name: string; column: Column }[] {
  const found = columnsOf(db, name);
  if (found.length === 0) return [];
  const key = found.filter((column) => column.pk > 0).sort((a, b) => a.pk - b.pk);
  const expected = ['series', ...table.key.map((column) => column.name), ...tail];
  const typeOf = (column: Column): string | undefined =>
    found.find((other) => other.name === column.name)?.type.toLowerCase();
  const fits =
    String(key.map((column) => column.name)) === String(expected) &&
    [...table.key, ...table.columns].every((column) => (typeOf(column) ?? column.type) === column.type);
  if (!fits)
    throw new MacroError('mirror', `Table ${name} of the mirror ${path} does not fit this version of the program.`, {
      hint: 'Run `macro mirror rebuild`: it makes the table anew from the stored texts and asks nobody.',
      code: 'mirror_misfit',
    });
  return table.columns.filter((column) => typeOf(column) === undefined).map((column) => ({ name, column }));
}

function columnsOf(db: SqliteConnection, name: string): readonly FoundColumn[] {
  return db
    .prepare<[], FoundColumn>(`select name, type, pk from pragma_table_info(${name.replaceAll('"', "'")})`)
    .all();
}

/** Makes the views of an endpoint, and makes anew those whose definition is another one. */
export function renewViews(db: SqliteConnection, table: Table): void {
  for (const { name, sql } of staleViews(db, table)) {
    db.exec(`drop view if exists ${quote(name)}`);
    db.exec(sql);
  }
}

function staleViews(db: SqliteConnection, table: Table): readonly View[] {
  const definition = db.prepare<[string], string>("select sql from sqlite_schema where type = 'view' and name = ?");
  return viewsOf(table).filter(({ name, sql }) => definition.pluck().get(name) !== sql);
}

/** Takes the views of an endpoint away: a table below a view can be neither renamed nor remade. */
export function dropViews(db: SqliteConnection, table: Table): void {
  for (const { name } of viewsOf(table)) db.exec(`drop view if exists ${quote(name)}`);
}
