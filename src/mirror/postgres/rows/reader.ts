import type { JsonText } from '../../../contract/json/json.ts';
import { MacroError } from '../../../errors.ts';
import type { MirrorReader } from '../../api/mirror.ts';
import type { Knowledge, SourceCommit } from '../../api/past-knowledge.ts';
import type { KeyValue, StoredRow } from '../../api/rows.ts';
import type { Selection } from '../../api/selection.ts';
import type { AccessTag, StoredSeries } from '../../api/series.ts';
import type { SeriesChanges, SeriesTimeline } from '../../api/timeline.ts';
import { datedOf } from '../../core/as-of/dated.ts';
import { differencesOf } from '../../core/as-of/differences.ts';
import { sortedVersions, vintagesOfRow } from '../../core/as-of/history.ts';
import { type KeyRange, withinRange } from '../../core/as-of/key-range.ts';
import { datedRows, sinceSelect } from '../../core/as-of/knowledge.ts';
import { lineageOf } from '../../core/as-of/lineage.ts';
import { isPast, type PastSelection } from '../../core/as-of/past.ts';
import { columnsBy } from '../../core/as-of/past-listed.ts';
import { changeSelects, changesOfReleases } from '../../core/as-of/timeline/series-changes.ts';
import { commitsOfTimeline, seriesTimeline } from '../../core/as-of/timeline/series-timeline.ts';
import { timelineSelects } from '../../core/as-of/timeline/timeline-selects.ts';
import { type PageTuple, pageSelects, rowMaker } from '../../core/page.ts';
import { type RowVersionTuple, rowVersionColumns, rowVersionOf } from '../../core/row-versions.ts';
import { columnOf, whereOf } from '../../core/select.ts';
import { KEPT_COUNTS, remember, type Shared } from '../../core/shared.ts';
import type { Table } from '../../core/tables.ts';
import { type VintageTuple, vintageColumns, vintageFrom } from '../../core/vintages.ts';
import { anyOf, type ServerConnection } from '../connection.ts';
import { readCoverage } from '../ledger/coverage.ts';
import { findServerSeries } from '../ledger/series.ts';
import { createTimes, type ServerTimes } from './clock.ts';
import { commitsIn, type PastRowPosition, pastCount, pastPage, pastRows } from './past.ts';
import { readUndone } from './undone.ts';

/** Does work on a connection that sees one state. */
export type ServerReading = <T>(work: (connection: ServerConnection) => Promise<T>) => Promise<T>;

/** Reads a mirror on a server; each operation sees one state. */
export function createServerReader(reading: ServerReading, shared: Shared): MirrorReader {
  const at = <T>(series: StoredSeries, work: (place: PastRowPosition) => Promise<T>): Promise<T> =>
    reading((connection) =>
      work({ connection, times: createTimes(connection, shared), table: tableOf(shared, series), series: series.id }),
    );
  return {
    find: async (ref) => {
      const table = shared.table(ref.endpoint);
      return table ? reading((connection) => findServerSeries(connection, ref, table.mapping.scope)) : [];
    },
    count: (series, selection) => at(series, (place) => countRows(place, selection, shared)),
    rows: (series, selection, page) =>
      at(series, (place) =>
        isPast(selection)
          ? pastPage(place, selection, page)
          : currentRows(place, (of) => of.rows(series.id, selection, page)),
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
  };
}

function tableOf(shared: Shared, { endpoint }: StoredSeries): Table {
  const table = shared.table(endpoint);
  if (!table) throw new MacroError('internal', `The mirror keeps no rows of '${endpoint}'.`);
  return table;
}

type Selects = ReturnType<typeof pageSelects>;

async function currentRows(
  { connection, times, table }: PastRowPosition,
  selectOf: (selects: Selects) => ReturnType<Selects['rows']>,
): Promise<readonly StoredRow[]> {
  const seen = table.key.length + table.columns.length;
  const tuples = await connection.tuples<PageTuple>(selectOf(pageSelects(table)));
  await times.learn(tuples.map((tuple) => Number(tuple[seen])));
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

/** Counting walks the window, and every page of a series asks for its total: so the count of a generation is kept. */
async function countRows(place: PastRowPosition, selection: Selection, { counts }: Shared): Promise<number> {
  const { connection, table, series } = place;
  const where = whereOf(table, series, selection);
  const [found] = await connection.tuples<[number]>({
    sql: 'select generation from series where id = ?',
    values: [series],
  });
  const name = JSON.stringify([found?.[0], where.sql, where.values, selection.asOf]);
  const known = counts.get(name);
  if (known !== undefined) return known;
  const counted = isPast(selection) ? await pastCount(place, selection) : await currentCount(place, where);
  remember(counts, name, counted, KEPT_COUNTS);
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
  const { connection, times, table, series } = place;
  if (table.vintages === undefined) return undefined;
  const selects = timelineSelects(table, series);
  const stored = {
    texts: await connection.tuples<RowVersionTuple>(selects.texts),
    listed: await connection.tuples<VintageTuple>(selects.listed),
  };
  const commits = commitsOfTimeline(stored);
  await times.learn(commits);
  return seriesTimeline(table, {
    ...stored,
    commitTimes: new Map([...commits].map((commit) => [commit, times.at(commit)])),
    undone: await readUndone(connection, series),
  });
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
