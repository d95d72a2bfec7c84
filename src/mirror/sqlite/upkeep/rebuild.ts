import type { Mapping } from '../../../contract/mapping.ts';
import { MacroError } from '../../../errors.ts';
import { addTo, emptySum, type RowPart, type Sum, sumText } from '../../core/sums.ts';
import { createTables, quote, tableOf } from '../../core/tables.ts';
import type { LedgerSchema } from '../../ledger/ledger.ts';
import { keptIn } from '../../verify/sums.ts';
import { BUSY_TIMEOUT, closingOnError, connectForReading } from '../connect.ts';
import type { SqliteConnection } from '../database-file.ts';
import { translating } from '../failures.ts';
import { assertIntegrity } from '../integrity.ts';
import { dropViews, renewViews } from '../rows/fit-views.ts';
import { sumStatements } from '../rows/sums.ts';
import { requireKept } from '../schema-match.ts';
import { keyColumnsOf, partsOf } from '../stored-digest.ts';
import { alone, connectForUpkeep } from './connect.ts';
import { newRowWriter } from './new-rows.ts';
import { type OldRow, oldRows, oldText } from './old-rows.ts';

export interface RebuildAsk {
  readonly path: string;
  /** Mappings by endpoint id. */
  readonly mappings: Readonly<Record<string, Mapping>>;
  readonly onTable?: (table: string) => void;
}

/** What became of one table. */
export interface RebuiltTable {
  readonly table: string;
  readonly rows: number;
  /** Rows that have no place in the new table: they stay in an old one of this name. */
  readonly left: number;
  readonly old: string | undefined;
}

/**
 * Makes the tables of data anew from the stored texts, by the mappings of this program. Walk, for each table in one
 * transaction: what is stored must add up, for otherwise the new sums would hide what was altered; the old tables step
 * aside; their rows, read through a second connection that still sees them in place, are written with the keys and
 * columns that the mapping takes from their texts; the sums are those of the new rows. An old table goes only when every
 * row of it has found its place.
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
    requireKept(db, table, path);
    const parts = partsOf(db, mapping.table);
    dropViews(db, table);
    const aside = parts.map(([part, name]) => ({ part, name, old: stepAside(db, name) }));
    for (const statement of createTables(table)) db.exec(statement);
    const rebuilt = aside.map(({ part, name, old: put }) => {
      const before = { name, part, shortText: table.shortText };
      const names = keyColumnsOf(old, name, part);
      const write = newRowWriter(db, { table, part, before: names });
      const { rows, left } = refill(path, { ...before, rows: oldRows(old, before, names) }, { db, write });
      // Nobody knows later how texts of a table that is left were kept short.
      const end = left === 0 ? `drop table ${quote(put)}` : `update ${quote(put)} set text = ${oldText(old, before)}`;
      db.exec(end);
      return { table: name, rows, left, old: left === 0 ? undefined : put };
    });
    renewViews(db, table);
    return rebuilt;
  });
  return alone(path, () => work.immediate());
}

/** Gives a table another name, one that is free. */
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
  const { set } = sumStatements(db);
  const noted = db.prepare<[number], LedgerSchema['sums']>('select * from sums where series = ?');
  for (const [series, sum] of before) {
    const kept = keptIn(noted.all(series))(part);
    if (kept.rows !== sum.rows || kept.text !== sumText(sum)) throw altered(path, name);
    set(series, part, sumOf(after, series));
  }
  return counts;
}

function sumOf(sums: Map<number, Sum>, series: number): Sum {
  const sum = sums.get(series) ?? emptySum();
  sums.set(series, sum);
  return sum;
}

function altered(path: string, table: string): MacroError {
  return new MacroError('verification', `The rows of ${table} in the mirror ${path} are not those that were kept.`, {
    code: 'mirror_altered',
    hint: 'Nothing was rebuilt, for that would hide it. Run macro mirror verify, and restore a backup.',
  });
}
