import type { Column } from '../../contract/mapping.ts';
import { currentDigest, markOf, supersededDigest, vintageDigest } from '../digest.ts';
import type { KeyValue, PageCommit } from '../mirror.ts';
import { type HeldText, keyId, type Prepared } from '../rows.ts';
import { addTo, type Tally, takeFrom } from '../sums.ts';
import { namesOf, type Table } from '../tables.ts';
import { type Candidate, type Vanished, vanishedAmong, vanishQueries } from '../vanish.ts';
import { knownAt, listedVintages } from '../vintages.ts';
import type { RowStore } from '../write-rows.ts';
import type { Seat } from './seat.ts';
import { identityOf, portionsOf, unnestOf } from './unnest.ts';

type Key = readonly KeyValue[];

interface Ended {
  readonly key: Key;
  readonly held: HeldText;
  readonly commit: number;
}

interface Brought {
  readonly row: Prepared;
  readonly commit: number;
  readonly keyed: 0 | 1;
}

type Refreshed = Brought & Pick<Ended, 'held'>;
type Confirmed = Pick<Ended, 'key' | 'held'>;
type Listing = Pick<Brought, 'row' | 'commit'>;

export interface RowPlan {
  /** Where the decisions are taken: it answers from what was read, and keeps what is to be written. */
  readonly store: RowStore;
  /** Writes what was decided, and moves the sums with it. */
  write(tally: Tally): Promise<void>;
}

/**
 * Reads everything that deciding about the rows of a page takes: those that are held under its keys, and those that it may
 * say are gone.
 */
export async function planRows(
  seat: Seat,
  table: Table,
  { replaced, ...asked }: Omit<Asked, 'gone'> & { readonly replaced: readonly Key[] },
): Promise<RowPlan> {
  const [any] = await seat.tuples({
    sql: `select 1 from ${table.current} where series = ? limit 1`,
    values: [asked.series],
  });
  const vanished = any ? await findVanished(seat, table, asked) : NONE;
  const held = any ? await heldOf(seat, table, { ...asked, gone: [...replaced, ...vanished.gone] }) : new Map();
  // What is to be done with the rows, decided one by one and then written all at once.
  const ended: Ended[] = [];
  const refreshed: Refreshed[] = [];
  const confirmed: Confirmed[] = [];
  const added: Brought[] = [];
  const listing: Listing[] = [];
  const store: RowStore = {
    table,
    rows: {
      isEmpty: () => any === undefined,
      get: (_, key) => held.get(keyId(key)),
      between: () => held,
      insert: (_, rows, told) => void added.push(...rows.map((row) => ({ row, ...told }))),
      refresh: (_, row, told) => void refreshed.push({ row, ...told }),
      confirm: (_, key, text) => void confirmed.push({ key, held: text }),
      supersede: (_, key, told) => void ended.push({ key, ...told }),
    },
    keepVintages: (_, row, number) => void listing.push({ row, commit: number }),
    findVanished: () => vanished,
  };
  return {
    store,
    async write(tally) {
      const to = { seat, table, series: asked.series, tally };
      for (const part of portionsOf(ended)) await moveEnded(to, part);
      for (const part of portionsOf(refreshed)) await refresh(to, part);
      for (const part of portionsOf(confirmed)) await confirm(to, part);
      for (const part of portionsOf(added)) await add(to, part);
      for (const part of portionsOf(listing)) await keepVintages(to, part);
    },
  };
}

const NONE: Vanished = { gone: [], heldBack: false };

async function findVanished(
  seat: Seat,
  table: Table,
  { series, rows, commit }: { series: number; rows: readonly Prepared[]; commit: PageCommit },
): Promise<Vanished> {
  const candidates: (readonly Candidate[])[] = [];
  for (const query of vanishQueries(table)(series, rows, commit))
    candidates.push(await seat.tuples<[0 | 1, ...KeyValue[]]>(query));
  return vanishedAmong(candidates, rows, commit);
}

interface Asked {
  readonly series: number;
  readonly rows: readonly Prepared[];
  readonly commit: PageCommit;
  readonly gone: readonly Key[];
}

/**
 * The held rows among which those of a page belong: of a page that lists what there is the whole stretch, else those under
 * its keys; and those that are gone.
 */
async function heldOf(
  seat: Seat,
  table: Table,
  { series, rows, commit, gone }: Asked,
): Promise<ReadonlyMap<string | number, HeldText>> {
  const [a, b] = [rows.at(0)?.key[0], rows.at(-1)?.key[0]];
  if (commit.extent === 'adds' || a === undefined || b === undefined)
    return heldTexts(seat, table, { series, keys: [...rows.map(({ key }) => key), ...gone] });
  const [first] = namesOf(table.key);
  const stretch = await seat.tuples<HeldTuple>({
    sql: `select ${heldColumns(table)} from ${table.current} as held where series = ? and ${first} >= ? and ${first} <= ?`,
    values: [series, ...(a < b ? [a, b] : [b, a])],
  });
  return new Map([...stretch.map(heldFrom), ...(await heldTexts(seat, table, { series, keys: gone }))]);
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
  ['text', 'seen', 'refreshed', 'keyed', 'assumed_release', ...namesOf(table.key).map((key) => `held.${key}`)].join(
    ', ',
  );

function heldFrom([text, seen, refreshed, keyed, assumed, ...key]: HeldTuple): readonly [string | number, HeldText] {
  return [keyId(key), { text, seen, refreshed, keyed, assumed }];
}

interface Target {
  readonly seat: Seat;
  readonly table: Table;
  readonly series: number;
  readonly tally: Tally;
}

/** The condition that joins rows of a table with told keys. */
const sameKey = (table: Table, name: string): string =>
  [`${name}.series = ?`, ...namesOf(table.key).map((key) => `${name}.${key} = told.${key}`)].join(' and ');

async function heldTexts(
  seat: Seat,
  table: Table,
  { series, keys }: { series: number; keys: readonly Key[] },
): Promise<ReadonlyMap<string | number, HeldText>> {
  const found = new Map<string | number, HeldText>();
  for (const part of portionsOf(keys)) {
    const told = unnestOf(table.key, part);
    const rows = await seat.tuples<HeldTuple>({
      sql: `select ${heldColumns(table)}
        from ${told.sql} as told(${told.names}) join ${table.current} as held on ${sameKey(table, 'held')}`,
      values: [...told.values, series],
    });
    for (const [id, held] of rows.map(heldFrom)) found.set(id, held);
  }
  return found;
}

const integer = (name: string): Column => ({ name, type: 'integer' });
const text = (name: string): Column => ({ name, type: 'text' });

/** Moves rows to the superseded ones, each as the next revision of its key. */
async function moveEnded({ seat, table, series, tally }: Target, ended: readonly Ended[]): Promise<void> {
  const keys = unnestOf(
    table.key,
    ended.map(({ key }) => key),
  );
  const named = namesOf(table.key)
    .map((key) => `told.${key}`)
    .join(', ');
  const counted = await seat.tuples<[number, ...KeyValue[]]>({
    sql: `select max(revision), ${named} from ${keys.sql} as told(${keys.names})
      join ${table.superseded} as past on ${sameKey(table, 'past')} group by ${named}`,
    values: [...keys.values, series],
  });
  const revisions = new Map(counted.map(([revision, ...key]) => [keyId(key), revision]));
  const rows = ended.map(({ key, held, commit }) => {
    const revision = 1 + (revisions.get(keyId(key)) ?? 0);
    const digest = supersededDigest(key, { ...held, revision, superseded: commit }, held.text);
    takeFrom(tally.current, currentDigest(key, held, held.text));
    addTo(tally.superseded, digest);
    return [...key, revision, commit, markOf(digest)];
  });
  const told = unnestOf([...table.key, ...['revision', 'superseded', 'mark'].map(integer)], rows);
  const kept = [
    'series',
    ...namesOf([...table.key, ...table.columns]),
    'seen',
    'refreshed',
    'keyed',
    'assumed_release',
    'text',
  ];
  await seat.tuples({
    sql: `with gone as (
        delete from ${table.current} as held using ${told.sql} as told(${told.names}) where ${sameKey(table, 'held')}
        returning ${kept.map((name) => `held.${name}`).join(', ')}, told.revision, told.superseded, told.mark)
      insert into ${table.superseded} (${kept.join(', ')}, revision, superseded, mark) select * from gone`,
    values: [...told.values, series],
  });
}

/** The same observations in other texts. */
async function refresh({ seat, table, series, tally }: Target, refreshed: readonly Refreshed[]): Promise<void> {
  const changed = [...table.columns, ...['refreshed', 'keyed', 'mark'].map(integer), text('text')];
  const rows = refreshed.map(({ row, held, commit, keyed }) => {
    const digest = currentDigest(row.key, { ...held, refreshed: commit, keyed }, row.row.text);
    takeFrom(tally.current, currentDigest(row.key, held, held.text));
    addTo(tally.current, digest);
    return [...row.key, ...row.columns, commit, keyed, markOf(digest), row.row.text];
  });
  await update({ seat, table, series }, changed, rows);
}

async function confirm({ seat, table, series, tally }: Target, confirmed: readonly Confirmed[]): Promise<void> {
  const rows = confirmed.map(({ key, held }) => {
    const digest = currentDigest(key, { ...held, keyed: 1 }, held.text);
    takeFrom(tally.current, currentDigest(key, held, held.text));
    addTo(tally.current, digest);
    return [...key, 1, markOf(digest)];
  });
  await update({ seat, table, series }, ['keyed', 'mark'].map(integer), rows);
}

async function update(
  { seat, table, series }: Omit<Target, 'tally'>,
  changed: readonly Column[],
  rows: readonly (readonly (KeyValue | null)[])[],
): Promise<void> {
  const told = unnestOf([...table.key, ...changed], rows);
  const set = namesOf(changed).map((name) => `${name} = told.${name}`);
  await seat.tuples({
    sql: `update ${table.current} as held set ${set.join(', ')} from ${told.sql} as told(${told.names}) where ${sameKey(table, 'held')}`,
    values: [...told.values, series],
  });
}

async function add({ seat, table, series, tally }: Target, added: readonly Brought[]): Promise<void> {
  const rows = added.map(({ row: { key, columns, row }, commit, keyed }) => {
    const assumed = row.assumedRelease ?? null;
    const digest = currentDigest(key, { seen: commit, refreshed: null, keyed, assumed }, row.text);
    addTo(tally.current, digest);
    return [...key, ...columns, commit, keyed, assumed, markOf(digest), row.text];
  });
  const own = [...['seen', 'keyed', 'assumed_release', 'mark'].map(integer), text('text')];
  const told = unnestOf([...table.key, ...table.columns, ...own], rows);
  await seat.tuples({
    sql: `insert into ${table.current} (series, ${told.names}) select ?, told.* from ${told.sql} as told(${told.names})`,
    values: [series, ...told.values],
  });
}

/** Keeps the vintages that rows list, each once however often it comes; only what was not kept before is summed. */
async function keepVintages({ seat, table, series, tally }: Target, listing: readonly Listing[]): Promise<void> {
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
      const id = identityOf([...key, known, value]);
      // Of two entries that say the same the first one is kept.
      if (!digests.has(id)) digests.set(id, digest);
      return [...key, known, value, epoch, observed, commit, markOf(digest), listed.text];
    }),
  );
  const own = [integer('epoch'), text('observed_ns'), integer('seen'), integer('mark'), text('text')];
  const names = namesOf(table.key).join(', ');
  for (const part of portionsOf(rows)) {
    const told = unnestOf([...identity, ...own], part);
    const kept = await seat.tuples<KeyValue[]>({
      sql: `insert into ${table.vintages} (series, ${told.names})
        select ?, ${names}, known::bigint, value, epoch, observed_ns::bigint, seen, mark, text
        from ${told.sql} as told(${told.names})
        on conflict do nothing returning ${names}, cast(known as text), value`,
      values: [series, ...told.values],
    });
    for (const id of kept) addTo(tally.vintages, digests.get(identityOf(id)) ?? '');
  }
}
