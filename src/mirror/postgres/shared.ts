import { sql } from 'kysely';
import { default as pg } from 'pg';
import type { QuotaOwner, QuotaTable, SecretTable, SharedMirror, StoredSecret } from '../api/shared.ts';
import type { Pool } from './pool.ts';
import { type PostgresLedger, SERVER_NOW } from './schema.ts';
import type { ServerReading, Writing } from './writing.ts';

type SecretRow = PostgresLedger['secrets'];

interface SharedParts {
  readonly reading: ServerReading;
  readonly change: Writing['change'];
  readonly pool: Pick<Pool, 'writing' | 'counts'>;
}

/** What the programs share that use a schema, beside its rows. A secret is replaced by a commit, so every host sees it. */
export function createShared({ reading, change, pool }: SharedParts): SharedMirror {
  return {
    secrets: createSecretTable(reading, change),
    quota: createQuotaTable(reading, pool),
    connections: async () => pool.counts(),
    leases: () =>
      reading(({ ledger }) =>
        ledger
          .selectFrom('leases')
          .select(['name', 'holder', sql<number>`greatest(0, ${sql.raw(SERVER_NOW)} - since)`.as('ageMs')])
          .where('until', '>', sql.raw<number>(SERVER_NOW))
          .orderBy('name')
          .execute(),
      ),
  };
}

function createSecretTable(reading: ServerReading, change: Writing['change']): SecretTable {
  return {
    stored: (kind, names) =>
      reading(async ({ ledger }) => {
        const all = ledger.selectFrom('secrets').selectAll().where('kind', '=', kind).orderBy('name');
        const found = await (names ? all.where('name', 'in', [...names, '']) : all).execute();
        return found.map(toSecret);
      }),
    add: (secret) =>
      change(async ({ ledger }) => {
        const row = ledger.insertInto('secrets').values(toRow(secret));
        const added = await row
          .onConflict((on) => on.doNothing())
          .returning('name')
          .execute();
        return added.length > 0;
      }),
    put: (secret) =>
      change(async ({ ledger }) => {
        const { sealed, facts, ...row } = toRow(secret);
        await ledger
          .insertInto('secrets')
          .values({ ...row, sealed, facts })
          .onConflict((on) => on.columns(['kind', 'name']).doUpdateSet({ sealed, facts }))
          .execute();
      }),
    remove: (kind, name) =>
      change(async ({ ledger }) => {
        await ledger.deleteFrom('secrets').where('kind', '=', kind).where('name', '=', name).execute();
      }),
  };
}

function toRow({ kind, name, sealed, facts }: StoredSecret): SecretRow {
  return { kind, name, sealed: sealed ?? null, facts };
}

function toSecret({ kind, name, sealed, facts }: SecretRow): StoredSecret {
  return { kind: kind as StoredSecret['kind'], name, sealed: sealed ?? undefined, facts }; // the table lets nothing else in
}

/** Budgets of keys. Their changes are none of the mirror: they wait for each other alone, and leave its state as it is. */
function createQuotaTable(reading: ServerReading, pool: Pick<Pool, 'writing'>): QuotaTable {
  return {
    read: ({ service, access }) =>
      reading(async (connection) => {
        const sql = `select account as text, ${SERVER_NOW} as now from quota where service = ? and access = ? and account <> ''`;
        return (await connection.records<{ text: string; now: number }>({ sql, values: [service, access] }))[0];
      }),
    change: ({ service, access }, work) =>
      pool.writing(
        async (connection, [found]) => {
          const { account, now } = found as { readonly account: string; readonly now: number }; // as `lockOf` selects
          const [text, told] = work(account === '' ? undefined : account, now);
          const update = 'update quota set account = ? where service = ? and access = ?';
          connection.send({ sql: update, values: [text, service, access] });
          return told;
        },
        { first: lockOf({ service, access }) },
      ),
  };
}

/** Keeps others from an account until the transaction ends. */
function lockOf({ service, access }: QuotaOwner): string {
  const [name, key] = [pg.escapeLiteral(service), pg.escapeLiteral(access)];
  return `insert into quota values (${name}, ${key}, '') on conflict do nothing;
    select account, ${SERVER_NOW} as now from quota where service = ${name} and access = ${key} for update`;
}
