import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { sqliteCode } from '../../platform/file-error.ts';
import type { Mirror, SyncLock } from '../api/mirror.ts';
import { consumerRunning, syncRunning } from '../rules/failures.ts';
import { openDatabase } from './database-file.ts';
import { translating } from './failures.ts';

/** Takes the lock that keeps two syncs of a mirror file apart. */
export async function lockSync(path: string, mirror: Pick<Mirror, 'runs'>): Promise<SyncLock> {
  const lock = translating(path, () => lockFile(`${path}-sync`));
  if (lock) return lock;
  const [run] = await mirror.runs(1);
  throw syncRunning(path, run && run.outcome === undefined ? { name: run.holder, since: run.started } : undefined);
}

/** Takes the lock that keeps two programs from being the same consumer. @throws MacroError of kind `busy`. */
export async function lockConsumer(path: string, name: string): Promise<SyncLock> {
  const file = createHash('sha256').update(name, 'utf8').digest('hex').slice(0, 12);
  const lock = translating(path, () => lockFile(`${path}-consumer-${file}`));
  if (lock) return lock;
  throw consumerRunning(path, name);
}

/** The locks of this program, referenced so that the garbage collector closes no connection. */
const openLocks = new Set<Database.Database>();

/** Takes a lock, an exclusive transaction that no crash leaves behind; undefined when taken. */
export function lockFile(path: string): SyncLock | undefined {
  const lock = openDatabase(path, { timeout: 0 }, 'lock');
  try {
    lock.exec('begin exclusive');
    openLocks.add(lock);
    return { requireHeld: async () => {}, release: async () => release(lock) };
  } catch (error) {
    lock.close();
    if (sqliteCode(error).startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
}

function release(lock: Database.Database): void {
  openLocks.delete(lock);
  lock.close();
}
