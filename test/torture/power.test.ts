/** Power that goes: of a mirror file only what was synced is left, and that has all that was acknowledged to others. */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { consume } from '../../src/events/consume.ts';
import { eventRecorder } from '../../src/events/record.ts';
import type { JournalEvent } from '../../src/mirror/api/journal.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { nodeFiles } from '../../src/platform/node-files.ts';
import type { Files } from '../../src/platform/platform.ts';
import { receiveDelivery } from '../../src/webhooks/receive/receive.ts';
import type { ReceivedDelivery } from '../../src/webhooks/receive/verify.ts';
import { signDelivery } from '../../src/webhooks/sign.ts';
import { MIDNIGHT, SERVICE } from '../mirror/support.ts';
import { testClock } from '../support/clock.ts';
import { testPlatform } from '../support/platform.ts';
import { inRounds, LONGEST_MS } from './rounds.ts';
import { ENGINES, inPlace } from './world.ts';

const SECRET = 'whsec_1449feda7568be9f1d93e7c6746a26a5498be734c682c1143d41bb74a38b067f';
const NOW = String(MIDNIGHT / 1000);
const [SQLITE] = ENGINES;

function deliveryOf(id: string): ReceivedDelivery {
  const timestamp = MIDNIGHT / 1000;
  const data = { event_id: id, currency: 'usd', indicator: 'inflation', records_written: 1, timestamp };
  const body = Buffer.from(JSON.stringify({ id, event: 'announcement', created: timestamp, data }));
  const signature = signDelivery({ timestamp: NOW, eventId: id, body }, SECRET);
  return {
    headers: [
      ['X-SVC-Event-ID', id],
      ['X-SVC-Timestamp', NOW],
      ['X-SVC-Signature', signature],
    ],
    body,
  };
}

/**
 * The disk under a mirror file: whatever is synced, the log or what else, is copied as it is when the sync is asked for. The log is
 * shorter than what SQLite brings into the file by itself, so nothing else reaches it.
 */
function diskUnder(path: string): { readonly place: string; readonly files: Files } {
  const folder = join(dirname(path), 'disk');
  mkdirSync(folder);
  const sync: Files['sync'] = (file) => {
    for (const synced of [path, file]) copyFileSync(synced, join(folder, basename(synced)));
    nodeFiles.sync(file);
  };
  return { place: join(folder, basename(path)), files: { ...nodeFiles, sync } };
}

/** What a machine finds when it starts again. */
async function afterPowerLoss<T>(place: string, read: (mirror: Mirror) => Promise<T>): Promise<T> {
  const found = join(dirname(place), '..', 'found.db');
  rmSync(found, { force: true });
  rmSync(`${found}-wal`, { force: true });
  copyFileSync(place, found);
  copyFileSync(`${place}-wal`, `${found}-wal`);
  const { platform } = testPlatform({ now: MIDNIGHT, folder: dirname(place) });
  const mirror = await openMirror({ path: found, mappings: MAPPINGS, platform, mode: 'write' });
  try {
    return await read(mirror);
  } finally {
    mirror.close();
  }
}

const idsIn = async ({ journal }: Mirror) => (await journal.events({ after: 0, limit: 500 })).map(({ id }) => id);

it('what was acknowledged is there after a loss of power', { timeout: LONGEST_MS }, async () => {
  if (!SQLITE) expect.fail('no engine');
  await inRounds('synced bytes alone', 6, (round) =>
    inPlace(SQLITE, async (path) => {
      const { place, files } = diskUnder(path);
      const { platform } = testPlatform({ now: MIDNIGHT, folder: dirname(path) });
      const mirror = await openMirror({ path, mappings: MAPPINGS, platform: { ...platform, files }, mode: 'write' });
      try {
        const clock = testClock(MIDNIGHT);
        const access = 'key:1' as const;
        const record = eventRecorder({ mirror, clock, service: SERVICE, access, via: 'webhook', named: () => [] });
        const parts = { secrets: () => [SECRET], now: () => MIDNIGHT, record };
        const acknowledged: string[] = [];
        const [count, cut] = [5 + round.below(60), round.below(5)];
        const send = async (id: string) => {
          const { status } = await receiveDelivery(deliveryOf(id), parts);
          expect(status).toBe(204);
          acknowledged.push(id);
          if (acknowledged.length % 5 !== cut) return;
          const told = [...acknowledged];
          const found = new Set(await afterPowerLoss(place, idsIn));
          expect(told.filter((one) => !found.has(one))).toEqual([]);
          round.count('losses of power');
        };
        // Some come together, and some twice.
        for (let at = 0; at < count; ) {
          const together = 1 + round.below(12);
          await Promise.all(Array.from({ length: together }, (_, i) => send(`usd_inflation_${at + i}`)));
          at += together - round.below(2);
        }
        round.count('deliveries', acknowledged.length);

        const handled: string[] = [];
        const signal = new AbortController();
        const all = {
          mirror,
          clock,
          handle: async ({ id }: JournalEvent) => void handled.push(id),
          onFailure: async () => undefined,
        };
        for await (const event of consume(all, { name: 'desk', from: 0, signal: signal.signal })) {
          const position = await afterPowerLoss(
            place,
            async ({ journal }) => (await journal.consumer('desk'))?.position,
          );
          expect(position).toBe(event.position);
          round.count('positions');
          if (handled.length === 3) break;
        }
      } finally {
        mirror.close();
      }
    }),
  );
});
