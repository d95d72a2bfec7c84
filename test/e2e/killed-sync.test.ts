import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { isServerAddress } from '../../src/mirror/core/engine.ts';
import { openHere } from '../mirror/children/world.ts';
import { ensureBuilt, PROGRAM } from '../support/built.ts';
import { listeningSandbox } from '../support/listening.ts';
import { freshFolder, seededRandom } from '../support/platform.ts';
import { freshAddress, POSTGRES_BIN } from '../support/postgres.ts';

/** `KILLS=50 npx vitest run test/e2e/killed-sync.test.ts` kills as often as the issue asks for. */
const KILLS = Number(process.env.KILLS ?? 6);

const WORDS =
  'fx eur usd, fx gbp usd, announcements usd inflation, announcements usd policy_rate, calendar usd, commodities gold, press usd, sentiment changes';

beforeAll(ensureBuilt, 60_000);

/** Starts the built program, with a quota of its own so that what a killed one had reserved keeps nobody waiting. */
function startSync(origin: string, mirror: string) {
  const words = ['sync', ...WORDS.split(' '), '--quiet', '--mirror', mirror, '--base-url', origin];
  const env = { MACRO_HOME: freshFolder(), MACRO_API_KEY: 'k-test' };
  const child = spawn(process.execPath, [PROGRAM, ...words], { env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
  return { child, ended };
}

async function checked(path: string) {
  const mirror = await openHere(path);
  try {
    return await mirror.verify();
  } finally {
    mirror.close();
  }
}

const ENGINES = [
  { engine: 'SQLite', isMissing: false, freshMirror: async () => join(freshFolder(), 'mirror.db') },
  { engine: 'PostgreSQL', isMissing: POSTGRES_BIN === undefined, freshMirror: freshAddress },
];

describe.each(ENGINES)('on $engine', ({ isMissing, freshMirror }) => {
  it.skipIf(isMissing)(
    'a sync killed at random moments holds in the end what an uninterrupted one holds, and verifies after each kill',
    () => killAtRandom(freshMirror),
    600_000,
  );
});

async function killAtRandom(freshMirror: () => Promise<string>): Promise<void> {
  const { origin, answered } = await listeningSandbox();
  const [whole, killed] = [await freshMirror(), await freshMirror()];
  expect(await startSync(origin, whole).ended).toBe(0);
  const random = seededRandom(50);
  let unfinished = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { child, ended } = startSync(origin, killed);
    const moment = { answers: 1 + Math.floor(random.number() * 5), turns: Math.floor(random.number() * 400) };
    let answers = 0;
    const strike = async () => {
      answers += 1;
      if (answers !== moment.answers) return;
      for (let turn = 0; turn < moment.turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      child.kill('SIGKILL');
    };
    answered.on('one', strike);
    if ((await ended) === 'SIGKILL') unfinished += 1;
    answered.off('one', strike);
    if (isServerAddress(killed) || existsSync(killed)) expect((await checked(killed)).findings).toEqual([]);
  }
  expect(unfinished).toBeGreaterThan(KILLS / 2);
  expect(await startSync(origin, killed).ended).toBe(0);
  const [expected, found] = [await checked(whole), await checked(killed)];
  expect(found).toEqual(expected);
  expect([found.findings, found.rows > 1000]).toEqual([[], true]);
}
