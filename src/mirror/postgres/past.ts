import type { KeyValue, RowPage, StoredRow } from '../api/series.ts';
import type { CommitClock } from '../rules/as-of/dated.ts';
import {
  asKnownBy,
  horizonSelect,
  inForceCount,
  inForceSelect,
  type PastQuestion,
  rowVersionsInOrder,
} from '../rules/as-of/past-conditions.ts';
import { momentOf } from '../rules/as-of/past-row.ts';
import { type PastSelection, rowsAt } from '../rules/as-of/past-stored.ts';
import { type UndoneDates, undoneIn, undoneSelect } from '../rules/as-of/undone.ts';
import { keyId } from '../rules/columns.ts';
import { type PageTuple, rowMaker, type Where } from '../rules/select.ts';
import { columnNamesOf, remember, type Shared, type Table } from '../rules/tables.ts';
import {
  keyOfRowVersion,
  keyOfVintage,
  type RowVersionTuple,
  type VintageTuple,
  vintageColumns,
} from '../rules/vintages.ts';
import { anyOf, type ServerConnection, unnestOf } from './connection.ts';

/** Texts that are in memory at a time. */
const PORTION = 1000;

/** What a read of the past stands on. */
export interface PastRowPosition {
  readonly connection: ServerConnection;
  readonly times: ServerTimes;
  readonly table: Table;
  readonly series: number;
}

const MAX_TIMES = 100_000;

/** When commits were, as far as they were asked for: commits never change, so all reads share what they learnt. */
export interface ServerTimes extends CommitClock {
  /** Reads the times of some commits. */
  learn(commits: Iterable<number | null>): Promise<void>;
  /** Reads those of the commits that brought some rows. */
  learnSeen(rows: Where): Promise<void>;
  /** Finds the last commit at or before a moment, which `lastBy` then knows. */
  learnMoment(at: number): Promise<void>;
}

/**
 * Rows at a moment in answer order, in batches, by their vintages where listed, else by their texts. Readers may stop.
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

/** The times that one read needs. */
export function createTimes(
  { ledger, tuples }: ServerConnection,
  { commitTimes }: Pick<Shared, 'commitTimes'>,
): ServerTimes {
  const known = new Map<number, number>();
  const moments = new Map<number, number>();
  const note = (number: number, at: number) => {
    known.set(number, at);
    remember(commitTimes, number, at, MAX_TIMES);
  };
  return {
    at: (commit) => known.get(commit) ?? 0,
    lastBy: (at) => moments.get(at) ?? 0,
    async learn(commits) {
      const unknown: number[] = [];
      for (const commit of new Set(commits)) {
        if (commit === null || known.has(commit)) continue;
        const at = commitTimes.get(commit);
        if (at === undefined) unknown.push(commit);
        else known.set(commit, at);
      }
      if (unknown.length === 0) return;
      const rows = await ledger
        .selectFrom('commits')
        .select(['number', 'at'])
        .where('number', '=', anyOf(unknown))
        .execute();
      for (const { number, at } of rows) note(number, at);
    },
    async learnSeen({ sql, values }) {
      const select = `select number, at from commits where number in (select seen from (${sql}) as rows)`;
      for (const [number, at] of await tuples<[number, number]>({ sql: select, values })) note(number, at);
    },
    async learnMoment(at) {
      if (moments.has(at)) return;
      const row = await ledger
        .selectFrom('commits')
        .select('number')
        .where('at', '<=', at)
        .orderBy('at', 'desc')
        .orderBy('number', 'desc')
        .limit(1)
        .executeTakeFirst();
      moments.set(at, row?.number ?? 0);
    },
  };
}

/** Gives what was taken back of the imports of a series. */
export async function readUndone(connection: ServerConnection, series: number): Promise<readonly UndoneDates[]> {
  return undoneIn(await connection.tuples<[number, string]>(undoneSelect(series)));
}
