import { MacroError } from '../errors.ts';
import type { Connection } from './connect.ts';
import { requireFit } from './fit.ts';
import { historyReader } from './history.ts';
import type { HeldSeries, MirrorReader, Selection } from './mirror.ts';
import { type PageReader, pageReader } from './page.ts';
import { proofReader } from './proofs.ts';
import { runReader } from './runs.ts';
import { whereOf } from './select.ts';
import { seriesFinder } from './series.ts';
import { statementsOf } from './statements.ts';
import type { Table } from './tables.ts';

/** What all connections of one mirror share. */
export interface Shared {
  readonly path: string;
  table(endpoint: string): Table | undefined;
  /** When a commit was; commits never change, so this is kept. */
  readonly commitTimes: Map<number, number>;
  /** Counts of the latest selections, by series, generation and selection. */
  readonly counts: Map<string, number>;
}

interface TableReader {
  readonly table: Table;
  readonly page: PageReader;
  readonly history: ReturnType<typeof historyReader>;
}

const KEPT_TIMES = 10_000;
const KEPT_COUNTS = 1000;

/** Reads through one connection. */
export function createReader(db: Connection, shared: Shared): MirrorReader {
  const find = seriesFinder(db);
  const proofs = proofReader(db);
  const runs = runReader(db);
  const seenAt = commitClock(db, shared);
  const readerOf = tableReaders(db, shared, seenAt);
  const count = counter(db, shared, readerOf);
  return {
    async find(ref) {
      const table = shared.table(ref.endpoint);
      return table ? find(ref, table.mapping.scope) : [];
    },
    async count(series, selection) {
      return count(series, selection);
    },
    async rows(series, selection, page) {
      return readerOf(series).page.rows(series.id, selection, page);
    },
    async columns(series, selection, names) {
      return readerOf(series).page.columns(series.id, selection, names);
    },
    async vintages(series, prefix, from) {
      return readerOf(series).history(series.id, { prefix, from }, seenAt);
    },
    async proofs(series, access) {
      return proofs(series.id, access);
    },
    async runs(limit) {
      return runs(limit);
    },
  };
}

function commitClock(db: Connection, { commitTimes }: Shared): (commit: number) => number {
  const select = db.prepare<[number], number>('select at from commits where number = ?').pluck();
  return (commit) => {
    const known = commitTimes.get(commit);
    if (known !== undefined) return known;
    const at = select.get(commit) ?? 0;
    remember(commitTimes, commit, at, KEPT_TIMES);
    return at;
  };
}

/** Gives the statements of a series' table, prepared when its endpoint is first read. */
function tableReaders(
  db: Connection,
  shared: Shared,
  seenAt: (commit: number) => number,
): (series: HeldSeries) => TableReader {
  const statements = statementsOf(db);
  const readers = new Map<string, TableReader>();
  return ({ endpoint }) => {
    const known = readers.get(endpoint);
    if (known) return known;
    const table = shared.table(endpoint);
    if (!table) throw new MacroError('internal', `The mirror keeps no rows of '${endpoint}'.`);
    requireFit(db, table, shared.path);
    const page = pageReader(statements, table, seenAt);
    const reader = { table, page, history: historyReader(statements, table) };
    readers.set(endpoint, reader);
    return reader;
  };
}

/** Counting walks the window, and every page of a series asks for its total: so the count of a generation is kept. */
function counter(db: Connection, { counts }: Shared, readerOf: (series: HeldSeries) => TableReader) {
  const generation = db.prepare<[number], number>('select generation from series where id = ?').pluck();
  return (series: HeldSeries, selection: Selection): number => {
    const { table, page } = readerOf(series);
    const where = whereOf(table, series.id, selection);
    // The generation is read again: the caller may have found the series before another commit.
    const name = JSON.stringify([generation.get(series.id), where.sql, where.values]);
    const known = counts.get(name);
    if (known !== undefined) return known;
    const counted = page.count(where);
    remember(counts, name, counted, KEPT_COUNTS);
    return counted;
  };
}

function remember<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  if (map.size >= most) map.clear();
  map.set(key, value);
}
