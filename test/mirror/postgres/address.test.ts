import { describe, expect, it } from 'vitest';
import { readServerAddress } from '../../../src/mirror/postgres/address.ts';

const here = (text: string, env: Record<string, string> = {}) => {
  const { name, schema, servers, mayBePlain } = readServerAddress(text, { USER: 'me', ...env });
  const { user, host, port, database, password: ask } = servers[0] ?? {};
  const password = typeof ask === 'function' ? ask() : ask;
  return { name, schema, user, host, port, database, password, mayBePlain };
};

describe('the address of a mirror', () => {
  it('names user, host, port, database and schema', () => {
    expect(here('postgres://desk@db.example:6000/markets?schema=team')).toEqual({
      name: 'postgres://desk@db.example:6000/markets?schema=team',
      ...{ schema: 'team', user: 'desk', host: 'db.example', port: 6000, database: 'markets' },
      ...{ password: undefined, mayBePlain: true },
    });
  });

  it('takes what it leaves out from the variables of libpq, then from its defaults', () => {
    expect(here('postgres://')).toMatchObject({
      user: 'me',
      host: 'localhost',
      port: 5432,
      database: 'me',
      schema: 'macro',
    });
    const env = { PGUSER: 'a', PGHOST: 'h', PGPORT: '1', PGDATABASE: 'd', PGPASSWORD: 'p' };
    expect(here('postgresql:///', env)).toMatchObject({ user: 'a', host: 'h', port: 1, database: 'd', password: 'p' });
    expect(here('postgres://desk@db/markets', env)).toMatchObject({
      user: 'desk',
      host: 'db',
      port: 1,
      database: 'markets',
    });
  });

  it('reaches a socket of this machine by its folder', () => {
    const socket = { host: '/run/postgresql', database: 'markets', mayBePlain: true };
    expect(here('postgres:///markets?host=/run/postgresql')).toMatchObject(socket);
    expect(here('postgres://%2Frun%2Fpostgresql/markets')).toMatchObject(socket);
  });

  it('names several servers, each with its port, and which of them may be used', () => {
    const read = (text: string, env = {}) => {
      const { servers, wants, poolSize } = readServerAddress(text, { USER: 'me', ...env });
      return [servers.map(({ host, port }) => `${host} ${port}`), wants, poolSize];
    };
    expect(read('postgres://a,b:6000,[::1]/m?target_session_attrs=read-write&pool=20')).toEqual([
      ['a 5432', 'b 6000', '::1 5432'],
      'writes',
      20,
    ]);
    expect(read('postgres:///m?host=a,b&port=6000')).toEqual([['a 6000', 'b 6000'], undefined, 12]);
    expect(read('postgres:///m', { PGHOST: 'a,b', PGPORT: '1,2', PGTARGETSESSIONATTRS: 'standby' })).toEqual([
      ['a 1', 'b 2'],
      'standby',
      12,
    ]);
  });

  it('takes options, a time to connect and a file of passwords', () => {
    const [server] = readServerAddress('postgres://db/m?options=-c%20work_mem%3D1MB&connect_timeout=3', {}).servers;
    expect(server).toMatchObject({ options: '-c work_mem=1MB', connectionTimeoutMillis: 3000 });
    expect(readServerAddress('postgres://me@db/m?passfile=/etc/desk.pass', {}).name).toBe(
      'postgres://me@db/m?passfile=%2Fetc%2Fdesk.pass',
    );
  });

  it('has a name that leads to the same mirror', () => {
    for (const text of ['postgres://desk@[::1]:6000/m?schema=s&sslmode=disable', 'postgres://a%40b@%2Frun/m%2Fn'])
      expect(here(here(text).name)).toEqual(here(text));
  });

  it.each([
    ['disable', false, true],
    ['prefer', { rejectUnauthorized: false, checkServerIdentity: expect.any(Function) }, true],
    ['require', { rejectUnauthorized: false, checkServerIdentity: expect.any(Function) }, false],
    ['verify-ca', { rejectUnauthorized: true, checkServerIdentity: expect.any(Function) }, false],
    ['verify-full', { rejectUnauthorized: true }, false],
  ])('speaks TLS as libpq does under sslmode=%s', (mode, ssl, mayBePlain) => {
    const own = readServerAddress(`postgres://me@db/m?sslmode=${mode}`, {});
    expect([own.servers[0]?.ssl, own.mayBePlain]).toEqual([ssl, mayBePlain]);
    expect(readServerAddress('postgres://me@db/m', { PGSSLMODE: mode }).servers[0]?.ssl).toEqual(ssl);
  });

  it.each([
    ['postgres://me@db/m?schema=Team', 'no name of a schema'],
    ['postgres://me@db/m?schema=pg_catalog', 'no name of a schema'],
    ['postgres://me@db/m?sslmode=maybe', 'no sslmode'],
    ['postgres://me@db/m?sslrootcert=/nowhere.pem', 'cannot be read'],
    ['postgres://me@db/m?port=x', 'no port'],
    ['postgres://me@db:port/m', 'no address'],
    ['postgres://me@a,b,c/m?port=1,2', '3 hosts and 2 ports'],
    ['postgres://me@db/m?target_session_attrs=master', 'no target_session_attrs'],
    ['postgres://me@db/m?pool=3', 'no pool'],
    ['postgres://me@db/m?connect_timeout=soon', 'no connect_timeout'],
    ['postgres://me:pw@db/m', 'may not contain a password'],
    ['postgres://me@db/m?password=pw', 'may not contain a password'],
  ])('is refused: %s', (text, why) => {
    expect(() => readServerAddress(text, {})).toThrow(
      expect.objectContaining({ kind: 'usage', message: expect.stringContaining(why) }),
    );
  });
});
