import { spawn } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freshFolder } from './platform.ts';
import { freePort, unprivileged } from './postgres.ts';

/** Where PgBouncer is; undefined where it is not, and the tests that need it are skipped. */
export const PGBOUNCER = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  .map((folder) => join(folder, 'pgbouncer'))
  .find((path) => existsSync(path));

if (PGBOUNCER === undefined)
  process.stderr.write('skipped: tests of a mirror behind a pooler, for there is no pgbouncer on this machine\n');

interface PoolerOptions {
  readonly mode: 'transaction' | 'session';
  /** Connections to the server. */
  readonly size: number;
}

/** Starts a pooler before the server of an address, ended with the test; gives the address behind it. */
export async function pooled(address: string, { mode, size }: PoolerOptions): Promise<string> {
  const url = new URL(address);
  const port = await freePort();
  const folder = freshFolder();
  chmodSync(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `postgres = host=127.0.0.1 port=${url.port} user=postgres`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    `default_pool_size = ${size}`,
    'max_client_conn = 200',
    'query_wait_timeout = 2',
  ];
  writeFileSync(file, lines.join('\n'));
  const words = ['-q', file];
  const pooler = spawn(PGBOUNCER ?? '', words, { ...(process.getuid?.() === 0 && unprivileged()), stdio: 'ignore' });
  onTestFinished(() => void pooler.kill('SIGKILL'));
  while (!(await answers(port))) {
    if (pooler.exitCode !== null) throw new Error(`pgbouncer ended with ${pooler.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  url.port = String(port);
  return url.href;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
