import type { KeyValue, RowDifference, RowPage, StoredRow } from '../api/series.ts';
import { isDifferent } from '../rules/as-of/history.ts';
import {
  asKnownBy,
  horizonSelect,
  inForceCount,
  inForceSelect,
  type PastQuestion,
  rowVersionCondition,
  rowVersionsInOrder,
} from '../rules/as-of/past-conditions.ts';
import { momentOf, type PastMoment } from '../rules/as-of/past-row.ts';
import { listedInOrder, type PastSelection, rowsAt, withoutLastRow } from '../rules/as-of/past-stored.ts';
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

/** Texts that are in memory at a time. */
const PORTION = 1000;
/** Texts read at first besides the requested ones: some rows had several texts, some were not known. */
const SPARE = 16;

type Asked = Omit<PastQuestion, 'moment' | 'series'> & { readonly selection: PastSelection };

/** Gives the next rows, undefined at their end. Who stops asking reads no more of them. */
type RowStream = () => EngineWork<readonly StoredRow[] | undefined>;

/** Rows as they were known at a moment, in answer order: by their vintages where they list any, else by their texts. */
export function* pastRows(place: Place, selection: PastSelection, page?: RowPage): EngineWork<readonly StoredRow[]> {
  const { limit = Number.POSITIVE_INFINITY, offset = 0, reverse = false } = page ?? {};
  if (limit < 1) return [];
  if (place.table.vintages === undefined) return yield* inForceRows(place, { selection }, page);
  const end = offset + limit;
  const rows: StoredRow[] = [];
  const next = yield* listedRows(place, { selection }, { reverse, rowLimit: () => end - rows.length });
  for (let some = yield* next(); some && rows.length < end; some = rows.length < end ? yield* next() : undefined)
    for (const row of some) rows.push(row);
  return rows.slice(offset, end);
}

export function* pastCount(place: Place, selection: PastSelection): EngineWork<number> {
  const { engine, table, series } = place;
  if (table.vintages !== undefined) {
    const next = yield* listedRows(place, { selection }, WHOLE);
    let counted = 0;
    for (let some = yield* next(); some; some = yield* next()) counted += some.length;
    return counted;
  }
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

/** How rows are read. */
interface Way {
  /** From the other end. */
  readonly reverse: boolean;
  /** How many rows somebody still wants. */
  rowLimit(): number;
}

const WHOLE: Way = { reverse: false, rowLimit: () => Number.POSITIVE_INFINITY };

/** Rows at a moment with vintages: reads texts of both tables in order, as far as they are taken; `rowThen` decides. */
function* listedRows(place: Place, asked: Asked, { reverse, rowLimit }: Way): EngineWork<RowStream> {
  const { engine, table, series } = place;
  const moment = yield* momentAt(place, asked.selection);
  let position: PastQuestion & Asked = { series, ...asked, moment };
  let size = 0;
  let spare = SPARE;
  let isStuck = false;
  let isDone = false;

  function* goOn(isFound: boolean, last: RowVersionTuple | undefined): EngineWork<void> {
    isStuck = last === undefined;
    if (last) position = { ...position, [reverse ? 'before' : 'after']: keyOfRowVersion(last) };
    const isFirst = spare === SPARE;
    spare *= 2;
    if (!isFirst || isFound || isStuck) return;
    const [first] = yield* wait(engine.tuples<KeyValue[]>(horizonSelect(table, position, reverse)));
    if (first) position = { ...position, [reverse ? 'to' : 'from']: first };
    else isDone = true;
  }

  return function* next() {
    if (isDone) return undefined;
    // A row may have had more texts than are read at a time.
    size = isStuck ? 2 * size : Math.min(rowLimit() + spare, PORTION);
    const { sql, values } = rowVersionsInOrder(table, position, reverse);
    const versions = yield* wait(engine.tuples<RowVersionTuple>({ sql: `${sql} limit ?`, values: [...values, size] }));
    isDone = versions.length < size;
    const tuples = isDone ? versions : withoutLastRow(versions);
    const rows = yield* rowsOf(place, position, { tuples, reverse });
    if (!isDone) yield* goOn(rows.length > 0, tuples.at(-1));
    return rows;
  };
}

interface Texts {
  readonly tuples: readonly RowVersionTuple[];
  readonly reverse: boolean;
}

function* rowsOf(
  { engine, table }: Place,
  question: PastQuestion & Asked,
  { tuples, reverse }: Texts,
): EngineWork<readonly StoredRow[]> {
  if (tuples.length === 0) return [];
  const { times } = engine;
  const { moment, selection } = question;
  const listed = yield* wait(engine.tuples<VintageTuple>(vintagesOfSame(table, question, { tuples, reverse })));
  yield* wait(times.learn(() => commitsOfTimeline({ texts: tuples, listed })));
  const listedOf = listedInOrder(table, listed, reverse);
  return rowsAt(table, { tuples, listedOf }, { moment, clock: times, selection });
}

/** The vintages of the rows of some texts in the same order. */
function vintagesOfSame(table: Table, question: PastQuestion, { tuples, reverse }: Texts): Where {
  const ends = [tuples.at(0), tuples.at(-1)].map((tuple) => tuple && keyOfRowVersion(tuple));
  const [from, to] = reverse ? ends.toReversed() : ends;
  const { sql, values } = rowVersionCondition(table, { ...question, ...(from && { from }), ...(to && { to }) });
  const keys = table.key.map((_, i) => VINTAGE_KEY + i);
  const order = orderOf(keys, table, reverse);
  return { sql: `select ${vintageColumns(table)} from ${table.vintages} where ${sql} order by ${order}`, values };
}

/** The rows of a state behind a key, as far as they are taken. */
function* statesBehind(place: Place, selection: PastSelection, after?: readonly KeyValue[]): EngineWork<RowStream> {
  let asked: Asked = { selection, ...(after && { after }) };
  if (place.table.vintages !== undefined) return yield* listedRows(place, asked, WHOLE);
  let isDone = false;
  return function* next() {
    if (isDone) return undefined;
    const rows = yield* inForceRows(place, asked, { limit: PORTION, offset: 0 });
    const last = rows.at(-1);
    isDone = rows.length < PORTION;
    if (last) asked = { selection, after: last.key };
    return rows;
  };
}

/** The first differences of two states, each in answer order. */
export function* differences(
  place: Place,
  [from, to]: readonly [PastSelection, PastSelection],
  { limit, after }: { readonly limit: number; readonly after?: readonly KeyValue[] },
): EngineWork<readonly RowDifference[]> {
  const left = oneByOne(yield* statesBehind(place, from, after));
  const right = oneByOne(yield* statesBehind(place, to, after));
  return yield* differencesOf(place.table, { left, right }, limit);
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

function oneByOne(next: RowStream): Taking {
  let rows: readonly StoredRow[] = [];
  let place = 0;
  return function* take() {
    while (place === rows.length) {
      const more = yield* next();
      if (!more) return undefined;
      [rows, place] = [more, 0];
    }
    place += 1;
    return rows[place - 1];
  };
}
