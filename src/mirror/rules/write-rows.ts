import { patchRow } from '../../contract/json/body.ts';
import { asJsonText, type JsonText, parseObject, toJsonText } from '../../contract/json/json.ts';
import { memberSpans } from '../../contract/json/scan.ts';
import type { PageCommit, RowCounts } from '../api/page-commit.ts';
import type { KeyValue } from '../api/series.ts';
import { compareRows, keyId, type Prepared, parseStoredRow, prepareRows, type StoredText } from './columns.ts';
import { selectionBounds, type Where, whereOf } from './select.ts';
import { columnNamesOf, type Table } from './tables.ts';
import { knownAt, type ListedVintage, listedVintages, momentOfRow, newestMoment } from './vintages.ts';

type MutableCounts = { -readonly [Name in keyof RowCounts]: number };

/** The fate of a page's rows. */
export interface CommitStats extends MutableCounts {
  /** Something that can be read is different. */
  changed: boolean;
  /** The page says otherwise of rows that an answer to a key brought, and it is not known to be the newer word. */
  heldBack: boolean;
  /** A file has an older state of some rows than the mirror. */
  isOlder: boolean;
}

/** Stored rows near a page: rows under its keys, and rows that may be gone according to it. */
export interface StoredNear {
  readonly rows: ReadonlyMap<string | number, StoredText>;
  readonly vanished: Vanished;
}

/** Decisions about the rows of a page. */
export interface RowDecisions {
  readonly counted: CommitStats;
  /** Rows that are no longer current. */
  readonly ended: { readonly key: Key; readonly stored: StoredText }[];
  /** The same observations in other texts. */
  readonly refreshed: { readonly row: Prepared; readonly stored: StoredText }[];
  /** Rows of which an answer to a key says the same. */
  readonly confirmed: { readonly key: Key; readonly stored: StoredText }[];
  readonly added: Prepared[];
}

type Key = readonly KeyValue[];

type Fate = 'revised' | 'refreshed' | 'unchanged' | 'held back';

/** Rows that are gone, and whether further ones were only not shown to a caller without a key. */
export interface Vanished {
  readonly gone: readonly Key[];
  readonly heldBack: boolean;
}

/** A stored row that a page may say is gone. */
export type Candidate = readonly [keyed: 0 | 1, ...key: KeyValue[]];

/** Decides row by row. `replaced`: keys of rows that the page has under another key. */
export function decideRows(
  table: Table,
  near: StoredNear,
  { rows, commit, replaced }: { rows: readonly Prepared[]; commit: PageCommit; replaced: readonly Key[] },
): RowDecisions {
  const counted: CommitStats = {
    ...{ added: 0, revised: 0, vanished: 0, unchanged: 0 },
    ...{ changed: false, heldBack: commit.doubtful === true || near.vanished.heldBack, isOlder: false },
  };
  const done: RowDecisions = { counted, ended: [], refreshed: [], confirmed: [], added: [] };
  for (const row of rows) {
    const stored = near.rows.get(row.id);
    if (!stored) {
      done.added.push(row);
      counted.added += 1;
      counted.changed = true;
      continue;
    }
    const isOther = commit.dated && stored.text !== row.row.text;
    const merged = isOther ? mergeVintages(table, row, stored) : { row, isOlder: false };
    if (merged.isOlder) counted.isOlder = true;
    const outcome = merged.row ? decideStored(table, done, { row: merged.row, stored, commit }) : 'unchanged';
    counted[outcome === 'revised' ? outcome : 'unchanged'] += 1;
    if (outcome === 'held back') counted.heldBack = true;
    else if (outcome !== 'unchanged') counted.changed = true;
  }
  for (const key of [...replaced, ...near.vanished.gone]) {
    const stored = near.rows.get(keyId(key));
    if (!stored || (counted.isOlder && !replaced.includes(key))) continue;
    done.ended.push({ key, stored });
    counted.vanished += 1;
    counted.changed = true;
  }
  return done;
}

function decideStored(
  table: Table,
  { confirmed, refreshed, ended, added }: RowDecisions,
  { row, stored, commit }: { row: Prepared; stored: StoredText; commit: PageCommit },
): Fate {
  const keyed = keyedOf(commit);
  const difference = isTakenBack(commit, stored)
    ? 'revised'
    : stored.text === row.row.text
      ? 'same'
      : compareRows(parseStoredRow(stored.text), row.row.value, table.dependent);
  if (difference === 'same' || (difference === 'dependent' && commit.excerpt)) {
    if (keyed > stored.keyed) confirmed.push({ key: row.key, stored });
    return 'unchanged';
  }
  // Fields of the request differ between accesses and are no evidence about the observation.
  if (keyed < stored.keyed && !knowsMore(table, row, stored))
    return difference === 'revised' ? 'held back' : 'unchanged';
  if (difference === 'dependent') {
    refreshed.push({ row, stored });
    return 'refreshed';
  }
  ended.push({ key: row.key, stored });
  added.push(row);
  return 'revised';
}

/** An undone text was never public, even if the same text comes back. */
function isTakenBack({ undo }: PageCommit, { seen }: StoredText): boolean {
  return undo !== undefined && seen >= undo.since;
}

/** A keyless answer is delayed and cut short: only a later moment in it shows that it is newer, not narrower. */
function knowsMore(table: Table, { row }: Prepared, stored: StoredText): boolean {
  return newestMoment(table, row.text, row.value) > newestMoment(table, stored.text, parseStoredRow(stored.text));
}

export function keyedOf({ access }: PageCommit): 0 | 1 {
  return access === 'keyless' ? 0 : 1;
}

/** Merges a row of a file: the newest vintage's value and both lists, so an older file never restores old values. */
function mergeVintages(table: Table, row: Prepared, stored: StoredText) {
  const before = parseObject(stored.text);
  const [moment, storedMoment] = [
    momentOfRow(table, row.row.text, { row: row.row.value, assumed: row.row.assumedRelease }),
    momentOfRow(table, stored.text, { row: before, assumed: stored.assumed ?? undefined }),
  ];
  // A row without any time is known from its import.
  const isOlder = moment > 0n && storedMoment > moment;
  const member = table.mapping.vintages;
  const [listed, kept] =
    member === undefined ? [[], []] : [row.row.text, stored.text].map((text) => listedVintages(member, text));
  if (member === undefined || !listed?.length || !kept?.length) return { row: isOlder ? undefined : row, isOlder };
  const storedText = asJsonText(stored.text);
  const [older, newer] = isOlder ? [row.row.text, storedText] : [storedText, row.row.text];
  const list = mergedList(kept, listed);
  const both = patchRow(older, { ...membersOf(newer), [member]: listText(list) });
  const text = patchRow(both, releaseMembers(table, list));
  const merged = { ...row.row, text, value: parseObject(text) };
  return { row: prepareRows(table, [merged])[0], isOlder };
}

/** A row states its release only where the first vintage of its list is that release. */
function releaseMembers(table: Table, [first]: readonly ListedVintage[]): Record<string, JsonText | undefined> {
  const column = [...table.key, ...table.columns].find(({ name }) => name === table.mapping.release);
  if (!column) return {};
  const member = column.from ?? column.name;
  return first && isRelease(first)
    ? { [member]: toJsonText(first.epoch) }
    : { [member]: undefined, publication_time_status: undefined };
}

const isRelease = ({ text }: ListedVintage): boolean => parseObject(text)[FIRST_RELEASE] === true;

const FIRST_RELEASE = 'is_first_release';

function membersOf(text: JsonText): Record<string, JsonText> {
  return Object.fromEntries(
    memberSpans(text).map(({ name, start, end }) => [name, asJsonText(text.slice(start, end))]),
  );
}

const listText = (list: readonly ListedVintage[]): JsonText =>
  asJsonText(`[${list.map(({ text }) => text).join(',')}]`);

/** Oldest first. For one moment the file wins; a repeated value is no news. */
function mergedList(kept: readonly ListedVintage[], listed: readonly ListedVintage[]): readonly ListedVintage[] {
  const byMoment = new Map([...kept, ...listed].map((one) => [knownAt(one), one]));
  const sorted = [...byMoment].sort(([a], [b]) => (a < b ? -1 : Number(a > b))).map(([, one]) => one);
  const changes = sorted.filter(({ value }, place) => sorted[place - 1]?.value !== value);
  // An entry behind an earlier value of another file is no first release.
  return changes.map((one, place) =>
    place > 0 && isRelease(one)
      ? { ...one, text: patchRow(asJsonText(one.text), { [FIRST_RELEASE]: undefined }) }
      : one,
  );
}

/** Where nothing was stored nothing has vanished: the pages of a first sync are such. */
export function saysNothingOfOthers({ extent, seams, window }: PageCommit, range: StoredNear['rows']): boolean {
  return extent === 'listed' && range.size === 0 && !seams?.length && !window;
}

export const NOTHING_VANISHED: Vanished = { gone: [], heldBack: false };

/** Selects of the rows that a page speaks of: everything, its window, between its rows, or a seam. */
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
    if (commit.extent === 'replaces' || (commit.extent === 'listed' && commit.window))
      found.push(whereOf(table, series, commit.window ?? {}));
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

/** The candidates that are gone. A keyed row that a keyless answer misses counts as withheld. */
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
  { window, extent }: PageCommit,
): readonly Prepared[] {
  // A page may end inside of a date, of which the next page has the other rows.
  if (!window || extent === 'listed') return rows;
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
