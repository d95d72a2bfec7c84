// 500 events to twenty destinations of which four are dead (two are not listened to, one does not answer, one answers 500), beside
// the same to the sixteen live ones alone: what it takes until these have everything.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAPPINGS } from '../src/endpoints/index.ts';
import { openMirror } from '../src/mirror/sqlite/open.ts';
import { nodeClock, nodeRandom } from '../src/platform/node-clock.ts';
import { nodePost } from '../src/platform/node-network.ts';
import { DELIVERY_POLICY } from '../src/webhooks/send/deliver.ts';
import { createSender } from '../src/webhooks/send/sender.ts';
import { startBeside, stop } from './serve-programs.mjs';
import { inTurn } from './support.mjs';

const EVENTS = 500;
const LIVE = 16;
const SECRET = `whsec_${'0'.repeat(64)}`;
const FEED = { origin: 'https://bench.invalid', endpoint: 'announcements_changes', scope: {} };

export default {
  name: 'webhooks: 10,000 deliveries to 20 destinations, 4 dead, the live ones vs without the dead',
  goal: 1.1,
  run: compare,
};

async function compare() {
  const sink = await startBeside('webhooks-sink.mjs', {});
  const base = `http://127.0.0.1:${sink.port}`;
  const live = Array.from({ length: LIVE }, (_, i) => `${base}/live/${i}`);
  const dead = ['http://127.0.0.1:9/', 'http://127.0.0.1:9/other', `${base}/slow`, `${base}/broken`];
  try {
    const compared = await inTurn({
      ours: () => deliverAll(sink, [...dead, ...live]),
      theirs: () => deliverAll(sink, live),
      rounds: 7,
      warmUps: 1,
    });
    const times = `${compared.ours.toFixed(0)} ms against ${compared.theirs.toFixed(0)} ms`;
    return { ...compared, detail: `${times} for ${EVENTS * LIVE} deliveries to live ones` };
  } finally {
    await stop(sink);
  }
}

/**
 * Milliseconds of the processor's time that a sender takes until the live destinations have all that is owed to them: it is one
 * thread, so this is how long it takes on a machine of its own.
 */
async function deliverAll(sink, urls) {
  const folder = mkdtempSync(join(tmpdir(), 'macro-bench-'));
  const platform = { clock: nodeClock, random: nodeRandom };
  const open = () => openMirror({ path: join(folder, 'mirror.db'), mappings: MAPPINGS, platform, mode: 'write' });
  const [mirror, written] = [await open(), await open()];
  try {
    for (const [i, url] of urls.entries())
      await written.outbox.addSubscription({ id: `sub_${i}`, owner: 'bench', url, createdAt: Date.now() }, urls.length);
    await mirror.commitPage(eventsPage());
    const sender = senderOver({ mirror, outbox: written.outbox });
    const arrived = new Promise((resolve) => {
      sink.child.on('message', function told(message) {
        if (!message.arrived) return;
        sink.child.off('message', told);
        resolve();
      });
    });
    sink.child.send({ live: EVENTS * LIVE });
    const before = process.cpuUsage();
    sender.start();
    await arrived;
    const { user, system } = process.cpuUsage(before);
    await sender.close();
    return (user + system) / 1_000;
  } finally {
    mirror.close();
    written.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function senderOver({ mirror, outbox }) {
  return createSender({
    outbox,
    journal: mirror.journal,
    look: () => mirror.look(),
    secrets: { read: () => SECRET },
    guard: { resolve: async () => [], allowLocal: true },
    post: nodePost,
    clock: nodeClock,
    random: nodeRandom,
    policy: DELIVERY_POLICY,
    headerPrefix: 'X-SVC',
    synthetic: true,
    failed: (text) => process.stderr.write(`${text}\n`),
  });
}

function eventsPage() {
  const rows = Array.from({ length: EVENTS }, (_, i) => {
    const value = { event_id: `usd_gdp_${i}`, currency: 'usd', indicator: 'gdp', timestamp: i, release_timestamp: i };
    return { text: JSON.stringify(value), value };
  });
  const common = { nature: 'synthetic', access: 'key:bench', request: 'bench', question: 'bench', extent: 'adds' };
  return { ...common, series: FEED, rows, arrived: { via: 'local' }, at: Date.now() };
}
