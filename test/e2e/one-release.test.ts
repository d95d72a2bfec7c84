import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { parseObject } from '../../src/contract/json/json.ts';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { page } from '../mirror/support.ts';
import { ensureBuilt, runBuilt } from '../support/built.ts';
import { freshFolder, testPlatform } from '../support/platform.ts';
import { startServing } from '../support/serving.ts';
import { stockReceiver } from '../support/stock-receiver.ts';

const HISTORY = { origin: 'sandbox', endpoint: 'announcements', scope: { currency: 'USD', indicator: 'inflation' } };
const KEY = { 'X-API-Key': 'k-desk' };

beforeAll(ensureBuilt);

/** A mirror of generated data. */
async function syntheticMirror(folder: string): Promise<string> {
  const path = join(folder, 'synthetic.db');
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform: testPlatform().platform, mode: 'write' });
  const rows = ['{"date":"2026-10-31","val":3.1}'];
  await mirror.commitPage(page(rows, { series: HISTORY, nature: 'synthetic', at: Date.now() }));
  mirror.close();
  return path;
}

/** Opens the stream; resolves with the id of the first event. */
async function openStream(origin: string): Promise<{ readonly id: Promise<string | undefined> }> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const { body } = await fetch(`${origin}/v1/stream/events`, { headers: KEY, signal: stop.signal });
  const read = async () => {
    let text = '';
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const id = /^id: (.*)$/m.exec(text)?.[1];
      if (id !== undefined) return id;
    }
    return undefined;
  };
  return { id: read() };
}

it('a release that is made up while serve runs is in stream, webhook and changes under one id', async () => {
  const folder = freshFolder();
  const mirror = await syntheticMirror(folder);
  const env = { MACRO_HOME: folder };
  const serving = await startServing(['--allow-local-destinations', '--mirror', mirror], env);
  onTestFinished(() => serving.kill());
  let secret = '';
  const receiver = await stockReceiver({ secret: () => secret });
  const made = await fetch(`${serving.origin}/v1/webhooks/subscriptions`, {
    method: 'POST',
    headers: { ...KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: receiver.url }),
  });
  secret = String(parseObject(await made.text()).signing_secret);
  const stream = await openStream(serving.origin);
  const words = ['webhooks', 'trigger', 'usd', 'inflation', '--val', '3.4', '--mirror', mirror, '--format', 'json'];
  const ran = runBuilt(words, env);
  const [event] = JSON.parse(ran.stdout).data;
  await receiver.until(1);
  const changes = await fetch(`${serving.origin}/v1/announcements/changes`, { headers: KEY });
  const { data } = parseObject(await changes.text());
  expect([...receiver.taken.keys()][0]).toContain(event.event_id);
  expect([await stream.id, data, receiver.refused]).toEqual([event.event_id, [event], []]);
}, 60_000);
