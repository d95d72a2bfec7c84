import type { Column } from '../../contract/mapping.ts';
import type { PageCommit } from '../api/page-commit.ts';
import type { KeyValue } from '../api/series.ts';
import { keyId, type Prepared, type StoredText } from '../rules/columns.ts';
import {
  addTo,
  type Checksum,
  currentDigest,
  currentMarks,
  markOf,
  supersededDigest,
  takeFrom,
  vintageDigest,
} from '../rules/digest.ts';
import { columnNamesOf, type Table } from '../rules/tables.ts';
import { knownAt, listedVintages } from '../rules/vintages.ts';
import {
  NOTHING_VANISHED,
  type RowStore,
  saysNothingOfOthers,
  type Vanished,
  vanishedAmong,
  vanishQueries,
} from '../rules/write-rows.ts';
import { batchesOf, type ServerConnection, unnestIdentity, unnestOf } from './connection.ts';

export interface RowPlan {
  /** Where the decisions are taken: it answers from what was read, and keeps what is to be written. */
  readonly store: RowStore;
  /** Writes what was decided, and moves the sums with it. */
  write(checksum: Checksum): Promise<void>;
}

type Key = readonly KeyValue[];

/** A row that is no longer current from a commit on. */
interface EndedRows {
  readonly key: Key;
  readonly stored: StoredText;
  readonly commit: number;
}

/** A row that a commit brings. */
interface Brought {
  readonly row: Prepared;
  readonly commit: number;
  readonly keyed: 0 | 1;
}

type Refreshed = Brought & Pick<EndedRows, 'stored'>;
type Confirmed = Pick<EndedRows, 'key' | 'stored'>;
type ListedKeys = Pick<Brought, 'row' | 'commit'>;

interface Target {
  readonly connection: ServerConnection;
  readonly table: Table;
  readonly series: number;
  readonly checksum: Checksum;
}

/** Reads what a page is compared with: rows under its keys, and rows that it may say are gone. */
export async function planRows(
  connection: ServerConnection,
  table: Table,
  { replaced, ...question }: Asked & { readonly replaced: readonly Key[] },
): Promise<RowPlan> {
  const { series } = question;
  const [near, isEmpty] = await Promise.all([
    storedNear(connection, table, { ...question, replaced }),
    isWithoutRows(connection, table, series),
  ]);
  const isSilent = isEmpty || saysNothingOfOthers(question.commit, near);
  const vanished = isSilent ? NOTHING_VANISHED : await findVanished(connection, table, question);
  const far = vanished.gone.filter((key) => !near.has(keyId(key)));
  const stored = new Map([...near, ...(await storedTexts(connection, table, { series, keys: far }))]);
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
      for (const part of batchesOf(refreshed)) refreshRows(to, part);
      for (const part of batchesOf(confirmed)) confirmRows(to, part);
      for (const part of batchesOf(added)) insertRows(to, part);
      for (const part of batchesOf(listing)) await keepVintages(to, part);
    },
  };
}

async function findVanished(
  connection: ServerConnection,
  table: Table,
  { series, rows, commit }: { series: number; rows: readonly Prepared[]; commit: PageCommit },
): Promise<Vanished> {
  const queries = vanishQueries(table)(series, rows, commit);
  const candidates = queries.map((query) => connection.tuples<[0 | 1, ...KeyValue[]]>(query));
  return vanishedAmong(await Promise.all(candidates), rows, commit);
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

/** Stored rows near a page: the whole range of a listing, else rows under its keys, and replaced ones. */
async function storedNear(
  connection: ServerConnection,
  table: Table,
  { series, rows, commit, replaced }: Asked & { readonly replaced: readonly Key[] },
): Promise<ReadonlyMap<string | number, StoredText>> {
  const [a, b] = [rows.at(0)?.key[0], rows.at(-1)?.key[0]];
  if (commit.extent === 'adds' || a === undefined || b === undefined)
    return storedTexts(connection, table, { series, keys: [...rows.map(({ key }) => key), ...replaced] });
  const [first] = columnNamesOf(table.key);
  const [range, others] = await Promise.all([
    connection.tuples<StoredTuple>({
      sql: `select ${storedColumns(table)} from ${table.current} as held where series = ? and ${first} >= ? and ${first} <= ?`,
      values: [series, ...(a < b ? [a, b] : [b, a])],
    }),
    storedTexts(connection, table, { series, keys: replaced }),
  ]);
  return new Map([...range.map(storedFrom), ...others]);
}

type StoredTuple = [
  text: string,
  seen: number,
  refreshed: number | null,
  keyed: 0 | 1,
  assumed: number | null,
  ...KeyValue[],
];

const storedColumns = (table: Table): string =>
  [
    'text',
    'seen',
    'refreshed',
    'keyed',
    'assumed_release',
    ...columnNamesOf(table.key).map((key) => `held.${key}`),
  ].join(', ');

function storedFrom([text, seen, refreshed, keyed, assumed, ...key]: StoredTuple): readonly [
  string | number,
  StoredText,
] {
  return [keyId(key), { text, seen, refreshed, keyed, assumed }];
}

async function storedTexts(
  connection: ServerConnection,
  table: Table,
  { series, keys }: { series: number; keys: readonly Key[] },
): Promise<ReadonlyMap<string | number, StoredText>> {
  const found = new Map<string | number, StoredText>();
  for (const part of batchesOf(keys)) {
    const values = unnestOf(table.key, part);
    const rows = await connection.tuples<StoredTuple>({
      sql: `select ${storedColumns(table)}
        from ${values.sql} as input(${values.names}) join ${table.current} as held on ${sameKey(table, 'held')}`,
      values: [...values.values, series],
    });
    for (const [id, stored] of rows.map(storedFrom)) found.set(id, stored);
  }
  return found;
}

/** The condition that joins rows of a table with told keys. */
const sameKey = (table: Table, name: string): string =>
  [`${name}.series = ?`, ...columnNamesOf(table.key).map((key) => `${name}.${key} = input.${key}`)].join(' and ');

const integer = (name: string): Column => ({ name, type: 'integer' });

const text = (name: string): Column => ({ name, type: 'text' });

/** Moves rows to the superseded ones, each as the next revision of its key. */
async function moveEnded({ connection, table, series, checksum }: Target, ended: readonly EndedRows[]): Promise<void> {
  const keys = unnestOf(
    table.key,
    ended.map(({ key }) => key),
  );
  const named = columnNamesOf(table.key)
    .map((key) => `input.${key}`)
    .join(', ');
  const counted = await connection.tuples<[number, ...KeyValue[]]>({
    sql: `select max(revision), ${named} from ${keys.sql} as input(${keys.names})
      join ${table.superseded} as past on ${sameKey(table, 'past')} group by ${named}`,
    values: [...keys.values, series],
  });
  const revisions = new Map(counted.map(([revision, ...key]) => [keyId(key), revision]));
  const rows = ended.map(({ key, stored, commit }) => {
    const revision = 1 + (revisions.get(keyId(key)) ?? 0);
    const digest = supersededDigest(key, { ...stored, revision, superseded: commit }, stored.text);
    takeFrom(checksum.current, currentDigest(key, stored.assumed, stored.text));
    addTo(checksum.superseded, digest);
    return [...key, revision, commit, markOf(digest)];
  });
  const values = unnestOf([...table.key, ...['revision', 'superseded', 'mark'].map(integer)], rows);
  const kept = [
    'series',
    ...columnNamesOf([...table.key, ...table.columns]),
    'seen',
    'refreshed',
    'keyed',
    'assumed_release',
    'text',
  ];
  connection.send({
    sql: `with gone as (
        delete from ${table.current} as held using ${values.sql} as input(${values.names}) where ${sameKey(table, 'held')}
        returning ${kept.map((name) => `held.${name}`).join(', ')}, input.revision, input.superseded, input.mark)
      insert into ${table.superseded} (${kept.join(', ')}, revision, superseded, mark) select * from gone`,
    values: [...values.values, series],
  });
}

/** The same observations in other texts. */
function refreshRows({ connection, table, series, checksum }: Target, refreshed: readonly Refreshed[]): void {
  const changed = [...table.columns, ...['refreshed', 'keyed', 'mark'].map(integer), text('text')];
  const rows = refreshed.map(({ row, stored, commit, keyed }) => {
    const digest = currentDigest(row.key, stored.assumed, row.row.text);
    const mark = currentMarks({ ...stored, refreshed: commit, keyed })(digest);
    takeFrom(checksum.current, currentDigest(row.key, stored.assumed, stored.text));
    addTo(checksum.current, digest);
    return [...row.key, ...row.columns, commit, keyed, mark, row.row.text];
  });
  update({ connection, table, series }, changed, rows);
}

/** An answer to a key confirms rows that came without one. */
function confirmRows({ connection, table, series }: Omit<Target, 'checksum'>, confirmed: readonly Confirmed[]): void {
  const rows = confirmed.map(({ key, stored }) => {
    const digest = currentDigest(key, stored.assumed, stored.text);
    return [...key, 1, currentMarks({ ...stored, keyed: 1 })(digest)];
  });
  update({ connection, table, series }, ['keyed', 'mark'].map(integer), rows);
}

function update(
  { connection, table, series }: Omit<Target, 'checksum'>,
  changed: readonly Column[],
  rows: readonly (readonly (KeyValue | null)[])[],
): void {
  const values = unnestOf([...table.key, ...changed], rows);
  const set = columnNamesOf(changed).map((name) => `${name} = input.${name}`);
  connection.send({
    sql: `update ${table.current} as held set ${set.join(', ')} from ${values.sql} as input(${values.names}) where ${sameKey(table, 'held')}`,
    values: [...values.values, series],
  });
}

/** Rows that were not stored. */
function insertRows({ connection, table, series, checksum }: Target, added: readonly Brought[]): void {
  const rows = added.map(({ row: { key, columns, row }, commit, keyed }) => {
    const assumed = row.assumedRelease ?? null;
    const digest = currentDigest(key, assumed, row.text);
    const mark = currentMarks({ seen: commit, refreshed: null, keyed })(digest);
    addTo(checksum.current, digest);
    return [...key, ...columns, commit, keyed, assumed, mark, row.text];
  });
  const own = [...['seen', 'keyed', 'assumed_release', 'mark'].map(integer), text('text')];
  const values = unnestOf([...table.key, ...table.columns, ...own], rows);
  connection.send({
    sql: `insert into ${table.current} (series, ${values.names}) select ?, input.* from ${values.sql} as input(${values.names})`,
    values: [series, ...values.values],
  });
}

/** Keeps the vintages that rows list, each once however often it comes; only what was not kept before is summed. */
async function keepVintages(
  { connection, table, series, checksum }: Target,
  listing: readonly ListedKeys[],
): Promise<void> {
  const { vintages: member } = table.mapping;
  if (table.vintages === undefined || member === undefined) return;
  const identity = [...table.key, text('known'), text('value')];
  const digests = new Map<string, string>();
  const rows = listing.flatMap(({ row: { key, row }, commit }) =>
    listedVintages(member, row.text).map((listed) => {
      const { epoch = null, value } = listed;
      const known = String(knownAt(listed));
      const observed = listed.observed === undefined ? null : String(listed.observed);
      const digest = vintageDigest(key, { known, observed, value, epoch, seen: commit }, listed.text);
      const id = unnestIdentity([...key, known, value]);
      // Of two entries that say the same the first one is kept.
      if (!digests.has(id)) digests.set(id, digest);
      return [...key, known, value, epoch, observed, commit, markOf(digest), listed.text];
    }),
  );
  const own = [integer('epoch'), text('observed_ns'), integer('seen'), integer('mark'), text('text')];
  const names = columnNamesOf(table.key).join(', ');
  for (const part of batchesOf(rows)) {
    const values = unnestOf([...identity, ...own], part);
    const kept = await connection.tuples<KeyValue[]>({
      sql: `insert into ${table.vintages} (series, ${values.names})
        select ?, ${names}, known::bigint, value, epoch, observed_ns::bigint, seen, mark, text
        from ${values.sql} as input(${values.names})
        on conflict do nothing returning ${names}, cast(known as text), value`,
      values: [series, ...values.values],
    });
    for (const id of kept) addTo(checksum.vintages, digests.get(unnestIdentity(id)) ?? '');
  }
}
