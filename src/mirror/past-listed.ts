import type { Reading } from './history.ts';
import type { ColumnValues, KeyValue, StoredRow } from './mirror.ts';
import { orderOf } from './page.ts';
import type { PastReader, PastSelection } from './past.ts';
import { type PastQuestion, stageCondition } from './past-conditions.ts';
import { horizonSelect } from './past-horizon.ts';
import { listedInOrder, rowsAt, withoutLastRow } from './past-portion.ts';
import { momentOf } from './past-row.ts';
import { columnOf, type Where } from './select.ts';
import { keyOfStage, STAGE_KEY, type StageTuple, stageColumns } from './stages.ts';
import type { Table } from './tables.ts';
import { VINTAGE_KEY, type VintageTuple, vintageColumns } from './vintages.ts';

/** Texts that are in memory at a time. */
const PORTION = 1000;
/** Texts that are read at first besides the wanted ones: some rows had several, some were not known. */
const SPARE = 16;

/**
 * Rows as they were known at a moment, where rows list their vintages. Walk: from the first row that may have been known
 * the texts of both tables in the order of the answer, some at a time; all of one row together with its vintages; `rowThen`
 * decides what was in force. Read as far as somebody takes them, so a page costs the rows up to its end.
 */
export function listedReader({ statements, clock }: Reading, table: Table): PastReader {
  const all = <Row extends unknown[]>({ sql, values }: Where, end = '', ...more: readonly number[]) =>
    statements.raw<Row>(`${sql}${end}`).all(...values, ...more);

  /** The texts of whole rows, about as many rows at a time as are still wanted. */
  function* textsOf(question: PastQuestion, { reverse, wanted }: Way): Generator<readonly StageTuple[]> {
    let [bound, isStuck, size] = [{}, false, 0];
    for (let spare = SPARE; ; spare *= 2) {
      // A row may have had more texts than a portion has.
      size = isStuck ? 2 * size : Math.min(wanted() + spare, PORTION);
      const told = all<StageTuple>(stagesInOrder(table, { ...question, ...bound }, reverse), ' limit ?', size);
      const whole = told.length < size ? told : withoutLastRow(told);
      if (whole.length > 0) yield whole;
      if (told.length < size) return;
      const last = whole.at(-1);
      isStuck = last === undefined;
      if (last) bound = { [reverse ? 'before' : 'after']: keyOfStage(last) };
    }
  }

  function* read(question: Omit<PastQuestion, 'moment'> & { readonly selection: PastSelection }, way: Way) {
    const { selection } = question;
    const moment = momentOf(selection.asOf, clock);
    const [first] = all<KeyValue[]>(horizonSelect(table, { ...question, moment }, way.reverse));
    if (!first) return;
    const asked = { ...question, moment, [way.reverse ? 'to' : 'from']: first };
    for (const tuples of textsOf(asked, way)) {
      const listed = all<VintageTuple>(vintagesOfSame(table, asked, { tuples, ...way }));
      yield* rowsAt(
        table,
        { tuples, listedOf: listedInOrder(table, listed, way.reverse) },
        { moment, clock, selection },
      );
    }
  }

  return {
    iterate: (series, selection, after) => read({ series, selection, ...(after && { after }) }, WHOLE),
    page(series, selection, page) {
      const { limit = Number.POSITIVE_INFINITY, offset = 0, reverse = false } = page ?? {};
      const taken: StoredRow[] = [];
      const end = offset + limit;
      let place = 0;
      if (limit < 1) return taken;
      for (const row of read({ series, selection }, { reverse, wanted: () => end - place })) {
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

/** How rows are read. */
interface Way {
  /** From the other end. */
  readonly reverse: boolean;
  /** How many rows somebody still wants. */
  wanted(): number;
}

const WHOLE: Way = { reverse: false, wanted: () => Number.POSITIVE_INFINITY };

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

/** The vintages of the rows of some texts in the same order. */
function vintagesOfSame(
  table: Table,
  question: PastQuestion,
  { tuples, reverse }: { tuples: readonly StageTuple[]; reverse: boolean },
): Where {
  const ends = [tuples.at(0), tuples.at(-1)].map((tuple) => tuple && keyOfStage(tuple));
  const [from, to] = reverse ? ends.toReversed() : ends;
  const { sql, values } = stageCondition(table, { ...question, ...(from && { from }), ...(to && { to }) });
  const keys = table.key.map((_, i) => VINTAGE_KEY + i);
  const order = orderOf(keys, table, reverse);
  return { sql: `select ${vintageColumns(table)} from ${table.vintages} where ${sql} order by ${order}`, values };
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
