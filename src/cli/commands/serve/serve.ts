import { join, resolve } from 'node:path';
import { DEFAULT_MEMORY_BYTES, processMemory } from '../../../contract/memory-budget.ts';
import type { Signing } from '../../../contract/signing.ts';
import { parseInstant } from '../../../contract/time/time.ts';
import { INTERFACE } from '../../../endpoints/index.ts';
import { MacroError } from '../../../errors.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import { virtualClock } from '../../../platform/node-clock.ts';
import type { Clock } from '../../../platform/platform.ts';
import { parseKeys } from '../../../serve/access/keys.ts';
import { withAddresses } from '../../../serve/addresses.ts';
import { DEFAULT_HOST, DEFAULT_PORT, startServe } from '../../../serve/create.ts';
import { readFaults } from '../../../serve/faults/fault.ts';
import { createFaults, type FaultEngine } from '../../../serve/faults/fault-engine.ts';
import type { ServeOptions } from '../../../serve/options.ts';
import type { PageParts } from '../../../serve/pages/page-parts.ts';
import { openSigning, retireKeys } from '../../../serve/signing-key.ts';
import { LABELS } from '../../../source/labels.ts';
import { createMirrorSource } from '../../../source/mirror.ts';
import { DELIVERY_POLICY, type DeliveryPolicy } from '../../../webhooks/send/deliver.ts';
import { type App, warnSynthetic } from '../../app/app.ts';
import {
  interrupted,
  isOn,
  manyOption,
  type Options,
  readCount,
  readDuration,
  readPort,
  textOption,
} from '../../parse/options.ts';
import type { Call } from '../command.ts';
import { requireMirror } from '../mirror/require-held.ts';
import { openServeLog } from './serve-log.ts';
import { openReplay } from './serve-replay.ts';
import type { Upstream } from './serve-upstream.ts';
import { openWebhooks } from './serve-webhooks.ts';

// The clock of `serve`, as its options say.
// What `serve --mcp` adds: the tools of `macro mcp` over HTTP, from the mirror that is served.
// The faults of `serve`, as its options say.
const DEFAULT_SEED = 1;

/** A day in a second. */
const MAX_SPEED = 86_400;

const MAX_ATTEMPTS = 50;

const UNITS = { '': 1, B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 } as const;

/** The most bytes that can be given: a terabyte. */
const MAX_BYTES = 1024 ** 4;

/** Serves the mirror, or generated data, until it is interrupted. */
export async function serve(app: App, call: Call): Promise<void> {
  const { options } = call;
  const port = readPort(options, DEFAULT_PORT);
  const host = textOption(options, 'host') ?? DEFAULT_HOST;
  const clock = readServeClock(app, options);
  const policy = readWebhookPolicy(options);
  const read = readBehaviour(app, options, { port, host, clock });
  const connections = readCount(options, 'max-connections', 1);
  const memory = readByteSize(options, 'memory');
  checkTools(options);
  if (memory !== undefined) processMemory.resize(memory);
  const log = openServeLog(app, options);
  const faults = await openFaults(app, options);
  const upstream = await readUpstream(app, options, { host, port });
  const mirror = isOn(options, 'sandbox') ? await openGenerated(app, clock.now()) : await openHeld(app);
  const behaviour = { ...read, labels: await withAddresses(read.labels, mirror) };
  const signing = await openKeys(app, mirror, { options, now: clock.now() });
  const isReplay = !isOn(options, 'sandbox') && hasOwnClock(options);
  const replay = isReplay ? await openReplay(app, { mirror, labels: behaviour.labels, clock }) : undefined;
  const source =
    replay?.source ??
    createMirrorSource({
      ...{ mirror, labels: behaviour.labels, signing },
      ...(!isOn(options, 'sandbox') && { onUnwatched: app.noteUnwatched }),
    });
  const { platform } = app;
  const answering = upstream?.through(mirror, source) ?? source;
  const webhooks = await openWebhooks(app, replay?.scratch ?? mirror, {
    allowLocal: isOn(options, 'allow-local-destinations'),
    ...{ policy, faults },
  });
  const run = replay?.run ?? (await startReleases(app, { mirror, isSandbox: isOn(options, 'sandbox'), clock }));
  const server = await startServe({
    source: answering,
    mirrorSource: source,
    mirror: replay?.watched ?? mirror,
    endpoints: INTERFACE,
    subscriptions: webhooks?.subscriptions,
    platform,
    log: (text, code) => void app.log(text, code),
    explain: (error) => app.explain(error),
    // Pages read the mirror as it is now, and a replay knows nothing later than its clock.
    pages: isOn(options, 'no-pages') || replay ? undefined : await openPages(app, mirror, isOn(options, 'sandbox')),
    metrics: isOn(options, 'metrics') ? await openMetrics(app) : undefined,
    mcp: await openTools(app, {
      ...{ options, clock },
      path: isOn(options, 'sandbox') ? mirror.name : app.settings.mirror.value,
    }),
    options: behaviour,
    onRequest: log?.request,
    ...(connections !== undefined && { bounds: { connections } }),
    faults,
    port,
    host,
  });
  try {
    log?.note('started', { address: server.address, mirror: mirror.name });
    await app.say(`macro serves ${mirror.name} at ${server.address}/v1 (Ctrl-C ends it)`, 'serving');
    webhooks?.sender.start();
    await run();
  } finally {
    log?.note('stopping', { reason: reasonOf(app.signal), requests: log.requests });
    await Promise.all([server.close(), webhooks?.sender.close()]);
    replay?.close();
    processMemory.resize(DEFAULT_MEMORY_BYTES);
    log?.note('stopped', { requests: log.requests });
  }
}

/** The signal that ended the server; an error where there was none. */
function reasonOf({ aborted, reason }: AbortSignal): string {
  if (!aborted) return 'error';
  return reason instanceof MacroError ? (reason.code ?? 'interrupted') : 'interrupted';
}

function readBehaviour(app: App, options: Options, at: { port: number; host: string; clock: Clock }): ServeOptions {
  const { files, cwd } = app.platform;
  const keyFile = textOption(options, 'keys');
  const streamRetry = readCount(options, 'stream-retry-ms', 0);
  const publicBaseUrl = at.port === 0 ? '' : `http://${at.host.includes(':') ? `[${at.host}]` : at.host}:${at.port}`;
  return {
    labels: { ...LABELS, publicBaseUrl },
    allowedHosts: readHosts(options),
    ...(keyFile !== undefined && { keys: parseKeys(files.readText(resolve(cwd, keyFile))) }),
    open: isOn(options, 'open'),
    quotas: !isOn(options, 'no-quota'),
    strict: isOn(options, 'strict'),
    headerPrefix: app.settings.headerPrefix.value,
    now: () => at.clock.now(),
    ...(streamRetry !== undefined && { streamRetry }),
  };
}

/** Nothing of the pages is read before somebody asks for one. */
async function openPages(app: App, mirror: Mirror, isSandbox: boolean): Promise<PageParts> {
  const { createPageParts } = await import('./pages/page-parts.ts');
  return createPageParts(app, { mirror, isSandbox });
}

/** The service behind the server; loaded where somebody wants it. */
async function readUpstream(
  app: App,
  options: Options,
  at: { host: string; port: number },
): Promise<Upstream | undefined> {
  if (!['upstream', 'budget', 'spend-for', 'only'].some((name) => options[name] !== undefined)) return undefined;
  const { openUpstream } = await import('./serve-upstream.ts');
  return openUpstream(app, options, at);
}

/** What the server tells of this profile; loaded where somebody wants it. */
async function openMetrics(app: App): Promise<() => Promise<string>> {
  const { collectMetrics } = await import('../metrics/collect-metrics.ts');
  return () => collectMetrics(app);
}

/** Names without a port: a proxy listens on any. */
function readHosts(options: Options): readonly string[] {
  const hosts = manyOption(options, 'allowed-host').flatMap((text) => text.split(',').map((host) => host.trim()));
  const wrong = hosts.find((host) => !/^([\w-]+(\.[\w-]+)*\.?|\[[\da-f:.]+\])$/i.test(host));
  if (wrong === undefined) return hosts;
  throw new MacroError('usage', `'${wrong}' is no name for --allowed-host.`, {
    hint: 'Give a host name or an address alone, such as mirror.example or [2001:db8::1]; several with commas.',
  });
}

async function openHeld(app: App): Promise<Mirror> {
  const hint = 'Fill one with macro sync fx eur usd or macro import FILE, or serve generated data with --sandbox.';
  return (await requireMirror(app, hint)).mirror;
}

/** The mirror of the sandbox is a file of its own: generated rows never stand beside real ones. */
async function openGenerated(app: App, now: number): Promise<Mirror> {
  if (app.settings.mirror.from === '--mirror')
    throw new MacroError('usage', 'The sandbox has a mirror of its own.', { hint: 'Leave out --mirror or --sandbox.' });
  const { openSandbox } = await import('../../../sandbox/open.ts');
  const { platform, settings } = app;
  platform.files.makeFolder(settings.folders.mirrors, 0o700);
  const { path } = await openSandbox({
    platform,
    folder: settings.folders.mirrors,
    now,
    onProgress: ({ series, rows }) => void app.progress(`generating: ${series} series, ${rows} rows`),
  });
  await warnSynthetic(app);
  return app.openMirror({ path, mode: 'read' });
}

/** Publishes what the schedule of the sandbox has until now; what it gives runs until the server is interrupted. */
async function startReleases(
  app: App,
  { mirror, isSandbox, clock }: { mirror: Mirror; isSandbox: boolean; clock: Clock },
): Promise<() => Promise<never>> {
  if (!isSandbox) return () => interrupted(app.signal);
  const { keepDays, openDays } = await import('../webhooks/sandbox-days.ts');
  const days = await openDays(app, mirror.name, clock.now());
  return () => keepDays(app, days, clock);
}

/** The keys that records computed here are signed with; each mirror that is served has its own. */
async function openKeys(
  app: App,
  mirror: Mirror,
  { options, now }: { options: Options; now: number },
): Promise<Signing> {
  const { platform, settings } = app;
  const { id } = await mirror.stamp();
  const parts = { platform, folder: join(settings.folders.serve, id) };
  if (isOn(options, 'new-signing-key')) {
    const retired = retireKeys(parts, Math.floor(now / 1000));
    await app.note(
      retired.length === 0 ? 'there was no signing key to retire' : `retired ${retired.join(', ')}`,
      'signing_keys_retired',
    );
  }
  return openSigning(parts);
}

/**
 * The faults of a server, as they were typed. Requests may ask for faults of their own where the data is made up, or where
 * the owner of the mirror has asked for faults already.
 */
async function openFaults(app: App, options: Options): Promise<FaultEngine> {
  const { clock, files, cwd } = app.platform;
  const file = textOption(options, 'faults');
  const seed = readCount(options, 'seed', 0);
  const rules = file === undefined ? [] : readFaults(files.readText(resolve(cwd, file)));
  if (file !== undefined) await app.warn('answers are spoiled on purpose: never offer this to others', 'faults');
  return createFaults({
    rules,
    seed: seed ?? (file === undefined ? undefined : DEFAULT_SEED),
    allowsHeader: file !== undefined || isOn(options, 'sandbox'),
    headerPrefix: app.settings.headerPrefix.value,
    clock,
  });
}

/**
 * Refuses what the tools could not answer alike: they read the mirror as it is, not as it was.
 * @throws MacroError of kind `usage`.
 */
function checkTools(options: Options): void {
  if (!isOn(options, 'mcp') || isOn(options, 'sandbox') || !hasOwnClock(options)) return;
  throw new MacroError('usage', '--mcp and a clock of its own exclude each other.', {
    code: 'bad_arguments',
    hint: 'Leave one of them out; the tools take as_of.',
  });
}

/** Answers requests to `/mcp`; nothing of the protocol is loaded without `--mcp`. */
async function openTools(
  app: App,
  { options, path, clock }: { readonly options: Options; readonly path: string; readonly clock: Clock },
): Promise<((request: Request) => Promise<Response>) | undefined> {
  if (!isOn(options, 'mcp')) return undefined;
  const { mcpParts } = await import('../mcp/mcp-parts.ts');
  const { answerHttp } = await import('../../../mcp/serve-mcp.ts');
  const general = [`--mirror=${path}`];
  const strict = isOn(options, 'strict');
  return answerHttp(mcpParts({ platform: { ...app.platform, clock }, general, budget: 0, strict }));
}

/** Whether a server has another time than this machine. */
function hasOwnClock(options: Options): boolean {
  return textOption(options, 'clock') !== undefined || textOption(options, 'speed') !== undefined;
}

/** The clock of a server, as `--clock` and `--speed` say. It runs from here on. */
function readServeClock(app: App, options: Options): Clock {
  const startsAt = readStart(textOption(options, 'clock'));
  const speed = readSpeed(textOption(options, 'speed'));
  return virtualClock(app.platform.clock, { startsAt, speed });
}

function readStart(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = parseInstant(text);
  if (seconds !== undefined) return seconds * 1000;
  throw new MacroError('usage', `'${text}' is no time for --clock.`, {
    hint: 'Give a date, an ISO time such as 2026-03-09T14:00:00Z, or Unix seconds.',
  });
}

function readSpeed(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const speed = Number(text.trim());
  if (/^\d+(\.\d+)?$/.test(text.trim()) && speed <= MAX_SPEED) return speed;
  throw new MacroError('usage', `'${text}' is no value for --speed.`, {
    code: 'bad_number',
    hint: `Give a number from 0 to ${MAX_SPEED}: 60 is a minute in a second, 0 stops the clock.`,
  });
}

/** How a server tries deliveries, as it was typed. Waits that are typed are exact: whoever tests a receiver wants to know when. */
export function readWebhookPolicy(options: Options): DeliveryPolicy {
  const waits = textOption(options, 'webhook-waits');
  const failures = readCount(options, 'webhook-failures', 1);
  const failing = textOption(options, 'webhook-failing');
  return {
    ...DELIVERY_POLICY,
    ...(waits !== undefined && { waits: readWaits(waits), jitter: 0 }),
    limits: {
      failures: failures ?? DELIVERY_POLICY.limits.failures,
      streak: failing === undefined ? DELIVERY_POLICY.limits.streak : readFailing(failing),
    },
  };
}

function readFailing(text: string): number {
  const seconds = readDuration(text, '--webhook-failing');
  if (seconds > 0) return seconds * 1_000;
  throw new MacroError('usage', 'A subscription cannot end before anything failed.', {
    code: 'bad_arguments',
    hint: 'Give a second or more; --webhook-failures 1 ends it with the first delivery that failed.',
  });
}

function readWaits(text: string): readonly number[] {
  const words = text.split(',').filter((word) => word.trim() !== '');
  if (words.length >= MAX_ATTEMPTS)
    throw new MacroError('usage', `A delivery is tried ${MAX_ATTEMPTS} times at most.`, {
      code: 'bad_arguments',
      hint: `Give less than ${MAX_ATTEMPTS} waits.`,
    });
  return words.map((word) => readDuration(word, '--webhook-waits') * 1_000);
}

/** A number of bytes that was typed for an option, such as 134217728 or 128MB; undefined when none was. */
export function readByteSize(options: Options, name: string): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const [, digits = '', unit = ''] = /^(\d{1,13})\s*(B|KB|MB|GB)?$/i.exec(text.trim()) ?? [];
  const bytes = Number(digits) * UNITS[unit.toUpperCase() as keyof typeof UNITS]; // one of those of the pattern
  if (digits !== '' && bytes <= MAX_BYTES) return bytes;
  throw new MacroError('usage', `'${text}' is no value for --${name}.`, {
    code: 'bad_number',
    hint: 'Give a whole number of bytes from 0 to 1024GB, with B, KB, MB or GB behind it or nothing: 128MB for example.',
  });
}
