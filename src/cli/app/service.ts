import { join } from 'node:path';
import type { RateLimiter } from '../../client/client.ts';
import { createClient } from '../../client/create.ts';
import { onlyVerified, readServiceAddress } from '../../client/http/address.ts';
import { readAnswer } from '../../client/http/answer.ts';
import { type DirectReply, sendDirect } from '../../client/http/direct.ts';
import type { Wait } from '../../client/http/retry.ts';
import { type ClientOptions, checkPrefix, createWire, type Wire } from '../../client/http/wire.ts';
import type { Priority, QuotaAccount } from '../../client/quota/account.ts';
import { readBudgets } from '../../client/quota/budgets.ts';
import { firstWorking, ledgerOver, memoryLedger, type Owner, type QuotaLedger } from '../../client/quota/ledger.ts';
import { createRateLimiter } from '../../client/quota/rate-limiter.ts';
import { withRunBudget } from '../../client/quota/run-budget.ts';
import ping from '../../endpoints/health/ping.ts';
import { MacroError } from '../../errors.ts';
import { isServerAddress } from '../../mirror/rules/engine.ts';
import { proxyFor } from '../../platform/node-network.ts';
import { createLiveSource, type OpenMirror } from '../../source/live.ts';
import { readSpending, type Spending } from '../parse/spending.ts';
import type { App, LiveHandle } from './app.ts';
import { accessWith, findKey } from './keys.ts';
import { baseUrlOrigin, type Setting, taken } from './settings.ts';

/** The configured service, with the key that belongs to it; undefined when there is none. */
export function createLiveHandle(app: App, mirror: OpenMirror | undefined, priority: Priority): LiveHandle | undefined {
  const options = serviceOptions(app, priority);
  if (!options) return undefined;
  const client = createClient(options);
  return { client, mirror, source: createLiveSource({ client, mirror }) };
}

/** How the configured service is asked, with the key that belongs to it; undefined when there is none. */
export function serviceOptions(
  app: App,
  priority: Priority = 'interactive',
  spending: Spending = readSpending(app.options, priority),
): ClientOptions | undefined {
  const { platform } = app;
  const { baseUrl, headerPrefix } = app.settings;
  if (baseUrl.value === undefined) return undefined;
  const found = findKey(platform, app.settings, baseUrl.value);
  checkAddress(baseUrl, found !== undefined);
  return {
    platform: found ? { ...platform, fetch: onlyVerified(platform) } : platform,
    baseUrl: baseUrl.value,
    proxy: noteProxy(app, baseUrl.value),
    key: found?.key,
    limiter: openGate(app, baseUrl.value, { priority, spending }),
    longestWait: spending.isTyped ? spending.maxWait / 1000 : undefined,
    onWait: (wait) => describeWait(app, wait),
    headerPrefix: taken(headerPrefix, checkPrefix),
  };
}

/** The proxy before an address, for people: what `--verbose` shows of it, and what errors name. */
export function noteProxy({ platform, verbose }: Pick<App, 'platform' | 'verbose'>, address: string) {
  const proxy = proxyFor(platform.env, address);
  if (!proxy) return undefined;
  void verbose(`${new URL(address).origin} is asked through the proxy ${proxy.shown} (${proxy.from})`, 'proxy');
  return `${proxy.shown} (${proxy.from})`;
}

/** Refuses an address that the client would refuse, and says where it stands. */
export function checkAddress({ value, from }: Setting<string | undefined>, hasKey: boolean): void {
  if (value !== undefined) taken({ value, from }, (url) => readServiceAddress(url, hasKey));
}

/** A line to the service without a mirror, for requests that are no question. @throws MacroError of kind `auth`. */
export function openWire(app: App): Wire {
  const options = serviceOptions(app);
  if (options) return createWire(options);
  throw noService('none can be asked.');
}

/** Asks whether the service is there, which costs no quota. @throws MacroError where nothing or something else answers. */
export async function pingService(wire: Wire, signal: AbortSignal): Promise<DirectReply> {
  const reply = await sendDirect(wire, { method: 'GET', target: ping.path, signal });
  readAnswer(ping, {}, { status: reply.status, headers: new Headers(), text: reply.body });
  return reply;
}

/** No service is chosen, and what follows from it. */
export function noService(so: string, hint = 'macro init chooses a service; --base-url URL names one.'): MacroError {
  return new MacroError('auth', `No service is chosen, so ${so}`, { code: 'not_configured', hint });
}

/** The gate of everything that a command sends, over the ledger of all processes. Nothing is opened before the first request. */
function openGate(
  app: App,
  baseUrl: string,
  { priority, spending }: { readonly priority: Priority; readonly spending: Spending },
): RateLimiter {
  const { platform, settings } = app;
  const limiter = createRateLimiter({
    clock: platform.clock,
    ledger: app.keep(ledgerOf(app, baseUrl, 'spend', (text) => void app.note(text, 'quota_not_shared'))),
    maxWait: spending.maxWait,
    priority,
    pid: platform.pid,
    headerPrefix: settings.headerPrefix.value,
    onWait: (wait) => describeWait(app, wait),
  });
  const { budgets, maxWait } = spending;
  return budgets.length === 0 ? limiter : withRunBudget(limiter, { budgets, maxWait, clock: platform.clock });
}

function describeWait(app: App, { ms, reason }: Wait): void {
  const until = new Date(app.platform.clock.now() + ms).toISOString().replace(/\.\d+Z$/, 'Z');
  void app.note(`${reason} Waiting until ${until}.`, 'waiting_for_quota');
}

type Tell = (text: string) => void;

/**
 * Books of the requests to a service: on the server of the mirror, else in the file of this machine, else in memory.
 * Nothing is opened before the first request. Who only reads makes no file, and takes no empty books for an answer.
 */
function ledgerOf(app: App, baseUrl: string, use: 'spend' | 'read', tell: Tell): QuotaLedger {
  const { platform, settings } = app;
  const owner = ledgerOwner(app, baseUrl);
  const path = join(settings.folders.state, 'quota.db');
  const inMemory = { of: 'run', open: async () => memoryLedger(owner.access) };
  const inFile = {
    of: 'machine',
    async open() {
      if (use === 'read' && !platform.files.exists(path)) return inMemory.open();
      platform.files.makeFolder(settings.folders.state, 0o700);
      return (await import('../../client/quota/sqlite-ledger.ts')).openLedger(path, owner);
    },
  };
  const onServer = {
    of: 'desk',
    async open() {
      const account = (await app.mirrorIfAny())?.mirror.shared?.account(owner);
      return account && ledgerOver(account, owner.access);
    },
  };
  const places = [
    ...(isServerAddress(settings.mirror.value) ? [onServer] : []),
    inFile,
    ...(use === 'spend' ? [inMemory] : []),
  ];
  return firstWorking(places, platform.clock, (error, next) => tell(troubleText(error, next)));
}

function troubleText(error: unknown, next: string): string {
  const what = error instanceof MacroError ? [error.message, error.hint].filter(Boolean).join(' ') : `${error}.`;
  return `This ${next} counts its requests for itself. ${what}`;
}

/** The account of a service and key as the books have it, without asking anybody. `tell`: why they are not shared. */
export async function readAccount(app: App, baseUrl: string, tell: Tell = () => undefined): Promise<QuotaAccount> {
  return withLedger(ledgerOf(app, baseUrl, 'read', tell), (ledger) => ledger.read(app.platform.clock.now()));
}

export async function forgetAccount(app: App, baseUrl: string, tell: Tell): Promise<void> {
  await withLedger(ledgerOf(app, baseUrl, 'read', tell), (ledger) => ledger.forget(app.platform.clock.now()));
}

/** Asks books and closes them at once: a server asks every few seconds. */
async function withLedger<T>(ledger: QuotaLedger, work: (ledger: QuotaLedger) => Promise<T>): Promise<T> {
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

/** The rest of the tightest budget of a service, as people say it; undefined if no budget is known. */
export async function quotaText(app: App, baseUrl: string): Promise<string | undefined> {
  const account = await readAccount(app, baseUrl);
  const budgets = readBudgets(account, app.platform.clock.now()).filter(({ budget }) => budget !== 'concurrency');
  const [tightest] = budgets.toSorted((a, b) => a.left / a.limit - b.left / b.limit);
  return tightest && `${tightest.left} of ${tightest.limit} left this ${tightest.budget}`;
}

/** Whose account of the ledger a service's is: by origin, and by the key that goes there. */
export function ledgerOwner({ platform, settings }: App, baseUrl: string): Owner {
  return { service: baseUrlOrigin(baseUrl), access: accessWith(platform, settings, baseUrl) };
}
