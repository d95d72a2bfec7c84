import { join } from 'node:path';
import type { RateLimiter } from '../../client/client.ts';
import { createClient } from '../../client/create.ts';
import { onlyVerified, readServiceAddress } from '../../client/http/address.ts';
import type { Wait } from '../../client/http/retry.ts';
import { type ClientOptions, checkPrefix, createWire, type Wire } from '../../client/http/wire.ts';
import { openAccount, type Priority, type QuotaAccount } from '../../client/quota/account.ts';
import { readBudgets } from '../../client/quota/budgets.ts';
import { type LaterLedger, memoryLedger, type Owner, tableLedger, withFallback } from '../../client/quota/ledger.ts';
import { createRateLimiter } from '../../client/quota/rate-limiter.ts';
import { withRunBudget } from '../../client/quota/run-budget.ts';
import { MacroError } from '../../errors.ts';
import { isServerAddress } from '../../mirror/rules/engine.ts';
import { proxyFor } from '../../platform/node-network.ts';
import { createLiveSource, type OpenMirror } from '../../source/live.ts';
import { readSpending, type Spending } from '../parse/spending.ts';
import type { App, LiveHandle } from './app.ts';
import { accessWith, findKey } from './keys.ts';
import { baseUrlOrigin, type Setting, type Settings, taken } from './settings.ts';

/** The configured service, with the key that belongs to it; undefined when there is none. */
export function createLiveHandle(app: App, mirror: OpenMirror | undefined, priority: Priority): LiveHandle | undefined {
  const options = serviceOptions(app, priority);
  if (!options) return undefined;
  const client = createClient(options);
  return { client, mirror, source: createLiveSource({ client, ...(mirror && { mirror }) }) };
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
    ...(found && { key: found.key }),
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
    ledger: () => openSharedLedger(app, baseUrl),
    maxWait: spending.maxWait,
    priority,
    pid: platform.pid,
    headerPrefix: settings.headerPrefix.value,
    onWait: (wait) => describeWait(app, wait),
  });
  const { budgets, maxWait } = spending;
  return budgets.length === 0 ? limiter : withRunBudget(limiter, { budgets, maxWait, clock: platform.clock });
}

/** Says on stderr until when a wait lasts. */
function describeWait(app: App, { ms, reason }: Wait): void {
  const until = new Date(app.platform.clock.now() + ms).toISOString().replace(/\.\d+Z$/, 'Z');
  void app.note(`${reason} Waiting until ${until}.`, 'waiting_for_quota');
}

/** The shared ledger; if it cannot be used, a ledger of this process alone, and a note. */
async function openSharedLedger(app: App, baseUrl: string): Promise<LaterLedger> {
  const { platform, settings } = app;
  const owner = ledgerOwner(app, baseUrl);
  const own = memoryLedger(owner.access);
  const path = ledgerPath(settings);
  const tell = (error: unknown) => void app.note(troubleText(path, error), 'quota_not_shared');
  try {
    const shared = await booksOnServer(app, owner);
    if (shared) return withFallback(app.keep(shared), own, tell);
    platform.files.makeFolder(settings.folders.state, 0o700);
    const { openLedger } = await import('../../client/quota/sqlite-ledger.ts');
    return withFallback(app.keep(openLedger(path, owner)), own, tell);
  } catch (error) {
    tell(error);
    return own;
  }
}

/** The ledger that machines share on the server of a mirror; undefined for a mirror in a file. */
async function booksOnServer(app: App, owner: Owner): Promise<LaterLedger | undefined> {
  if (!isServerAddress(app.settings.mirror.value)) return undefined;
  const table = (await app.mirrorIfAny())?.mirror.shared?.quota;
  return table && tableLedger(table, owner);
}

function troubleText(path: string, error: unknown): string {
  const what =
    error instanceof MacroError ? [error.message, error.hint].filter(Boolean).join(' ') : `${path}: ${error}.`;
  return `This run counts its requests for itself. ${what}`;
}

/** The account of a service and key as the ledger has it, without asking anybody. A planner hands it to `readBudgets`. */
export async function readAccount(app: App, baseUrl: string): Promise<QuotaAccount> {
  const now = app.platform.clock.now();
  const account = await withLedger(app, baseUrl, (ledger) => ledger.read(now));
  return account ?? openAccount(ledgerOwner(app, baseUrl).access, now);
}

/** Drops what the ledger knows of it. */
export async function forgetAccount(app: App, baseUrl: string): Promise<void> {
  await withLedger(app, baseUrl, (ledger) => ledger.forget(app.platform.clock.now()));
}

/** Asks the books; undefined where nobody has written any. They are closed at once: a server asks every few seconds. */
async function withLedger<T>(
  app: App,
  baseUrl: string,
  work: (ledger: LaterLedger) => T | Promise<T>,
): Promise<T | undefined> {
  const owner = ledgerOwner(app, baseUrl);
  const path = ledgerPath(app.settings);
  let ledger = await booksOnServer(app, owner);
  if (!ledger) {
    if (!app.platform.files.exists(path)) return undefined;
    const { openLedger } = await import('../../client/quota/sqlite-ledger.ts');
    ledger = openLedger(path, owner);
  }
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

function ledgerPath({ folders }: Pick<Settings, 'folders'>): string {
  return join(folders.state, 'quota.db');
}
