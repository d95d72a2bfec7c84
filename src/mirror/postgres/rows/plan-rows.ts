import type { KeyValue, PageCommit } from '../../api/mirror.ts';
import {
  type Candidate,
  NOTHING_VANISHED,
  saysNothingOfOthers,
  type Vanished,
  vanishedAmong,
  vanishQueries,
} from '../../core/commit/vanish.ts';
import type { RowStore } from '../../core/commit/write-rows.ts';
import { keyId, type Prepared, type StoredText } from '../../core/rows.ts';
import type { Checksum } from '../../core/sums.ts';
import { columnNamesOf, type Table } from '../../core/tables.ts';
import type { ServerConnection } from '../connection.ts';
import {
  type Brought,
  type Confirmed,
  confirmRows,
  type EndedRows,
  insertRows,
  type Key,
  keepVintages,
  type ListedKeys,
  moveEnded,
  type Refreshed,
  refreshRows,
  sameKey,
} from './row-changes.ts';
import { batchesOf, unnestOf } from './unnest.ts';

export interface RowPlan {
  /** Where the decisions are taken: it answers from what was read, and keeps what is to be written. */
  readonly store: RowStore;
  /** Writes what was decided, and moves the sums with it. */
  write(checksum: Checksum): Promise<void>;
}

/**
 * Reads everything that deciding about the rows of a page takes: those that are stored under its keys, and those that it may
 * say are gone.
 */
export async function planRows(
  connection: ServerConnection,
  table: Table,
  { replaced, ...question }: Asked & { readonly replaced: readonly Key[] },
): Promise<RowPlan> {
  const { series } = question;
  const near = await heldNear(connection, table, { ...question, replaced });
  const isEmpty = near.size === 0 && (await isWithoutRows(connection, table, series));
  const isSilent = isEmpty || saysNothingOfOthers(question.commit, near);
  const vanished = isSilent ? NOTHING_VANISHED : await findVanished(connection, table, question);
  const far = vanished.gone.filter((key) => !near.has(keyId(key)));
  const stored = new Map([...near, ...(await heldTexts(connection, table, { series, keys: far }))]);
  // What is to be done with the rows, decided one by one and then written all at once.
  const ended: EndedRows[] = [];
  const refreshed: Refreshed[] = [];
  const confirmed: Confirmed[] = [];
  const added: Brought[] = [];
  const listing: ListedKeys[] = [];
  const store: RowStore = {
    table,
    rows: {
      isEmpty: () => isEmpty,
      get: (_, key) => stored.get(keyId(key)),
      between: () => near,
      insert(_, rows, context) {
        for (const row of rows) added.push({ row, ...context });
      },
      refresh: (_, row, context) => void refreshed.push({ row, ...context }),
      confirm: (_, key, text) => void confirmed.push({ key, stored: text }),
      supersede: (_, key, context) => void ended.push({ key, ...context }),
    },
    keepVintages: (_, row, number) => void listing.push({ row, commit: number }),
    findVanished: () => vanished,
  };
  return {
    store,
    async write(checksum) {
      const to = { connection, table, series: question.series, checksum };
      for (const part of batchesOf(ended)) await moveEnded(to, part);
      for (const part of batchesOf(refreshed)) await refreshRows(to, part);
      for (const part of batchesOf(confirmed)) await confirmRows(to, part);
      for (const part of batchesOf(added)) await insertRows(to, part);
      for (const part of batchesOf(listing)) await keepVintages(to, part);
    },
  };
}

async function findVanished(
  connection: ServerConnection,
  table: Table,
  { series, rows, commit }: { series: number; rows: readonly Prepared[]; commit: PageCommit },
): Promise<Vanished> {
  const candidates: (readonly Candidate[])[] = [];
  for (const query of vanishQueries(table)(series, rows, commit))
    candidates.push(await connection.tuples<[0 | 1, ...KeyValue[]]>(query));
  return vanishedAmong(candidates, rows, commit);
}

interface Asked {
  readonly series: number;
  readonly rows: readonly Prepared[];
  readonly commit: PageCommit;
}

async function isWithoutRows(connection: ServerConnection, table: Table, series: number): Promise<boolean> {
  const any = { sql: `select 1 from ${table.current} where series = ? limit 1`, values: [series] };
  return (await connection.tuples(any)).length === 0;
}

/**
 * The stored rows among which those of a page belong: of a page that lists what there is the whole stretch, else those under
 * its keys; and those that it replaces.
 */
async function heldNear(
  connection: ServerConnection,
  table: Table,
  { series, rows, commit, replaced }: Asked & { readonly replaced: readonly Key[] },
): Promise<ReadonlyMap<string | number, StoredText>> {
  const [a, b] = [rows.at(0)?.key[0], rows.at(-1)?.key[0]];
  if (commit.extent === 'adds' || a === undefined || b === undefined)
    return heldTexts(connection, table, { series, keys: [...rows.map(({ key }) => key), ...replaced] });
  const [first] = columnNamesOf(table.key);
  const range = await connection.tuples<HeldTuple>({
    sql: `select ${heldColumns(table)} from ${table.current} as held where series = ? and ${first} >= ? and ${first} <= ?`,
    values: [series, ...(a < b ? [a, b] : [b, a])],
  });
  return new Map([...range.map(heldFrom), ...(await heldTexts(connection, table, { series, keys: replaced }))]);
}

type HeldTuple = [
  text: string,
  seen: number,
  refreshed: number | null,
  keyed: 0 | 1,
  assumed: number | null,
  ...KeyValue[],
];

const heldColumns = (table: Table): string =>
  [
    'text',
    'seen',
    'refreshed',
    'keyed',
    'assumed_release',
    ...columnNamesOf(table.key).map((key) => `held.${key}`),
  ].join(', ');

function heldFrom([text, seen, refreshed, keyed, assumed, ...key]: HeldTuple): readonly [string | number, StoredText] {
  return [keyId(key), { text, seen, refreshed, keyed, assumed }];
}

async function heldTexts(
  connection: ServerConnection,
  table: Table,
  { series, keys }: { series: number; keys: readonly Key[] },
): Promise<ReadonlyMap<string | number, StoredText>> {
  const found = new Map<string | number, StoredText>();
  for (const part of batchesOf(keys)) {
    const values = unnestOf(table.key, part);
    const rows = await connection.tuples<HeldTuple>({
      sql: `select ${heldColumns(table)}
        from ${values.sql} as input(${values.names}) join ${table.current} as held on ${sameKey(table, 'held')}`,
      values: [...values.values, series],
    });
    for (const [id, stored] of rows.map(heldFrom)) found.set(id, stored);
  }
  return found;
}
