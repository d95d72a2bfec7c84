import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { signDelivery } from '../../src/webhooks/sign.ts';
import { ensureBuilt, PROGRAM } from '../support/built.ts';
import { freshFolder, testPlatform } from '../support/platform.ts';
import { BODY, bytes, EVENT_ID, SECRET } from '../webhooks/vector.ts';

beforeAll(ensureBuilt);

interface Receiver {
  readonly child: ChildProcess;
  readonly address: string;
  /** Everything on standard output so far, line by line. */
  readonly lines: readonly string[];
}

/** The built receiver in a process of its own, once it says that it is ready. */
async function startReceiver(folder: string): Promise<Receiver> {
  const env = { MACRO_HOME: folder, MACRO_WEBHOOK_SECRET: SECRET, MACRO_BASE_URL: 'https://api.example.test' };
  const child = spawn(process.execPath, [PROGRAM, 'webhooks', 'listen', '--port', '0', '--quiet'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const reader = createInterface({ input: child.stdout });
  const lines: string[] = [];
  reader.on('line', (line) => lines.push(line));
  const [ready] = await once(reader, 'line');
  return { child, lines, address: JSON.parse(String(ready)).address };
}

/** Sends the event of the vector, signed now as the service would; gives the status of the answer. */
async function deliver({ address }: Receiver): Promise<number> {
  const message = { timestamp: String(Math.floor(Date.now() / 1000)), eventId: EVENT_ID, body: bytes(BODY) };
  const headers = {
    'X-SVC-Timestamp': message.timestamp,
    'X-SVC-Event-ID': EVENT_ID,
    'X-SVC-Signature': signDelivery(message, SECRET),
  };
  return (await fetch(address, { method: 'POST', body: BODY, headers })).status;
}

it('what was acknowledged is kept, though the receiver is killed with the answer on its way, and comes once', async () => {
  const folder = freshFolder();
  const killed = await startReceiver(folder);
  expect(await deliver(killed)).toBe(204);
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');

  const next = await startReceiver(folder);
  expect(await deliver(next)).toBe(204);
  next.child.kill('SIGTERM');
  expect(await once(next.child, 'exit')).toEqual([143, null]);
  expect(next.lines).toHaveLength(1);

  const { platform } = testPlatform();
  const mirror = await openMirror({
    path: join(folder, 'mirrors', 'default.db'),
    mappings: MAPPINGS,
    platform,
    mode: 'read',
  });
  onTestFinished(() => mirror.close());
  expect(await mirror.journal.events({ after: 0, limit: 9 })).toMatchObject([{ position: 1, id: EVENT_ID }]);
});
