import { markOf, vintageDigest } from '../../core/digest.ts';
import type { Prepared, RowPosition } from '../../core/rows.ts';
import type { Where } from '../../core/select.ts';
import { addTo } from '../../core/sums.ts';
import { columnNamesOf, type Table } from '../../core/tables.ts';
import {
  type KeptVintage,
  knownAt,
  listedVintages,
  type VintageTuple,
  vintageColumns,
  vintageFrom,
} from '../../core/vintages.ts';
import type { SqliteConnection } from '../database-file.ts';
import type { Statements } from '../statements.ts';

/** Keeps the vintages that rows list, each once however often it comes. */
export function vintageWriter(db: SqliteConnection, table: Table) {
  const { vintages: member } = table.mapping;
  if (table.vintages === undefined || member === undefined) return () => {};
  const names = [
    'series',
    ...columnNamesOf(table.key),
    'known',
    'value',
    'epoch',
    'observed_ns',
    'seen',
    'mark',
    'text',
  ];
  const insert = db.prepare(
    `insert or ignore into ${table.vintages} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
  );
  return ({ series, checksum }: RowPosition, { key, row }: Prepared, commit: number) => {
    for (const listed of listedVintages(member, row.text)) {
      const { epoch = null, observed = null, value, text } = listed;
      const known = knownAt(listed);
      const exact = { known: String(known), observed: observed === null ? null : String(observed) };
      const digest = vintageDigest(key, { ...exact, value, epoch, seen: commit }, text);
      const { changes } = insert.run(series, ...key, known, value, epoch, observed, commit, markOf(digest), text);
      if (changes > 0) addTo(checksum.vintages, digest);
    }
  };
}

/** Reads the kept vintages of some keys. */
export function vintageReader(statements: Statements, table: Table) {
  if (table.vintages === undefined) return () => [];
  const select = `select ${vintageColumns(table)} from ${table.vintages} where`;
  return ({ sql, values }: Where): readonly KeptVintage[] =>
    statements
      .raw<VintageTuple>(`${select} ${sql}`)
      .all(...values)
      .map(vintageFrom);
}
