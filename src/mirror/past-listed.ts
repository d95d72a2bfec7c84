import type { CommitClock } from './commit-clock.ts';
import type { Connection } from './connect.ts';
import { datedOf } from './dated.ts';
import type { Reading } from './history.ts';
import type { ColumnValues, KeyValue, StoredRow } from './mirror.ts';
import { orderOf } from './page.ts';
import type { PastReader, PastSelection } from './past.ts';
import { isSelected, type PastQuestion, stageCondition } from './past-conditions.ts';
import { type Moment, momentOf, pastRow } from './past-row.ts';
import { compareKeys, keyId } from './rows.ts';
import { columnOf, type Where } from './select.ts';
import { STAGE_KEY, type Stage, type StageTuple, stageColumns, stageOf } from './stages.ts';
import type { Table } from './tables.ts';
import { type KeptVintage, VINTAGE_KEY, type VintageTuple, vintageColumns, vintageFrom } from './vintages.ts';

/**
 * Rows as they were known at a moment, where rows list their vintages. Walk: the texts of both tables in the order of the
 * answer; all of one row together with its vintages; `pastRow` decides which was in force. Read one row after the other,
 * so a page costs the rows up to its end.
 */
export function listedReader(db: Connection, { clock }: Reading, table: Table): PastReader {
  function* read(
    series: number,
    selection: PastSelection,
    { after, reverse }: { after?: StoredRow['key'] | undefined; reverse?: boolean | undefined } = {},
  ): Generator<StoredRow> {
    const moment = momentOf(selection.asOf, clock);
    const stages = stagesInOrder(table, { series, selection, moment, ...(after && { after }) }, reverse);
    const { sql, values } = vintagesOfSame(table, { series, selection, moment, ...(after && { after }) }, reverse);
    // A statement serves one iteration at a time, so these are not shared.
    const iterate = <Row extends unknown[]>(text: string, ...bound: readonly KeyValue[]) =>
      db
        .prepare<unknown[], Row>(text)
        .raw()
        .iterate(...bound);
    const tuples = iterate<StageTuple>(stages.sql, ...stages.values);
    const listed = vintagesInOrder(
      iterate<VintageTuple>(sql, ...values),
      (table.direction === 'desc') === (reverse === true) ? 1 : -1,
    );
    try {
      yield* rowsAt(table, { tuples, listedOf: listed.of }, { moment, clock, selection });
    } finally {
      listed.end();
    }
  }

  return {
    iterate: (series, selection, after) => read(series, selection, { after }),
    page(series, selection, page) {
      const { limit = Number.POSITIVE_INFINITY, offset = 0, reverse } = page ?? {};
      const taken: StoredRow[] = [];
      let place = 0;
      if (limit < 1) return taken;
      for (const row of read(series, selection, { reverse })) {
        place += 1;
        if (place <= offset) continue;
        taken.push(row);
        if (taken.length >= limit) break;
      }
      return taken;
    },
    columns(series, selection, names) {
      for (const name of names) columnOf(table, name);
      const rows = [...read(series, selection)];
      return columnsBy(names, (name) => rows.map(({ columns }) => columns[name] ?? null));
    },
    count(series, selection) {
      let counted = 0;
      for (const _ of read(series, selection)) counted += 1;
      return counted;
    },
  };
}

/** The texts of the rows that are asked for, in the order of the answer. */
export function stagesInOrder(table: Table, question: PastQuestion, reverse?: boolean): Where {
  const { sql, values } = stageCondition(table, question);
  const { superseded, current } = stageColumns(table);
  const keys = table.key.map((_, i) => STAGE_KEY + i);
  return {
    sql: `select ${superseded} from ${table.superseded} where ${sql}
      union all select ${current} from ${table.current} where ${sql} order by ${orderOf(keys, table, reverse)}`,
    values: [...values, ...values],
  };
}

/** The vintages of the same rows in the same order. */
function vintagesOfSame(table: Table, question: PastQuestion, reverse?: boolean): Where {
  const { sql, values } = stageCondition(table, question);
  const keys = table.key.map((_, i) => VINTAGE_KEY + i);
  const order = orderOf(keys, table, reverse);
  return { sql: `select ${vintageColumns(table)} from ${table.vintages} where ${sql} order by ${order}`, values };
}

/** The rows as they were known at a moment, by the texts that each had and the vintages that it listed. */
export function* rowsAt(
  table: Table,
  read: { readonly tuples: Iterable<StageTuple>; listedOf(key: readonly KeyValue[]): readonly KeptVintage[] },
  { moment, clock, selection }: { moment: Moment; clock: CommitClock; selection: PastSelection },
): Generator<StoredRow> {
  for (const stages of byRow(table, read.tuples)) {
    const dated = datedOf(table, { stages, listed: read.listedOf(stages[0].key) }, clock);
    const row = pastRow(table, { stages, dated }, { moment, clock });
    if (row && isSelected(table, row, selection)) yield row;
  }
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

/** Vintages of rows that are asked for in their order, read as far as somebody asks. */
function vintagesInOrder(tuples: IterableIterator<VintageTuple>, sign: 1 | -1) {
  const read = () => {
    const { value, done } = tuples.next();
    return done ? undefined : vintageFrom(value);
  };
  let next = read();
  return {
    of(key: readonly KeyValue[]): readonly KeptVintage[] {
      const found: KeptVintage[] = [];
      for (; next && sign * compareKeys(next.key, key) <= 0; next = read())
        if (compareKeys(next.key, key) === 0) found.push(next);
      return found;
    },
    end: () => void tuples.return?.(),
  };
}

type Stages = [Stage, ...Stage[]];

/** The texts of one row after the other, each row's in the order of commits. */
function* byRow(table: Table, tuples: Iterable<StageTuple>): Generator<Stages> {
  let stages: Stages | undefined;
  for (const tuple of tuples) {
    const stage = stageOf(table, tuple);
    if (stages && keyId(stages[0].key) === keyId(stage.key)) {
      stages.push(stage);
      continue;
    }
    if (stages) yield sorted(stages);
    stages = [stage];
  }
  if (stages) yield sorted(stages);
}

function sorted(stages: Stages): Stages {
  return stages.sort((a, b) => a.seen - b.seen);
}
