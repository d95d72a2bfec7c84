import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fingerprint, redact } from '../../src/client/http/key.ts';
import { openLedger } from '../../src/client/quota/sqlite-ledger.ts';
import { exactLimiter } from '../client/quota/exact-limiter.ts';
import { limitedSentiment } from '../client/quota/limited-service.ts';
import { ensureBuilt, PROGRAM } from '../support/built.ts';
import { startLoopback } from '../support/loopback.ts';
import { freshFolder } from '../support/platform.ts';

const KEY = 'k-test';

/** Starts the real program in a process of its own. */
function start(line: string, home: string, origin: string) {
  const env = { PATH: process.env.PATH, MACRO_HOME: home, MACRO_BASE_URL: origin, MACRO_API_KEY: KEY };
  const child = spawn(process.execPath, [PROGRAM, ...line.split(' ')], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  return { child, ended: once(child, 'close').then(([code]) => ({ code, err })) };
}

describe('processes of one user', () => {
  it('eight of them use up two minutes of a service that counts exactly, and are never refused', async () => {
    await ensureBuilt();
    const home = freshFolder();
    const limiter = exactLimiter(
      [
        { window: 'minute', limit: 160 },
        { window: 'hour', limit: 5000 },
        { window: 'month', limit: 1_000_000 },
      ],
      20,
    );
    // The service's minute ends 10 seconds after the first request, whatever our clock says.
    const minute = Date.parse('2026-11-21T05:46:00Z');
    let skew: number | undefined;
    const serviceNow = () => {
      skew ??= minute + 50_000 - Date.now();
      return Date.now() + skew;
    };
    const origin = await startLoopback(limitedSentiment(limiter, 4000, serviceNow));
    const line = (i: number) => `sentiment --start 2010-01-01 --all --live --wait --mirror ${join(home, `${i}.db`)}`;
    const ended = await Promise.all(Array.from({ length: 8 }, (_, i) => start(line(i), home, origin).ended));
    expect(ended.map(({ code, err }) => ({ code, err: code === 0 ? '' : err }))).toEqual(
      Array.from({ length: 8 }, () => ({ code: 0, err: '' })),
    );
    expect(limiter.refused).toBe(0);
    // Eight histories of forty pages.
    expect([limiter.used.get(`minute ${minute}`), limiter.used.get(`minute ${minute + 60_000}`)]).toEqual([160, 160]);
  });

  it('one that is killed leaves its reservation behind, which ends with its lease', async () => {
    await ensureBuilt();
    const home = freshFolder();
    const arrived = Promise.withResolvers<void>();
    const origin = await startLoopback(() => arrived.resolve());
    const { child, ended } = start('ping', home, origin);
    await arrived.promise;
    child.kill('SIGKILL');
    await ended;
    const owner = { service: origin, access: `key:${fingerprint(redact(KEY))}` };
    const ledger = openLedger(join(home, 'state', 'quota.db'), owner);
    onTestFinished(() => ledger.close());
    const [left] = (await ledger.read(0)).open;
    if (!left) throw new Error('The reservation is gone');
    expect(left).toMatchObject({ pid: child.pid, route: 'GET /v1/ping', until: left.at + 60_000 });
    const wish = { route: 'GET /v1/x', priority: 'interactive', pid: 1, lease: 60_000 } as const;
    expect((await ledger.reserve({ ...wish, now: left.until })).granted).toBeDefined();
    expect((await ledger.read(left.until)).open.map(({ pid }) => pid)).toEqual([1]);
  });
});
