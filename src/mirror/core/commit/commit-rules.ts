import { dateOf, dateToMs } from '../../../contract/time/time.ts';
import { MacroError } from '../../../errors.ts';
import type { CommitReport, PageCommit } from '../../api/page-commit.ts';
import type { KeyValue } from '../../api/rows.ts';
import type { StoredSeries } from '../../api/series.ts';
import type { Prepared } from '../rows.ts';
import { selectionBounds } from '../select.ts';
import type { Table } from '../tables.ts';
import type { CommitStats } from './write-rows.ts';

/**
 * Does a commit change what can be read? Then it is recorded.
 * @throws MacroError of kind `busy`.
 */
export function isChange(
  { undo }: PageCommit,
  stored: StoredSeries | undefined,
  { rowsChanged, envelope }: { rowsChanged: boolean; envelope: PageCommit['envelope'] },
): boolean {
  if (undo && stored?.generation !== undo.generation)
    throw new MacroError('busy', 'The series has changed while its import was being undone, so nothing was undone.', {
      code: 'series_changed',
      hint: 'Try again: macro import undo ID.',
    });
  return stored === undefined || rowsChanged || envelope !== undefined || undo !== undefined;
}

/** Endpoints that commits are of, each once. */
export function endpointsOf(commits: readonly PageCommit[]): readonly string[] {
  return [...new Set(commits.map(({ series }) => series.endpoint))];
}

/** What a commit tells its caller of the rows. */
export function countsOf({ added, revised, vanished, unchanged, heldBack }: CommitStats): Omit<CommitReport, 'commit'> {
  return { added, revised, vanished, unchanged, ...(heldBack && { heldBack }) };
}

/** The members beside the rows, if they are to be kept because what can be read of them has changed. */
export function newEnvelope(
  { envelope, excerpt }: PageCommit,
  stored: StoredSeries | undefined,
  { changed: rowsChanged, isOlder }: Pick<CommitStats, 'changed' | 'isOlder'>,
): PageCommit['envelope'] {
  if (!envelope) return undefined;
  const old = stored?.envelope;
  if (excerpt && old) return undefined;
  const text = isOlder && old ? old.text : envelope.text;
  const stale = stored !== undefined && old !== undefined && old.commit < stored.generation;
  if (!rowsChanged && !stale && old?.text === text && old.inputs === envelope.inputs) return undefined;
  return { text, inputs: envelope.inputs };
}

/**
 * The key behind which no row may be stored if an answer is to confirm the present; undefined when it does whatever is stored.
 * An answer about a stretch that lies in the past and ends before the newest stored row says nothing about the present. Rows
 * dated ahead are no reason to call an answer up to today old.
 */
export function pastEnd(table: Table, rows: readonly Prepared[], commit: PageCommit): KeyValue | undefined {
  const end = endOf(table, rows, commit);
  if (end === undefined) return undefined;
  const today = dateOf(commit.at);
  const present = typeof end === 'number' ? dateToMs(today) / 1000 : today;
  return end >= present ? undefined : end;
}

/** The end of the stretch that an answer speaks of; undefined when it has none. */
function endOf(table: Table, rows: readonly Prepared[], { paginationRun: walk, proof, window, extent }: PageCommit) {
  const end = walk?.to ?? proof?.to ?? window?.to;
  // The proof of a whole document has no bounds.
  if (end === '') return undefined;
  if (end !== undefined) return selectionBounds(table, { to: end }).to;
  if (extent !== 'listed') return undefined;
  return rows.at(table.direction === 'desc' ? 0 : -1)?.key[0];
}

/** When a series that a commit begins was last confirmed, in milliseconds: never, where it begins with an event. */
export function checkedAtFirst(commit: PageCommit): number {
  return cameByItself(commit) ? 0 : commit.at;
}

/** An event outside of the feed's answers says nothing of those that did not come. */
export function cameByItself({ arrived, envelope, paginationRun: walk }: PageCommit): boolean {
  return arrived !== undefined && walk === undefined && envelope === undefined;
}
