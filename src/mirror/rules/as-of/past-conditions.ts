import { patchRow } from '../../../contract/json/body.ts';
import type { ColumnValues, KeyValue, Selection, StoredRow } from '../../api/series.ts';
import { orderOf, pageColumns, type Where, whereOf } from '../select.ts';
import { columnNamesOf, releaseColumn, type Table } from '../tables.ts';
import { ROW_VERSION_KEY, rowVersionColumns } from '../vintages.ts';
import { undoneConditions } from './dated.ts';
import type { PastMoment } from './past-row.ts';

/** Which rows, by their keys in the order of the answer: all of them where nothing is said. */
export interface KeyBounds {
  readonly from?: readonly KeyValue[];
  /** Only rows behind it. */
  readonly after?: readonly KeyValue[];
  readonly to?: readonly KeyValue[];
  /** Only rows before it. */
  readonly before?: readonly KeyValue[];
}

/** The query for the rows of one series at a moment. */
export interface PastQuestion extends KeyBounds {
  readonly series: number;
  readonly selection: Selection;
  readonly moment: PastMoment;
}

/** The columns and the order of a select of rows in force, key columns first. */
export interface InForceShape {
  readonly list?: string;
  readonly end?: string;
  readonly reverse?: boolean;
}

/**
 * Conditions for the text in force of a row without vintages: committed, not ended and released by then. For the
 * public, also the first text of a row first seen later.
 */
export function inForceConditions(table: Table, question: PastQuestion) {
  const { moment } = question;
  const { commit, undone } = moment;
  const base = conditionsOf(table, question.selection, question);
  if (moment.by !== 'public')
    return {
      superseded: and(base, 'seen <= ? and superseded > ?', [commit, commit]),
      current: and(base, 'seen <= ?', [commit]),
    };
  const release = releaseColumn(table);
  const seconds = Number(moment.ns / 1_000_000_000n);
  const released = { sql: `(${release} is null or ${release} <= ?)`, values: [seconds] };
  const { hidden, goesOn } = undoneConditions(table, undone);
  const same = (name: string) =>
    ['series', ...columnNamesOf(table.key)].map((column) => `past.${column} = ${name}.${column}`).join(' and ');
  /** The public knew no earlier text of the row among the texts that meet a condition. */
  const isFirst = (name: string, more: string): Where => ({
    sql: `not exists (select 1 from ${table.superseded} as past where ${same(name)}${more} and not ${hidden('past.').sql})`,
    values: hidden('past.').values,
  });
  const first = isFirst(table.superseded, ` and past.revision < ${table.superseded}.revision`);
  const only = isFirst(table.current, '');
  const early = `${release} is not null`;
  return {
    superseded: whole(base, [
      released,
      { sql: `not ${hidden('').sql}`, values: hidden('').values },
      {
        sql: `((seen <= ? and (superseded > ? or ${goesOn(commit).sql})) or (seen > ? and ${early} and ${first.sql}))`,
        values: [commit, commit, ...goesOn(commit).values, commit, ...first.values],
      },
    ]),
    current: whole(base, [
      released,
      { sql: `(seen <= ? or (${early} and ${only.sql}))`, values: [commit, ...only.values] },
    ]),
  };
}

/** The condition for everything about the rows of a window; what of it was in force their vintages decide. */
export function rowVersionCondition(table: Table, question: PastQuestion): Where {
  const { from, to } = question.selection;
  return conditionsOf(table, { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }, question);
}

/** The conditions of a stage that are left to the row as it was known. */
export function isSelected({ mapping }: Table, row: StoredRow, { where, releasedBy }: Selection): boolean {
  for (const [name, value] of Object.entries(where ?? {})) if (row.columns[name] !== value) return false;
  if (releasedBy === undefined || mapping.release === undefined) return true;
  const release = row.columns[mapping.release];
  return typeof release !== 'number' || release <= releasedBy;
}

function conditionsOf(table: Table, selection: Selection, { series, ...bounds }: PastQuestion): Where {
  const [onward, back] = table.direction === 'desc' ? ['<', '>'] : ['>', '<'];
  const operators = { from: `${onward}=`, after: onward, to: `${back}=`, before: back } as const;
  const key = columnNamesOf(table.key);
  let where = whereOf(table, series, selection);
  for (const name of BOUNDS) {
    const bound = bounds[name];
    if (!bound) continue;
    where = and(where, `(${key.join(', ')}) ${operators[name]} (${bound.map(() => '?').join(', ')})`, bound);
    // SQLite looks up no tuples in an index with a descending column: its first column bounds the search.
    if (key.length > 1) where = and(where, `${key[0]} ${operators[name][0]}= ?`, bound.slice(0, 1));
  }
  return where;
}

const BOUNDS = ['from', 'after', 'to', 'before'] as const satisfies readonly (keyof KeyBounds)[];

function whole(base: Where, parts: readonly Where[]): Where {
  return parts.reduce((all, { sql, values }) => and(all, sql, values), base);
}

function and({ sql, values }: Where, more: string, bound: readonly KeyValue[]): Where {
  return { sql: `${sql} and ${more}`, values: [...values, ...bound] };
}

export function inForceSelect(
  table: Table,
  question: PastQuestion,
  { list = pageColumns(table), end = '', reverse = false }: InForceShape = {},
): Where {
  const { superseded, current } = inForceConditions(table, question);
  const ordinals = table.key.map((_, i) => i + 1);
  return {
    sql: `select ${list} from ${table.superseded} where ${superseded.sql}
      union all select ${list} from ${table.current} where ${current.sql} order by ${orderOf(ordinals, table, reverse)}${end}`,
    values: [...superseded.values, ...current.values],
  };
}

export function inForceCount(table: Table, question: PastQuestion): Where {
  const { superseded, current } = inForceConditions(table, question);
  const of = (name: string, where: Where) => `(select count(*) from ${name} where ${where.sql})`;
  return {
    sql: `select ${of(table.superseded, superseded)} + ${of(table.current, current)}`,
    values: [...superseded.values, ...current.values],
  };
}

/** A text describes its neighbours as of the commit that brought it. */
export function asKnownBy({ dependent, withoutDependent }: Table, row: StoredRow, commit: number): StoredRow {
  if (row.commit <= commit || dependent.size === 0) return row;
  return { ...row, text: patchRow(row.text, withoutDependent) };
}

/** The texts of the rows that are asked for, in the order of the answer. */
export function rowVersionsInOrder(table: Table, question: PastQuestion, reverse?: boolean): Where {
  const { sql, values } = rowVersionCondition(table, question);
  const { superseded, current } = rowVersionColumns(table);
  const keys = table.key.map((_, i) => ROW_VERSION_KEY + i);
  return {
    sql: `select ${superseded} from ${table.superseded} where ${sql}
      union all select ${current} from ${table.current} where ${sql} order by ${orderOf(keys, table, reverse)}`,
    values: [...values, ...values],
  };
}

/** Columns by name; one without any value is none. */
export function columnsBy<N extends string>(
  names: readonly N[],
  listOf: (name: N, place: number) => readonly (KeyValue | null)[],
): ColumnValues<N> {
  const entries = names.map((name, place) => {
    const list = listOf(name, place);
    return [name, list.some((value) => value !== null) ? list : undefined];
  });
  return Object.fromEntries(entries);
}

/** Selects the first key that may have been known at a moment, so that old questions skip what came since. */
export function horizonSelect(table: Table, question: PastQuestion, reverse = false): Where {
  const base = rowVersionCondition(table, question);
  const keys = columnNamesOf(table.key).join(', ');
  const first = `order by ${orderOf(columnNamesOf(table.key), table, reverse)} limit 1`;
  const { text, vintage } = mayBeKnown(table, question.moment);
  const candidates = [
    { from: table.superseded, ...text(table.superseded) },
    { from: table.current, ...text(table.current) },
    ...(table.vintages && vintage ? [{ from: table.vintages, ...vintage }] : []),
  ];
  const selects = candidates.map(
    ({ from, sql }, i) =>
      `select * from (select ${keys} from ${from} where ${base.sql} and (${sql}) ${first}) as candidate_${i}`,
  );
  return {
    sql: `select ${keys} from (${selects.join(' union all ')}) as candidates ${first}`,
    values: candidates.flatMap(({ values }) => [...base.values, ...values]),
  };
}

/** Conditions for all that `datedOf` can date up to a moment: a text that states its own time is always read. */
function mayBeKnown(table: Table, { by, ns, commit }: PastMoment) {
  const captured = { sql: 'observed_ns <= cast(? as bigint)', values: [String(ns)] };
  if (by === 'mirrored') return { text: () => ({ sql: 'seen <= ?', values: [commit] }), vintage: undefined };
  if (by === 'captured')
    return {
      text: (name: string) => ({ sql: `seen <= ? or not ${hasListed(table, name)}`, values: [commit] }),
      vintage: captured,
    };
  const release = releaseColumn(table);
  const seconds = Number(ns / 1_000_000_000n);
  return {
    text: () => ({ sql: `seen <= ? or ${release} is null or ${release} <= ?`, values: [commit, seconds] }),
    vintage: { sql: `epoch <= ? or ${captured.sql}`, values: [seconds, ...captured.values] },
  };
}

/** A text that came with vintages lends them nothing of its own. */
function hasListed({ vintages, key }: Table, name: string): string {
  const same = ['series', ...columnNamesOf(key), 'seen'].map((column) => `listed.${column} = ${name}.${column}`);
  return `exists (select 1 from ${vintages} as listed where ${same.join(' and ')})`;
}
