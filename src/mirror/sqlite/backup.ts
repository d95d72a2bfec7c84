import { existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { MacroError } from '../../errors.ts';
import { fileError } from '../../platform/file-error.ts';
import { BUSY_TIMEOUT, connectForReading, useWriteAheadLog } from './connect.ts';
import { openDatabase, type SqliteConnection } from './database-file.ts';
import { translating } from './failures.ts';
import { assertIntegrity, readState } from './version.ts';

// Puts a backup in the place of a mirror.
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

interface RestoreAsk {
  /** The mirror. */
  readonly path: string;
  /** The backup; it stays as it is. */
  readonly file: string;
  /** Where the mirror goes that is there now. */
  readonly aside: string;
  readonly onProgress?: (done: number, of: number) => void;
  readonly signal?: AbortSignal;
}

interface RestoreReport extends BackupReport {
  /** The mirror that was there before; undefined when there was none. */
  readonly replaced: string | undefined;
}

/** A file of SQLite and what may stand beside it: its log belongs to it, or the last commits are lost. */
const ENDINGS = ['', '-wal', '-shm', '-journal'] as const;

/**
 * Copies the mirror by SQLite's online backup, in one read transaction. The copy has another name until it is checked,
 * so an interruption leaves no half backup.
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

/** The error for the new file: the mirror itself was only read. */
function unusable(target: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof MacroError || !('code' in error)) return error;
  return new MacroError('mirror', `The backup ${target} cannot be written: ${error.message}.`, {
    code: 'backup_unusable',
    hint: 'Check the folder, its permissions and the free space; the mirror itself is as it was.',
    cause: error,
  });
}

/**
 * Checks a copy of the backup beside the mirror, renames the mirror with its log, then the copy, under its lock.
 * Stopped anywhere, one of them is there, and nothing is deleted.
 */
export async function restoreMirror({ path, file, aside, ...ask }: RestoreAsk): Promise<RestoreReport> {
  const copy = `${path}.restoring`;
  try {
    const report = await backupMirror({ path: file, target: copy, replace: true, ...ask });
    makeReady(copy);
    const isThere = existsSync(path);
    if (isThere) move(path, aside);
    try {
      renameSync(copy, path);
    } catch (error) {
      if (isThere) move(aside, path);
      throw fileError('write', path, error);
    }
    return { ...report, replaced: isThere ? aside : undefined };
  } finally {
    for (const ending of ENDINGS) rmSync(copy + ending, { force: true });
  }
}

/**
 * Refuses a backup with views, triggers or virtual tables of somebody else: they would run with the next statement over the mirror.
 * @throws MacroError of kind `verification`.
 */
export function refuseForeignSchema(file: string, views: ReadonlySet<string>): void {
  const db = translating(file, () => connectForReading(file, BUSY_TIMEOUT));
  try {
    const found = db
      .prepare<[], { type: string; name: string }>(
        `select type, name from sqlite_schema
         where type in ('view', 'trigger') or type = 'table' and sql like 'create virtual%' order by name`,
      )
      .all()
      .find(({ type, name }) => type !== 'view' || !views.has(name));
    if (!found) return;
    const what = found.type === 'table' ? 'virtual table' : found.type;
    throw new MacroError(
      'verification',
      `The backup ${file} has a ${what} that is not of a mirror: ${found.name.slice(0, 60)}.`,
      {
        code: 'backup_altered',
        hint: 'Restore another backup. If the file is yours, drop it with the sqlite3 program first.',
      },
    );
  } finally {
    db.close();
  }
}

/** A backup is one plain file; a mirror has a log, so that it is read while it is written. */
function makeReady(copy: string): void {
  const db = openDatabase(copy, { fileMustExist: true });
  try {
    useWriteAheadLog(db);
  } finally {
    db.close();
  }
}

function move(from: string, to: string): void {
  try {
    for (const ending of ENDINGS) if (existsSync(from + ending)) renameSync(from + ending, to + ending);
  } catch (error) {
    throw fileError('rename', from, error);
  }
}
