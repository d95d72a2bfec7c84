import { default as pg } from 'pg';
import type { LeaseHolder, QuotaOwner, SecretTable, SharedAccount, SharedMirror, StoredSecret } from '../api/shared.ts';
import type { Pool } from './pool.ts';
import { SERVER_NOW } from './schema.ts';
import type { ServerReading, Writing } from './writing.ts';

interface SecretRow extends Pick<StoredSecret, 'name' | 'facts'> {
  readonly kind: string;
  readonly sealed: string | null;
}

interface SharedParts {
  readonly reading: ServerReading;
  readonly change: Writing['change'];
  readonly pool: Pick<Pool, 'writing' | 'counts'>;
}

/** The shared state of the programs of a schema, beside its rows. A secret is replaced by a commit, so every host sees it. */
export function createShared({ reading, change, pool }: SharedParts): SharedMirror {
  return {
    secrets: createSecretTable(reading, change),
    account: (owner) => openAccount(pool, owner),
    connections: async () => pool.counts(),
    leases: () => reading(({ records }) => records<LeaseHolder>({ sql: LEASES, values: [] })),
  };
}

const LEASES = `select name, holder, greatest(0, ${SERVER_NOW} - since) as "ageMs"
  from leases where until > ${SERVER_NOW} order by name`;

function createSecretTable(reading: ServerReading, change: Writing['change']): SecretTable {
  return {
    stored: (kind, names) =>
      reading(async ({ records }) => {
        const sql = `select * from secrets where kind = ?${names ? ' and name = any(?)' : ''} order by name`;
        return (await records<SecretRow>({ sql, values: names ? [kind, names] : [kind] })).map(toSecret);
      }),
    add: (secret) =>
      change(async ({ tuples }) => {
        const sql = `${INSERT_SECRET} on conflict do nothing returning name`;
        return (await tuples({ sql, values: valuesOf(secret) })).length > 0;
      }),
    put: (secret) =>
      change(async ({ send }) => {
        const sql = `${INSERT_SECRET} on conflict (kind, name) do update set sealed = excluded.sealed, facts = excluded.facts`;
        send({ sql, values: valuesOf(secret) });
      }),
    remove: (kind, name) =>
      change(async ({ send }) => {
        send({ sql: 'delete from secrets where kind = ? and name = ?', values: [kind, name] });
      }),
  };
}

const INSERT_SECRET = 'insert into secrets (kind, name, sealed, facts) values (?, ?, ?, ?)';

const valuesOf = ({ kind, name, sealed, facts }: StoredSecret) => [kind, name, sealed ?? null, facts];

function toSecret({ kind, name, sealed, facts }: SecretRow): StoredSecret {
  return { kind: kind as StoredSecret['kind'], name, sealed: sealed ?? undefined, facts }; // the table lets nothing else in
}

/** The budget of a key. Its changes are none of the mirror: they wait for each other alone, and leave its state as it is. */
function openAccount(pool: Pick<Pool, 'writing'>, { service, access }: QuotaOwner): SharedAccount {
  const first = lockOf({ service, access });
  // One after the other, so that this process waits with one connection.
  let last: Promise<unknown> = Promise.resolve();
  const change: SharedAccount['change'] = (work) => {
    const changed = last.then(() =>
      pool.writing(
        async ({ send }, [found]) => {
          const stored = found as Awaited<ReturnType<SharedAccount['read']>>; // as `lockOf` selects
          const [text, told] = work(stored);
          const sql = 'update quota set account = ? where service = ? and access = ?';
          if (text !== stored.text) send({ sql, values: [text, service, access] });
          return told;
        },
        { first },
      ),
    );
    // Whoever waits behind a failure fails with it; the next change tries again.
    last = changed;
    changed.catch(() => {
      last = Promise.resolve();
    });
    return changed;
  };
  return {
    read: () => change((stored) => [stored.text, stored]),
    change,
    close: async () => void (await last),
  };
}

/** Keeps others from an account until the transaction ends. */
function lockOf({ service, access }: QuotaOwner): string {
  const [name, key] = [pg.escapeLiteral(service), pg.escapeLiteral(access)];
  return `insert into quota values (${name}, ${key}, '') on conflict do nothing;
    select account as text, ${SERVER_NOW} as now from quota where service = ${name} and access = ${key} for update`;
}
