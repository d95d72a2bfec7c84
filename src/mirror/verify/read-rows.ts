import type { Connection } from '../connect.ts';
import type { KeyValue } from '../mirror.ts';
import { namesOf, type Table } from '../tables.ts';

/** Whose rows. */
export interface Place {
  readonly table: Table;
  readonly series: number;
}

export type Values = readonly (KeyValue | null)[];
type OwnTuple = [
  seen: number,
  refreshed: number | null,
  keyed: number,
  assumed: number | null,
  mark: number,
  text: string,
];
/** A current row: its own columns, key, typed columns. */
export type CurrentTuple = [...OwnTuple, ...rest: Values];
export type SupersededTuple = [revision: number, superseded: number, ...CurrentTuple];
export type VintageTuple = [
  known: string,
  value: string,
  epoch: number | null,
  observed: string | null,
  seen: number,
  mark: number,
  text: string,
  ...key: KeyValue[],
];

const OWN = 'seen, refreshed, keyed, assumed_release, mark, text';

export function currentRows(db: Connection, { table, series }: Place): Iterable<CurrentTuple> {
  const rest = [...namesOf(table.key), ...namesOf(table.columns)].join(', ');
  return select(db, `select ${OWN}, ${rest} from ${table.current} where series = ?`, series);
}

export function supersededRows(db: Connection, { table, series }: Place): Iterable<SupersededTuple> {
  const rest = [...namesOf(table.key), ...namesOf(table.columns)].join(', ');
  return select(db, `select revision, superseded, ${OWN}, ${rest} from ${table.superseded} where series = ?`, series);
}

export function vintageRows(db: Connection, { table, series }: Place): Iterable<VintageTuple> {
  if (table.vintages === undefined) return [];
  const exact = 'cast(known as text), value, epoch, cast(observed_ns as text), seen, mark, text';
  return select(
    db,
    `select ${exact}, ${namesOf(table.key).join(', ')} from ${table.vintages} where series = ?`,
    series,
  );
}

function select<Tuple>(db: Connection, sql: string, series: number): Iterable<Tuple> {
  return db.prepare(sql).raw().iterate(series) as Iterable<Tuple>; // as the caller selects
}
