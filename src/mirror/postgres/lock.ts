import type { MirrorReader, SyncLock } from '../mirror.ts';
import { consumerRunning, syncRunning } from '../sync-lock.ts';
import type { Pool } from './pool.ts';

/** Where a lock is: the server, and the schema of the mirror. */
interface Place {
  readonly name: string;
  readonly schema: string;
}

/** Takes the lock that keeps two syncs of a mirror apart, whichever machines they run on. */
export async function lockSync(
  pool: Pool,
  { mirror, ...place }: Place & { readonly mirror: Pick<MirrorReader, 'runs'> },
): Promise<SyncLock> {
  const lock = await takeLock(pool, `macro sync ${place.schema}`);
  if (lock) return lock;
  throw await syncRunning(place.name, mirror);
}

/** Takes the lock that keeps two programs from being the same consumer. */
export async function lockConsumer(pool: Pool, place: Place, consumer: string): Promise<SyncLock> {
  const lock = await takeLock(pool, `macro consumer ${place.schema} ${consumer}`);
  if (lock) return lock;
  throw consumerRunning(place.name, consumer);
}

/**
 * Takes a lock; undefined when somebody has it. The server holds it for a connection, and asks for signs of life, so that
 * neither a crash nor a lost machine leaves it behind for long.
 */
async function takeLock(pool: Pool, key: string): Promise<SyncLock | undefined> {
  let isFree = false;
  const holder = await pool.alone(async (client) => {
    await client.query(
      'set tcp_keepalives_idle to 20; set tcp_keepalives_interval to 5; set tcp_keepalives_count to 3',
    );
    const asked = { text: 'select pg_try_advisory_lock(hashtextextended($1, 0)) as free', values: [key] };
    isFree = (await client.query<{ free: boolean }>(asked)).rows[0]?.free === true;
  });
  if (isFree) return { release: () => holder.end() };
  await holder.end();
  return undefined;
}
