import { createHash } from 'node:crypto';
import { quote, type Table } from '../../core/tables.ts';
import { type View, viewsOf } from '../../views/views.ts';
import type { ServerConnection } from '../connection.ts';
import { SERVER_VIEWS } from './view-dialect.ts';

/** What was noted of the views of a schema when they were made, by name. */
export type Noted = ReadonlyMap<string, string | null>;

export async function viewsIn(connection: ServerConnection): Promise<Noted> {
  const found = await connection.tuples<[name: string, note: string | null]>({
    sql: `select relname, obj_description(oid, 'pg_class') from pg_class
      where relkind = 'v' and relnamespace = current_schema()::regnamespace`,
    values: [],
  });
  return new Map(found);
}

/** Views that are not there, or were made by another definition: the server tells a view in words of its own. */
export function staleServerViews(noted: Noted, table: Table): readonly View[] {
  return viewsOf(table, SERVER_VIEWS).filter((view) => noted.get(view.name) !== noteOf(view));
}

/** Makes views anew. One that a view of somebody else rests on stays as it is: whose that is decides. */
export async function renewServerViews(connection: ServerConnection, views: readonly View[]): Promise<void> {
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
