import type { MirrorReader, SyncLock } from '../mirror.ts';
import { syncRunning } from '../sync-lock.ts';
import { translatingServer } from './failures.ts';
import type { Pool } from './pool.ts';

/**
 * Takes the lock that keeps two syncs of a mirror apart, whichever machines they run on: the server holds it for a
 * connection, and asks for signs of life, so that neither a crash nor a lost machine leaves it behind for long.
 */
export async function lockSync(
  pool: Pool,
  { name, schema, mirror }: { name: string; schema: string; mirror: Pick<MirrorReader, 'runs'> },
): Promise<SyncLock> {
  const holder = await pool.alone();
  const isFree = await translatingServer(name, async () => {
    await holder.query(
      'set tcp_keepalives_idle to 20; set tcp_keepalives_interval to 5; set tcp_keepalives_count to 3',
    );
    const asked = {
      text: 'select pg_try_advisory_lock(hashtextextended($1, 0)) as free',
      values: [`macro sync ${schema}`],
    };
    return (await holder.query<{ free: boolean }>(asked)).rows[0]?.free === true;
  });
  if (isFree) return { release: () => holder.end() };
  await holder.end();
  throw await syncRunning(name, mirror);
}
