import type { Statement } from 'better-sqlite3';
import { MacroError } from '../../errors.ts';
import type { PageCommit } from '../api/page-commit.ts';
import type { KeyValue } from '../api/series.ts';
import { keyId, type PositionedPage, type Prepared, type RowPosition, type StoredText } from '../rules/columns.ts';
import { addTo, currentDigest, currentMarks, markOf, supersededDigest, takeFrom } from '../rules/digest.ts';
import { shortener, wholeText } from '../rules/short-text.ts';
import { columnNamesOf, type Shared, type Table } from '../rules/tables.ts';
import {
  NOTHING_VANISHED,
  saysNothingOfOthers,
  type Vanished,
  vanishedAmong,
  vanishQueries,
} from '../rules/write-rows.ts';
import { type SqliteConnection, type Statements, slicesOf, statementsOf } from './database-file.ts';
import { type PageReader, pageReader, vintageWriter } from './pages.ts';
import { matchSchema } from './schema-match.ts';

/** The statements of one endpoint that a commit runs. */
export interface TableWriter {
  readonly table: Table;
  readonly rows: RowStatements;
  readonly page: PageReader;
  readonly keepVintages: ReturnType<typeof vintageWriter>;
  readonly findVanished: ReturnType<typeof vanishFinder>;
}

/** The statements of all endpoints that were written so far. */
export interface TableWriters {
  /** The columns of an endpoint, whether it was written or not. @throws MacroError of kind `internal` */
  tableOf(endpoint: string): Table;
  /** The statements of an endpoint, made with its tables when it is first written. */
  writerOf(table: Table): TableWriter;
  /** Calls a transaction. One that fails takes back the tables that it made, so their statements are forgotten. */
  within<T>(transaction: () => T): T;
}

/** Makes the statements of endpoints as they are written. */
export function tableWriters(db: SqliteConnection, shared: Shared): TableWriters {
  const statements = statementsOf(db);
  const writers = new Map<string, TableWriter>();

  function writerOf(table: Table): TableWriter {
    const known = writers.get(table.endpoint);
    if (known) return known;
    matchSchema(db, table, shared.path);
    const writer = {
      table,
      rows: rowStatements(db, table),
      page: pageReader(statements, table, () => 0),
      keepVintages: vintageWriter(db, table),
      findVanished: vanishFinder(statements, table),
    };
    writers.set(table.endpoint, writer);
    return writer;
  }

  return {
    tableOf(endpoint) {
      const table = shared.table(endpoint);
      if (table) return table;
      throw new MacroError('internal', `The mirror keeps no rows of '${endpoint}'.`);
    },
    writerOf,
    within(transaction) {
      const before = writers.size;
      try {
        return transaction();
      } catch (error) {
        for (const endpoint of [...writers.keys()].slice(before)) writers.delete(endpoint);
        throw error;
      }
    },
  };
}

/** Finds stored rows that a page says are gone. */
function vanishFinder(statements: Statements, table: Table) {
  const queries = vanishQueries(table);
  return ({ series, rows, range }: PositionedPage, commit: PageCommit): Vanished => {
    if (saysNothingOfOthers(commit, range)) return NOTHING_VANISHED;
    return vanishedAmong(
      queries(series, rows, commit).map(({ sql, values }) =>
        statements.raw<[0 | 1, ...KeyValue[]]>(sql).all(...values),
      ),
      rows,
      commit,
    );
  };
}

/** The hot statements of one table, prepared once a connection. Each moves the sums of its series with the rows. */
function rowStatements(db: SqliteConnection, table: Table) {
  const key = columnNamesOf(table.key);
  const columns = columnNamesOf(table.columns);
  const exact = ['series', ...key].map((name) => `${name} = ?`).join(' and ');
  const { current, superseded } = table;

  const any = db.prepare(`select 1 from ${current} where series = ? limit 1`);
  const shorten = shortener(table);
  const COLUMNS = `${wholeText(table)} as text, seen, refreshed, keyed, assumed_release as assumed`;
  const get = db.prepare<unknown[], StoredText>(`select ${COLUMNS} from ${current} where ${exact}`);
  const insert = insertStatements(db, table);
  const refresh = db.prepare(
    `update ${current} set ${[...columns, 'refreshed', 'keyed', 'mark', 'text'].map((name) => `${name} = ?`).join(', ')}
     where ${exact}`,
  );
  const confirm = db.prepare(`update ${current} set keyed = 1, mark = ? where ${exact}`);
  const kept = ['series', ...key, ...columns, 'seen', 'refreshed', 'keyed', 'assumed_release', 'text'].join(', ');
  const keep = db.prepare(
    `insert into ${superseded} (${kept}, revision, superseded, mark) select ${kept}, ?, ?, ? from ${current} where ${exact}`,
  );
  const newest = db.prepare<unknown[], number | null>(`select max(revision) from ${superseded} where ${exact}`).pluck();
  const remove = db.prepare(`delete from ${current} where ${exact}`);
  const last = table.key[0] && columnNamesOf(table.key)[0];
  const between = db.prepare<unknown[], StoredText & Readonly<Record<string, KeyValue>>>(
    `select ${COLUMNS}, ${key.map((name, i) => `${name} as key${i}`).join(', ')} from ${current}
     where series = ? and ${last} >= ? and ${last} <= ?`,
  );
  const later = db.prepare(`select 1 from ${current} where series = ? and ${last} > ? limit 1`);

  return {
    isEmpty: (series: number) => any.get(series) === undefined,
    get: (series: number, of: readonly KeyValue[]) => get.get(series, ...of),
    /** The stored rows whose first key column lies between two values, both inclusive, by `keyId`. */
    between(series: number, a: KeyValue, b: KeyValue): ReadonlyMap<string | number, StoredText> {
      const rows = between.all(series, ...(a < b ? [a, b] : [b, a]));
      return new Map(rows.map((row) => [keyId(key.map((_, i) => row[`key${i}`] ?? '')), row]));
    },
    insert(
      { series, checksum }: RowPosition,
      rows: readonly Prepared[],
      { commit, keyed }: { commit: number; keyed: 0 | 1 },
    ) {
      const mark = currentMarks({ seen: commit, refreshed: null, keyed });
      insert({ series, seen: commit, keyed }, rows, ({ key, row }) => {
        const digest = currentDigest(key, row.assumedRelease, row.text);
        addTo(checksum.current, digest);
        return mark(digest);
      });
    },
    /** The same observation in another text. */
    refresh(
      { series, checksum }: RowPosition,
      row: Prepared,
      context: { stored: StoredText; commit: number; keyed: 0 | 1 },
    ) {
      const { stored, commit, keyed } = context;
      const { text } = row.row;
      const digest = currentDigest(row.key, stored.assumed, text);
      const mark = currentMarks({ ...stored, refreshed: commit, keyed })(digest);
      refresh.run(...row.columns, commit, keyed, mark, shorten(row.key, text), series, ...row.key);
      takeFrom(checksum.current, currentDigest(row.key, stored.assumed, stored.text));
      addTo(checksum.current, digest);
    },
    confirm({ series }: Pick<RowPosition, 'series'>, of: readonly KeyValue[], stored: StoredText) {
      const digest = currentDigest(of, stored.assumed, stored.text);
      confirm.run(currentMarks({ ...stored, keyed: 1 })(digest), series, ...of);
    },
    /** Moves the stored row to the superseded ones: it is no longer current from this commit on. */
    supersede(
      { series, checksum }: RowPosition,
      of: readonly KeyValue[],
      context: { stored: StoredText; commit: number },
    ) {
      const { stored, commit: ended } = context;
      const revision = 1 + (newest.get(series, ...of) ?? 0);
      const digest = supersededDigest(of, { ...stored, revision, superseded: ended }, stored.text);
      keep.run(revision, ended, markOf(digest), series, ...of);
      remove.run(series, ...of);
      takeFrom(checksum.current, currentDigest(of, stored.assumed, stored.text));
      addTo(checksum.superseded, digest);
    },
    hasLater: (series: number, bound: KeyValue) => later.get(series, bound) !== undefined,
  };
}

/** What all rows of one insert share is bound once, since binding a value costs as much as keeping it. */
interface SharedValues {
  readonly series: number;
  readonly seen: number;
  readonly keyed: 0 | 1;
}

/** A value of a row that is stored. */
type Cell = KeyValue | null;

function insertStatements(db: SqliteConnection, table: Table) {
  const shorten = shortener(table);
  const names = [...columnNamesOf(table.columns), 'assumed_release'];
  const statements = new Map<string, Statement>();
  // A statement that could take its own rows back keeps a copy of each page that it touches; here it fails with its transaction.
  const prepare = (filled: readonly number[], rows: number) => {
    const own = [...columnNamesOf(table.key), ...filled.map((place) => names[place]), 'mark', 'text'];
    const marks = `(:series, :seen, :keyed, ${own.map(() => '?').join(', ')})`;
    return db.prepare(
      `insert or fail into ${table.current} (series, seen, keyed, ${own.join(', ')}) values ${Array(rows).fill(marks).join(', ')}`,
    );
  };
  const statementFor = (filled: readonly number[], rows: number) => {
    const name = `${filled.join()} ${rows}`;
    const known = statements.get(name) ?? prepare(filled, rows);
    statements.set(name, known);
    return known;
  };
  return (shared: SharedValues, rows: readonly Prepared[], markFor: (row: Prepared) => number) => {
    const filled = filledIn(rows, names.length);
    for (const some of slicesOf(rows)) {
      const values: Cell[] = [];
      for (const row of some) {
        const { key, columns } = row;
        for (const value of key) values.push(value);
        for (const place of filled) values.push(place < columns.length ? (columns[place] ?? null) : cellOf(row, place));
        values.push(markFor(row), shorten(key, row.row.text));
      }
      statementFor(filled, some.length).run(values, shared);
    }
  };
}

/** Places of the cells that any of the rows has a value for: binding a null costs as much as binding a value. */
function filledIn(rows: readonly Prepared[], count: number): readonly number[] {
  const filled: number[] = [];
  for (let place = 0; place < count; place += 1)
    if (rows.some((row) => cellOf(row, place) !== null)) filled.push(place);
  return filled;
}

/** What stands behind the key: the typed columns, then the release that a rule assumes. */
function cellOf({ columns, row }: Prepared, place: number): Cell {
  return (place < columns.length ? columns[place] : row.assumedRelease) ?? null;
}

type RowStatements = ReturnType<typeof rowStatements>;
