import type { KeyValue } from '../api/mirror.ts';
import type { Where } from '../core/select.ts';
import { wholeText } from '../core/short-text.ts';
import { columnNamesOf, type Table } from '../core/tables.ts';

/** Whose rows. */
export interface CheckedPosition {
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
export type CheckedVintage = [
  known: string,
  value: string,
  epoch: number | null,
  observed: string | null,
  seen: number,
  mark: number,
  text: string,
  ...key: KeyValue[],
];

const ownColumns = (table: Table): string => `seen, refreshed, keyed, assumed_release, mark, ${wholeText(table)}`;

/** Selects of the three tables of a series, as the tuples above have them. */
export function currentRows({ table, series }: CheckedPosition): Where {
  const rest = [...columnNamesOf(table.key), ...columnNamesOf(table.columns)].join(', ');
  return { sql: `select ${ownColumns(table)}, ${rest} from ${table.current} where series = ?`, values: [series] };
}

export function supersededRows({ table, series }: CheckedPosition): Where {
  const rest = [...columnNamesOf(table.key), ...columnNamesOf(table.columns)].join(', ');
  return {
    sql: `select revision, superseded, ${ownColumns(table)}, ${rest} from ${table.superseded} where series = ?`,
    values: [series],
  };
}

export function vintageRows({ table, series }: CheckedPosition): Where {
  const exact = 'cast(known as text), value, epoch, cast(observed_ns as text), seen, mark, text';
  return {
    sql: `select ${exact}, ${columnNamesOf(table.key).join(', ')} from ${table.vintages} where series = ?`,
    values: [series],
  };
}
