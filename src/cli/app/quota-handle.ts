import { join } from 'node:path';
import type { RateLimiter } from '../../client/client.ts';
import type { Wait } from '../../client/http/retry.ts';
import { createRateLimiter } from '../../client/quota/rate-limiter.ts';
import { withRunBudget } from '../../client/quota/run-budget.ts';
import { MacroError } from '../../errors.ts';
import { openAccount, type Priority, type QuotaAccount } from '../../state/account.ts';
import { withFallback } from '../../state/fallback.ts';
import { memoryLedger, type QuotaLedger } from '../../state/ledger.ts';
import type { Owner } from '../../state/sqlite-ledger.ts';
import type { App } from './app.ts';
import { baseUrlOrigin } from './settings/base-url.ts';
import { accessWith } from './settings/keys.ts';
import type { Settings } from './settings/settings.ts';
import type { Spending } from './spending.ts';

/** Where the ledger of this user is. */
function ledgerPath({ folders }: Pick<Settings, 'folders'>): string {
  return join(folders.state, 'quota.db');
}

/** Whose account of the ledger a service's is: by origin, and by the key that goes there. */
export function ledgerOwner({ platform, settings }: App, baseUrl: string): Owner {
  return { service: baseUrlOrigin(baseUrl), access: accessWith(platform, settings, baseUrl) };
}

/** The books as they stand, for reading; undefined where nobody has written any. A planner hands its account to `readBudgets`. */
export async function existingLedger(app: App, baseUrl: string): Promise<QuotaLedger | undefined> {
  const path = ledgerPath(app.settings);
  if (!app.platform.files.exists(path)) return undefined;
  const { openLedger } = await import('../../state/sqlite-ledger.ts');
  return app.keep(openLedger(path, ledgerOwner(app, baseUrl)));
}

/** The gate of everything that a command sends, over the ledger of all processes. Nothing is opened before the first request. */
export function openGate(
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

/** Seconds that a refusal of the service may ask for; undefined for the client's own measure. */
export function longestWait({ isTyped, maxWait }: Spending): number | undefined {
  return isTyped ? maxWait / 1000 : undefined;
}

/** Says on stderr until when a wait lasts. */
export function describeWait(app: App, { ms, reason }: Wait): void {
  const until = new Date(app.platform.clock.now() + ms).toISOString().replace(/\.\d+Z$/, 'Z');
  void app.note(`${reason} Waiting until ${until}.`, 'waiting_for_quota');
}

/** The account of a service and key as the ledger has it, without asking anybody. */
export async function readAccount(app: App, baseUrl: string): Promise<QuotaAccount> {
  const owner = ledgerOwner(app, baseUrl);
  const now = app.platform.clock.now();
  const path = ledgerPath(app.settings);
  if (!app.platform.files.exists(path)) return openAccount(owner.access, now);
  const { openLedger } = await import('../../state/sqlite-ledger.ts');
  // It is closed at once: a server reads it every few seconds for as long as it runs.
  const ledger = openLedger(path, owner);
  try {
    return ledger.read(now);
  } finally {
    ledger.close();
  }
}

/** The shared books; where they cannot be kept, books of this process alone, and a note. */
async function openSharedLedger(app: App, baseUrl: string): Promise<QuotaLedger> {
  const { platform, settings } = app;
  const owner = ledgerOwner(app, baseUrl);
  const own = memoryLedger(owner.access);
  const path = ledgerPath(settings);
  const tell = (error: unknown) => void app.note(troubleText(path, error), 'quota_not_shared');
  try {
    platform.files.makeFolder(settings.folders.state, 0o700);
    const { openLedger } = await import('../../state/sqlite-ledger.ts');
    const shared = app.keep(openLedger(path, owner));
    return withFallback(shared, own, tell);
  } catch (error) {
    tell(error);
    return own;
  }
}

function troubleText(path: string, error: unknown): string {
  const what =
    error instanceof MacroError ? [error.message, error.hint].filter(Boolean).join(' ') : `${path}: ${error}.`;
  return `This run counts its requests for itself. ${what}`;
}
