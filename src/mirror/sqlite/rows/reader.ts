import { MacroError } from '../../../errors.ts';
import type { MirrorReader, Selection, StoredSeries } from '../../api/mirror.ts';
import type { CommitClock } from '../../core/as-of/commit-clock.ts';
import { isPast } from '../../core/as-of/past.ts';
import { once } from '../../core/once.ts';
import { whereOf } from '../../core/select.ts';
import { KEPT_COUNTS, remember, type Shared } from '../../core/shared.ts';
import type { Table } from '../../core/tables.ts';
import type { SqliteConnection } from '../database-file.ts';
import { coverageReader } from '../ledger/coverage.ts';
import { seriesFinder } from '../ledger/series.ts';
import { requireSchemaMatch } from '../schema-match.ts';
import { statementsOf } from '../statements.ts';
import { commitClock } from './clock.ts';
import { differenceReader } from './differences.ts';
import { historyReader } from './history.ts';
import { knowledgeReader } from './knowledge.ts';
import { lineageReader } from './lineage.ts';
import { type PageReader, pageReader } from './page.ts';
import { pastReader } from './past/past.ts';
import type { PastReader } from './past/past-reader.ts';
import { changesReader, timelineReader } from './past/timeline.ts';

interface TableReader {
  readonly table: Table;
  readonly page: PageReader;
  readonly past: PastReader;
  readonly history: ReturnType<typeof historyReader>;
  readonly knowledge: ReturnType<typeof knowledgeReader>;
  readonly timeline: ReturnType<typeof timelineReader>;
  readonly changes: ReturnType<typeof changesReader>;
  readonly differences: ReturnType<typeof differenceReader>;
  readonly lineage: ReturnType<typeof lineageReader>;
}

/** Reads through one connection. Most have few questions, so each kind of statement is prepared when it is first used. */
export function createReader(db: SqliteConnection, shared: Shared): MirrorReader {
  const find = once(() => seriesFinder(db));
  const proofs = once(() => coverageReader(db));
  const readers = once(() => tableReaders(db, shared, commitClock(db, shared.commitTimes)));
  const readerOf = (series: StoredSeries) => readers()(series);
  const count = once(() => counter(db, shared, readerOf));
  /** What takes several statements sees one state, inside of a snapshot or not. */
  const atOnce = <T>(read: () => T): T => (db.inTransaction ? read() : db.transaction(read)());
  return {
    async find(ref) {
      const table = shared.table(ref.endpoint);
      return table ? find()(ref, table.mapping.scope) : [];
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
    const timeline = timelineReader(reading, table);
    const reader = {
      table,
      page: pageReader(statements, table, clock.at),
      past,
      history: historyReader(reading, table),
      knowledge: knowledgeReader(reading, table, past),
      timeline,
      changes: changesReader(reading, table, timeline),
      differences: differenceReader(table, past),
      lineage: lineageReader(reading, table),
    };
    readers.set(endpoint, reader);
    return reader;
  };
}

/** Counting walks the window, and every page of a series asks for its total: so the count of a generation is kept. */
function counter(db: SqliteConnection, { counts }: Shared, readerOf: (series: StoredSeries) => TableReader) {
  const generation = db.prepare<[number], number>('select generation from series where id = ?').pluck();
  const whole = wholeCounter(db);
  return (series: StoredSeries, selection: Selection): number => {
    const { table, page, past } = readerOf(series);
    const where = whereOf(table, series.id, selection);
    // The generation is read again: the caller may have found the series before another commit.
    const name = JSON.stringify([generation.get(series.id), where.sql, where.values, selection.asOf]);
    const known = counts.get(name);
    if (known !== undefined) return known;
    const all = where.values.length === 1 ? () => whole(series.id) : () => page.count(where);
    const counted = isPast(selection) ? past.count(series.id, selection) : all();
    remember(counts, name, counted, KEPT_COUNTS);
    return counted;
  };
}

/** All rows of a series are counted as they come: walking them would take longer the more there are. */
function wholeCounter(db: SqliteConnection): (series: number) => number {
  const rows = db.prepare<[number], number>(`select rows from sums where series = ? and part = 'current'`).pluck();
  return (series) => rows.get(series) ?? 0;
}
