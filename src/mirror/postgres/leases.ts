import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { MacroError } from '../../errors.ts';
import type { SyncLock } from '../api/mirror.ts';
import type { HolderOfLock } from '../rules/failures.ts';
import { translatingServer } from './failures.ts';
import type { Pool, TransactionWays, TransactionWork } from './pool.ts';
import { SERVER_NOW } from './schema.ts';

/** Milliseconds that a lease lasts without a renewal. A program that dies keeps others out for as long. */
const LEASE_MS = 30_000;

const RENEWAL_MS = LEASE_MS / 3;

/** Milliseconds for the answer to one statement about leases. */
const ANSWER_MS = 5_000;

/** Division by zero, which is how a statement fails where a token is gone: nothing else here divides. */
const TOKEN_GONE = '22012';

/** The leases that this program has on a mirror. */
export interface Leases {
  /** Takes a lease until it is released or not renewed in time; gives its holder when somebody has it. */
  take(name: string): Promise<SyncLock | HolderOfLock>;
  /** A transaction that writes only while this program has all its leases. Throws `lock_lost` until they are released. */
  writing<T>(work: TransactionWork<T>, how?: TransactionWays): Promise<T>;
  close(): void;
}

interface Lease {
  readonly token: string;
  isGone: boolean;
}

/**
 * Stores leases in a table. Each is taken, renewed and given back by comparing its token in one statement, so that no
 * state of a connection matters. A change does its work, then checks its tokens and locks their rows until the commit.
 * If its program has lost the lease, nothing is written.
 * @throws MacroError of kind `mirror`.
 */
export function openLeases(
  pool: Pool,
  {
    name,
    schema,
    holder,
    newWord,
    isDead,
  }: {
    name: string;
    schema: string;
    holder: string;
    newWord: () => string;
    /** True of a holder that certainly runs no more. Tokens fence it in case it does. */
    isDead: (holder: string) => boolean;
  },
): Leases {
  const table = `"${schema}".leases`;
  const leases = new Map<string, Lease>();
  let own: Promise<Client> | undefined;
  let renewal: AbortController | undefined;

  /** On a connection of its own: a renewal must not wait until others give one back. */
  async function query<Row extends object>(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    const isReused = own !== undefined;
    own ??= pool.alone(ANSWER_MS);
    const used = own;
    try {
      return (await (await used).query<Row>({ text, values: [...values] })).rows;
    } catch (error) {
      if (own === used) leave();
      // It may have broken while nobody used it. All statements here can be made twice.
      if (isReused) return query(text, values);
      throw error;
    }
  }

  function leave(): void {
    void own?.then((client) => client.end()).catch(() => undefined);
    own = undefined;
  }

  async function take(key: string): Promise<SyncLock | HolderOfLock> {
    const lease = { token: newWord(), isGone: false };
    const taken = await query(
      `insert into ${table} as held (name, holder, token, since, until) values ($1, $2, $3, ${SERVER_NOW}, ${SERVER_NOW} + ${LEASE_MS})
        on conflict (name) do update set
          holder = excluded.holder, token = excluded.token, since = excluded.since, until = excluded.until
        where held.until <= ${SERVER_NOW} or held.token = excluded.token returning name`,
      [key, holder, lease.token],
    );
    if (taken.length === 0) {
      const [other] = await query<{ holder: string; token: string; since: string; until: string }>(
        `select holder, token, since, until from ${table} where name = $1`,
        [key],
      );
      if (!other || isDead(other.holder)) {
        // It was given back in between, or nobody is there to give it back.
        if (other) await query(`delete from ${table} where name = $1 and token = $2`, [key, other.token]);
        return take(key);
      }
      if (leases.size === 0) leave();
      return { name: other.holder, since: Number(other.since), until: Number(other.until) };
    }
    leases.set(key, lease);
    void keepRenewing();
    return {
      requireHeld: () =>
        translatingServer(name, async () => {
          await renew(key, lease);
          if (lease.isGone) throw lockLost(name);
        }),
      release: () => release(key, lease),
    };
  }

  /** Real time, whatever the clock of the program shows: the server's goes on. */
  async function keepRenewing(): Promise<void> {
    if (renewal) return;
    renewal = new AbortController();
    const { signal } = renewal;
    let last = performance.now();
    while (!signal.aborted) {
      await setTimeout(RENEWAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      const begun = performance.now();
      try {
        for (const [key, lease] of leases) await renew(key, lease);
        last = begun;
      } catch {
        if (begun - last >= LEASE_MS) for (const lease of leases.values()) lease.isGone = true;
      }
    }
  }

  async function renew(key: string, lease: Lease): Promise<void> {
    if (lease.isGone) return;
    const renewed = await query(
      `update ${table} set until = ${SERVER_NOW} + ${LEASE_MS} where name = $1 and token = $2 returning name`,
      [key, lease.token],
    );
    if (renewed.length === 0) lease.isGone = true;
  }

  async function release(key: string, lease: Lease): Promise<void> {
    if (leases.get(key) !== lease) return;
    leases.delete(key);
    if (leases.size === 0) {
      renewal?.abort();
      renewal = undefined;
    }
    // A lock that cannot be returned ends by itself.
    await query(`delete from ${table} where name = $1 and token = $2`, [key, lease.token]).catch(() => undefined);
    if (leases.size === 0) leave();
  }

  async function write<T>(work: TransactionWork<T>, how: TransactionWays): Promise<T> {
    const stored = [...leases.values()];
    if (stored.some(({ isGone }) => isGone)) throw lockLost(name);
    const tokens = stored.map(({ token }) => `'${token}'`).join(', ');
    const check = `select 1 / (count(*) = ${stored.length})::int
      from (select 1 from ${table} where token in (${tokens}) order by name for share) as held`;
    try {
      return await pool.writing(work, { ...how, last: () => [how.last?.(), check].filter(Boolean).join('; ') });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === TOKEN_GONE)) throw error;
      for (const lease of stored) lease.isGone = true;
      throw lockLost(name, error);
    }
  }

  return {
    take: (key) => translatingServer(name, () => take(key)),
    writing: (work, how = {}) => (leases.size > 0 ? write(work, how) : pool.writing(work, how)),
    close() {
      for (const [key, lease] of leases) void release(key, lease);
      leave();
    },
  };
}

function lockLost(name: string, cause?: unknown): MacroError {
  return new MacroError('mirror', `The lock on the mirror ${name} was lost: it was not renewed in time.`, {
    code: 'lock_lost',
    hint: 'Another program may have it by now, so nothing more was written. Run it again: it goes on where this ended.',
    cause,
  });
}
