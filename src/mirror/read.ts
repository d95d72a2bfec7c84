import { MacroError } from '../errors.ts';
import type { Connection } from './connect.ts';
import { requireFit } from './fit.ts';
import { historyReader } from './history.ts';
import type { HeldSeries, MirrorReader, Selection } from './mirror.ts';
import { type PageReader, pageReader } from './page.ts';
import { proofReader } from './proofs.ts';
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

/** Reads through one connection. Statements are prepared when an endpoint is first read. */
export function createReader(db: Connection, shared: Shared): MirrorReader {
  const statements = statementsOf(db);
  const find = seriesFinder(db);
  const proofs = proofReader(db);
  const commitTime = db.prepare<[number], number>('select at from commits where number = ?').pluck();
  const generation = db.prepare<[number], number>('select generation from series where id = ?').pluck();
  const readers = new Map<string, TableReader>();

  function seenAt(commit: number): number {
    const known = shared.commitTimes.get(commit);
    if (known !== undefined) return known;
    const at = commitTime.get(commit) ?? 0;
    remember(shared.commitTimes, commit, at, KEPT_TIMES);
    return at;
  }

  function readerOf({ endpoint }: HeldSeries): TableReader {
    const known = readers.get(endpoint);
    if (known) return known;
    const table = shared.table(endpoint);
    if (!table) throw new MacroError('internal', `The mirror keeps no rows of '${endpoint}'.`);
    requireFit(db, table, shared.path);
    const reader = {
      table,
      page: pageReader(statements, table, seenAt),
      history: historyReader(db, statements, table),
    };
    readers.set(endpoint, reader);
    return reader;
  }

  /** Counting walks the window, and every page of a series asks for its total: so the count of a generation is kept. */
  function count(series: HeldSeries, selection: Selection): number {
    const { table, page } = readerOf(series);
    const where = whereOf(table, series.id, selection);
    // The generation is read again: the caller may have found the series before another commit.
    const name = JSON.stringify([generation.get(series.id), where.sql, where.values]);
    const known = shared.counts.get(name);
    if (known !== undefined) return known;
    const counted = page.count(where);
    remember(shared.counts, name, counted, KEPT_COUNTS);
    return counted;
  }

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
    async vintages(series, key) {
      return readerOf(series).history(series.id, key, seenAt);
    },
    async proofs(series, access) {
      return proofs(series.id, access);
    },
  };
}

function remember<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  if (map.size >= most) map.clear();
  map.set(key, value);
}
