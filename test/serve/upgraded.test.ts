import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { SANDBOX_FILE } from '../../src/sandbox/open.ts';
import { freshFolder } from '../support/platform.ts';
import { startSandbox } from '../support/serving.ts';

it('a question that was answered from memory is not, once a newer version of the program has upgraded the mirror', async () => {
  const home = freshFolder();
  const serving = await startSandbox(home);
  const ask = async (path: string) => {
    const { status, headers } = await fetch(`${serving.origin}${path}`, { headers: { 'x-api-key': 'any' } });
    return [status, headers.get('x-svc-mirror')];
  };
  try {
    const paths = [
      '/v1/forex/EUR/USD?limit=5',
      '/v1/forex/EUR/USD?limit=5&offset=5',
      '/v1/announcements/usd/inflation',
    ];
    const askAll = async () => Promise.all(paths.map(ask));
    for (const _ of ['first', 'again', 'past the parser'])
      expect(await askAll()).toEqual(paths.map(() => [200, 'complete']));
    const db = new Database(join(home, 'mirrors', SANDBOX_FILE));
    db.pragma(`user_version = ${Number(db.pragma('user_version', { simple: true })) + 1}`);
    db.close();
    expect(await askAll()).toEqual(paths.map(() => [503, null]));
    expect((await fetch(`${serving.origin}/readyz`)).status).toBe(503);
  } finally {
    await serving.stop();
  }
});
