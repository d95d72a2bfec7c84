import type { JsonText } from '../../contract/json/json.ts';
import { MacroError } from '../../errors.ts';
import type { MirrorReader } from '../api/mirror.ts';
import type {
  AccessTag,
  KeyValue,
  Knowledge,
  RowPage,
  Selection,
  SeriesChanges,
  SeriesTimeline,
  SourceCommit,
  StoredRow,
  StoredSeries,
} from '../api/series.ts';
import { datedOf } from '../rules/as-of/dated.ts';
import {
  datedRows,
  differencesOf,
  type KeyRange,
  lineageOf,
  sinceSelect,
  sortedVersions,
  vintagesOfRow,
  withinRange,
} from '../rules/as-of/history.ts';
import { knownTexts } from '../rules/as-of/known-texts.ts';
import { columnsBy } from '../rules/as-of/past-conditions.ts';
import { isPast, type PastSelection } from '../rules/as-of/past-stored.ts';
import {
  changeSelects,
  changesOfReleases,
  commitsOfTimeline,
  type StoredTimeline,
  seriesTimeline,
  timelineSelects,
} from '../rules/as-of/timeline.ts';
import { latestCheck } from '../rules/coverage.ts';
import { columnOf, type PageTuple, pageSelects, rowMaker, type Where, whereOf } from '../rules/select.ts';
import { MAX_COUNTS, remember, type Shared, type Table } from '../rules/tables.ts';
import type { Evidence } from '../rules/verify-rows.ts';
import {
  type RowVersionTuple,
  rowVersionColumns,
  rowVersionOf,
  type VintageTuple,
  vintageColumns,
  vintageFrom,
} from '../rules/vintages.ts';
import { anyOf, type ServerConnection } from './connection.ts';
import { compareBounds, findServerSeries, readCoverage } from './ledger.ts';
import {
  commitsIn,
  createTimes,
  type PastRowPosition,
  pastCount,
  pastPage,
  pastRows,
  readUndone,
  type ServerTimes,
} from './past.ts';
import { coverageRows } from './sums.ts';

/** Does work on a connection that sees one state. */
/** `now`: the server's clock, where it dates what is noted. */
export type ServerReading = <T>(work: (connection: ServerConnection, now?: number) => Promise<T>) => Promise<T>;

/** Rows that are in memory at a time. */
const PORTION = 2000;

/** Triggers and rules on the tables of the mirror. Those of foreign keys and views are the server's own. */
const FOREIGN = `
  select 'trigger', t.tgname::text, c.relname::text from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal
  union all select 'rule', r.rulename::text, c.relname::text from pg_rewrite r join pg_class c on c.oid = r.ev_class
    where c.relnamespace = current_schema()::regnamespace and r.rulename <> '_RETURN'
  order by 1, 2, 3`;

/** Reads a mirror on a server; each operation sees one state. */
export function createServerReader(reading: ServerReading, shared: Shared): MirrorReader {
  const at = <T>(series: StoredSeries, work: (place: PastRowPosition) => Promise<T>): Promise<T> =>
    reading((connection) =>
      work({ connection, times: createTimes(connection, shared), table: tableOf(shared, series), series: series.id }),
    );
  return {
    find: async (ref, time) => {
      const table = shared.table(ref.endpoint);
      const how = { scopeNames: table?.mapping.scope ?? [], time };
      return table ? reading((connection) => findServerSeries(connection, ref, how)) : [];
    },
    count: (series, selection) => at(series, (place) => countRows(place, selection, shared)),
    rows: (series, selection, page) =>
      at(series, (place) =>
        isPast(selection) ? pastPage(place, selection, page) : currentRows(place, selection, page),
      ),
    texts: (series, selection) => at(series, (place) => readTexts(place, selection)),
    columns: (series, selection, names) => at(series, (place) => readColumns(place, selection, names)),
    vintages: (series, prefix, { asOf, ...dates } = {}) =>
      at(series, async (place) => {
        const history = await readHistory(place, { prefix, ...dates });
        if (asOf) await place.times.learnMoment(asOf.at);
        return vintagesOfRow(place.table, history, {
          clock: place.times,
          asOf,
          undone: await readUndone(place.connection, series.id),
        });
      }),
    knowledge: (series, asOf) => at(series, (place) => readKnowledge(place, { asOf })),
    timeline: (series) => at(series, readTimeline),
    knownTexts: (series, ask) => at(series, async (place) => knownTexts(place.table, await readStored(place), ask)),
    commit: (number) =>
      reading(async (connection) => {
        const [last] = await connection.tuples<[number]>({ sql: 'select max(number) from commits', values: [] });
        const wanted = number ?? last?.[0] ?? 0;
        return (await readCommits(connection, [wanted])).get(wanted);
      }),
    changes: (series) => at(series, readChangeTimes),
    differences: (series, { from, to, limit, after }) =>
      at(series, async (place) => {
        const rowsAs = (asOf: PastSelection['asOf']) => allRows(pastRows(place, { asOf }, { ...(after && { after }) }));
        const [left, right] = [await rowsAs(from), await rowsAs(to)];
        return differencesOf(place.table, { left: left.values(), right: right.values() }, limit);
      }),
    lineage: (series, key) =>
      at(series, async (place) => {
        const { stages, listed } = await readHistory(place, { prefix: key });
        const dated = datedOf(place.table, { stages, listed }, place.times);
        const numbers = [
          ...stages.flatMap(({ seen, refreshed, ended }) => [seen, refreshed, ended]),
          ...dated.map(({ seen }) => seen),
        ];
        const commits = await readCommits(
          place.connection,
          numbers.filter((one) => one !== undefined),
        );
        return lineageOf(
          stages,
          dated,
          (number) => commits.get(number) ?? { number, at: 0, access: 'keyless', request: '' },
        );
      }),
    proofs: (series, access) =>
      at(series, ({ connection, table }) => readCoverage(connection, { table, series: series.id }, access)),
    checkOf: ({ id }, access) =>
      reading(async ({ ledger }) => {
        const noted = ledger.selectFrom('checks').select(['access', 'facts']).where('series', '=', id);
        return latestCheck(await noted.execute(), access);
      }),
  };
}

function tableOf(shared: Shared, { endpoint }: StoredSeries): Table {
  const table = shared.table(endpoint);
  if (!table) throw new MacroError('internal', `The mirror keeps no rows of '${endpoint}'.`);
  return table;
}

async function currentRows(
  { connection, times, table, series }: PastRowPosition,
  selection: Selection,
  page: RowPage | undefined,
): Promise<readonly StoredRow[]> {
  const seen = table.key.length + table.columns.length;
  const select = pageSelects(table).rows(series, selection, page);
  // The times of a page are asked for together with it: selecting it twice costs less than another way there and back.
  const [tuples] = await Promise.all([connection.tuples<PageTuple>(select), page && times.learnSeen(select)]);
  if (!page) await times.learn(tuples.map((tuple) => Number(tuple[seen])));
  return tuples.map(rowMaker(table, times.at));
}

async function readTexts(place: PastRowPosition, selection: Selection): Promise<readonly JsonText[]> {
  if (isPast(selection)) return (await pastPage(place, selection)).map(({ text }) => text);
  const { connection, table, series } = place;
  const tuples = await connection.tuples<[JsonText]>(pageSelects(table).texts(series, selection));
  return tuples.map(([text]) => text);
}

async function readColumns<N extends string>(place: PastRowPosition, selection: Selection, names: readonly N[]) {
  const { connection, table, series } = place;
  const quoted = names.map((name) => columnOf(table, name));
  if (isPast(selection)) {
    const rows = await pastPage(place, selection);
    return columnsBy(names, (name) => rows.map(({ columns }) => columns[name] ?? null));
  }
  const tuples = await connection.tuples<(KeyValue | null)[]>(pageSelects(table).columns(series, selection, quoted));
  return columnsBy(names, (_, i) => tuples.map((tuple) => tuple[i] ?? null));
}

/** Counting walks the window, and every page of a series asks for its total: so the count of a history is kept. */
async function countRows(place: PastRowPosition, selection: Selection, { counts }: Shared): Promise<number> {
  const { connection, table, series } = place;
  const where = whereOf(table, series, selection);
  const [found] = await connection.tuples<[string]>({
    sql: 'select history from series where id = ?',
    values: [series],
  });
  const name = JSON.stringify([found?.[0], where.sql, where.values, selection.asOf]);
  const known = counts.get(name);
  if (known !== undefined) return known;
  const counted = isPast(selection) ? await pastCount(place, selection) : await currentCount(place, where);
  remember(counts, name, counted, MAX_COUNTS);
  return counted;
}

/** All rows of a series are counted as they come. */
async function currentCount(
  { connection, table, series }: PastRowPosition,
  where: ReturnType<typeof whereOf>,
): Promise<number> {
  const whole = { sql: `select rows from sums where series = ? and part = 'current'`, values: [series] };
  const [row] = await connection.tuples<[number]>(where.values.length === 1 ? whole : pageSelects(table).count(where));
  return row?.[0] ?? 0;
}

/** Everything that was ever stored of some rows, and when its commits were. */
async function readHistory({ connection, times, table, series }: PastRowPosition, range: KeyRange) {
  const { sql, values } = withinRange(table, series, range);
  const columns = rowVersionColumns(table);
  const read = async (select: string, from: string) => {
    const tuples = await connection.tuples<RowVersionTuple>({
      sql: `select ${select} from ${from} where ${sql}`,
      values,
    });
    await times.learn(tuples.flatMap(commitsIn));
    return tuples.map((tuple) => rowVersionOf(table, tuple));
  };
  const stages = sortedVersions(
    await read(columns.superseded, table.superseded),
    await read(columns.current, table.current),
  );
  return { stages, listed: await readVintages({ connection, times, table }, { sql, values }) };
}

async function readVintages(
  { connection, times, table }: { connection: ServerConnection; times: ServerTimes; table: Table },
  { sql, values }: ReturnType<typeof withinRange>,
) {
  if (table.vintages === undefined) return [];
  const select = `select ${vintageColumns(table)} from ${table.vintages} where ${sql}`;
  const kept = (await connection.tuples<VintageTuple>({ sql: select, values })).map(vintageFrom);
  await times.learn(kept.map(({ seen }) => seen));
  return kept;
}

/** What the mirror can tell of a series at a moment, see `knowledgeReader`. */
async function readKnowledge(place: PastRowPosition, { asOf }: PastSelection): Promise<Knowledge> {
  const { connection, table, series } = place;
  const [commit] = await connection.tuples<[number]>(sinceSelect(series));
  const since = commit?.[0] ?? Number.POSITIVE_INFINITY;
  if (since <= asOf.at) return { tells: true, since };
  if (asOf.by === 'mirrored') return { tells: false, since };
  const dated =
    asOf.by === 'public' ? await connection.tuples({ sql: datedRows(table), values: [series, series] }) : [];
  if (dated.length > 0) return { tells: true, since, always: true };
  const oldest = { limit: 1, offset: 0, reverse: table.direction === 'desc' };
  return { tells: (await pastPage(place, { asOf }, oldest)).length > 0, since };
}

async function allRows(portions: AsyncIterable<readonly StoredRow[]>): Promise<readonly StoredRow[]> {
  const all: StoredRow[] = [];
  for await (const rows of portions) all.push(...rows);
  return all;
}

async function readCommits(
  { ledger }: ServerConnection,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, SourceCommit>> {
  const rows = await ledger
    .selectFrom('commits')
    .select(['number', 'at', 'access', 'request'])
    .where('number', '=', anyOf([...new Set(numbers)]))
    .execute();
  return new Map(rows.map((row) => [row.number, { ...row, access: row.access as AccessTag }])); // what a commit was given
}

/** Reads the timeline of a series; undefined where rows list no vintages. */
async function readTimeline(place: PastRowPosition): Promise<SeriesTimeline | undefined> {
  const { table } = place;
  return table.vintages === undefined ? undefined : seriesTimeline(table, await readStored(place));
}

/** Reads all that is stored of the rows of a series. */
async function readStored({ connection, times, table, series }: PastRowPosition): Promise<StoredTimeline> {
  const { texts, listed } = timelineSelects(table, series);
  const stored = {
    texts: await connection.tuples<RowVersionTuple>(texts),
    listed: listed ? await connection.tuples<VintageTuple>(listed) : [],
  };
  const commits = commitsOfTimeline(stored);
  await times.learn(commits);
  return {
    ...stored,
    commitTimes: new Map([...commits].map((commit) => [commit, times.at(commit)])),
    undone: await readUndone(connection, series),
  };
}

/** Reads when a series changed. */
async function readChangeTimes(place: PastRowPosition): Promise<SeriesChanges> {
  const { connection, times, table, series } = place;
  const timeline = await readTimeline(place);
  if (timeline) return timeline.changes();
  const selects = changeSelects(table, series);
  const commits = (await connection.tuples<[number]>(selects.commits)).map(([commit]) => commit);
  const releases = (await connection.tuples<[number]>(selects.releases)).map(([seconds]) => seconds);
  await times.learn(commits);
  return changesOfReleases(commits.map(times.at), releases);
}

/** What a server tells a check, on a connection that sees one state. */
export function serverEvidence(connection: ServerConnection): Evidence {
  return {
    rows: <Row>(sql: string, ...values: readonly KeyValue[]) => connection.records<Row>({ sql, values }),
    portions: <Row extends readonly unknown[]>(select: Where) =>
      connection.portions<unknown[]>(select, PORTION) as AsyncIterable<readonly unknown[]> as AsyncIterable<
        readonly Row[]
      >, // as the caller selects
    async proofs(series) {
      const rows = await coverageRows(connection, [series]);
      return rows.toSorted(
        (a, b) =>
          compareBounds(a.access, b.access) || compareBounds(a.starts, b.starts) || compareBounds(a.ends, b.ends),
      );
    },
    async tables() {
      const found = await connection.tuples<[string]>({
        sql: `select table_name from information_schema.columns
          where table_schema = current_schema() and column_name = 'series' order by table_name`,
        values: [],
      });
      return found.map(([name]) => name);
    },
    async foreign() {
      const found = await connection.tuples<[type: string, name: string, on: string]>({ sql: FOREIGN, values: [] });
      return found.map(([type, name, on]) => ({ type, name, on, effect: 'alters' as const }));
    },
    // The server keeps checksums of its own.
    requireSound: async () => {},
    // A column that is missing is an error of the server.
    requireFit: async () => {},
  };
}
