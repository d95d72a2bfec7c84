import { quote, type Table } from '../../core/tables.ts';
import { type View, viewsOf } from '../../views/views.ts';
import type { SqliteConnection } from '../database-file.ts';

/** Makes the views of an endpoint, and makes anew those whose definition is another one. */
export function renewViews(db: SqliteConnection, table: Table): void {
  for (const { name, sql } of staleViews(db, table)) {
    db.exec(`drop view if exists ${quote(name)}`);
    db.exec(sql);
  }
}

export function staleViews(db: SqliteConnection, table: Table): readonly View[] {
  const definition = db.prepare<[string], string>("select sql from sqlite_schema where type = 'view' and name = ?");
  return viewsOf(table).filter(({ name, sql }) => definition.pluck().get(name) !== sql);
}

/** Takes the views of an endpoint away: a table below a view can be neither renamed nor remade. */
export function dropViews(db: SqliteConnection, table: Table): void {
  for (const { name } of viewsOf(table)) db.exec(`drop view if exists ${quote(name)}`);
}
