import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import { isoSeconds } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import type { MirrorReader, SyncLock } from '../api/mirror.ts';
import { openDatabase } from './database-file.ts';
import { translating } from './failures.ts';

/** Takes the lock that keeps two syncs of a mirror file apart. */
export async function lockSync(path: string, mirror: Pick<MirrorReader, 'runs'>): Promise<SyncLock> {
  const lock = translating(path, () => lockFile(`${path}-sync`));
  if (lock) return lock;
  throw await syncRunning(path, mirror);
}

/** Takes the lock that keeps two programs from being the same consumer. */
export async function lockConsumer(path: string, name: string): Promise<SyncLock> {
  const file = createHash('sha256').update(name, 'utf8').digest('hex').slice(0, 12);
  const lock = translating(path, () => lockFile(`${path}-consumer-${file}`));
  if (lock) return lock;
  throw consumerRunning(path, name);
}

/**
 * Takes a lock: an exclusive transaction on an empty file beside the mirror; undefined when somebody has it. The operating
 * system holds it for the process, so that no crash and no power loss leaves it behind.
 */
function lockFile(path: string): SyncLock | undefined {
  const lock = openDatabase(path, { timeout: 0 }, 'lock');
  try {
    lock.exec('begin exclusive');
    return { requireHeld: () => {}, release: async () => void lock.close() };
  } catch (error) {
    lock.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
}

/** The refusal of a second program that would be the same consumer. */
export function consumerRunning(path: string, name: string): MacroError {
  return new MacroError('busy', `The consumer ${name} of ${path} is running already.`, {
    code: 'consumer_running',
    hint: 'End the other program, or give this one another --consumer NAME.',
  });
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
