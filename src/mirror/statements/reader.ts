import { MacroError } from '../../errors.ts';
import type { Mirror, MirrorReader } from '../api/mirror.ts';
import type {
  ColumnValues,
  KeyValue,
  Knowledge,
  RowLineage,
  RowPage,
  Selection,
  SeriesChanges,
  SeriesTimeline,
  SourceCommit,
  Stamp,
  StoredRow,
  StoredSeries,
} from '../api/series.ts';
import { datedOf, publicStages } from '../rules/as-of/dated.ts';
import {
  datedRows,
  type KeyRange,
  knownTexts,
  lineageOf,
  sinceSelect,
  vintagesOf,
  withinRange,
} from '../rules/as-of/known-vintages.ts';
import { columnsBy, inForceSelect } from '../rules/as-of/past-conditions.ts';
import { isPast, type PastSelection, stagesIn } from '../rules/as-of/past-stored.ts';
import {
  changeSelects,
  changesOfReleases,
  commitsOfTimeline,
  type StoredTimeline,
  seriesTimeline,
  storedRows,
  timelineSelects,
} from '../rules/as-of/timeline.ts';
import { undoneIn, undoneSelect } from '../rules/as-of/undone.ts';
import { latestCheck } from '../rules/coverage.ts';
import { columnOf, pageSelects, rowMaker, whereOf } from '../rules/select.ts';
import { stampFrom, unfinishedWalkOf } from '../rules/system-rows.ts';
import type { SystemRows } from '../rules/system-tables.ts';
import { columnNamesOf, type Shared } from '../rules/tables.ts';
import type { RowVersionTuple, VintageTuple } from '../rules/vintages.ts';
import { readCoverage } from './coverage.ts';
import { type Engine, type EngineWork, type Place, together, wait } from './engine.ts';
import { readFollows } from './follows.ts';
import { differences, momentAt, pastCount, pastRows } from './past.ts';
import { findSeries, seriesOf, storedWalkOf } from './series.ts';

/** Does work on an engine that sees one state meanwhile. */
export type Reading = <T>(work: (engine: Engine) => EngineWork<T>) => Promise<T>;

/** Reads a mirror of any engine, its rows and what the system tables say about them; each operation sees one state. */
export function createReader(
  reading: Reading,
  shared: Shared,
): MirrorReader & Pick<Mirror, 'walk' | 'validator' | 'follows'> {
  const at = <T>({ id, endpoint }: StoredSeries, work: (place: Place) => EngineWork<T>): Promise<T> =>
    reading((engine) => {
      const table = shared.table(endpoint);
      if (!table) throw new MacroError('internal', `The mirror keeps no rows of '${endpoint}'.`);
      engine.check(table);
      return work({ engine, table, series: id });
    });
  return {
    find: async (ref, time) => {
      const table = shared.table(ref.endpoint);
      return table ? reading((engine) => findSeries(engine, ref, { scopeNames: table.mapping.scope, time })) : [];
    },
    count: (series, selection) => at(series, (place) => countRows(place, selection)),
    rows: (series, selection, page) =>
      at(series, (place) =>
        isPast(selection) ? pastRows(place, selection, page) : currentRows(place, selection, page),
      ),
    texts: (series, selection) =>
      at(series, function* (place) {
        if (isPast(selection)) return (yield* pastRows(place, selection)).map(({ text }) => text);
        return yield* wait(place.engine.texts(pageSelects(place.table).texts(place.series, selection)));
      }),
    columns: (series, selection, names) => at(series, (place) => readColumns(place, selection, names)),
    vintages: (series, prefix, { asOf, ...dates } = {}) =>
      at(series, function* (place) {
        return vintagesOf(place.table, yield* readStored(place, { prefix, ...dates }), asOf);
      }),
    knowledge: (series, asOf) => at(series, (place) => readKnowledge(place, { asOf })),
    timeline: (series) => at(series, readTimeline),
    knownTexts: (series, ask) =>
      at(series, function* (place) {
        return knownTexts(place.table, yield* readStored(place), ask);
      }),
    commit: (number) =>
      reading(function* (engine) {
        const sql = 'select number, at, access, request from commits where number <= ? order by number desc limit 1';
        const select = { sql, values: [number ?? Number.MAX_SAFE_INTEGER] };
        const [found] = yield* wait(engine.records<SourceCommit>(select));
        return number === undefined || found?.number === number ? found : undefined;
      }),
    changes: (series) => at(series, readChanges),
    differences: (series, { from, to, ...page }) =>
      at(series, (place) => differences(place, [{ asOf: from }, { asOf: to }], page)),
    lineage: (series, key) => at(series, (place) => readLineage(place, key)),
    coveredRanges: (series, access) => at(series, (place) => readCoverage(place, access)),
    walk: (key, access) =>
      reading(function* (engine) {
        const stored = yield* seriesOf(engine, key);
        const kept = stored && (yield* storedWalkOf(engine, stored.id, access));
        return kept && unfinishedWalkOf(kept);
      }),
    validator: (access, question) =>
      reading(function* (engine) {
        const sql = 'select etag from validators where access = ? and question = ?';
        return (yield* wait(engine.tuples<[string]>({ sql, values: [access, question] })))[0]?.[0];
      }),
    follows: (endpoint, access) => reading((engine) => readFollows(engine, endpoint, access)),
    checkOf: ({ id }, access) =>
      reading(function* (engine) {
        const select = { sql: 'select access, facts from checks where series = ?', values: [id] };
        const noted = yield* wait(engine.records<Pick<SystemRows['checks'], 'access' | 'facts'>>(select));
        return latestCheck(noted, access);
      }),
  };
}

/** Whose answers the mirror holds. */
export function* readStamp(engine: Engine, name: string): EngineWork<Stamp> {
  const select = { sql: 'select id, created, service, nature, bindings from mirror', values: [] };
  return stampFrom((yield* wait(engine.records<SystemRows['mirror']>(select)))[0], name);
}

function* currentRows({ engine, table, series }: Place, selection: Selection, page: RowPage | undefined) {
  const select = pageSelects(table).rows(series, selection, page);
  const how = { make: rowMaker(table, engine.times.at), seen: table.key.length + table.columns.length };
  return yield* wait<readonly StoredRow[]>(engine.rows(select, { ...how, isPage: page !== undefined }));
}

function* readColumns<N extends string>(
  place: Place,
  selection: Selection,
  names: readonly N[],
): EngineWork<ColumnValues<N>> {
  const { engine, table, series } = place;
  const quoted = names.map((name) => columnOf(table, name));
  if (!isPast(selection))
    return yield* wait(engine.columns(pageSelects(table).columns(series, selection, quoted), names, quoted));
  if (table.vintages !== undefined) {
    const rows = yield* pastRows(place, selection);
    return columnsBy(names, (name) => rows.map(({ columns }) => columns[name] ?? null));
  }
  const list = [...columnNamesOf(table.key).map((name, i) => `${name} as key_${i}`), ...quoted].join(', ');
  const moment = yield* momentAt(place, selection);
  return yield* wait(engine.columns(inForceSelect(table, { series, selection, moment }, { list }), names, quoted));
}

function* countRows(place: Place, selection: Selection): EngineWork<number> {
  const { engine, table, series } = place;
  if (isPast(selection)) return yield* pastCount(place, selection);
  const where = whereOf(table, series, selection);
  // All rows of a series are counted as they come: walking them would take longer the more there are.
  const whole = { sql: `select rows from sums where series = ? and part = 'current'`, values: [series] };
  const select = where.values.length === 1 ? whole : pageSelects(table).count(where);
  return (yield* wait(engine.tuples<[number]>(select)))[0]?.[0] ?? 0;
}

/** Where the texts of one row came from, and since when its values were known. */
function* readLineage(place: Place, key: readonly KeyValue[]): EngineWork<RowLineage> {
  const { engine, table } = place;
  const stored = yield* readStored(place, { prefix: key });
  const [row = { texts: [], listed: [] }] = storedRows(table, stored);
  const history = stagesIn(table, row);
  const { stages } = history;
  // No value was ever known at an assumed time that a calendar has replaced. Its file brought it all the same.
  const retimes = stored.undone.filter(({ since }) => since === 0);
  const broughtBy = (number: number): number => {
    const before = retimes.some(({ until }) => until === number) && stages.find(({ ended }) => ended === number);
    return before ? broughtBy(before.seen) : number;
  };
  const dated = datedOf(table, publicStages(table, history, retimes), engine.times).map((one) => ({
    ...one,
    seen: broughtBy(one.seen),
  }));
  const numbers = [
    ...stages.flatMap(({ seen, refreshed, ended }) => [seen, refreshed, ended]),
    ...dated.map(({ seen }) => seen),
  ];
  const list = [...new Set(numbers.filter((one) => one !== undefined))];
  const sql = `select number, at, access, request from commits where ${engine.among('number')}`;
  const rows = yield* wait(engine.records<SourceCommit>({ sql, values: [list] }));
  const commits = new Map(rows.map((row) => [row.number, row]));
  return lineageOf(stages, dated, (number) => commits.get(number) ?? { number, at: 0, access: 'keyless', request: '' });
}

/**
 * The mirror's knowledge of a series at a moment: everything if stored by then. Otherwise the public and the service
 * know something if a row was in force or any is published later.
 */
function* readKnowledge(place: Place, { asOf }: PastSelection): EngineWork<Knowledge> {
  const { engine, table, series } = place;
  const [commit] = yield* wait(engine.tuples<[number]>(sinceSelect(series)));
  const since = commit?.[0] ?? Number.POSITIVE_INFINITY;
  if (since <= asOf.at) return { tells: true, since };
  if (asOf.by === 'mirrored') return { tells: false, since };
  // The cheaper look first, which nearly always tells; then the oldest row, the likeliest to have been known by then.
  const dated = { sql: datedRows(table), values: [series, series] };
  if (asOf.by === 'public' && (yield* wait(engine.tuples(dated))).length > 0)
    return { tells: true, since, always: true };
  const oldest = { limit: 1, offset: 0, reverse: table.direction === 'desc' };
  return { tells: (yield* pastRows(place, { asOf }, oldest)).length > 0, since };
}

/** Reads the timeline of a series; undefined where rows list no vintages. */
function* readTimeline(place: Place): EngineWork<SeriesTimeline | undefined> {
  return place.table.vintages === undefined ? undefined : seriesTimeline(place.table, yield* readStored(place));
}

/** Reads all that was ever stored of the rows of a series, or of a range of them. */
function* readStored({ engine, table, series }: Place, range: KeyRange = { prefix: [] }): EngineWork<StoredTimeline> {
  const selects = timelineSelects(table, withinRange(table, series, range));
  const [texts, listed, undone] = yield* together<
    [readonly RowVersionTuple[], readonly VintageTuple[], readonly [number, string][]]
  >(
    engine.tuples(selects.texts),
    selects.listed ? engine.tuples(selects.listed) : [],
    engine.tuples(undoneSelect(series)),
  );
  const commits = commitsOfTimeline({ texts, listed });
  yield* wait(engine.times.learn(() => commits));
  const commitTimes = new Map([...commits].map((commit) => [commit, engine.times.at(commit)]));
  return { texts, listed, commitTimes, undone: undoneIn(undone) };
}

/** Reads when a series changed. */
function* readChanges(place: Place): EngineWork<SeriesChanges> {
  const { engine, table, series } = place;
  const timeline = yield* readTimeline(place);
  if (timeline) return timeline.changes();
  const selects = changeSelects(table, series);
  const [commits, releases] = yield* together<[readonly [number][], readonly [number][]]>(
    engine.tuples(selects.commits),
    engine.tuples(selects.releases),
  );
  yield* wait(engine.times.learn(() => commits.map(([commit]) => commit)));
  return changesOfReleases(
    commits.map(([commit]) => engine.times.at(commit)),
    releases.map(([seconds]) => seconds),
  );
}
