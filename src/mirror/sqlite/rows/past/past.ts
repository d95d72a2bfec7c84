import type { KeyValue, StoredRow } from '../../../api/rows.ts';
import type { PastSelection } from '../../../core/as-of/past.ts';
import { listedInOrder, rowsAt, withoutLastRow } from '../../../core/as-of/past-batch.ts';
import { type PastQuestion, rowVersionCondition } from '../../../core/as-of/past-conditions.ts';
import { horizonSelect } from '../../../core/as-of/past-horizon.ts';
import { asKnownBy, type InForceShape, inForceCount, inForceSelect } from '../../../core/as-of/past-in-force.ts';
import { columnsBy, rowVersionsInOrder } from '../../../core/as-of/past-listed.ts';
import { momentOf } from '../../../core/as-of/past-row.ts';
import { orderOf, type PageTuple, rowMaker } from '../../../core/page.ts';
import { keyOfRowVersion, type RowVersionTuple } from '../../../core/row-versions.ts';
import { columnOf, type Where } from '../../../core/select.ts';
import { columnNamesOf, type Table } from '../../../core/tables.ts';
import { VINTAGE_KEY, type VintageTuple, vintageColumns } from '../../../core/vintages.ts';
import type { SqliteConnection } from '../../database-file.ts';
import { readColumns } from '../page.ts';
import type { HistoryTables, PastReader } from './past-reader.ts';
import { undoneReader } from './undone.ts';

/** Texts that are in memory at a time. */
const PORTION = 1000;
/** Texts that are read at first besides the wanted ones: some rows had several, some were not known. */
const SPARE = 16;

/** Where rows list their vintages these decide what was in force; everywhere else a text tells it by itself. */
export function pastReader(db: SqliteConnection, reading: HistoryTables, table: Table): PastReader {
  return table.vintages === undefined ? inForceReader(db, reading, table) : listedReader(reading, table);
}

/**
 * Rows as they were known at a moment, where no row lists vintages: conditions find the one text of each that was in force,
 * of both tables together in the order of the answer, so that a page costs what a page costs and not what is behind it.
 */
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

/**
 * Rows as they were known at a moment, where rows list their vintages. Walk: the texts of both tables in the order of the
 * answer, some at a time; all of one row together with its vintages; `rowThen` decides what was in force. When the first
 * texts are of no row that was known, go on where one may have been. Read as far as somebody takes them, so a page costs the
 * rows up to its end.
 */
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
