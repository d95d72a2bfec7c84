import type { KeyValue, RowDifference, RowPage, StoredRow } from '../api/series.ts';
import { isDifferent } from '../rules/as-of/known-vintages.ts';
import {
  asKnownBy,
  horizonSelect,
  inForceCount,
  inForceSelect,
  isSelected,
  type PastQuestion,
  rowVersionCondition,
  rowVersionsInOrder,
} from '../rules/as-of/past-conditions.ts';
import { momentOf, type PastMoment } from '../rules/as-of/past-row.ts';
import { byRow, listedInOrder, type PastSelection, rowThen, withoutLastRow } from '../rules/as-of/past-stored.ts';
import { commitsOfTimeline } from '../rules/as-of/timeline.ts';
import { undoneIn, undoneSelect } from '../rules/as-of/undone.ts';
import { compareKeys } from '../rules/columns.ts';
import { orderOf, rowMaker, type Where } from '../rules/select.ts';
import type { Table } from '../rules/tables.ts';
import {
  keyOfRowVersion,
  type RowVersionTuple,
  VINTAGE_KEY,
  type VintageTuple,
  vintageColumns,
} from '../rules/vintages.ts';
import { type EngineWork, type Place, together, wait } from './engine.ts';

/** Texts that are read at a time at first, and rows that are compared at a time. */
const PORTION = 1000;
/** Texts read at first besides the requested ones: some rows had several texts, some were not known. */
const SPARE = 16;

type Asked = Omit<PastQuestion, 'moment' | 'series'> & { readonly selection: PastSelection };

/** Rows as known at a moment, by their vintages where they list any. `after`: only rows behind a key. */
export function* pastRows(
  place: Place,
  selection: PastSelection,
  page?: RowPage,
  after?: readonly KeyValue[],
): EngineWork<readonly StoredRow[]> {
  const { limit = Number.POSITIVE_INFINITY, offset = 0, reverse = false } = page ?? {};
  if (limit < 1) return [];
  const asked: Asked = { selection, ...(after && { after }) };
  if (place.table.vintages === undefined) return yield* inForceRows(place, asked, page);
  const end = offset + limit;
  return (yield* listedRows(place, asked, { reverse, end })).slice(offset, end);
}

export function* pastCount(place: Place, selection: PastSelection): EngineWork<number> {
  const { engine, table, series } = place;
  if (table.vintages !== undefined) return (yield* listedRows(place, { selection }, WHOLE)).length;
  const moment = yield* momentAt(place, selection);
  const [row] = yield* wait(engine.tuples<[number]>(inForceCount(table, { series, selection, moment })));
  return row?.[0] ?? 0;
}

export function* momentAt({ engine, series }: Place, { asOf }: PastSelection): EngineWork<PastMoment> {
  const { times } = engine;
  const undone = engine.tuples<[number, string]>(undoneSelect(series));
  const [found] = yield* together<[readonly [number, string][], undefined]>(undone, times.learnMoment(asOf.at));
  return momentOf(asOf, times, undoneIn(found));
}

/** Rows at a moment without vintages: conditions find the text in force, so a page costs no more than a page. */
function* inForceRows(place: Place, asked: Asked, page?: RowPage): EngineWork<readonly StoredRow[]> {
  const { engine, table, series } = place;
  const moment = yield* momentAt(place, asked.selection);
  const shape = page ? { end: ' limit ? offset ?', reverse: page.reverse === true } : {};
  const { sql, values } = inForceSelect(table, { series, ...asked, moment }, shape);
  const makeRow = rowMaker(table, engine.times.at);
  const select = { sql, values: page ? [...values, page.limit, page.offset] : values };
  const make = (tuple: Parameters<typeof makeRow>[0]) => asKnownBy(table, makeRow(tuple), moment.commit);
  return yield* wait(engine.rows(select, { make, seen: table.key.length + table.columns.length, isPage: false }));
}

/** How rows are read: from which end, and how many are requested. */
interface Way {
  readonly reverse: boolean;
  readonly end: number;
}

const WHOLE: Way = { reverse: false, end: Number.POSITIVE_INFINITY };

/** Rows at a moment with vintages, up to the requested end: reads more texts each time, as `rowThen` drops some. */
function* listedRows(place: Place, asked: Asked, { reverse, end }: Way): EngineWork<readonly StoredRow[]> {
  const { engine, table, series } = place;
  const { times } = engine;
  const moment = yield* momentAt(place, asked.selection);
  let question: PastQuestion = { series, ...asked, moment };
  const rows: StoredRow[] = [];
  for (let texts = Math.min(end + SPARE, PORTION); ; texts *= 2) {
    const { sql, values } = rowVersionsInOrder(table, question, reverse);
    const versions = yield* wait(engine.tuples<RowVersionTuple>({ sql: `${sql} limit ?`, values: [...values, texts] }));
    const isLast = versions.length < texts;
    const tuples = isLast ? versions : withoutLastRow(versions);
    const listed = yield* wait(engine.tuples<VintageTuple>(vintagesOfSame(table, question, { tuples, reverse })));
    yield* wait(times.learn(() => commitsOfTimeline({ texts: tuples, listed })));
    const listedOf = listedInOrder(table, listed, reverse);
    for (const { key, texts: own } of byRow(tuples)) {
      const row = rowThen(table, { key, texts: own, listed: listedOf(key) }, { moment, clock: times });
      if (row && isSelected(table, row, asked.selection)) rows.push(row);
    }
    if (isLast || rows.length >= end) return rows;
    const last = tuples.at(-1);
    // A row that had more texts than were read is read again.
    if (last) question = { ...question, [reverse ? 'before' : 'after']: keyOfRowVersion(last) };
    if (rows.length > 0 || texts > end + SPARE) continue;
    const [first] = yield* wait(engine.tuples<KeyValue[]>(horizonSelect(table, question, reverse)));
    if (!first) return rows;
    question = { ...question, [reverse ? 'to' : 'from']: first };
  }
}

/** The vintages of the rows of some texts in the same order. */
function vintagesOfSame(
  table: Table,
  question: PastQuestion,
  { tuples, reverse }: { readonly tuples: readonly RowVersionTuple[]; readonly reverse: boolean },
): Where {
  const ends = [tuples.at(0), tuples.at(-1)].map((tuple) => tuple && keyOfRowVersion(tuple));
  const [from, to] = reverse ? ends.toReversed() : ends;
  const { sql, values } = rowVersionCondition(table, { ...question, ...(from && { from }), ...(to && { to }) });
  const keys = table.key.map((_, i) => VINTAGE_KEY + i);
  const order = orderOf(keys, table, reverse);
  return { sql: `select ${vintageColumns(table)} from ${table.vintages} where ${sql} order by ${order}`, values };
}

/** The first differences of two states, each in answer order. */
export function* differences(
  place: Place,
  [from, to]: readonly [PastSelection, PastSelection],
  { limit, after }: { readonly limit: number; readonly after?: readonly KeyValue[] },
): EngineWork<readonly RowDifference[]> {
  const states = { left: rowByRow(place, from, after), right: rowByRow(place, to, after) };
  return yield* differencesOf(place.table, states, limit);
}

type Taking = () => EngineWork<StoredRow | undefined>;

export function* differencesOf(
  table: Table,
  { left, right }: { readonly left: Taking; readonly right: Taking },
  limit: number,
): EngineWork<readonly RowDifference[]> {
  const sign = table.direction === 'desc' ? -1 : 1;
  const found: RowDifference[] = [];
  let [before, after] = [yield* left(), yield* right()];
  while ((before || after) && found.length < limit) {
    const order = before && after ? sign * compareKeys(before.key, after.key) : before ? -1 : 1;
    const pair = { before: order <= 0 ? before : undefined, after: order >= 0 ? after : undefined };
    if (isDifferent(table, pair)) found.push({ key: (pair.after ?? pair.before)?.key ?? [], ...pair });
    if (order <= 0) before = yield* left();
    if (order >= 0) after = yield* right();
  }
  return found;
}

/** The rows of a state behind a key, one after the other. */
function rowByRow(place: Place, selection: PastSelection, after: readonly KeyValue[] | undefined): Taking {
  let [rows, next, last]: [readonly StoredRow[], number, typeof after] = [[], 0, after];
  let isDone = false;
  return function* take() {
    if (next === rows.length && !isDone) {
      rows = yield* pastRows(place, selection, { limit: PORTION, offset: 0 }, last);
      next = 0;
      last = rows.at(-1)?.key;
      isDone = rows.length < PORTION;
    }
    next += 1;
    return rows[next - 1];
  };
}
