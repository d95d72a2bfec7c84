import type { AsOf } from '../../contract/time/moments.ts';
import { MacroError } from '../../errors.ts';
import type { MirrorReader } from '../api/mirror.ts';
import type {
  AccessTag,
  DifferencePage,
  KeyValue,
  Knowledge,
  RowDifference,
  RowLineage,
  Selection,
  SeriesChanges,
  SeriesTimeline,
  SourceCommit,
  StoredSeries,
  Vintage,
} from '../api/series.ts';
import { type CommitClock, datedOf } from '../rules/as-of/dated.ts';
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
import { isPast } from '../rules/as-of/past-stored.ts';
import {
  changeSelects,
  changesOfReleases,
  commitsOfTimeline,
  type StoredTimeline,
  seriesTimeline,
  timelineSelects,
} from '../rules/as-of/timeline.ts';
import { type Where, whereOf } from '../rules/select.ts';
import { MAX_COUNTS, once, remember, type Shared, type Table } from '../rules/tables.ts';
import {
  type RowVersion,
  type RowVersionTuple,
  rowVersionColumns,
  rowVersionOf,
  type VintageTuple,
} from '../rules/vintages.ts';
import { checkReader, coverageReader } from './coverage.ts';
import { type SqliteConnection, type Statements, statementsOf } from './database-file.ts';
import { seriesFinder } from './ledger.ts';
import {
  type HistoryTables,
  type PageReader,
  type PastReader,
  pageReader,
  pastReader,
  undoneReader,
  vintageReader,
} from './pages.ts';
import { requireSchemaMatch } from './schema-match.ts';

interface TableReader {
  readonly table: Table;
  readonly page: PageReader;
  readonly past: PastReader;
  readonly history: ReturnType<typeof historyReader>;
  readonly knowledge: ReturnType<typeof knowledgeReader>;
  readonly stored: ReturnType<typeof storedReader>;
  readonly timeline: TimelineReader;
  readonly changes: ReturnType<typeof changesReader>;
  readonly differences: ReturnType<typeof differenceReader>;
  readonly lineage: ReturnType<typeof lineageReader>;
}

type CommitTuple = [at: number, access: AccessTag, request: string];

const MAX_TIMES = 10_000;

/** Reads through one connection. Most have few questions, so each kind of statement is prepared when it is first used. */
export function createReader(db: SqliteConnection, shared: Shared): MirrorReader {
  const find = once(() => seriesFinder(db));
  const proofs = once(() => coverageReader(db));
  const checks = once(() => checkReader(db));
  const readers = once(() => tableReaders(db, shared, commitClock(db, shared.commitTimes)));
  const readerOf = (series: StoredSeries) => readers()(series);
  const count = once(() => counter(db, shared, readerOf));
  /** What takes several statements sees one state, inside of a snapshot or not. */
  const atOnce = <T>(read: () => T): T => (db.inTransaction ? read() : db.transaction(read)());
  return {
    async find(ref, time) {
      const table = shared.table(ref.endpoint);
      return table ? find()(ref, table.mapping.scope, time) : [];
    },
    async count(series, selection) {
      return atOnce(() => count()(series, selection));
    },
    async rows(series, selection, page) {
      const { past, page: current } = readerOf(series);
      if (isPast(selection)) return atOnce(() => past.page(series.id, selection, page));
      return current.rows(series.id, selection, page);
    },
    async texts(series, selection) {
      const { past, page } = readerOf(series);
      if (isPast(selection)) return atOnce(() => past.page(series.id, selection).map(({ text }) => text));
      return page.texts(series.id, selection);
    },
    async columns(series, selection, names) {
      const { past, page } = readerOf(series);
      if (isPast(selection)) return atOnce(() => past.columns(series.id, selection, names));
      return page.columns(series.id, selection, names);
    },
    async vintages(series, prefix, { asOf, ...dates } = {}) {
      return atOnce(() => readerOf(series).history(series.id, { prefix, ...dates }, asOf));
    },
    async knowledge(series, asOf) {
      return atOnce(() => readerOf(series).knowledge(series.id, asOf));
    },
    async timeline(series) {
      return atOnce(() => readerOf(series).timeline(series.id));
    },
    async knownTexts(series, ask) {
      const { table, stored } = readerOf(series);
      return knownTexts(
        table,
        atOnce(() => stored(series.id)),
        ask,
      );
    },
    async commit(number) {
      const select = 'select number, at, access, request from commits where number <= ? order by number desc limit 1';
      const found = db.prepare<[number], SourceCommit>(select).get(number ?? Number.MAX_SAFE_INTEGER);
      return number === undefined || found?.number === number ? found : undefined;
    },
    async changes(series) {
      return atOnce(() => readerOf(series).changes(series.id));
    },
    async differences(series, page) {
      return atOnce(() => readerOf(series).differences(series.id, page));
    },
    async lineage(series, key) {
      return atOnce(() => readerOf(series).lineage(series.id, key));
    },
    async proofs(series, access) {
      return atOnce(() => proofs()(readerOf(series).table, series.id, access));
    },
    async checkOf(series, access) {
      return checks()(series.id, access);
    },
  };
}

/** Gives the statements of a series' table, prepared when its endpoint is first read. */
function tableReaders(db: SqliteConnection, shared: Shared, clock: CommitClock): (series: StoredSeries) => TableReader {
  const statements = statementsOf(db);
  const readers = new Map<string, TableReader>();
  return ({ endpoint }) => {
    const known = readers.get(endpoint);
    if (known) return known;
    const table = shared.table(endpoint);
    if (!table) throw new MacroError('internal', `The mirror keeps no rows of '${endpoint}'.`);
    requireSchemaMatch(db, table, shared.path);
    const reading = { statements, clock };
    const past = pastReader(db, reading, table);
    const stored = storedReader(reading, table);
    const timeline = (series: number) =>
      table.vintages === undefined ? undefined : seriesTimeline(table, stored(series));
    const reader = {
      table,
      page: pageReader(statements, table, clock.at),
      past,
      history: historyReader(reading, table),
      knowledge: knowledgeReader(reading, table, past),
      stored,
      timeline,
      changes: changesReader(reading, table, timeline),
      differences: differenceReader(table, past),
      lineage: lineageReader(reading, table),
    };
    readers.set(endpoint, reader);
    return reader;
  };
}

/** Counting walks the window, and every page of a series asks for its total: so the count of a history is kept. */
function counter(db: SqliteConnection, { counts }: Shared, readerOf: (series: StoredSeries) => TableReader) {
  const history = db.prepare<[number], string>('select history from series where id = ?').pluck();
  const whole = wholeCounter(db);
  return (series: StoredSeries, selection: Selection): number => {
    const { table, page, past } = readerOf(series);
    const where = whereOf(table, series.id, selection);
    // The history is read again: the caller may have found the series before another commit.
    const name = JSON.stringify([history.get(series.id), where.sql, where.values, selection.asOf]);
    const known = counts.get(name);
    if (known !== undefined) return known;
    const all = where.values.length === 1 ? () => whole(series.id) : () => page.count(where);
    const counted = isPast(selection) ? past.count(series.id, selection) : all();
    remember(counts, name, counted, MAX_COUNTS);
    return counted;
  };
}

/** All rows of a series are counted as they come: walking them would take longer the more there are. */
function wholeCounter(db: SqliteConnection): (series: number) => number {
  const rows = db.prepare<[number], number>(`select rows from sums where series = ? and part = 'current'`).pluck();
  return (series) => rows.get(series) ?? 0;
}

/** Rows added, withdrawn or revised between two moments, by both states in answer order. */
function differenceReader(table: Table, past: PastReader) {
  return (series: number, { from, to, limit, after }: DifferencePage): readonly RowDifference[] => {
    const [left, right] = [past.iterate(series, { asOf: from }, after), past.iterate(series, { asOf: to }, after)];
    try {
      return differencesOf(table, { left, right }, limit);
    } finally {
      left.return(undefined);
      right.return(undefined);
    }
  };
}

/** Where the texts of one row came from, and since when its values were known. */
function lineageReader({ statements, clock }: HistoryTables, table: Table) {
  const stagesOf = rowVersionReader(statements, table);
  const listedOf = vintageReader(statements, table);

  function commitOf(number: number): SourceCommit {
    const select = 'select at, access, request from commits where number = ?';
    const [at, access, request] = statements.raw<CommitTuple>(select).get(number) ?? [0, 'keyless', ''];
    return { number, at, access, request };
  }

  return (series: number, key: readonly KeyValue[]): RowLineage => {
    const where = withinRange(table, series, { prefix: key });
    const stages = stagesOf(where);
    return lineageOf(stages, datedOf(table, { stages, listed: listedOf(where) }, clock), commitOf);
  };
}

/**
 * What the mirror can tell of a series at a moment: everything if stored by then; else, to others, something if a row
 * was in force or any is published later.
 */
function knowledgeReader({ statements }: HistoryTables, table: Table, past: PastReader) {
  const dated = datedRows(table);

  function tells(series: number, asOf: AsOf): Omit<Knowledge, 'since'> {
    if (asOf.by === 'mirrored') return { tells: false };
    // The cheaper look first, which nearly always tells; then the oldest row, the likeliest to have been known by then.
    if (asOf.by === 'public' && statements.raw<[number]>(dated).get(series, series) !== undefined)
      return { tells: true, always: true };
    return {
      tells: past.page(series, { asOf }, { limit: 1, offset: 0, reverse: table.direction === 'desc' }).length > 0,
    };
  }

  return (series: number, asOf: AsOf): Knowledge => {
    const { sql, values } = sinceSelect(series);
    const since = statements.raw<[number]>(sql).get(...values)?.[0] ?? Number.POSITIVE_INFINITY;
    return since <= asOf.at ? { tells: true, since } : { ...tells(series, asOf), since };
  };
}

/** Commits never change, so their times are kept in `times`; they never go back, so a moment is found by halving. */
export function commitClock(db: SqliteConnection, times: Map<number, number>): CommitClock {
  const select = db.prepare<[number], number>('select at from commits where number = ?').pluck();
  const newest = db.prepare<[], number>('select coalesce(max(number), 0) from commits').pluck();
  const atOrBefore = db.prepare<[number], { number: number; at: number }>(
    'select number, at from commits where number <= ? order by number desc limit 1',
  );
  return {
    at(commit) {
      const known = times.get(commit);
      if (known !== undefined) return known;
      const at = select.get(commit) ?? 0;
      if (times.size >= MAX_TIMES) times.clear();
      times.set(commit, at);
      return at;
    },
    lastBy(at) {
      let [low, high] = [0, newest.get() ?? 0];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        const commit = atOrBefore.get(middle);
        if (!commit) low = middle;
        else if (commit.at <= at) low = middle;
        else high = commit.number - 1;
      }
      return atOrBefore.get(low)?.number ?? 0;
    },
  };
}

/** Vintages of rows, listed and our own from superseded rows; with a moment, those known then. */
function historyReader({ statements, clock }: HistoryTables, table: Table) {
  const kept = vintageReader(statements, table);
  const stages = rowVersionReader(statements, table);
  const undoneOf = undoneReader(statements);

  return (series: number, range: KeyRange, asOf?: AsOf): readonly Vintage[] => {
    const where = withinRange(table, series, range);
    return vintagesOfRow(
      table,
      { stages: stages(where), listed: kept(where) },
      { clock, asOf, undone: undoneOf(series) },
    );
  };
}

/** Reads the texts that some rows had, in the order of commits. */
function rowVersionReader(statements: Statements, table: Table) {
  const columns = rowVersionColumns(table);
  return ({ sql, values }: Where): readonly RowVersion[] => {
    const read = (select: string, from: string) =>
      statements
        .raw<RowVersionTuple>(`select ${select} from ${from} where ${sql}`)
        .all(...values)
        .map((tuple) => rowVersionOf(table, tuple));
    return sortedVersions(read(columns.superseded, table.superseded), read(columns.current, table.current));
  };
}

/** Reads all that is stored of the rows of a series. */
function storedReader({ statements, clock }: HistoryTables, table: Table) {
  const undoneOf = undoneReader(statements);
  const all = <Row extends unknown[]>({ sql, values }: Where) => statements.raw<Row>(sql).all(...values);

  return (series: number): StoredTimeline => {
    const { texts, listed } = timelineSelects(table, series);
    const stored = { texts: all<RowVersionTuple>(texts), listed: listed ? all<VintageTuple>(listed) : [] };
    return {
      ...stored,
      commitTimes: new Map([...commitsOfTimeline(stored)].map((commit) => [commit, clock.at(commit)])),
      undone: undoneOf(series),
    };
  };
}

/** Reads when a series changed. */
function changesReader({ statements, clock }: HistoryTables, table: Table, timeline: TimelineReader) {
  const numbers = ({ sql, values }: Where) =>
    statements
      .raw<[number]>(sql)
      .all(...values)
      .map(([one]) => one);

  return (series: number): SeriesChanges => {
    const known = timeline(series);
    if (known) return known.changes();
    const { commits, releases } = changeSelects(table, series);
    return changesOfReleases(numbers(commits).map(clock.at), numbers(releases));
  };
}

/** Reads the timeline of a series; undefined where rows list no vintages. */
type TimelineReader = (series: number) => SeriesTimeline | undefined;
