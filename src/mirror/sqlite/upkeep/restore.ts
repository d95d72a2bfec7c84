// Puts a backup in the place of a mirror.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { fileError } from '../../../platform/file-error.ts';
import { useWriteAheadLog } from '../connect.ts';
import { openDatabase } from '../database-file.ts';
import { type BackupReport, backupMirror } from './backup.ts';

export interface RestoreAsk {
  /** The mirror. */
  readonly path: string;
  /** The backup; it stays as it is. */
  readonly file: string;
  /** Where the mirror goes that is there now. */
  readonly aside: string;
  readonly onProgress?: (done: number, of: number) => void;
  readonly signal?: AbortSignal;
}

export interface RestoreReport extends BackupReport {
  /** The mirror that was there before; undefined when there was none. */
  readonly replaced: string | undefined;
}

/** A file of SQLite and what may stand beside it: its log belongs to it, or the last commits are lost. */
const ENDINGS = ['', '-wal', '-shm', '-journal'] as const;

/**
 * Walk: the backup is copied beside the mirror and looked over; the mirror that is there gets another name, with its log,
 * for it may be damaged and cannot be asked for more; the copy gets a log of its own, and then the name. Only under the lock of the mirror.
 * Stopped at any point there is the old mirror or the new one, and nothing is deleted.
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
