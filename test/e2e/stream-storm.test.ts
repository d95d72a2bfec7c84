import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { openHere } from '../mirror/children/world.ts';
import { page, SERVICE } from '../mirror/support.ts';
import { ensureBuilt, PROGRAM } from '../support/built.ts';
import { freshFolder, seededRandom } from '../support/platform.ts';
import { startServing } from '../support/serving.ts';
import { type Fault, type Plan, startUnrulyProxy } from '../support/unruly-proxy.ts';

/**
 * Faults that a connection meets: `STORM=1000 vitest run test/e2e/stream-storm.test.ts` is the whole storm, which takes a
 * quarter of an hour, since a client waits a quarter of a second at least before it connects again.
 */
const FAULTS = Number(process.env.STORM ?? 12);
const KINDS: readonly Fault[] = ['refused', 'cut', 'cut', 'ends', 'half-open', 'half-open', 'stalls', 'stalls'];
/** A client waits longer after a connection that brought nothing, so most of them bring an event. */
const AFTER = [-1, 0, 1, 1, 1, 1, 1, 1];
/** One in so many is a connection that dies without a word, which only the client's own patience of 75 seconds notices. */
const SILENT = 400;
const FEED = { origin: SERVICE, endpoint: 'announcements_changes', scope: {} };

beforeAll(ensureBuilt);

/** What befalls each connection, until there were as many faults as wanted. */
function storm() {
  const { number } = seededRandom(7);
  let struck = 0;
  let isOver = false;
  return {
    /** A connection has begun that nothing befalls. */
    get isOver() {
      return isOver;
    },
    plan(): Plan | undefined {
      isOver = struck >= FAULTS;
      if (isOver) return undefined;
      struck += 1;
      const fault = struck % SILENT === 0 ? 'silent' : (KINDS[Math.floor(number() * KINDS.length)] ?? 'cut');
      return { fault, after: AFTER[Math.floor(number() * AFTER.length)] ?? 1, at: number() };
    },
  };
}

/** A mirror that is served, to which releases come. */
async function releasing(path: string) {
  const mirror = await openHere(path);
  onTestFinished(() => mirror.close());
  const made: string[] = [];
  async function release(): Promise<void> {
    const second = Math.floor(Date.now() / 1000);
    // Changes list the events of a second in the order of their ids.
    const indicator = `series_${String(made.length).padStart(5, '0')}`;
    const id = `usd_${indicator}_${second}`;
    made.push(id);
    const row = { event_id: id, currency: 'usd', indicator, timestamp: second };
    await mirror.commitPage(page([JSON.stringify(row)], { series: FEED, arrived: { via: 'local' }, at: Date.now() }));
  }
  return { mirror, made, release };
}

async function idsIn({ journal }: Mirror): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let after = 0; ; ) {
    const events = await journal.events({ after, limit: 1000 });
    ids.push(...events.map(({ id }) => id));
    const last = events.at(-1);
    if (!last) return ids;
    after = last.position;
  }
}

const linesOf = (path: string): readonly string[] => {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(0, -1);
  } catch {
    return [];
  }
};

it(`after ${FAULTS} lost connections the command has each event of the server's journal once`, {
  timeout: 120_000 + FAULTS * 3_000,
}, async () => {
  const [served, home] = [freshFolder(), freshFolder()];
  const { mirror, made, release } = await releasing(join(served, 'mirrors', 'default.db'));
  await release();
  const server = await startServing(['--no-quota', '--stream-retry-ms', '1'], { MACRO_HOME: served });
  onTestFinished(() => server.kill());

  const weather = storm();
  let wanted = Promise.resolve();
  const stream = await startUnrulyProxy({
    upstream: server.origin,
    plan: () => weather.plan(),
    wantsMore: () => {
      if (!weather.isOver) wanted = wanted.then(release).then(release);
    },
  });
  const done = join(home, 'done.ndjson');
  const settings = { MACRO_BASE_URL: server.origin, MACRO_STREAM_URL: stream, MACRO_API_KEY: 'k' };
  const words = ['stream', '--consumer', 'desk', '--exec', `cat >> '${done}'`, '--no-fetch', '--quiet'];
  const env = { PATH: process.env.PATH ?? '', MACRO_HOME: home, ...settings };
  const client = spawn(process.execPath, [PROGRAM, ...words], { env, stdio: 'ignore' });
  onTestFinished(() => void client.kill('SIGKILL'));

  const patience = { timeout: 100_000 + FAULTS * 3_000, interval: 200 };
  await expect.poll(() => weather.isOver, patience).toBe(true);
  await wanted;
  await release();
  await expect.poll(() => linesOf(done).length, patience).toBe(made.length - 1);
  client.kill('SIGTERM');
  expect(await once(client, 'exit')).toEqual([143, null]);

  const own = await openHere(join(home, 'mirrors', 'default.db'));
  onTestFinished(() => own.close());
  const [theirs, kept] = [await idsIn(mirror), await idsIn(own)];
  expect(theirs).toEqual(made);
  expect(kept).toEqual(theirs);
  expect(linesOf(done).map((line) => JSON.parse(line).event_id)).toEqual(theirs.slice(1));
});
