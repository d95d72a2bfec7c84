/** The imports of a mirror, as the commits of files tell them. */
import type { FileCommit, SeriesKey } from '../mirror/api/mirror.ts';
import { undoneBy } from '../mirror/core/as-of/undone.ts';
import { nameOfFileSeries } from './format.ts';
import { type FileCoverage, type FileRequest, readFileRequest } from './request.ts';

/** What one file brought when it was imported. */
export interface PastImport extends Omit<FileRequest, 'covers' | 'members'> {
  /** Number of its first commit. */
  readonly id: number;
  /** Milliseconds. */
  readonly at: number;
  readonly publisher: string;
  readonly series: readonly ImportedSeries[];
  readonly added: number;
  readonly revised: number;
  readonly withdrawn: number;
  /** When it was undone, in milliseconds. */
  readonly undoneAt: number | undefined;
}

export interface ImportedSeries {
  readonly key: SeriesKey;
  /** Undefined for a file that came before its commits said so. */
  readonly covers: FileCoverage | undefined;
  /** Members beside the rows, as JSON; undefined where no commit says them. */
  readonly members: string | undefined;
}

interface Growing extends Omit<PastImport, 'series' | 'undoneAt'> {
  readonly series: Map<string, ImportedSeries>;
  last: number;
  added: number;
  revised: number;
  withdrawn: number;
}

/**
 * The imports in their order. One transaction writes a file, so its commits follow each other and have one time. A file that
 * changed nothing at all, because it was the last one of its series already, made no commit and is none of them.
 */
export function importsIn(commits: readonly FileCommit[]): readonly PastImport[] {
  const found: Growing[] = [];
  const undone = new Map<number, number>();
  for (const commit of commits) {
    const undo = undoneBy(commit);
    if (undo) undone.set(undo.since, commit.at);
    const request = readFileRequest(commit.request);
    if (!request) continue;
    const last = found.at(-1);
    const one = last && continues(last, commit, request) ? last : begun(commit, request);
    if (one !== last) found.push(one);
    one.last = commit.number;
    const name = nameOfFileSeries(commit.series);
    const members = request.members ?? one.series.get(name)?.members;
    one.series.set(name, { key: commit.series, covers: request.covers, members });
    one.added += commit.added;
    one.revised += commit.revised;
    one.withdrawn += commit.vanished;
  }
  return found.map(({ last: _, series, ...one }) => ({
    ...one,
    series: [...series.values()],
    undoneAt: undone.get(one.id),
  }));
}

function begun({ number, at, series }: FileCommit, { format, file, digest }: FileRequest): Growing {
  const publisher = series.origin.replace(/^import:/, '');
  const counts = { added: 0, revised: 0, withdrawn: 0 };
  return { id: number, at, publisher, format, file, digest, ...counts, series: new Map(), last: number };
}

function continues(one: Growing, { number, at, series }: FileCommit, { format, file, digest }: FileRequest): boolean {
  const isNext = number === one.last + 1 && at === one.at && series.origin === `import:${one.publisher}`;
  return isNext && format === one.format && file === one.file && digest === one.digest;
}
