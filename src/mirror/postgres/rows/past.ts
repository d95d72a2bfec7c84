import type { KeyValue, StoredRow } from '../../api/rows.ts';
import type { RowPage } from '../../api/selection.ts';
import type { PastSelection } from '../../core/as-of/past.ts';
import { rowsAt } from '../../core/as-of/past-batch.ts';
import type { PastQuestion } from '../../core/as-of/past-conditions.ts';
import { horizonSelect } from '../../core/as-of/past-horizon.ts';
import { asKnownBy, inForceCount, inForceSelect } from '../../core/as-of/past-in-force.ts';
import { rowVersionsInOrder } from '../../core/as-of/past-listed.ts';
import { momentOf } from '../../core/as-of/past-row.ts';
import { type PageTuple, rowMaker } from '../../core/page.ts';
import { keyOfRowVersion, type RowVersionTuple } from '../../core/row-versions.ts';
import { keyId } from '../../core/rows.ts';
import { columnNamesOf, type Table } from '../../core/tables.ts';
import { keyOfVintage, type VintageTuple, vintageColumns } from '../../core/vintages.ts';
import type { ServerConnection } from '../connection.ts';
import type { ServerTimes } from './clock.ts';
import { readUndone } from './undone.ts';
import { unnestOf } from './unnest.ts';

/** Texts that are in memory at a time. */
const PORTION = 1000;

/** What a read of the past stands on. */
export interface PastRowPosition {
  readonly connection: ServerConnection;
  readonly times: ServerTimes;
  readonly table: Table;
  readonly series: number;
}

/**
 * Rows as they were known at a moment, in answer order, in portions: where rows list their vintages these decide what was in
 * force; everywhere else a text tells it by itself. Who has enough stops.
 */
export async function* pastRows(
  place: PastRowPosition,
  selection: PastSelection,
  options: { readonly after?: readonly KeyValue[]; readonly page?: RowPage } = {},
): AsyncGenerator<readonly StoredRow[]> {
  const { connection, times, table, series } = place;
  await times.learnMoment(selection.asOf.at);
  const moment = momentOf(selection.asOf, times, await readUndone(connection, series));
  const question = { series, selection, moment, ...(options.after && { after: options.after }) };
  if (table.vintages === undefined) yield* inForceRows(place, question, options.page);
  else yield* listedRows(place, { ...question, selection }, options.page?.reverse === true);
}

/** One page of such rows, or all of them. */
export async function pastPage(
  place: PastRowPosition,
  selection: PastSelection,
  page?: RowPage,
): Promise<readonly StoredRow[]> {
  const { limit = Number.POSITIVE_INFINITY, offset = 0 } = page ?? {};
  if (limit < 1) return [];
  // Rows that are found by conditions are a page already.
  const isPage = place.table.vintages === undefined;
  const [from, to] = isPage ? [0, limit] : [offset, offset + limit];
  const found: StoredRow[] = [];
  for await (const rows of pastRows(place, selection, page ? { page } : {})) {
    found.push(...rows);
    if (found.length >= to) break;
  }
  return found.slice(from, to);
}

export async function pastCount(place: PastRowPosition, selection: PastSelection): Promise<number> {
  const { connection, times, table, series } = place;
  if (table.vintages !== undefined) {
    let counted = 0;
    for await (const rows of pastRows(place, selection)) counted += rows.length;
    return counted;
  }
  await times.learnMoment(selection.asOf.at);
  const question = { series, selection, moment: momentOf(selection.asOf, times, await readUndone(connection, series)) };
  const [row] = await connection.tuples<[number]>(inForceCount(table, question));
  return row?.[0] ?? 0;
}

async function* inForceRows(
  { connection, times, table }: PastRowPosition,
  question: PastQuestion,
  page: RowPage | undefined,
): AsyncGenerator<readonly StoredRow[]> {
  const seen = table.key.length + table.columns.length;
  const { sql, values } = inForceSelect(
    table,
    question,
    page ? { end: ' limit ? offset ?', reverse: page.reverse === true } : {},
  );
  const limits = page ? [page.limit, page.offset] : [];
  const makeRow = rowMaker(table, times.at);
  for await (const tuples of connection.portions<PageTuple>({ sql, values: [...values, ...limits] }, PORTION)) {
    await times.learn(tuples.map((tuple) => Number(tuple[seen])));
    yield tuples.map((tuple) => asKnownBy(table, makeRow(tuple), question.moment.commit));
  }
}

async function* listedRows(
  place: PastRowPosition,
  question: PastQuestion & { readonly selection: PastSelection },
  reverse: boolean,
): AsyncGenerator<readonly StoredRow[]> {
  const { connection, times, table } = place;
  const { moment, selection } = question;
  const [first] = await connection.tuples<KeyValue[]>(horizonSelect(table, question, reverse));
  if (!first) return;
  const texts = rowVersionsInOrder(table, { ...question, [reverse ? 'to' : 'from']: first }, reverse);
  for await (const tuples of wholeRows(connection.portions<RowVersionTuple>(texts, PORTION))) {
    const listed = await vintagesOf(place, tuples);
    await times.learn([...tuples.flatMap(commitsIn), ...listed.commits]);
    yield rowsAt(table, { tuples, listedOf: listed.of }, { moment, clock: times, selection });
  }
}

/** Portions that end with the last text of a row. */
async function* wholeRows(
  portions: AsyncIterable<readonly RowVersionTuple[]>,
): AsyncGenerator<readonly RowVersionTuple[]> {
  let begun: readonly RowVersionTuple[] = [];
  for await (const portion of portions) {
    const all = [...begun, ...portion];
    const last = rowId(all.at(-1));
    const end = all.findIndex((tuple) => rowId(tuple) === last);
    if (end > 0) yield all.slice(0, end);
    begun = all.slice(end);
  }
  if (begun.length > 0) yield begun;
}

/** The commits that brought, refreshed and ended a text. */
export const commitsIn = ([ended, seen, refreshed]: RowVersionTuple): (number | null)[] => [ended, seen, refreshed];

const rowId = (tuple: RowVersionTuple | undefined) => tuple && keyId(keyOfRowVersion(tuple));

/** The vintages that some rows listed, by row. */
async function vintagesOf({ connection, table, series }: PastRowPosition, tuples: readonly RowVersionTuple[]) {
  const keys = [...new Map(tuples.map((tuple) => [rowId(tuple), keyOfRowVersion(tuple)])).values()];
  const values = unnestOf(table.key, keys);
  const rows = await connection.tuples<VintageTuple>({
    sql: `select ${vintageColumns(table)} from ${table.vintages} where series = ? and (${columnNamesOf(table.key).join(', ')}) in
      (select ${values.names} from ${values.sql} as input(${values.names}))`,
    values: [series, ...values.values],
  });
  const byRow = Map.groupBy(rows, (vintage) => keyId(keyOfVintage(vintage)));
  return {
    of: (key: readonly KeyValue[]): readonly VintageTuple[] => byRow.get(keyId(key)) ?? [],
    commits: rows.map(([, , , seen]) => seen),
  };
}
