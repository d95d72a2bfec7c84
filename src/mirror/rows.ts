import { MacroError } from '../errors.ts';
import { keyOf, valueIn } from './columns.ts';
import type { Connection } from './connect.ts';
import type { KeyValue, NewRow } from './mirror.ts';
import { namesOf, type Table } from './tables.ts';

/** A received row with its key and typed columns taken out. */
export interface Prepared {
  readonly id: string | number;
  readonly key: readonly KeyValue[];
  readonly columns: readonly (KeyValue | null)[];
  readonly row: NewRow;
}

export interface HeldText {
  readonly text: string;
  /** An answer to a key brought or confirmed it. */
  readonly keyed: 0 | 1;
}

/** Identity of a key inside its series. */
export function keyId(key: readonly KeyValue[]): string | number {
  const [only] = key;
  return key.length === 1 && only !== undefined ? only : JSON.stringify(key);
}

/** Rows of a page in the order of the table, so that they are appended; a key that stands twice is refused. */
export function prepareRows(table: Table, rows: readonly NewRow[]): readonly Prepared[] {
  const seen = new Map<string | number, Prepared>();
  for (const row of rows) {
    const key = keyOf(table, row);
    const id = keyId(key);
    const other = seen.get(id);
    if (other && other.row.text !== row.text) throw twice(table, key);
    const columns = table.columns.map((column) => valueIn(row.value, column));
    if (!other) seen.set(id, { id, key, columns, row });
  }
  const prepared = [...seen.values()];
  const sign = table.direction === 'desc' ? -1 : 1;
  return prepared.sort((a, b) => sign * compareKeys(a.key, b.key));
}

export function compareKeys(a: readonly KeyValue[], b: readonly KeyValue[]): number {
  for (const [i, value] of a.entries()) {
    const other = b[i];
    if (other === undefined || value === other) continue;
    return value < other ? -1 : 1;
  }
  return 0;
}

function twice(table: Table, key: readonly KeyValue[]): MacroError {
  return new MacroError('protocol', `An answer of ${table.endpoint} holds two different rows for ${key.join(', ')}.`, {
    hint: 'Nothing of this answer was stored. Ask again; if it stays, the service has changed its answers.',
    code: 'row_twice',
  });
}

/** The hot statements of one table, prepared once a connection. */
export function rowStatements(db: Connection, table: Table) {
  const key = namesOf(table.key);
  const columns = namesOf(table.columns);
  const whole = ['series', ...key, ...columns, 'seen', 'keyed', 'assumed_release', 'text'];
  const exact = ['series', ...key].map((name) => `${name} = ?`).join(' and ');
  const marks = whole.map(() => '?').join(', ');
  const kept = ['series', ...key, ...columns, 'seen', 'refreshed', 'keyed', 'assumed_release', 'text'].join(', ');
  const { current, superseded } = table;

  const any = db.prepare(`select 1 from ${current} where series = ? limit 1`);
  const get = db.prepare<unknown[], HeldText>(`select text, keyed from ${current} where ${exact}`);
  const insert = db.prepare(`insert into ${current} (${whole.join(', ')}) values (${marks})`);
  const refresh = db.prepare(
    `update ${current} set ${[...columns, 'refreshed', 'keyed', 'text'].map((name) => `${name} = ?`).join(', ')}
     where ${exact}`,
  );
  const confirm = db.prepare(`update ${current} set keyed = 1 where ${exact}`);
  const keep = db.prepare(
    `insert into ${superseded} (${kept}, revision, superseded)
     select ${kept}, 1 + (select coalesce(max(revision), 0) from ${superseded} where ${exact}), ?
     from ${current} where ${exact}`,
  );
  const remove = db.prepare(`delete from ${current} where ${exact}`);
  const last = table.key[0] && namesOf(table.key)[0];
  const later = db.prepare(`select 1 from ${current} where series = ? and ${last} > ? limit 1`);

  return {
    isEmpty: (series: number) => any.get(series) === undefined,
    get: (series: number, of: readonly KeyValue[]) => get.get(series, ...of),
    insert(series: number, row: Prepared, told: { commit: number; keyed: 0 | 1 }) {
      insert.run(
        series,
        ...row.key,
        ...row.columns,
        told.commit,
        told.keyed,
        row.row.assumedRelease ?? null,
        row.row.text,
      );
    },
    /** The same observation in another text. */
    refresh(series: number, row: Prepared, told: { commit: number; keyed: 0 | 1 }) {
      refresh.run(...row.columns, told.commit, told.keyed, row.row.text, series, ...row.key);
    },
    confirm: (series: number, of: readonly KeyValue[]) => confirm.run(series, ...of),
    /** Moves the held row to the superseded ones: it is no longer current from this commit on. */
    supersede(series: number, of: readonly KeyValue[], commit: number) {
      keep.run(series, ...of, commit, series, ...of);
      remove.run(series, ...of);
    },
    hasLater: (series: number, bound: KeyValue) => later.get(series, bound) !== undefined,
  };
}

export type RowStatements = ReturnType<typeof rowStatements>;
