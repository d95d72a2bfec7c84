import type { Connection } from '../connect.ts';
import { quote, type Table } from '../tables.ts';
import {
  column,
  exactText,
  isoTime,
  kept,
  keyColumns,
  memberColumns,
  provenanceColumns,
  scopeColumns,
  type ViewColumn,
} from './view-columns.ts';

/** A view of the mirror file: a public, stable way to read it from any program that reads SQLite. */
export interface View {
  readonly name: string;
  readonly columns: readonly ViewColumn[];
  /** Statement that makes it. */
  readonly sql: string;
}

/**
 * The views of an endpoint: the rows as they are now, what they were before (with the time at which that ended), and the
 * publisher's vintages where the rows list them.
 */
export function viewsOf(table: Table): readonly View[] {
  const name = viewName(table);
  const rows = [...scopeColumns(table), ...keyColumns(table), ...memberColumns(table), ...provenanceColumns(table)];
  const ended = [
    kept('revision', 'integer'),
    column('superseded_at', 'instant', isoTime('(select at from commits where number = r.superseded) / 1000')),
  ];
  return [
    viewOver(name, table.current, rows),
    viewOver(`${name}_superseded`, table.superseded, [...rows, ...ended]),
    ...(table.vintages === undefined ? [] : [viewOver(`${name}_vintages`, table.vintages, vintageColumns(table))]),
  ];
}

function viewName({ mapping }: Table): string {
  return `v_${mapping.view ?? mapping.table}`;
}

/** Makes the views of an endpoint, and makes anew those whose definition is another one. */
export function renewViews(db: Connection, table: Table): void {
  for (const { name, sql } of staleViews(db, table)) {
    db.exec(`drop view if exists ${quote(name)}`);
    db.exec(sql);
  }
}

export function staleViews(db: Connection, table: Table): readonly View[] {
  const definition = db.prepare<[string], string>("select sql from sqlite_schema where type = 'view' and name = ?");
  return viewsOf(table).filter(({ name, sql }) => definition.pluck().get(name) !== sql);
}

/** Takes the views of an endpoint away: a table below a view can be neither renamed nor remade. */
export function dropViews(db: Connection, table: Table): void {
  for (const { name } of viewsOf(table)) db.exec(`drop view if exists ${quote(name)}`);
}

function vintageColumns(table: Table): readonly ViewColumn[] {
  return [
    ...scopeColumns(table),
    ...keyColumns(table),
    column('val', 'real', "case when json_type(r.text, '$.val') in ('real', 'integer') then r.text ->> '$.val' end"),
    column('val_text', 'text', exactText('r.text', '$.val')),
    column('published_at', 'instant', isoTime('r.epoch')),
    column('captured_at', 'instant', isoTime('r.observed_ns / 1000000000')),
    column('seen_at', 'instant', isoTime('c.at / 1000')),
    column('origin', 'text', 's.origin'),
    column('nature', 'text', '(select nature from mirror)'),
    kept('series', 'integer'),
    { name: 'row', type: 'text', sql: 'r.text' },
  ];
}

function viewOver(name: string, from: string, columns: readonly ViewColumn[]): View {
  const list = columns.map((one) => `  ${one.sql} as ${quote(one.name)}`).join(',\n');
  const sql = `CREATE VIEW ${quote(name)} as select\n${list}\nfrom ${from} r join series s on s.id = r.series left join commits c on c.number = r.seen`;
  return { name, columns, sql };
}
