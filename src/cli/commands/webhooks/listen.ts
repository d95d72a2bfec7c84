import { createSecretKey } from 'node:crypto';
import { MacroError } from '../../../errors.ts';
import { eventRecorder } from '../../../events/record.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import type { AccessTag } from '../../../mirror/api/series.ts';
import { isLoopbackHost } from '../../../platform/listening.ts';
import { changesNamer } from '../../../sync/feeds.ts';
import { startReceiver } from '../../../webhooks/receive/listen.ts';
import { type Receipt, type ReceiverParts, receiveDelivery } from '../../../webhooks/receive/receive.ts';
import type { App } from '../../app/app.ts';
import { accessWith } from '../../app/keys.ts';
import { noService } from '../../app/service.ts';
import { baseUrlOrigin } from '../../app/settings.ts';
import { signingSecrets } from '../../app/webhook-secrets.ts';
import { EVERYTHING } from '../../parse/event-filter.ts';
import { interrupted, isOn, readPort, textOption } from '../../parse/options.ts';
import { createLines } from '../../print/lines.ts';
import type { Call } from '../command.ts';
import { handleEvents, lineHandler, readConsumer } from '../stream/consuming.ts';
import { fetchDue } from '../sync/run.ts';

const DEFAULT_PORT = 8788;

/** Milliseconds between two reads of the secrets: a new secret works without a restart. */
const SECRETS_MS = 5_000;

const REFUSAL_MS = 60_000;

/** Milliseconds that all senders wait while another program writes the mirror; after that they have to send again. */
const BUSY_TIMEOUT = 100;

export async function listenForWebhooks(app: App, call: Call): Promise<void> {
  const port = readPort(call.options, DEFAULT_PORT);
  const host = textOption(call.options, 'host') ?? '127.0.0.1';
  const path = readPath(textOption(call.options, 'path') ?? '/webhook');
  const secrets = secretsOf(app, call);
  const { clock } = app.platform;
  // The consumer may wait for a lock, the receiver may not: its senders do.
  const mirror = await app.writable();
  const consumer = await readConsumer(app, call.options, EVERYTHING);
  const { value: at } = app.settings.mirror;
  const receiving = await app.openMirror({ path: at, mode: 'write', busyTimeout: BUSY_TIMEOUT });
  const parts = { secrets, now: () => clock.now(), record: await recorderOf(app, receiving) };
  const lines = createLines(app);
  const from = await mirror.journal.newest();
  const tell = refusalTeller(app);
  const server = await startReceiver({
    port,
    host,
    path,
    clock,
    receive: (delivery) => receiveDelivery(delivery, parts),
    onReceipt: ({ event, refusal }) => {
      // A reader with a cursor gets its lines from the journal.
      if (event !== undefined && (!consumer || consumer.handle)) lines.write(event);
      if (refusal) void tell(refusal);
    },
    onFault: (error) => lines.fail(error),
  });
  const work: Promise<void>[] = [];
  try {
    // Who is ready is not refused any more.
    const lock = consumer && (await mirror.lockConsumer(consumer.name));
    lines.write(JSON.stringify({ ready: true, address: server.address }));
    if (consumer) {
      // One without a command or address gets the lines of its events.
      const { name, handle = lineHandler(lines) } = consumer;
      const handling = { mirror, consumer: { name, handle }, filter: EVERYTHING, from, lock, signal: app.signal };
      work.push(exhausted(handleEvents(app, handling)));
    }
    await tellWhere(app, host, server.address);
    const due = { mirror, after: from, live: () => app.live('background'), signal: app.signal, isOver: () => false };
    if (!isOn(call.options, 'no-fetch')) work.push(fetchDue(app, { ...due, by: 'macro webhooks listen' }));
    await Promise.race([interrupted(app.signal), lines.failed, ...work]);
  } finally {
    await server.close();
    // Open requests are completed; the others come with the next start.
    await Promise.allSettled(work);
    await lines.written();
  }
}

async function exhausted(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events);
}

/** The secrets that are good now. They have to be there at the start. */
function secretsOf(app: App, call: Call): ReceiverParts['secrets'] {
  const { clock } = app.platform;
  const read = () => signingSecrets(app, call).map((secret) => createSecretKey(secret, 'utf8'));
  let cached = { secrets: read(), until: clock.now() + SECRETS_MS };
  return () => {
    const now = clock.now();
    if (now >= cached.until) cached = { secrets: read(), until: now + SECRETS_MS };
    return cached.secrets;
  };
}

async function recorderOf(app: App, mirror: Mirror) {
  const { service } = await mirror.stamp();
  const { platform, settings } = app;
  const baseUrl = settings.baseUrl.value;
  const from = baseUrl === undefined ? service : baseUrlOrigin(baseUrl);
  if (from === undefined) throw noService('nobody knows whose events these would be.');
  const accessMode = baseUrl === undefined ? 'keyless' : accessWith(platform, settings, baseUrl);
  // Deliveries go to owners of a key, so what they bring is never taken for what everybody may see.
  const access: AccessTag = accessMode === 'keyless' ? 'key:webhook' : accessMode;
  return eventRecorder({ mirror, clock: platform.clock, service: from, access, via: 'webhook', named: changesNamer() });
}

function readPath(path: string): string {
  if (/^\/[\w./~-]{0,200}$/.test(path)) return path;
  throw new MacroError('usage', `'${path}' is no path for --path.`, {
    hint: 'A path begins with a slash and has letters, digits, dots, dashes and slashes: /webhook.',
  });
}

/** Says why deliveries are refused, each reason once a minute: whoever can reach the address can cause a flood of them. */
function refusalTeller(app: App): (refusal: NonNullable<Receipt['refusal']>) => Promise<void> {
  const counts = new Map<string, number>();
  return async ({ code, detail }) => {
    const now = app.platform.clock.now();
    if (now < (counts.get(code) ?? 0) + REFUSAL_MS) return;
    counts.set(code, now);
    await app.warn(`a delivery was not taken (${code}): ${detail}`, code);
  };
}

async function tellWhere(app: App, host: string, address: string): Promise<void> {
  const { host: reach } = new URL(address);
  if (!isLoopbackHost(host))
    await app.warn(`listening on ${host} without TLS: let only a TLS proxy of yours reach it`, 'no_tls');
  await app.note(
    `Services post to public https addresses: put a TLS proxy before it, for example caddy reverse-proxy --from hooks.example.com --to ${reach}`,
    'next_step',
  );
}
