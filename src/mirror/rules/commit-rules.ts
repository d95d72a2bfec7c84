import { parseJson, parseObject } from '../../contract/json/json.ts';
import { singleMembers } from '../../contract/json/scan.ts';
import { type ReleaseEvent, releaseEventOf } from '../../contract/release-event.ts';
import { dateOf, dateToMs } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import type { CommitReport, NamedSeries, NewRow, PageCommit } from '../api/page-commit.ts';
import type { KeyValue, StoredSeries } from '../api/series.ts';
import type { Prepared } from './columns.ts';
import { GENERATED_ACCESS } from './coverage.ts';
import { rowsOfState } from './digest.ts';
import { selectionBounds } from './select.ts';
import type { Table } from './tables.ts';
import type { CommitStats } from './write-rows.ts';

/** An event of a page: its place in the journal, and its processing time there when it was known before. */
export interface Arrival {
  readonly position: number;
  readonly known: number | undefined;
}

/** The content of a page of events. */
export interface Arrivals {
  /** For the report, row by row. */
  readonly arrived: readonly (number | undefined)[];
  /** Series that the events name which were not known. */
  readonly named: readonly NamedSeries[];
  /** Rows that are written: of what comes by itself only those of events that were not known. */
  readonly taken: readonly Prepared[];
  /** Keys of rows that stand there under another time: the feed says it otherwise than what came by itself before. */
  readonly replaced: readonly (readonly KeyValue[])[];
}

/** Does a commit change what can be read? Then it is recorded. @throws MacroError of kind `busy`. */
export function isChange(
  { undo }: PageCommit,
  stored: StoredSeries | undefined,
  { rowsChanged, envelope }: { rowsChanged: boolean; envelope: PageCommit['envelope'] },
): boolean {
  if (undo && stored?.chain !== undo.chain)
    throw new MacroError('busy', 'The series has changed while its import was being undone, so nothing was undone.', {
      code: 'series_changed',
      hint: 'Try again: macro import undo ID.',
    });
  return stored === undefined || rowsChanged || envelope !== undefined || undo !== undefined;
}

/** The old and the new name of a series, if the service names it otherwise than the stored one. */
export function replacedBy(
  { mapping: { identity } }: Table,
  stored: StoredSeries | undefined,
  { envelope, series: { origin } }: PageCommit,
): CommitReport['replaced'] {
  const before = stored?.envelope;
  if (identity === undefined || !before || !envelope || before.text === envelope.text) return undefined;
  if (origin.startsWith('import:')) return undefined;
  const [from, to] = [before, envelope].map(({ text }) => parseObject(text)[identity]);
  return typeof from === 'string' && typeof to === 'string' && from !== to ? { from, to } : undefined;
}

/** True where a page of a walk brings another series: the pages before it were of the old one, and nothing rests on them. */
export function isWithinWalk({ walk, covered, rows }: PageCommit): boolean {
  return Math.max(walk?.seen ?? 0, covered?.rows ?? 0) > rows.length;
}

/** Endpoints that commits are of, each once. */
export function endpointsOf(commits: readonly PageCommit[]): readonly string[] {
  return [...new Set(commits.map(({ series }) => series.endpoint))];
}

/** The report of a commit about the rows. */
export function countsOf({ added, revised, vanished, unchanged, heldBack }: CommitStats): Omit<CommitReport, 'commit'> {
  return { added, revised, vanished, unchanged, ...(heldBack && { heldBack }) };
}

/** The members beside the rows, if they must be stored because their readable part has changed. */
export function newEnvelope(
  { envelope, excerpt }: PageCommit,
  stored: StoredSeries | undefined,
  { changed: rowsChanged, isOlder }: Pick<CommitStats, 'changed' | 'isOlder'>,
): PageCommit['envelope'] {
  if (!envelope) return undefined;
  const old = stored?.envelope;
  if (excerpt && old) return undefined;
  const text = isOlder && old ? old.text : envelope.text;
  const stale = stored !== undefined && old !== undefined && old.rows !== rowsOfState(stored.state);
  if (!rowsChanged && !stale && old?.text === text && old.inputs === envelope.inputs) return undefined;
  return { text, inputs: envelope.inputs };
}

/** The key behind which a stored row keeps an answer from confirming the present; undefined for none. */
export function pastEnd(table: Table, rows: readonly Prepared[], commit: PageCommit): KeyValue | undefined {
  const end = endOf(table, rows, commit);
  if (end === undefined) return undefined;
  const today = dateOf(commit.at);
  const present = typeof end === 'number' ? dateToMs(today) / 1000 : today;
  return end >= present ? undefined : end;
}

/** The end of the range that an answer speaks of; undefined when it has none. */
function endOf(table: Table, rows: readonly Prepared[], { walk, covered, window, extent }: PageCommit) {
  const end = walk?.to ?? covered?.to ?? window?.to;
  // The coverage of a whole document has no bounds.
  if (end === '') return undefined;
  if (end !== undefined) return selectionBounds(table, { to: end }).to;
  if (extent !== 'listed') return undefined;
  return rows.at(table.direction === 'desc' ? 0 : -1)?.key[0];
}

/** When a series that a commit begins was last confirmed, in milliseconds: never, where it begins with an event. */
export function checkedAtFirst(commit: PageCommit): number {
  return cameByItself(commit) ? 0 : commit.at;
}

/** An event outside of the feed's answers is no evidence about missing events. */
export function cameByItself({ arrived, envelope, walk }: PageCommit): boolean {
  return arrived !== undefined && walk === undefined && envelope === undefined;
}

/** Ends a transaction whose changes shall not stay; carries what it did out of it. */
export class TakenBack extends Error {
  readonly reports: readonly CommitReport[];

  constructor(reports: readonly CommitReport[]) {
    super('a rehearsed commit is taken back');
    this.reports = reports;
  }
}

/** The reports of a transaction that undid itself. @throws the error if it failed otherwise */
export function reportsIn(error: unknown): readonly CommitReport[] {
  if (error instanceof TakenBack) return error.reports;
  throw error;
}

/** The commit with each member once: a column has the last value, a view of SQLite would show the first. */
export function withSingleMembers(commit: PageCommit): PageCommit {
  // Rows of files and generated ones are made here, member by member.
  if (commit.series.origin.startsWith('import:') || commit.access === GENERATED_ACCESS) return commit;
  const rows = commit.rows.map(singleRow);
  const { envelope } = commit;
  const text = envelope && singleMembers(envelope.text, parseJson(envelope.text));
  const isSame = text === envelope?.text && rows.every((row, i) => row === commit.rows[i]);
  if (isSame) return commit;
  return { ...commit, rows, ...(envelope && text !== undefined && { envelope: { ...envelope, text } }) };
}

function singleRow(row: NewRow): NewRow {
  const text = singleMembers(row.text, row.value);
  return text === row.text ? row : { ...row, text };
}

/** Sorts the events of a page by what the journal knows of each. */
export function arrivalsOf(rows: readonly Prepared[], commit: PageCommit, arrivals: readonly Arrival[]): Arrivals {
  const isNew = (i: number) => arrivals[i]?.known === undefined;
  const news = commit.rows.filter((_, i) => isNew(i));
  const byItself = cameByItself(commit);
  const taken = new Set(news);
  return {
    arrived: arrivals.map(({ position, known }) => (known === undefined ? position : undefined)),
    named: news.flatMap(({ names = [] }) => names),
    taken: byItself ? rows.filter(({ row }) => taken.has(row)) : rows,
    replaced: byItself ? [] : commit.rows.flatMap((row, i) => redated(row, arrivals[i]?.known)),
  };
}

/** An event's id as the file has it: UTF-8 has no place for half of a surrogate pair. */
export function storedId(eventId: string): string {
  return eventId.toWellFormed();
}

/** Events that the journal does not know, each as its first row has it. */
export function unknownAmong(
  events: readonly ReleaseEvent[],
  known: ReadonlyMap<string, Arrival>,
): readonly ReleaseEvent[] {
  const unknown = new Map<string, ReleaseEvent>();
  for (const event of events) {
    const id = storedId(event.eventId);
    if (!known.has(id) && !unknown.has(id)) unknown.set(id, event);
  }
  return [...unknown.values()];
}

/** The arrival of each event, from the known events and the positions of the new ones. */
export function arrivalsInOrder(
  events: readonly ReleaseEvent[],
  known: ReadonlyMap<string, Arrival>,
  positions: ReadonlyMap<string, number>,
): readonly Arrival[] {
  const all = new Map(known);
  return events.map(({ eventId, timestamp }): Arrival => {
    const id = storedId(eventId);
    const stored = all.get(id);
    if (stored) return stored;
    const position = positions.get(id) ?? 0;
    // Its next row in the same page finds it known.
    all.set(id, { position, known: timestamp });
    return { position, known: undefined };
  });
}

function redated(row: NewRow, known: number | undefined): readonly (readonly KeyValue[])[] {
  const { eventId, timestamp } = releaseEventOf(row);
  return known === undefined || known === timestamp ? [] : [[known, eventId]];
}
