import type { Mirror, SyncLock } from '../api/mirror.ts';
import { consumerRunning, syncRunning } from '../core/lock-errors.ts';
import type { Locks } from './locks.ts';

/** Where a lock is: the server, and the schema of the mirror. */
interface Place {
  readonly name: string;
  readonly schema: string;
}

/** Takes the lock that keeps two syncs of a mirror apart, whichever machines they run on. */
export async function lockServerSync(
  locks: Locks,
  { mirror, ...place }: Place & { readonly mirror: Pick<Mirror, 'runs'> },
): Promise<SyncLock> {
  const lock = await locks.take(`macro sync ${place.schema}`);
  if (lock) return lock;
  throw await syncRunning(place.name, mirror);
}

/**
 * Takes the lock that keeps two programs from being the same consumer.
 * @throws MacroError of kind `busy`.
 */
export async function lockServerConsumer(locks: Locks, place: Place, consumer: string): Promise<SyncLock> {
  const lock = await locks.take(`macro consumer ${place.schema} ${consumer}`);
  if (lock) return lock;
  throw consumerRunning(place.name, consumer);
}
