import { existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { MacroError } from '../../../errors.ts';
import { BUSY_TIMEOUT, connectForReading } from '../connect.ts';
import type { SqliteConnection } from '../database-file.ts';
import { translating } from '../failures.ts';
import { assertIntegrity } from '../integrity.ts';
import { readState } from '../version.ts';

export interface BackupAsk {
  /** The mirror. */
  readonly path: string;
  readonly target: string;
  /** Replace a file that is there. */
  readonly replace: boolean;
  readonly onProgress?: (done: number, of: number) => void;
  readonly signal?: AbortSignal;
}

export interface BackupReport {
  readonly bytes: number;
  readonly series: number;
  readonly commits: number;
}

/** Pages copied between two looks at whether somebody wants an end. */
const PAGES = 2000;

/**
 * Copies the mirror with SQLite's online backup while others go on reading and writing. Walk: one read transaction holds
 * the state that is copied, or every commit of another program would begin the copy anew; it grows under another name;
 * its log is folded in, so that it is one file; it is looked over; then it gets its name. Stopped at any point, there is
 * no backup rather than half of one.
 * @throws MacroError of kind `mirror`.
 */
export async function backupMirror(ask: BackupAsk): Promise<BackupReport> {
  const { path, target } = ask;
  refuseTarget(ask);
  const partial = join(dirname(target), `.${basename(target)}.partial`);
  const source = translating(path, () => connectForReading(path, BUSY_TIMEOUT));
  try {
    remove(partial);
    source.exec('begin');
    translating(path, () => source.prepare('select 1 from mirror').get());
    await source.backup(partial, { progress: (state) => step(ask, state) });
    const report = finish(partial, path);
    renameSync(partial, target);
    return report;
  } catch (error) {
    remove(partial);
    throw unusable(target, error);
  } finally {
    source.close();
  }
}

function remove(file: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(file + end, { force: true });
}

function step({ onProgress, signal }: BackupAsk, { totalPages, remainingPages }: Database.BackupMetadata): number {
  onProgress?.(totalPages - remainingPages, totalPages);
  signal?.throwIfAborted();
  return PAGES;
}

/** @throws MacroError for a place that the copy cannot have */
export function refuseTarget({ path, target, replace }: Pick<BackupAsk, 'path' | 'target' | 'replace'>): void {
  const refuse = (message: string, hint: string) => new MacroError('usage', message, { code: 'bad_target', hint });
  if (!existsSync(dirname(target)))
    throw refuse(`There is no folder ${dirname(target)}.`, 'Make it, or choose another.');
  if (!existsSync(target)) return;
  if (realpathSync(target) === realpathSync(path))
    throw refuse('A mirror cannot be its own backup.', 'Name another file.');
  if (!statSync(target).isFile()) throw refuse(`${target} is not a file.`, 'Name a file in it.');
  if (existsSync(`${target}-wal`))
    throw refuse(`${target} is a database that a program has open.`, 'Close that program, or name another file.');
  if (!replace) throw refuse(`${target} is there already.`, 'Name another file, or replace it with --yes.');
}

/** Makes one plain file of the copy and looks it over: its pages are those of the mirror. */
function finish(partial: string, path: string): BackupReport {
  const copy = new Database(partial);
  try {
    copy.pragma('journal_mode = delete');
    readState(copy, partial);
    assertIntegrity(copy, path, 'quick');
    return { bytes: statSync(partial).size, series: countIn(copy, 'series'), commits: countIn(copy, 'commits') };
  } finally {
    copy.close();
  }
}

function countIn(db: SqliteConnection, table: 'series' | 'commits'): number {
  return db.prepare<[], number>(`select count(*) from ${table}`).pluck().get() ?? 0;
}

/** What failed is about the new file: the mirror itself was only read. */
function unusable(target: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof MacroError || !('code' in error)) return error;
  return new MacroError('mirror', `The backup ${target} cannot be written: ${error.message}.`, {
    code: 'backup_unusable',
    hint: 'Check the folder, its permissions and the free space; the mirror itself is as it was.',
    cause: error,
  });
}
