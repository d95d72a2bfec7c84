import type { Database } from 'better-sqlite3';
import { currentDigest, type Digest, markOf, supersededDigest, vintageDigest } from '../digest.ts';
import type { KeyValue } from '../mirror.ts';
import { addTo, type commitFact, emptySum, type Part, type Sum, sumStatements } from '../sums.ts';

/**
 * Sums of digests for every series, and a mark with every row; rows that are held already are summed as they are found.
 * The tables of data are told by their names: which endpoints there are does not matter here.
 */
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
  const names = db.prepare<[], string>("select name from sqlite_schema where type = 'table'").pluck().all();
  for (const name of names.filter((one) => names.includes(`${one}_superseded`))) {
    sumRows(db, name, { part: 'current', own: OWN, digest: currentOf });
    sumRows(db, `${name}_superseded`, { part: 'superseded', own: [...OWN, 'revision', 'superseded'], digest: endedOf });
    if (names.includes(`${name}_vintages`))
      sumRows(db, `${name}_vintages`, { part: 'vintages', own: VINTAGE, digest: vintageOf });
  }
  sumLedger(db);
}

type Value = KeyValue | null;

interface RowKind {
  readonly part: Part;
  /** Columns, as the digest takes them. */
  readonly own: readonly string[];
  readonly digest: (own: readonly Value[], key: readonly KeyValue[], text: string) => Digest;
}

const OWN = ['seen', 'refreshed', 'keyed', 'assumed_release'];
// Nanoseconds are more than a number holds.
const VINTAGE = ['cast(known as text)', 'value', 'epoch', 'cast(observed_ns as text)', 'seen'];

const whole = (value: Value | undefined): number => Number(value);
const wholeOrNull = (value: Value | undefined): number | null => (value === null ? null : Number(value));
const ownOf = ([seen, refreshed, keyed, assumed]: readonly Value[]) => ({
  seen: whole(seen),
  refreshed: wholeOrNull(refreshed),
  keyed: whole(keyed),
  assumed: wholeOrNull(assumed),
});

const currentOf: RowKind['digest'] = (own, key, text) => currentDigest(key, ownOf(own), text);

const endedOf: RowKind['digest'] = (own, key, text) => {
  const [revision, superseded] = own.slice(4).map(whole);
  return supersededDigest(key, { ...ownOf(own), revision: revision ?? 0, superseded: superseded ?? 0 }, text);
};

const vintageOf: RowKind['digest'] = ([known, value, epoch, observed, seen], key, text) =>
  vintageDigest(
    key,
    {
      known: String(known),
      value: String(value),
      epoch: wholeOrNull(epoch),
      observed: observed === null ? null : String(observed),
      seen: whole(seen),
    },
    text,
  );

/** Marks the rows of one table and sums them by series, in one pass that holds no row. */
function sumRows(db: Database, table: string, { part, own, digest }: RowKind): void {
  const taken = new Set(['series', 'revision', ...(part === 'vintages' ? ['known', 'value'] : [])]);
  const key = db
    .prepare<[string], string>('select name from pragma_table_info(?) where pk > 0 order by pk')
    .pluck()
    .all(table)
    .filter((name) => !taken.has(name));
  const sums = new Map<number, Sum>();
  db.function('mark_row', { varargs: true }, (series: number, text: string, ...values: Value[]) => {
    const ofKey = values.slice(own.length).map((value) => value ?? '');
    const made = digest(values.slice(0, own.length), ofKey, text);
    const sum = sums.get(series) ?? emptySum();
    sums.set(series, sum);
    addTo(sum, made);
    return markOf(made);
  });
  const columns = ['series', 'text', ...own, ...key.map((name) => `"${name}"`)];
  db.exec(`alter table "${table}" add column mark integer not null default 0`);
  db.exec(`update "${table}" set mark = mark_row(${columns.join(', ')})`);
  const { set } = sumStatements(db);
  for (const [series, sum] of sums) set(series, part, sum);
}

function sumLedger(db: Database): void {
  const sums = sumStatements(db);
  for (const commit of db.prepare<[], Parameters<typeof commitFact>[0]>('select * from commits').all())
    sums.addCommit(commit);
  for (const id of db.prepare<[], number>('select id from series').pluck().all()) {
    sums.sealSeries(id);
    sums.sealProofs(id);
  }
  sums.sealStamp();
}
