import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { type JsonObject, parseObject } from '../../src/contract/json.ts';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import { openMirror } from '../../src/mirror/open.ts';
import { page, SERVICE } from '../mirror/support.ts';
import { ensureBuilt } from '../support/built.ts';
import { freshFolder, testPlatform } from '../support/platform.ts';
import { startServing } from '../support/serving.ts';
import { stockReceiver } from '../support/stock-receiver.ts';

const FEED = { origin: SERVICE, endpoint: 'announcements_changes', scope: {} };
const RELEASE = 1_791_981_000;

beforeAll(ensureBuilt, 120_000);

/** Events become known, as a sync beside the server would bring them. */
async function arrive(mirror: Mirror, from: number, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, nth) => {
    const release = RELEASE + from + nth;
    return `{"event_id":"usd_inflation_${release}","currency":"usd","indicator":"inflation","records_written":1,"timestamp":${release + 2},"release_timestamp":${release},"latest_announcement":{"date":"2026-09-30","val":3.2}}`;
  });
  await mirror.commitPage(page(rows, { series: FEED, arrived: { via: 'changes' }, at: Date.now() }));
}

async function heldAt(folder: string): Promise<Mirror> {
  const path = join(folder, 'mirrors', 'default.db');
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform: testPlatform().platform, mode: 'write' });
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

it('a receiver written from the specification alone takes every delivery of serve, before and after a rotation', async () => {
  const folder = freshFolder();
  const mirror = await heldAt(folder);
  await arrive(mirror, 0, 1);
  const serving = await startServing(LOCAL, { MACRO_HOME: folder });
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
}, 60_000);

it('nothing is lost when serve is killed in the middle, and what is sent again has the same bytes', async () => {
  const folder = freshFolder();
  const mirror = await heldAt(folder);
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
  // It ends when what is under way is noted.
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
