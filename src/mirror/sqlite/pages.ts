import { type JsonText, readJson } from '../../contract/json/json.ts';
import type { ColumnValues, KeyValue, RowPage, Selection, StoredRow } from '../api/series.ts';
import type { CommitClock } from '../rules/as-of/dated.ts';
import {
  asKnownBy,
  columnsBy,
  horizonSelect,
  type InForceShape,
  inForceCount,
  inForceSelect,
  type PastQuestion,
  rowVersionCondition,
  rowVersionsInOrder,
} from '../rules/as-of/past-conditions.ts';
import { momentOf } from '../rules/as-of/past-row.ts';
import { listedInOrder, type PastSelection, rowsAt, withoutLastRow } from '../rules/as-of/past-stored.ts';
import { type UndoneDates, undoneIn, undoneSelect } from '../rules/as-of/undone.ts';
import type { Prepared, RowPosition } from '../rules/columns.ts';
import { addTo, markOf, vintageDigest } from '../rules/digest.ts';
import { columnOf, orderOf, type PageTuple, pageSelects, rowMaker, type Where } from '../rules/select.ts';
import { columnNamesOf, type Table } from '../rules/tables.ts';
import {
  keyOfRowVersion,
  knownAt,
  listedVintages,
  type RowVersionTuple,
  type StoredVintage,
  VINTAGE_KEY,
  type VintageTuple,
  vintageColumns,
  vintageFrom,
} from '../rules/vintages.ts';
import type { SqliteConnection, Statements } from './database-file.ts';

/** Texts that are in memory at a time. */
const PORTION = 1000;
/** Texts that are read at first besides the wanted ones: some rows had several, some were not known. */
const SPARE = 16;

/** What reading the past needs of a connection. */
export interface HistoryTables {
  readonly statements: Statements;
  readonly clock: CommitClock;
}

/** Rows of one table as they were known at a moment. */
export interface PastReader {
  /** One after the other in answer order, read as far as somebody takes them. */
  iterate(series: number, selection: PastSelection, after?: readonly KeyValue[]): Generator<StoredRow>;
  page(series: number, selection: PastSelection, page?: RowPage): readonly StoredRow[];
  columns<N extends string>(series: number, selection: PastSelection, names: readonly N[]): ColumnValues<N>;
  count(series: number, selection: PastSelection): number;
}

/** Where rows list their vintages these decide what was in force; everywhere else a text tells it by itself. */
export function pastReader(db: SqliteConnection, reading: HistoryTables, table: Table): PastReader {
  return table.vintages === undefined ? inForceReader(db, reading, table) : listedReader(reading, table);
}

/** Rows at a moment without vintages: conditions find the text in force, so a page costs no more than a page. */
function inForceReader(db: SqliteConnection, { statements, clock }: HistoryTables, table: Table): PastReader {
  const undoneOf = undoneReader(statements);
  const makeRow = rowMaker(table, clock.at);
  const selectOf = (question: PastQuestion, shape?: InForceShape) => inForceSelect(table, question, shape);
  const asKnown = (row: StoredRow, commit: number) => asKnownBy(table, row, commit);

  return {
    *iterate(series, selection, after) {
      const moment = momentOf(selection.asOf, clock, undoneOf(series));
      const { sql, values } = selectOf({ series, selection, moment, ...(after && { after }) });
      // A statement serves one iteration at a time, so this one is not shared.
      for (const tuple of db
        .prepare<unknown[], PageTuple>(sql)
        .raw()
        .iterate(...values))
        yield asKnown(makeRow(tuple), moment.commit);
    },
    page(series, selection, page) {
      const moment = momentOf(selection.asOf, clock, undoneOf(series));
      const { sql, values } = selectOf(
        { series, selection, moment },
        page ? { end: ' limit ? offset ?', reverse: page.reverse === true } : {},
      );
      return statements
        .raw<PageTuple>(sql)
        .all(...values, ...(page ? [page.limit, page.offset] : []))
        .map((tuple) => asKnown(makeRow(tuple), moment.commit));
    },
    columns(series, selection, names) {
      const quoted = names.map((name) => columnOf(table, name));
      const keys = columnNamesOf(table.key).map((name, i) => `${name} as key_${i}`);
      const list = [...keys, ...quoted].join(', ');
      const moment = momentOf(selection.asOf, clock, undoneOf(series));
      const { sql: inner, values } = selectOf({ series, selection, moment }, { list });
      return readColumns(statements, { names, quoted, inner, values });
    },
    count(series, selection) {
      const { sql, values } = inForceCount(table, {
        series,
        selection,
        moment: momentOf(selection.asOf, clock, undoneOf(series)),
      });
      return statements.raw<[number]>(sql).get(...values)?.[0] ?? 0;
    },
  };
}

/** Rows at a moment with vintages: reads texts of both tables in order, as far as they are taken; `rowThen` decides. */
export function listedReader({ statements, clock }: HistoryTables, table: Table): PastReader {
  const undoneOf = undoneReader(statements);
  const all = <Row extends unknown[]>({ sql, values }: Where, end = '', ...more: readonly number[]) =>
    statements.raw<Row>(`${sql}${end}`).all(...values, ...more);

  function* read(question: Asked, { reverse, rowLimit }: Way): Generator<StoredRow> {
    const moment = momentOf(question.selection.asOf, clock, undoneOf(question.series));
    let position = { ...question, moment };
    let size = 0;
    let isStuck = false;
    for (let spare = SPARE; ; spare *= 2) {
      // A row may have had more texts than are read at a time.
      size = isStuck ? 2 * size : Math.min(rowLimit() + spare, PORTION);
      const versions = all<RowVersionTuple>(rowVersionsInOrder(table, position, reverse), ' limit ?', size);
      const tuples = versions.length < size ? versions : withoutLastRow(versions);
      const rows = rowsOf(position, { tuples, reverse });
      yield* rows;
      if (versions.length < size) return;
      const last = tuples.at(-1);
      isStuck = last === undefined;
      if (last) position = { ...position, [reverse ? 'before' : 'after']: keyOfRowVersion(last) };
      if (spare > SPARE || rows.length > 0 || isStuck) continue;
      const [first] = all<KeyValue[]>(horizonSelect(table, position, reverse));
      if (!first) return;
      position = { ...position, [reverse ? 'to' : 'from']: first };
    }
  }

  function rowsOf(
    question: Asked & PastQuestion,
    { tuples, reverse }: { tuples: readonly RowVersionTuple[]; reverse: boolean },
  ) {
    const { moment, selection } = question;
    if (tuples.length === 0) return [];
    const listed = all<VintageTuple>(vintagesOfSame(table, question, { tuples, reverse }));
    return rowsAt(table, { tuples, listedOf: listedInOrder(table, listed, reverse) }, { moment, clock, selection });
  }

  return {
    iterate: (series, selection, after) => read({ series, selection, ...(after && { after }) }, WHOLE),
    page(series, selection, page) {
      const { limit = Number.POSITIVE_INFINITY, offset = 0, reverse = false } = page ?? {};
      const taken: StoredRow[] = [];
      const end = offset + limit;
      let place = 0;
      if (limit < 1) return taken;
      for (const row of read({ series, selection }, { reverse, rowLimit: () => end - place })) {
        place += 1;
        if (place > offset) taken.push(row);
        if (place >= end) break;
      }
      return taken;
    },
    columns(series, selection, names) {
      for (const name of names) columnOf(table, name);
      const rows = [...read({ series, selection }, WHOLE)];
      return columnsBy(names, (name) => rows.map(({ columns }) => columns[name] ?? null));
    },
    count(series, selection) {
      let counted = 0;
      for (const _ of read({ series, selection }, WHOLE)) counted += 1;
      return counted;
    },
  };
}

type Asked = Omit<PastQuestion, 'moment'> & { readonly selection: PastSelection };

/** How rows are read. */
interface Way {
  /** From the other end. */
  readonly reverse: boolean;
  /** How many rows somebody still wants. */
  rowLimit(): number;
}

const WHOLE: Way = { reverse: false, rowLimit: () => Number.POSITIVE_INFINITY };

/** The vintages of the rows of some texts in the same order. */
function vintagesOfSame(
  table: Table,
  question: PastQuestion,
  { tuples, reverse }: { tuples: readonly RowVersionTuple[]; reverse: boolean },
): Where {
  const ends = [tuples.at(0), tuples.at(-1)].map((tuple) => tuple && keyOfRowVersion(tuple));
  const [from, to] = reverse ? ends.toReversed() : ends;
  const { sql, values } = rowVersionCondition(table, { ...question, ...(from && { from }), ...(to && { to }) });
  const keys = table.key.map((_, i) => VINTAGE_KEY + i);
  const order = orderOf(keys, table, reverse);
  return { sql: `select ${vintageColumns(table)} from ${table.vintages} where ${sql} order by ${order}`, values };
}

/** Gives what was taken back of the imports of a series. */
export function undoneReader(statements: Statements): (series: number) => readonly UndoneDates[] {
  return (series) => {
    const { sql, values } = undoneSelect(series);
    return undoneIn(statements.raw<[number, string]>(sql).all(...values));
  };
}

/** Columns of what an inner select gives in its order. One text a column crosses the driver's border, not thousands of arrays. */
function readColumns<N extends string>(
  statements: Statements,
  parts: {
    readonly names: readonly N[];
    readonly quoted: readonly string[];
    readonly inner: string;
    readonly values: readonly KeyValue[];
  },
): ColumnValues<N> {
  const lists = parts.quoted.map((name) => `iif(count(${name}) = 0, null, json_group_array(${name}))`);
  const outer = `select ${lists.join(', ')} from (${parts.inner})`;
  const texts = statements.raw<(string | null)[]>(outer).get(...parts.values);
  const entries = parts.names.map((name, i) => [name, readJson(texts?.[i] ?? 'null') ?? undefined]);
  return Object.fromEntries(entries);
}

/** Reads current rows of one table: pages in answer order, and counts. */
export function pageReader(statements: Statements, table: Table, seenAt: (commit: number) => number) {
  const storedRow = rowMaker(table, seenAt);
  const selectOf = pageSelects(table);

  return {
    rows(series: number, selection: Selection, page?: RowPage): readonly StoredRow[] {
      const { sql, values } = selectOf.rows(series, selection, page);
      const statement = statements.raw<PageTuple>(sql);
      if (page) return statement.all(...values).map(storedRow);
      // Of a whole history the driver's own arrays would all be there at once.
      return Array.from(statement.iterate(...values), storedRow);
    },
    /** In one call: what crosses the driver's border is a list of texts. */
    texts(series: number, selection: Selection): readonly JsonText[] {
      const { sql, values } = selectOf.texts(series, selection);
      return statements.single<JsonText>(sql).all(...values);
    },
    columns<N extends string>(series: number, selection: Selection, names: readonly N[]): ColumnValues<N> {
      const quoted = names.map((name) => columnOf(table, name));
      const { sql: inner, values } = selectOf.columns(series, selection, quoted);
      return readColumns(statements, { names, quoted, inner, values });
    },
    count(where: Where): number {
      const { sql, values } = selectOf.count(where);
      return statements.raw<[number]>(sql).get(...values)?.[0] ?? 0;
    },
  };
}

export type PageReader = ReturnType<typeof pageReader>;

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
  return ({ sql, values }: Where): readonly StoredVintage[] =>
    statements
      .raw<VintageTuple>(`${select} ${sql}`)
      .all(...values)
      .map(vintageFrom);
}
