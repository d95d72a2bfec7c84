import type { KeyValue, StoredRow } from '../../api/rows.ts';
import type { Selection } from '../../api/selection.ts';
import { type Where, whereOf } from '../select.ts';
import { columnNamesOf, releaseColumn, type Table } from '../tables.ts';
import { undoneConditions } from './never-public.ts';
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

/** What is asked of the rows of one series at a moment. */
export interface PastQuestion extends KeyBounds {
  readonly series: number;
  readonly selection: Selection;
  readonly moment: PastMoment;
}

/** Conditions on the two tables that hold the texts of rows. */
export interface TwoTables {
  readonly superseded: Where;
  readonly current: Where;
}

/**
 * Conditions for the one text of each row that was in force, where rows list no vintages. Held then: brought by a commit up
 * to the moment and not ended by it, and released by then where it has a release. To the public also the first text of a row
 * that was released by then and that the mirror saw later: no other text of it can be meant.
 */
export function inForceConditions(table: Table, question: PastQuestion): TwoTables {
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
  /** No text of the row that the public knew came before, of those that a condition lets through. */
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
  const key = columnNamesOf(table.key).join(', ');
  let where = whereOf(table, series, selection);
  for (const name of BOUNDS) {
    const bound = bounds[name];
    if (bound) where = and(where, `(${key}) ${operators[name]} (${bound.map(() => '?').join(', ')})`, bound);
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
