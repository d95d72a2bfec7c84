import type { Table } from '../core/tables.ts';
import type { ForeignObject } from '../verify/evidence.ts';
import { type View, viewsOf } from '../views/views.ts';
import type { SqliteConnection } from './database-file.ts';
import { ledgerSchema, type SchemaObject, schemaOf } from './ledger-tables.ts';
import { dataTables, partsOf } from './stored-digest.ts';

/** A table that a rebuild left because it has rows without a place in the new one. */
const LEFT_BY_REBUILD = /^old\d+_/;

/** What the schema of a file names that no version of this program makes, and views that this version makes otherwise. */
export function foreignIn(db: SqliteConnection, tables: readonly Table[]): readonly ForeignObject[] {
  const ledger = new Set(ledgerSchema().map(({ name }) => name));
  const data = new Set(dataTables(db).flatMap((table) => partsOf(db, table).map(([, name]) => name)));
  const views = new Map(tables.flatMap((table) => viewsOf(table)).map((view) => [view.name, view]));
  return schemaOf(db).flatMap((found) => {
    if (found.type === 'trigger') return [objectOf(found, 'alters')];
    if (found.type === 'view' && views.has(found.name)) return otherwise(found, views.get(found.name));
    const isOurs = ledger.has(found.name) || data.has(found.name) || LEFT_BY_REBUILD.test(found.name);
    if (isOurs) return [];
    return [
      objectOf(found, found.type === 'index' && /^create\s+unique/i.test(found.sql ?? '') ? 'alters' : 'stands beside'),
    ];
  });
}

function otherwise(found: SchemaObject, view: View | undefined): readonly ForeignObject[] {
  return found.sql === view?.sql ? [] : [objectOf(found, 'is another')];
}

function objectOf({ type, name, on }: SchemaObject, effect: ForeignObject['effect']): ForeignObject {
  return { type, name, on, effect };
}
