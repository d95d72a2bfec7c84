import Database from 'better-sqlite3';
import { isoSeconds } from '../contract/time.ts';
import { MacroError } from '../errors.ts';
import type { MirrorReader, SyncLock } from './mirror.ts';

/**
 * Takes the lock of a mirror file: an exclusive transaction on an empty file beside it. The operating system holds such a
 * lock for the process, so that no crash and no power loss leaves it behind.
 */
export async function lockSync(path: string, mirror: Pick<MirrorReader, 'runs'>): Promise<SyncLock> {
  const lock = new Database(`${path}-sync`, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      throw await syncRunning(path, mirror);
    throw error;
  }
  return { release: async () => void lock.close() };
}

/** The refusal of a second sync; names who runs the first one. */
export async function syncRunning(path: string, mirror: Pick<MirrorReader, 'runs'>): Promise<MacroError> {
  const [run] = await mirror.runs(1);
  const holder = run && run.outcome === undefined ? run : undefined;
  const who = holder ? `${holder.holder}, since ${isoSeconds(Math.floor(holder.started / 1000))}` : 'another program';
  return new MacroError('busy', `A sync of ${path} is running already: ${who}.`, {
    code: 'sync_running',
    hint: 'Wait until it is done; questions are answered meanwhile.',
  });
}
