import type { PageCommit } from '../../api/page-commit.ts';
import type { KeyValue } from '../../api/rows.ts';
import { keyId, type PositionedPage, type Prepared } from '../rows.ts';
import { selectionBounds, type Where, whereOf } from '../select.ts';
import { columnNamesOf, type Table } from '../tables.ts';

/** Rows that are gone, and whether further ones were only not shown to a caller without a key. */
export interface Vanished {
  readonly gone: readonly (readonly KeyValue[])[];
  readonly heldBack: boolean;
}

/** A stored row that a page may say is gone. */
export type Candidate = readonly [keyed: 0 | 1, ...key: KeyValue[]];

/** Where nothing was stored nothing has vanished: the pages of a first sync are such. */
export function saysNothingOfOthers({ extent, seams }: PageCommit, range: PositionedPage['range']): boolean {
  return extent === 'listed' && range?.size === 0 && !seams?.length;
}

export const NOTHING_VANISHED: Vanished = { gone: [], heldBack: false };

/**
 * Selects of the stored rows that a page speaks of. What a page says follows from its extent: `replaces` speaks of the window
 * or of everything; `listed` of what lies between its outermost rows; seams of what lies between neighbouring pages.
 */
export function vanishQueries(table: Table) {
  const key = columnNamesOf(table.key);
  const [first] = key;
  const select = `select keyed, ${key.join(', ')} from ${table.current} where`;
  const tuple = `(${key.join(', ')})`;
  const marks = `(${key.map(() => '?').join(', ')})`;
  // SQLite looks up no tuples in an index with a descending column: its first column bounds the search.
  const between = `series = ? and ${first} >= ? and ${first} <= ? and ${tuple} > ${marks} and ${tuple} < ${marks}`;

  return (series: number, rows: readonly Prepared[], commit: PageCommit): readonly Where[] => {
    const found: Where[] = [];
    if (commit.undo) {
      const { sql, values } = whereOf(table, series, commit.window ?? {});
      found.push({ sql: `${sql} and seen >= ?`, values: [...values, commit.undo.since] });
    }
    if (commit.extent === 'replaces') found.push(whereOf(table, series, commit.window ?? {}));
    const interior = commit.extent === 'listed' ? interiorOf(rows) : undefined;
    // Rows that share the first column with an outermost row may stand on the page next door.
    if (interior) found.push({ sql: `series = ? and ${first} > ? and ${first} < ?`, values: [series, ...interior] });
    // Which of the two keys comes first is for the engine to say: the other way round nothing lies between them.
    for (const [a, b] of commit.seams ?? [])
      for (const [low, high] of [
        [a, b],
        [b, a],
      ] as const)
        found.push({ sql: between, values: [series, ...low.slice(0, 1), ...high.slice(0, 1), ...low, ...high] });
    return found.map(({ sql, values }) => ({ sql: `${select} ${sql}`, values }));
  };
}

/** Those of the candidates that are gone. What a keyed answer brought is held back, not gone, because a keyless one lacks it. */
export function vanishedAmong(
  candidates: readonly (readonly Candidate[])[],
  rows: readonly Prepared[],
  { access }: PageCommit,
): Vanished {
  if (candidates.every((list) => list.length === 0)) return NOTHING_VANISHED;
  let heldBack = false;
  const present = new Set(rows.map((row) => row.id));
  const gone = new Map<string | number, readonly KeyValue[]>();
  for (const [keyed, ...of] of candidates.flat()) {
    const id = keyId(of);
    if (present.has(id)) continue;
    if (keyed === 1 && access === 'keyless') heldBack = true;
    else gone.set(id, of);
  }
  return { gone: [...gone.values()], heldBack };
}

/** Smallest and largest first key column of a page; nothing lies between fewer than two. */
function interiorOf(rows: readonly Prepared[]): readonly [KeyValue, KeyValue] | undefined {
  const a = rows.at(0)?.key[0];
  const b = rows.at(-1)?.key[0];
  if (a === undefined || b === undefined || a === b) return undefined;
  return a < b ? [a, b] : [b, a];
}

/** Rows inside the asked window: a row that an answer shows from outside of it is no part of it. */
export function insideWindow(
  table: Table,
  rows: readonly Prepared[],
  window: PageCommit['window'],
): readonly Prepared[] {
  if (!window) return rows;
  const { from, to } = selectionBounds(table, window);
  const at = Math.max(
    0,
    table.key.findIndex((column) => column.name === table.mapping.window?.column),
  );
  return rows.filter(({ key }) => {
    const value = key[at];
    if (value === undefined) return false;
    return (from === undefined || value >= from) && (to === undefined || value <= to);
  });
}
