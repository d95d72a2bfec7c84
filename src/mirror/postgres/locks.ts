import type { Client } from 'pg';
import { MacroError } from '../../errors.ts';
import type { SyncLock } from '../api/mirror.ts';
import { translatingServer } from './failures.ts';
import { createTurns, type Pool, type TransactionWays, type TransactionWork } from './pool.ts';

/** The server asks for signs of life, so that a lost machine does not leave its locks behind for long. */
const SIGNS_OF_LIFE = 'set tcp_keepalives_idle to 20; set tcp_keepalives_interval to 5; set tcp_keepalives_count to 3';

/** The locks that this program holds on a mirror. */
export interface Locks {
  /** Takes a lock until it is released or the program ends; undefined when somebody has it. */
  take(key: string): Promise<SyncLock | undefined>;
  /** A transaction that writes under the locks. Throws `lock_lost` once one of them is gone, until it is released. */
  writing<T>(work: TransactionWork<T>, how?: TransactionWays): Promise<T>;
}

interface Session {
  readonly client: Client;
  isLost: boolean;
}

/**
 * Keeps locks on one connection, which the server holds them for, and sends all changes over that connection while there
 * are any: when it breaks, the change that is under way goes with it, and there is no later one. A change that went another
 * way could follow the first one of a program that took the lock since.
 * @throws MacroError of kind `mirror`.
 */
export function openLocks(pool: Pool, name: string): Locks {
  const stored = new Set<string>();
  const inTurn = createTurns(1);
  let session: Session | undefined;

  async function begin(): Promise<Session> {
    const client = await pool.alone((begun) => begun.query(SIGNS_OF_LIFE));
    const begun = { client, isLost: false };
    client.once('end', () => {
      begun.isLost = true;
    });
    return begun;
  }

  async function leave({ client }: Session): Promise<void> {
    session = undefined;
    await client.end().catch(() => undefined);
  }

  async function take(key: string): Promise<SyncLock | undefined> {
    if (stored.has(key)) return undefined;
    const at = session ?? (await begin());
    session = at;
    try {
      if (!(await asks(at.client, 'pg_try_advisory_lock', key))) return undefined;
      stored.add(key);
    } catch (error) {
      if (stored.size === 0) throw error;
      at.isLost = true;
      throw lockLost(name, error);
    } finally {
      if (stored.size === 0) await leave(at);
    }
    return {
      requireHeld() {
        if (at.isLost) throw lockLost(name);
      },
      release: () => inTurn(() => release(at, key)),
    };
  }

  async function release(at: Session, key: string): Promise<void> {
    if (!stored.delete(key)) return;
    if (stored.size === 0) await leave(at);
    else await asks(at.client, 'pg_advisory_unlock', key).catch(() => undefined);
  }

  async function write<T>(at: Session, work: TransactionWork<T>, how: TransactionWays): Promise<T> {
    if (at.isLost) throw lockLost(name);
    const giveBack = (isBroken: boolean) => {
      if (!isBroken) return;
      at.isLost = true;
      void at.client.end().catch(() => undefined);
    };
    try {
      return await pool.writing(work, { ...how, on: { client: at.client, giveBack } });
    } catch (error) {
      throw at.isLost ? lockLost(name, error) : error;
    }
  }

  return {
    take: (key) => inTurn(() => translatingServer(name, () => take(key))),
    writing: (work, how = {}) =>
      session ? inTurn(() => (session ? write(session, work, how) : pool.writing(work, how))) : pool.writing(work, how),
  };
}

async function asks(client: Client, call: 'pg_try_advisory_lock' | 'pg_advisory_unlock', key: string) {
  const query = { text: `select ${call}(hashtextextended($1, 0)) as done`, values: [key] };
  return (await client.query<{ done: boolean }>(query)).rows[0]?.done === true;
}

function lockLost(name: string, cause?: unknown): MacroError {
  return new MacroError('mirror', `The lock on the mirror ${name} was lost together with its connection.`, {
    code: 'lock_lost',
    hint: 'Another program may have it by now, so nothing more was written. Run it again: it goes on where this ended.',
    cause,
  });
}
