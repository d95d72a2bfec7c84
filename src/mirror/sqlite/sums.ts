import type { KeyValue } from '../api/series.ts';
import {
  currentDigest,
  currentMarks,
  type Digest,
  markOf,
  type OwnValues,
  type RowPart,
  supersededDigest,
  vintageDigest,
} from '../rules/digest.ts';
import type { SqliteConnection } from './database-file.ts';

export type OwnColumns = readonly (KeyValue | null)[];

const OWN = ['seen', 'refreshed', 'keyed', 'assumed_release'];

/** The mirror's own columns that a digest takes, as they are selected: nanoseconds are more than a number holds. */
export const OWN_SELECTED: Readonly<Record<RowPart, readonly string[]>> = {
  current: OWN,
  superseded: [...OWN, 'revision', 'superseded'],
  vintages: ['cast(known as text)', 'value', 'epoch', 'cast(observed_ns as text)', 'seen'],
};

/** Digest of a row that was read from a table, whatever its mapping. `own` is in the order of `OWN_SELECTED`. */
export function storedDigest(
  part: RowPart,
  { own, key, text }: { own: OwnColumns; key: readonly KeyValue[]; text: string },
): Digest {
  if (part === 'vintages') {
    const [known, value, epoch, observed, seen] = own;
    const exact = { known: String(known), value: String(value), observed: orNull(observed, String) };
    return vintageDigest(key, { ...exact, epoch: orNull(epoch, Number), seen: Number(seen) }, text);
  }
  const [, , , assumed, revision, superseded] = own;
  if (part === 'current') return currentDigest(key, orNull(assumed, Number), text);
  const ended = { revision: Number(revision), superseded: Number(superseded) };
  return supersededDigest(key, { ...ownOf(own), assumed: orNull(assumed, Number), ...ended }, text);
}

export function storedMark(part: RowPart, digest: Digest, own: OwnColumns): number {
  return part === 'current' ? currentMarks(ownOf(own))(digest) : markOf(digest);
}

function ownOf([seen, refreshed, keyed]: OwnColumns): OwnValues {
  return { seen: Number(seen), refreshed: orNull(refreshed, Number), keyed: Number(keyed) };
}

function orNull<T>(value: KeyValue | null | undefined, as: (value: KeyValue) => T): T | null {
  return value === null || value === undefined ? null : as(value);
}

/** Columns of the key that are not those of every endpoint's table. */
export function keyColumnsOf(db: SqliteConnection, table: string, part: RowPart): readonly string[] {
  const shared = part === 'vintages' ? ['series', 'known', 'value'] : ['series', 'revision'];
  return db
    .prepare<[string], string>('select name from pragma_table_info(?) where pk > 0 order by pk')
    .pluck()
    .all(table)
    .filter((name) => !shared.includes(name));
}

/** The data tables of a file, recognised by their names, whichever endpoints there are. */
export function dataTables(db: SqliteConnection): readonly string[] {
  const names = db.prepare<[], string>("select name from sqlite_schema where type = 'table'").pluck().all();
  return names.filter((name) => names.includes(`${name}_superseded`));
}

/** The tables of one endpoint that a file has, by part. */
export function partsOf(db: SqliteConnection, table: string): readonly (readonly [RowPart, string])[] {
  const exists = db.prepare("select 1 from sqlite_schema where type = 'table' and name = ?");
  const all = [
    ['current', table],
    ['superseded', `${table}_superseded`],
    ['vintages', `${table}_vintages`],
  ] as const;
  return all.filter(([, name]) => exists.get(name) !== undefined);
}
