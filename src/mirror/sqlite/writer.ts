import type { Statement } from 'better-sqlite3';
import type { Column } from '../../contract/mapping.ts';
import type { KeyValue } from '../api/series.ts';
import { columnNamesOf, type Shared, type Table } from '../rules/tables.ts';
import type { NewRows, Place, Writer } from '../statements/engine.ts';
import { type SqliteConnection, slicesOf, statementsOf } from './database-file.ts';
import { bindable, sqliteEngine } from './engine.ts';
import { matchSchema } from './schema-match.ts';

/** Writes through one connection, inside of a transaction. */
export interface SqliteWriter extends Writer {
  /** Calls a transaction. If it fails, the tables that it made are removed again. */
  within<T>(transaction: () => T): T;
}

export function sqliteWriter(db: SqliteConnection, shared: Pick<Shared, 'path' | 'commitTimes'>): SqliteWriter {
  const statements = statementsOf(db);
  const fitting = new Set<string>();
  const engine = sqliteEngine(db, shared);
  return {
    ...engine,
    run: ({ sql, values }) => void statements.named(sql).run(...bindable(values)),
    insert: rowInserter(db),
    update({ table, series }: Place, changed: readonly Column[], rows: NewRows['rows']) {
      const set = columnNamesOf(changed).map((name) => `${name} = ?`);
      const update = statements.named(`update ${table.current} set ${set.join(', ')} where ${exactly(table)}`);
      const keys = table.key.length;
      for (const row of rows) update.run(...row.slice(keys), series, ...row.slice(0, keys));
    },
    supersede({ table, series }: Place, rows: NewRows['rows']) {
      const { current, superseded } = table;
      const kept = ['series', ...columnNamesOf([...table.key, ...table.columns]), ...OWN].join(', ');
      const keep = statements.named(
        `insert into ${superseded} (${kept}, revision, superseded, mark) select ${kept}, ?, ?, ? from ${current} where ${exactly(table)}`,
      );
      const remove = statements.named(`delete from ${current} where ${exactly(table)}`);
      const keys = table.key.length;
      for (const row of rows) {
        const key = row.slice(0, keys);
        keep.run(...row.slice(keys), series, ...key);
        remove.run(series, ...key);
      }
    },
    prepare(table) {
      if (fitting.has(table.endpoint)) return;
      matchSchema(db, table, shared.path);
      fitting.add(table.endpoint);
    },
    within(transaction) {
      const before = [...fitting];
      try {
        return transaction();
      } catch (error) {
        fitting.clear();
        for (const endpoint of before) fitting.add(endpoint);
        throw error;
      }
    },
  };
}

const OWN = ['seen', 'refreshed', 'keyed', 'assumed_release', 'text'];

const exactly = ({ key }: Table): string =>
  ['series', ...columnNamesOf(key)].map((name) => `${name} = ?`).join(' and ');

/** Makes statements that insert rows, each prepared once. */
function rowInserter(db: SqliteConnection) {
  const prepared = new Map<string, Statement<unknown[], unknown>>();
  /** Binding a value costs as much as keeping it: what rows share is bound once, and a column without any value is left out. */
  return <Row extends unknown[]>({
    into,
    shared,
    columns,
    rows,
    conflict = '',
    returning,
  }: NewRows): readonly Row[] => {
    const filled = columns.map((_, i) => i).filter((place) => rows.some((row) => (row[place] ?? null) !== null));
    const end = `${conflict}${returning === undefined ? '' : ` returning ${returning}`}`;
    const prepare = (count: number) => {
      const names = [...Object.keys(shared), ...columnNamesOf(columns.filter((_, i) => filled.includes(i)))];
      const marks = [...Object.keys(shared).map((name) => `:${name}`), ...filled.map(() => '?')].join(', ');
      // A statement that could take its own rows back keeps a copy of each page that it touches; here it fails with its transaction.
      const begin = `insert or fail into ${into} (${names.join(', ')}) values`;
      const statement = db.prepare(`${begin} ${Array(count).fill(`(${marks})`).join(', ')} ${end}`);
      return returning === undefined ? statement : statement.raw();
    };
    const found: Row[] = [];
    for (const some of slicesOf(rows)) {
      const name = `${into} ${filled.join()} ${some.length} ${end}`;
      const statement = prepared.get(name) ?? prepare(some.length);
      prepared.set(name, statement);
      const values: (KeyValue | null)[] = [];
      for (const row of some) for (const place of filled) values.push(row[place] ?? null);
      if (returning === undefined) statement.run(values, shared);
      else for (const row of statement.all(values, shared)) found.push(row as Row); // as it returns
    }
    return found;
  };
}
