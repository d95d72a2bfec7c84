import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { type JsonObject, parseObject } from '../../src/contract/json/json.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { openHere } from '../mirror/children/world.ts';
import { page, SERVICE } from '../mirror/support.ts';
import { ensureBuilt } from '../support/built.ts';
import { freshFolder } from '../support/platform.ts';
import { freshAddress, POSTGRES_BIN } from '../support/postgres.ts';
import { startServing } from '../support/serving.ts';
import { stockReceiver } from '../support/stock-receiver.ts';

const FEED = { origin: SERVICE, endpoint: 'announcements_changes', scope: {} };
const RELEASE = 1_791_981_000;

beforeAll(ensureBuilt);

/** Events become known, as a sync beside the server would bring them. */
async function arrive(mirror: Mirror, from: number, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, nth) => {
    const release = RELEASE + from + nth;
    return `{"event_id":"usd_inflation_${release}","currency":"usd","indicator":"inflation","records_written":1,"timestamp":${release + 2},"release_timestamp":${release},"latest_announcement":{"date":"2026-09-30","val":3.2}}`;
  });
  await mirror.commitPage(page(rows, { series: FEED, arrived: { via: 'changes' }, at: Date.now() }));
}

async function held(name: string): Promise<Mirror> {
  const mirror = await openHere(name);
  onTestFinished(() => mirror.close());
  return mirror;
}

async function ask(origin: string, path: string, body: unknown): Promise<JsonObject> {
  const answer = await fetch(`${origin}/v1/webhooks/${path}`, {
    headers: { 'X-API-Key': 'k-desk', 'Content-Type': 'application/json' },
    method: 'POST',
    body: JSON.stringify(body),
  });
  return parseObject(await answer.text());
}

const LOCAL = ['--allow-local-destinations'];

const takesEverything = async (name: string) => {
  const folder = freshFolder();
  const mirror = await held(name);
  await arrive(mirror, 0, 1);
  const serving = await startServing([...LOCAL, '--mirror', name], { MACRO_HOME: folder });
  onTestFinished(() => serving.kill());
  let secret = '';
  const receiver = await stockReceiver({ secret: () => secret });
  const made = await ask(serving.origin, 'subscriptions', { url: receiver.url });
  secret = String(made.signing_secret);
  await arrive(mirror, 1, 20);
  await receiver.until(20);
  const rotated = await ask(serving.origin, `subscriptions/${made.id}/rotate-secret`, {});
  expect(rotated.signing_secret).not.toBe(secret);
  secret = String(rotated.signing_secret);
  await arrive(mirror, 21, 5);
  await receiver.until(25);
  await serving.stop();
  expect(receiver.refused).toEqual([]);
  expect([...receiver.taken.values()]).toEqual(Array(25).fill(1));
};

it('a receiver written from the specification alone takes every delivery of serve, before and after a rotation', async () => {
  await takesEverything(join(freshFolder(), 'mirror.db'));
}, 60_000);

it.skipIf(POSTGRES_BIN === undefined)(
  'so it does when the mirror is on a server (skipped without PostgreSQL)',
  async () => {
    await takesEverything(await freshAddress());
  },
  60_000,
);

it('nothing is lost when serve is killed in the middle, and what is sent again has the same bytes', async () => {
  const folder = freshFolder();
  const mirror = await held(join(folder, 'mirrors', 'default.db'));
  await arrive(mirror, 0, 1);
  const first = await startServing(LOCAL, { MACRO_HOME: folder });
  onTestFinished(() => first.kill());
  let secret = '';
  let killed: Promise<void> | undefined;
  const receiver = await stockReceiver({
    secret: () => secret,
    // The eleventh delivery has arrived and is not answered yet.
    beforeAnswer: async (taken) => {
      if (taken > 10) killed ??= first.kill();
      await killed;
    },
  });
  secret = String((await ask(first.origin, 'subscriptions', { url: receiver.url })).signing_secret);
  await arrive(mirror, 1, 40);
  await receiver.until(11);
  await killed;
  await arrive(mirror, 41, 10);
  // Those that were under way are claimed for half a minute.
  const second = await startServing(LOCAL, { MACRO_HOME: folder });
  onTestFinished(() => second.kill());
  await receiver.until(50);
  // One that was answered and not noted before the kill is sent again when its own claim runs out, maybe after all others.
  await expect.poll(() => mirror.outbox.due(), { timeout: 60_000 }).toEqual([]);
  await second.stop();
  expect(await mirror.outbox.subscriptions()).toMatchObject([{ successes: 50, failures: 0 }]);
  expect(receiver.refused).toEqual([]);
  expect([...receiver.taken.keys()].length).toBe(50);
  const repeated = [...receiver.taken.values()].filter((times) => times > 1);
  expect(repeated.every((times) => times === 2)).toBe(true);
  expect(repeated.length).toBeGreaterThan(0);
  expect(repeated.length).toBeLessThanOrEqual(4);
  expect([...receiver.bodies.values()].every((bodies) => bodies.size === 1)).toBe(true);
}, 120_000);
