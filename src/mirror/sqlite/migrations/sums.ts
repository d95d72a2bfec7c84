import type { Database } from 'better-sqlite3';
import type { KeyValue } from '../../api/rows.ts';
import { markOf } from '../../core/digest.ts';
import { addTo, emptySum, noChecksumChange, type RowPart, type Sum, sumOf } from '../../core/sums.ts';
import { quote } from '../../core/tables.ts';
import { commitFact } from '../../ledger/facts.ts';
import { sumStatements } from '../rows/sums.ts';
import { dataTables, keyColumnsOf, OWN_SELECTED, type OwnColumns, partsOf, storedDigest } from '../stored-digest.ts';

/** Sums of digests for every series, and a mark with every row; rows that are stored already are summed as they are found. */
export function createSums(db: Database): void {
  db.exec(`
    create table sums (
      series integer not null,
      part text not null,
      rows integer not null,
      sum text not null,
      primary key (series, part)
    ) strict, without rowid;

    alter table proofs add column commit_number integer;
    alter table proofs add column held integer;
  `);
  for (const table of dataTables(db)) for (const [part, name] of partsOf(db, table)) sumRows(db, name, part);
  sumLedger(db);
}

/** Marks the rows of one table and sums them by series, in one pass that holds no row. */
function sumRows(db: Database, table: string, part: RowPart): void {
  const own = OWN_SELECTED[part];
  const sums = new Map<number, Sum>();
  db.function('mark_row', { varargs: true }, (series: number, text: string, ...values: OwnColumns) => {
    const key = values.slice(own.length) as KeyValue[]; // key columns are never null
    const digest = storedDigest(part, { own: values.slice(0, own.length), key, text });
    const sum = sums.get(series) ?? emptySum();
    sums.set(series, sum);
    addTo(sum, digest);
    return markOf(digest);
  });
  const columns = ['series', 'text', ...own, ...keyColumnsOf(db, table, part).map(quote)];
  db.exec(`alter table ${quote(table)} add column mark integer not null default 0`);
  db.exec(`update ${quote(table)} set mark = mark_row(${columns.join(', ')})`);
  const { set } = sumStatements(db);
  for (const [series, sum] of sums) set(series, part, sum);
}

function sumLedger(db: Database): void {
  const sums = sumStatements(db);
  for (const commit of db.prepare<[], Parameters<typeof commitFact>[0]>('select * from commits').all())
    sums.move(commit.series, { ...noChecksumChange(), commits: sumOf([commitFact(commit)]) });
  for (const id of db.prepare<[], number>('select id from series').pluck().all()) {
    sums.sealSeries(id);
    sums.sealProofs(id);
  }
  sums.sealStamp();
}
