import pg from 'pg';
import { onTestFinished } from 'vitest';
import { MAPPINGS } from '../../../src/endpoints/index.ts';
import { openServerMirror, type ServerOpenOptions } from '../../../src/mirror/postgres/open.ts';
import { testPlatform } from '../../support/platform.ts';
import { freshAddress } from '../../support/postgres.ts';
import { type FreshMirror, MIDNIGHT } from '../support.ts';

/** A mirror in a fresh schema, closed when the test ends. Its commits are dated by the test. */
export const serverMirror: FreshMirror = async (mappings = MAPPINGS) => {
  const { platform } = testPlatform({ now: MIDNIGHT });
  const address = await freshAddress();
  const again = async (options: Partial<Omit<ServerOpenOptions, 'address' | 'platform'>> = {}) => {
    const mirror = await openServerMirror({ address, mappings, platform, mode: 'write', dates: 'caller', ...options });
    onTestFinished(() => mirror.close());
    return mirror;
  };
  const upgrade = async (...changes: readonly string[]) => {
    for (const change of [...changes, 'update mirror set version = version + 1']) await sqlOn(address, change);
  };
  return { mirror: await again(), path: address, again, sql: (query) => sqlOn(address, query), upgrade };
};

/** What any program can ask of a schema, or do to it. */
export async function sqlOn(address: string, query: string): Promise<readonly unknown[]> {
  const url = new URL(address);
  const client = new pg.Client({
    host: url.hostname,
    port: Number(url.port),
    user: url.username,
    database: 'postgres',
  });
  client.setTypeParser(20, Number);
  await client.connect();
  try {
    await client.query(`set search_path to "${url.searchParams.get('schema')}"`);
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}

/** Takes a lock from its holder, as a program does that has it since, and is over by now: `sync`, or `consumer` and its name. */
export async function dropLock(address: string, lock: string): Promise<void> {
  const ended = await sqlOn(
    address,
    `update leases set token = 'another', until = 0 where name = '${lock}' returning name`,
  );
  if (ended.length !== 1) throw new Error(`Nobody has ${lock}`);
}

/**
 * Ends the connections whose transactions have read the series of a mirror. Those of its own schema alone: the tests of
 * other files use the same server at the same time.
 */
export async function dropReaders(address: string): Promise<void> {
  const schema = new URL(address).searchParams.get('schema');
  const ended = await sqlOn(
    address,
    `select pg_terminate_backend(pid, 5000) as ended from pg_locks where relation = '"${schema}".series'::regclass`,
  );
  if (ended.length === 0) throw new Error(`Nobody reads the series of ${schema}`);
}
