import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openHere } from '../mirror/children/world.ts';
import { ensureBuilt, PROGRAM } from '../support/built.ts';
import { listeningSandbox } from '../support/listening.ts';
import { freshFolder } from '../support/platform.ts';
import { freshAddress, POSTGRES_BIN } from '../support/postgres.ts';

const WORDS = 'fx eur usd, fx eur gbp, announcements usd inflation, calendar usd';

/** Questions whose answers say nothing of when a mirror collected them. */
const QUESTIONS = [
  'fx eur usd --offline',
  'fx eur usd --offline --indicators all --all --format json',
  'fx gbp usd --offline --format csv --all',
  'announcements usd inflation --offline --all --format ndjson',
  'announcements usd inflation --as-of 2024-06-01 --format json',
  'calendar usd --offline --format json',
  'diff --from -30d --format csv',
];

const VERSION = /"dataset_version":"[0-9a-f]{64}",?/g;

beforeAll(ensureBuilt);

/** Runs the built program while this process goes on serving. */
function run(line: string, mirror: string, env: Record<string, string> = {}) {
  const words = [...line.split(' '), '--mirror', mirror];
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [PROGRAM, ...words], { env: { PATH, MACRO_HOME: freshFolder(), ...env } });
  let out = '';
  let err = '';
  child.stdout.on('data', (bytes) => (out += bytes));
  child.stderr.on('data', (bytes) => (err += bytes));
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, out, err })),
  );
}

describe.skipIf(POSTGRES_BIN === undefined)('the built program with a mirror on a server', () => {
  it('answers byte for byte as with a file, and keeps two syncs apart', async () => {
    const { origin } = await listeningSandbox();
    const [file, server] = [join(freshFolder(), 'mirror.db'), await freshAddress()];
    const key = { MACRO_API_KEY: 'k-test', MACRO_BASE_URL: origin };
    for (const mirror of [file, server])
      expect(await run(`sync ${WORDS} --quiet`, mirror, key)).toMatchObject({ code: 0 });
    for (const question of QUESTIONS) {
      const [expected, found] = [await run(question, file), await run(question, server)];
      // A version of the past says when the mirror saw its rows, and the two saw them one after the other.
      const toldOf = (out: string) => (question.includes('--as-of') ? out.replaceAll(VERSION, '') : out);
      expect({ question, code: found.code, out: toldOf(found.out) }).toEqual({
        question,
        code: expected.code,
        out: toldOf(expected.out),
      });
    }
    const mirror = await openHere(server);
    const lock = await mirror.lockSync();
    expect(await run('sync fx eur usd --quiet', server, key)).toMatchObject({ code: 75, out: '' });
    await lock.release();
    mirror.close();
    expect((await run('sync fx eur usd --quiet', server, key)).code).toBe(0);
  }, 120_000);
});
