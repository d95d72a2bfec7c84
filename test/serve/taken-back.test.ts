import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { createServer } from '../../src/serve/create.ts';
import { createColumns } from '../../src/source/columns.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { serverMirror, sqlOn } from '../mirror/postgres/support.ts';
import { page, rate } from '../mirror/support.ts';
import { testPlatform } from '../support/platform.ts';
import { POSTGRES_BIN } from '../support/postgres.ts';
import { LABELS } from './scripted-source.ts';

const KEY = { 'x-api-key': 'any' };

/** The tables of a schema, as a standby or a backup has them. */
async function keepTables(address: string): Promise<() => Promise<void>> {
  const schema = new URL(address).searchParams.get('schema');
  const tables = `select quote_ident(tablename) as name from pg_tables where schemaname = '${schema}'`;
  const names = (await sqlOn(address, tables)).map((row) => String(Object.values(Object(row))[0]));
  const copies = names.map((name) => `create table ${schema}_old.${name} as select * from ${name}`);
  await sqlOn(address, [`create schema ${schema}_old`, ...copies].join('; '));
  const restored = names.map((name) => `delete from ${name}; insert into ${name} select * from ${schema}_old.${name}`);
  return async () => {
    await sqlOn(address, ['begin', 'set local session_replication_role to replica', ...restored, 'commit'].join('; '));
  };
}

describe.skipIf(POSTGRES_BIN === undefined)('a server over a database whose last commits were taken back', () => {
  it('answers what the database has, with its next question', async () => {
    const { mirror, path, again } = await serverMirror();
    const { platform } = testPlatform({ now: '2026-11-20T18:00:00Z' });
    const app = await createServer({
      source: createMirrorSource({ mirror, labels: LABELS, columns: createColumns() }),
      ...{ mirror, endpoints: ENDPOINTS, platform, options: { labels: LABELS } },
    });
    const told = async () => {
      const { statusCode, body } = await app.inject({ url: '/v1/forex/EUR/USD?limit=1', headers: KEY });
      return [statusCode, JSON.parse(body).data?.[0]?.val];
    };
    /** So that what is remembered answers as well. */
    const twice = async () => [await told(), await told()];
    const answers = (val: number) => [
      [200, val],
      [200, val],
    ];
    const covered = { from: '2026-11-01', to: '2026-11-20', rows: 1 };
    const commit = (val: number) => page([rate('2026-11-19', val)], { access: 'keyless', covered, extent: 'listed' });
    await mirror.commitPage(commit(1.1));
    expect(await twice()).toEqual(answers(1.1));
    const restore = await keepTables(path);
    await mirror.commitPage(commit(1.1111));
    expect(await twice()).toEqual(answers(1.1111));
    await restore();
    await (await again()).commitPage(commit(1.2222));
    expect(await twice()).toEqual(answers(1.2222));
    await restore();
    expect(await twice()).toEqual(answers(1.1));
    await app.close();
  });
});
