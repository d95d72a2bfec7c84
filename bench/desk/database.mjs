// PostgreSQL of a desk: a primary, a standby that follows it asynchronously, and a pooler in each mode before the primary.
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort, POSTGRES_BIN, unprivileged } from '../../test/support/postgres.ts';
import { start, until } from './programs.mjs';

const PACKAGED = '/usr/lib/postgresql/15/bin';
const BIN = existsSync(join(PACKAGED, 'pg_basebackup')) ? PACKAGED : (POSTGRES_BIN ?? '');
const POOLER = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path));
const OWNER = process.getuid() === 0 ? unprivileged() : {};
const SCHEMA = 'macro';
const NEWEST = 'select coalesce(max(number), 0) as number from commits';
/** Commits survive the death of a process; only a standby lacks some. */
const SETTINGS = '-c listen_addresses=127.0.0.1 -c max_connections=120 -c fsync=off -c wal_keep_size=256MB';

pg.types.setTypeParser(20, Number);

export async function startDatabase(folder) {
  if (!POOLER) throw new Error('There is no pgbouncer on this machine: apt-get install pgbouncer');
  chmodSync(folder, 0o755);
  const home = join(folder, 'postgres');
  mkdirSync(home);
  if (OWNER.uid !== undefined) chownSync(home, OWNER.uid, OWNER.gid);
  const nodes = { a: { port: await freePort() }, b: { port: await freePort() } };
  const poolers = { transaction: { port: await freePort() }, session: { port: await freePort() } };
  const asOwner = { cwd: home, env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...OWNER };
  /** Runs a program of PostgreSQL: words without blanks. */
  const tool = (line) => {
    const [name, ...words] = line.split(' ');
    return promisify(execFile)(join(BIN, name), words, { ...asOwner, maxBuffer: 1e8 });
  };
  let primary = 'a';
  const standby = () => (primary === 'a' ? 'b' : 'a');
  const place = () => `-h 127.0.0.1 -p ${nodes[primary].port} -U postgres`;

  async function begin(name) {
    const words = `${SETTINGS} -c port=${nodes[name].port} -c unix_socket_directories=${home}`.split(' ');
    const command = [join(BIN, 'postgres'), '-D', join(home, name), ...words];
    nodes[name].program = start(command, { folder, log: `postgres-${name}`, user: OWNER, cwd: home });
    const answers = () => sql('select 1', name).then(Boolean, () => false);
    await until(answers, `postgres ${name} answers`);
  }

  async function end(name, signal) {
    nodes[name].program.signal(signal);
    await nodes[name].program.ended;
  }

  async function sql(text, name = primary) {
    const { port } = nodes[name];
    const where = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres', connectionTimeoutMillis: 5000 };
    const client = new pg.Client(where);
    client.on('error', () => {});
    await client.connect();
    try {
      await client.query(`set search_path to ${SCHEMA}`);
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** A fresh copy of the primary, which follows it. */
  async function follow() {
    const data = join(home, standby());
    rmSync(data, { recursive: true, force: true });
    await tool(`pg_basebackup -D ${data} ${place()} -R -c fast`);
    await begin(standby());
    await caughtUp();
  }

  async function caughtUp() {
    const [{ lsn }] = await sql('select pg_current_wal_lsn() as lsn');
    const reached = `select pg_last_wal_replay_lsn() >= '${lsn}'::pg_lsn as so`;
    await until(async () => (await sql(reached, standby()))[0].so, 'the standby follows');
  }

  function writePooler(mode) {
    const lines = `[databases]
      postgres = host=127.0.0.1 port=${nodes[primary].port} user=postgres
      [pgbouncer]
      listen_addr = 127.0.0.1
      listen_port = ${poolers[mode].port}
      unix_socket_dir =
      auth_type = any
      pool_mode = ${mode}
      max_client_conn = 200
      query_wait_timeout = 5
      server_login_retry = 1`;
    writeFileSync(join(home, `${mode}.ini`), `${lines.replaceAll(/^ +/gm, '')}\n`);
  }

  function beginPooler(mode) {
    writePooler(mode);
    const command = [POOLER, '-q', join(home, `${mode}.ini`)];
    poolers[mode].program = start(command, { folder, log: `pgbouncer-${mode}`, user: OWNER, cwd: home });
  }

  await tool(`initdb -D ${join(home, 'a')} -U postgres -A trust -E UTF8 --locale=C`);
  await begin('a');
  await follow();
  for (const mode of Object.keys(poolers)) beginPooler(mode);

  const behind = Object.values(poolers).map(({ port }) => `127.0.0.1:${port}/postgres?schema=${SCHEMA}`);
  const both = `127.0.0.1:${nodes.a.port},127.0.0.1:${nodes.b.port}/postgres?schema=${SCHEMA}`;
  return {
    sql,
    caughtUp,
    /** The mirror as the hosts have it: behind each pooler, and straight with both servers named. */
    addresses: [...behind, `${both}&target_session_attrs=read-write`].map((one) => `postgres://postgres@${one}`),
    async killPooler(mode) {
      poolers[mode].program.signal('SIGKILL');
      await poolers[mode].program.ended;
      beginPooler(mode);
    },
    /** The primary ends at once, as a crash does, and comes again. */
    async crash() {
      await end(primary, 'SIGQUIT');
      await begin(primary);
    },
    /** The standby hears no more of the primary from now on. */
    async cutOff() {
      await sql("alter system set primary_conninfo = ''", standby());
      await sql('select pg_reload_conf()', standby());
    },
    /** The primary dies and the standby takes its place, without what it did not hear of; gives the commits that are lost. */
    async failOver() {
      const [before] = await sql(NEWEST);
      await end(primary, 'SIGKILL');
      const [after] = await sql(NEWEST, standby());
      await sql('select pg_promote(true, 30)', standby());
      primary = standby();
      await sql('alter system reset primary_conninfo');
      for (const [mode, { program }] of Object.entries(poolers)) {
        writePooler(mode);
        program.signal('SIGHUP');
      }
      return before.number - after.number;
    },
    /** The old primary becomes the standby. */
    follow,
    dump: () => tool(`pg_dump ${place()} -Fc -n ${SCHEMA} -f ${join(home, 'dump')} postgres`),
    /** The schema is what it was when it was dumped, under the programs that use it; gives the commits that are lost. */
    async restore() {
      const [before] = await sql(NEWEST);
      const line = `pg_restore ${place()} --clean --if-exists --single-transaction -d postgres ${join(home, 'dump')}`;
      const others = `from pg_stat_activity where datname = 'postgres' and pid <> pg_backend_pid()`;
      // Whoever holds what it needs is sent away.
      for (let tries = 1; !(await tool(line).catch((error) => tries === 20 && Promise.reject(error))); tries += 1)
        await sql(`select pg_terminate_backend(pid) ${others}`);
      return before.number - (await sql(NEWEST))[0].number;
    },
  };
}
