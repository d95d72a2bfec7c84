import { execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { isAlive } from './alive.ts';

/** One server for all test files of a run: the folder is named after the process that runs them. */
const PREFIX = 'macro-test-postgres-';
const folderOf = (run: number) => join(tmpdir(), `${PREFIX}${run}`);

/** Where the programs of PostgreSQL are; undefined where there are none, and the tests that need them are skipped. */
export const POSTGRES_BIN = findPrograms();

if (POSTGRES_BIN === undefined)
  process.stderr.write(
    'skipped: tests of the mirror on PostgreSQL, for there is no postgres and initdb on this machine\n',
  );

let schemas = 0;

/** An address with a schema of its own on a server of this machine, which is started when it is first asked for. */
export async function freshAddress(): Promise<string> {
  schemas += 1;
  return `${await serverAddress()}?schema=t${process.pid}_${schemas}`;
}

/** Address of the server, without a schema. */
export async function serverAddress(): Promise<string> {
  const folder = folderOf(process.ppid);
  try {
    mkdirSync(folder);
  } catch {
    return addressAt(await portIn(folder));
  }
  try {
    return addressAt(await startServer(folder));
  } catch (error) {
    writeFileSync(join(folder, 'failed'), String(error));
    throw error;
  }
}

/** The port once another test file has started the server. */
async function portIn(folder: string): Promise<string> {
  for (;;) {
    if (existsSync(join(folder, 'port'))) return readFileSync(join(folder, 'port'), 'utf8');
    if (existsSync(join(folder, 'failed'))) throw new Error(readFileSync(join(folder, 'failed'), 'utf8'));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const addressAt = (port: string | number) => `postgres://postgres@127.0.0.1:${port}/postgres`;

/** Ends the server of a run, when one was started; and those of runs that were killed. */
export async function stopServers(run: number): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(PREFIX))) {
    const other = Number(name.slice(PREFIX.length));
    if (other === run) await stopServer(folderOf(other));
    // What a killed run of another user left is not ours to take away.
    else if (!isAlive(other)) await stopServer(folderOf(other)).catch(() => {});
  }
}

async function stopServer(folder: string): Promise<void> {
  const file = join(folder, 'data', 'postmaster.pid');
  const server = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
  if (server !== undefined && isAlive(server)) {
    process.kill(server, 'SIGQUIT');
    while (isAlive(server)) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  rmSync(folder, { recursive: true, force: true });
}

/** PostgreSQL refuses to run as root: then it runs as the user that its package made. */
async function startServer(folder: string): Promise<number> {
  const bin = POSTGRES_BIN ?? '';
  const owner = process.getuid?.() === 0 ? unprivileged() : {};
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const asOwner = { ...owner, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' }, stdio: 'ignore' } as const;
  // Another order of texts than that of bytes, so that nothing can rest on the server's.
  const locale = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];
  const make = (words: readonly string[]) =>
    execFileSync(
      join(bin, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N', ...words],
      asOwner,
    );
  try {
    make(locale);
  } catch {
    make(['--locale=C']);
  }
  const port = await freePort();
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: folder, max_connections: 200 };
  const careless = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off', jit: 'off' };
  const words = Object.entries({ ...settings, ...careless }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...words], {
    ...asOwner,
    stdio: ['ignore', openSync(join(folder, 'log'), 'a'), openSync(join(folder, 'log'), 'a')],
    detached: true,
  });
  server.unref();
  while (!readyIn(data)) {
    if (server.exitCode !== null) throw new Error(readFileSync(join(folder, 'log'), 'utf8'));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const ready = join(folder, 'port');
  writeFileSync(`${ready}.new`, String(port));
  renameSync(`${ready}.new`, ready);
  return port;
}

/** The server notes in its file when it takes connections. */
function readyIn(data: string): boolean {
  const file = join(data, 'postmaster.pid');
  return existsSync(file) && readFileSync(file, 'utf8').split('\n')[7]?.trim() === 'ready';
}

export function unprivileged(): { uid?: number; gid?: number } {
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  return {};
}

function findPrograms(): string | undefined {
  const packaged = '/usr/lib/postgresql';
  const versions = existsSync(packaged) ? readdirSync(packaged).map((version) => join(packaged, version, 'bin')) : [];
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/bin', ...versions];
  return folders.find((folder) => ['postgres', 'initdb'].every((name) => existsSync(join(folder, name))));
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
