import type { JsonObject } from '../../contract/json/json.ts';
import { type Column, type Mapping, memberFor, type ShortText } from '../../contract/mapping.ts';
import { MacroError } from '../../errors.ts';
import type { KeyValue } from '../api/series.ts';
import { columnValue, parseStoredRow, valueIn } from '../rules/columns.ts';
import { addTo, type Digest, emptySum, type RowPart, type Sum, sumText } from '../rules/digest.ts';
import type { LedgerSchema } from '../rules/ledger.ts';
import { shortener, wholeText } from '../rules/short-text.ts';
import { columnNamesOf, createTables, quote, type Table, tableOf } from '../rules/tables.ts';
import { keptIn } from '../rules/verify-rows.ts';
import { doNow } from '../statements/engine.ts';
import { type NewSum, noteSums, seriesSum } from '../statements/sums.ts';
import { alone, connectForUpkeep } from './compact.ts';
import { BUSY_TIMEOUT, closingOnError, connectForReading } from './connect.ts';
import type { SqliteConnection } from './database-file.ts';
import { translating } from './failures.ts';
import { dropViews, renewViews, requireStoredTables } from './schema-match.ts';
import { keyColumnsOf, OWN_SELECTED, type OwnColumns, partsOf, storedDigest, storedMark } from './sums.ts';
import { assertIntegrity } from './version.ts';
import { sqliteWriter } from './writer.ts';

export interface RebuildAsk {
  readonly path: string;
  /** Mappings by endpoint id. */
  readonly mappings: Readonly<Record<string, Mapping>>;
  readonly onTable?: (table: string) => void;
}

export interface RebuiltTable {
  readonly table: string;
  readonly rows: number;
  /** Rows that have no place in the new table: they stay in an old one of this name. */
  readonly left: number;
  readonly old: string | undefined;
}

/** A row as an older table has it, whatever its key and typed columns are. */
interface OldRow {
  readonly series: number;
  readonly text: string;
  /** In the order of the key columns. */
  readonly key: readonly KeyValue[];
  /** The mirror's own columns, in the order of `OWN_SELECTED`. */
  readonly own: OwnColumns;
  /** As it was when the row was written. */
  readonly digest: Digest;
}

/** A table of one endpoint as an older mapping made it. */
interface OldTable {
  readonly name: string;
  readonly part: RowPart;
  readonly shortText: ShortText | undefined;
}

/**
 * Makes data tables anew from stored texts, one transaction a table. Stored rows must match their sums first, since new
 * sums would hide changes; an old table goes only when each row has its place.
 */
export function rebuildMirror({ path, mappings, onTable }: RebuildAsk): readonly RebuiltTable[] {
  return translating(path, () => {
    const db = connectForUpkeep(path);
    closingOnError(db, () => assertIntegrity(db, path, 'quick'));
    const old = connectForReading(path, BUSY_TIMEOUT);
    try {
      const stored = db.prepare<[], string>('select distinct endpoint from series order by endpoint').pluck().all();
      return stored.flatMap((endpoint) => {
        const mapping = Object.hasOwn(mappings, endpoint) ? mappings[endpoint] : undefined;
        if (!mapping) return [];
        onTable?.(mapping.table);
        return rebuildTables({ db, old, path }, endpoint, mapping);
      });
    } finally {
      old.close();
      db.close();
    }
  });
}

interface Files {
  readonly db: SqliteConnection;
  readonly old: SqliteConnection;
  readonly path: string;
}

function rebuildTables({ db, old, path }: Files, endpoint: string, mapping: Mapping): readonly RebuiltTable[] {
  const table = tableOf(endpoint, mapping, 'short');
  const work = db.transaction((): readonly RebuiltTable[] => {
    requireStoredTables(db, table, path);
    const parts = partsOf(db, mapping.table);
    dropViews(db, table);
    const aside = parts.map(([part, name]) => ({ part, name, old: stepAside(db, name) }));
    for (const statement of createTables(table)) db.exec(statement);
    const rebuilt = aside.map(({ part, name, old: put }) => {
      const before = { name, part, shortText: table.shortText };
      const names = keyColumnsOf(old, name, part);
      const write = newRowWriter(db, { table, part, before: names });
      const { rows, left } = refill(path, { ...before, rows: oldRows(old, before, names) }, { db, write });
      // Later nobody knows how the texts of a remaining table were shortened.
      const end = left === 0 ? `drop table ${quote(put)}` : `update ${quote(put)} set text = ${oldText(old, before)}`;
      db.exec(end);
      return { table: name, rows, left, old: left === 0 ? undefined : put };
    });
    renewViews(db, table);
    return rebuilt;
  });
  return alone(path, () => work.immediate());
}

/** Gives a table another, free name. */
function stepAside(db: SqliteConnection, name: string): string {
  const taken = db.prepare('select 1 from sqlite_schema where name = ?');
  for (let number = 1; ; number += 1) {
    const other = `old${number}_${name}`;
    if (taken.get(other) !== undefined) continue;
    db.exec(`alter table ${quote(name)} rename to ${quote(other)}`);
    return other;
  }
}

function refill(
  path: string,
  { name, part, rows }: { readonly name: string; readonly part: RowPart; readonly rows: Iterable<OldRow> },
  { db, write }: { readonly db: SqliteConnection; readonly write: ReturnType<typeof newRowWriter> },
): { rows: number; left: number } {
  const before = new Map<number, Sum>();
  const after = new Map<number, Sum>();
  const counts = { rows: 0, left: 0 };
  for (const row of rows) {
    addTo(sumOf(before, row.series), row.digest);
    const written = write(row);
    if (written !== undefined) addTo(sumOf(after, row.series), written);
    counts[written === undefined ? 'left' : 'rows'] += 1;
  }
  const sums: NewSum[] = [];
  // Behind the rows stands the envelope, which stays.
  const moveState = db.prepare<[string, number], LedgerSchema['series']>(
    'update series set state = ? || substr(state, 33) where id = ? returning *',
  );
  const noted = db.prepare<[number], LedgerSchema['sums']>('select * from sums where series = ?');
  for (const [series, sum] of before) {
    const kept = keptIn(noted.all(series))(part);
    if (kept.rows !== sum.rows || kept.text !== sumText(sum)) throw altered(path, name);
    const now = sumOf(after, series);
    sums.push({ series, part, sum: now });
    if (part === 'current') sums.push(...moveState.all(sumText(now), series).map(seriesSum));
  }
  doNow(noteSums(sqliteWriter(db, { path, commitTimes: new Map() }), sums));
  return counts;
}

function sumOf(sums: Map<number, Sum>, series: number): Sum {
  const sum = sums.get(series) ?? emptySum();
  sums.set(series, sum);
  return sum;
}

function altered(path: string, table: string): MacroError {
  return new MacroError('verification', `The rows of ${table} in the mirror ${path} are not as they were written.`, {
    code: 'mirror_altered',
    hint: 'Nothing was rebuilt, for that would hide it. Run macro mirror verify, and restore a backup.',
  });
}

/**
 * Writes old rows into a table and gives the digest; undefined without a key or for a taken one. `before` are old key
 * columns.
 */
function newRowWriter(
  db: SqliteConnection,
  { table, part, before }: { readonly table: Table; readonly part: RowPart; readonly before: readonly string[] },
): (row: OldRow) => Digest | undefined {
  const keyOf = keyReader(table, before);
  const own = OWN_SELECTED[part].map((name) => /^cast\((\w+)/.exec(name)?.[1] ?? name);
  const columns = part === 'vintages' ? [] : table.columns;
  const names = ['series', ...columnNamesOf(table.key), ...columnNamesOf(columns), ...own, 'mark', 'text'];
  const target = { current: table.current, superseded: table.superseded, vintages: table.vintages }[part];
  if (target === undefined) return () => undefined;
  const shorten = part === 'vintages' ? (_: unknown, text: string) => text : shortener(table);
  const marks = names.map(() => '?').join(', ');
  const insert = db.prepare(`insert or ignore into ${target} (${names.join(', ')}) values (${marks})`);
  return (row) => {
    const value = part === 'vintages' ? {} : parseStoredRow(row.text);
    const key = keyOf(row, value);
    if (!key) return undefined;
    const isSame = key.length === row.key.length && key.every((one, i) => one === row.key[i]);
    const digest = isSame ? row.digest : storedDigest(part, { own: row.own, key, text: row.text });
    const typed = columns.map((column) => valueIn(value, column));
    const stored = row.own.map((one, i) => exactOf(OWN_SELECTED[part][i], one));
    const { changes } = insert.run(
      row.series,
      ...key,
      ...typed,
      ...stored,
      storedMark(part, digest, row.own),
      shorten(key, row.text),
    );
    return changes > 0 ? digest : undefined;
  };
}

/** Digits of nanoseconds as the integer that they are. */
function exactOf(selected: string | undefined, value: KeyValue | null): KeyValue | bigint | null {
  return selected?.startsWith('cast(') && typeof value === 'string' ? BigInt(value) : value;
}

/** Takes the key of a row from where each of its columns stood before, else from the text. */
function keyReader(
  table: Table,
  before: readonly string[],
): (row: OldRow, value: JsonObject) => readonly KeyValue[] | undefined {
  const columns = table.key.map((column) => ({ column, place: before.indexOf(column.name) }));
  return (row, value) => {
    const key: KeyValue[] = [];
    for (const { column, place } of columns) {
      const found = keyValue(column, row.key[place], value);
      if (found === null) return undefined;
      key.push(found);
    }
    return key;
  };
}

/** The old key first: in a body that is a map the text does not have it. */
function keyValue(column: Column, before: KeyValue | undefined, value: JsonObject): KeyValue | null {
  const isSame = before !== undefined && (typeof before === 'string') === (column.type === 'text');
  if (isSame) return before;
  return columnValue(column.type, memberFor(value, column)) ?? columnValue(column.type, before);
}

/** Reads a table by what its schema says, without a mapping, one row at a time. `names` are those of its key columns. */
function* oldRows(db: SqliteConnection, table: OldTable, names: readonly string[]): Iterable<OldRow> {
  const { name: from, part } = table;
  const own = OWN_SELECTED[part];
  const columns = ['series', oldText(db, table), ...own, ...names.map(quote)].join(', ');
  const rows = db
    .prepare(`select ${columns} from ${quote(from)}`)
    .raw()
    .iterate() as Iterable<
    [series: number, text: string, ...rest: OwnColumns] // as selected above
  >;
  for (const [series, text, ...rest] of rows) {
    const values = rest.slice(0, own.length);
    const key = rest.slice(own.length) as KeyValue[]; // key columns are never null
    const digest = storedDigest(part, { own: values, key, text });
    yield { series, text, own: values, digest, key };
  }
}

/** SQL that gives the whole texts of an older table; one without the key of short texts has none. */
function oldText(db: SqliteConnection, { name, part, shortText }: OldTable): string {
  if (part === 'vintages') return 'text';
  return wholeText({ shortText, key: keyColumnsOf(db, name, part).map((column) => ({ name: column })) });
}
