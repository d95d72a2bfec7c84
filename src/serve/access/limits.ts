import type { Caller } from '../../contract/hooks.ts';
import { MacroError } from '../../errors.ts';

/** Windows of the budgets: fixed, on UTC clock boundaries. See docs/interface-access.md#rate-limits. */
export type LimitWindow = 'minute' | 'hour' | 'day' | 'month';

/** The windows that a moment lies in. Times are Unix seconds. */
export interface Windows {
  readonly second: number;
  readonly start: Readonly<Record<LimitWindow, number>>;
  /** Seconds until the window ends. */
  readonly left: Readonly<Record<LimitWindow, number>>;
}

/** Length in seconds; a month has its own each time. */
export const LIMIT_WINDOW_SECONDS: Readonly<Record<Exclude<LimitWindow, 'month'>, number>> = {
  minute: 60,
  hour: 3600,
  day: 86_400,
};

/** So many requests in a window. */
interface RequestBudget {
  readonly window: LimitWindow;
  readonly limit: number;
}

/** The first one is the primary window, which `RateLimit-Limit` speaks of. Shorter ones first. */
export const KEYED_BUDGETS: readonly RequestBudget[] = [
  { window: 'minute', limit: 300 },
  { window: 'hour', limit: 5000 },
  { window: 'month', limit: 1_000_000 },
];
export const KEYLESS_BUDGETS: readonly RequestBudget[] = [{ window: 'day', limit: 100 }];
/** Requests and open streams at a time, of one key and of one address without a key. */
export const KEYED_SLOTS = 20;
const KEYLESS_SLOTS = 2;

export interface CallerAccount {
  readonly budgets: readonly RequestBudget[];
  /** The moment that the account stands at. */
  windows: Windows;
  /** Start of the window that `used` counts, by budget. */
  readonly starts: number[];
  readonly used: number[];
  readonly slots: number;
  /** Number of running requests and open streams. */
  running: number;
  /** Counts of endpoints with their own budget, by endpoint; created on first use. */
  own?: Map<string, OwnBudget>;
}

/** The requests of a caller to one endpoint in the current minute. */
export interface OwnBudget {
  readonly limit: number;
  /** Start of the minute that `used` counts. */
  start: number;
  used: number;
}

/** Why a request was refused. */
export interface LimitRefusal {
  readonly window: LimitWindow | 'concurrency' | 'endpoint';
  readonly limit: number;
  /** Seconds. */
  readonly wait: number;
}

/** Max accounts of each kind of caller in memory; the oldest are forgotten first. */
const MAX_ACCOUNTS = 50_000;

export interface RequestLimits {
  account(caller: Caller, name: string, windows: Windows): CallerAccount;
  /** The caller's book of one endpoint, as of the account's moment. */
  own(account: CallerAccount, endpoint: { readonly id: string; readonly limit: number }): OwnBudget;
}

/** The books of all callers, in bounded memory. */
export function createLimits(): RequestLimits {
  const keyed = new Map<string, CallerAccount>();
  const keyless = new Map<string, CallerAccount>();
  return {
    account(caller, name, windows) {
      const book = caller.kind === 'keyed' ? keyed : keyless;
      let account = book.get(name);
      if (!account) {
        if (book.size >= MAX_ACCOUNTS) forgetSome(book, windows);
        account = openAccount(caller, windows);
        book.set(name, account);
      }
      if (account.windows.second !== windows.second) rollOver(account, windows);
      return account;
    },
    own(account, { id, limit }) {
      account.own ??= new Map();
      const start = account.windows.start.minute;
      const book = account.own.get(id) ?? { limit, start, used: 0 };
      if (book.start !== start) Object.assign(book, { start, used: 0 });
      account.own.set(id, book);
      return book;
    },
  };
}

function openAccount({ kind }: Caller, windows: Windows): CallerAccount {
  const [budgets, slots] = kind === 'keyed' ? [KEYED_BUDGETS, KEYED_SLOTS] : [KEYLESS_BUDGETS, KEYLESS_SLOTS];
  const starts = budgets.map(({ window }) => windows.start[window]);
  return { budgets, windows, starts, used: budgets.map(() => 0), slots, running: 0 };
}

/** Starts each budget afresh when its window has changed. */
function rollOver(account: CallerAccount, windows: Windows): void {
  account.windows = windows;
  for (const [i, { window }] of account.budgets.entries()) {
    if (account.starts[i] === windows.start[window]) continue;
    account.starts[i] = windows.start[window];
    account.used[i] = 0;
  }
}

/** Makes room: callers whose windows are all over first, then the oldest tenth. */
function forgetSome(book: Map<string, CallerAccount>, windows: Windows): void {
  for (const [name, account] of book) {
    const over = account.budgets.every(({ window }, i) => account.starts[i] !== windows.start[window]);
    if (over && account.running === 0) book.delete(name);
  }
  let surplus = book.size - Math.floor(MAX_ACCOUNTS * 0.9);
  for (const [name, account] of book) {
    if (surplus <= 0) break;
    if (account.running > 0) continue;
    book.delete(name);
    surplus -= 1;
  }
}

/** Why the next request must wait; of several spent budgets, the last to renew. */
export function refusalOf(account: CallerAccount, windows: Windows, own?: OwnBudget): LimitRefusal | undefined {
  let binding: LimitRefusal | undefined;
  const { budgets, used } = account;
  for (let i = 0; i < budgets.length; i += 1) {
    const budget = budgets[i];
    if (!budget || (used[i] ?? 0) < budget.limit) continue;
    const { window, limit } = budget;
    const wait = windows.left[window];
    if (!binding || wait > binding.wait) binding = { window, limit, wait };
  }
  if (own && own.used >= own.limit && (!binding || windows.left.minute > binding.wait))
    binding = { window: 'endpoint', limit: own.limit, wait: windows.left.minute };
  if (binding) return binding;
  return account.running < account.slots ? undefined : { window: 'concurrency', limit: account.slots, wait: 1 };
}

/** Counts one request. */
export function charge(account: CallerAccount, own?: OwnBudget): void {
  if (own) own.used += 1;
  for (let i = 0; i < account.used.length; i += 1) account.used[i] = (account.used[i] ?? 0) + 1;
}

/** Takes one of the caller's slots, and gives what frees it. */
export function holdSlot(account: CallerAccount): () => void {
  account.running += 1;
  return () => {
    account.running -= 1;
  };
}

const ADJECTIVES: Readonly<Record<LimitWindow, string>> = {
  minute: 'Minute',
  hour: 'Hourly',
  day: 'Daily',
  month: 'Monthly',
};

/** The 429 of a refusal. */
export function quotaError(refusal: LimitRefusal, caller: Caller): MacroError {
  const { window, limit, wait } = refusal;
  if (caller.kind === 'keyless' && window === 'day')
    return new MacroError('quota', `Keyless daily quota of ${limit} requests is used up.`, {
      status: 429,
      code: 'anonymous_usd_rate_limit_exceeded',
      retryAfter: wait,
    });
  const waits =
    window === 'concurrency'
      ? `More than ${limit} requests at the same time.`
      : window === 'endpoint'
        ? `Quota of ${limit} requests a minute for this route is used up.`
        : `${ADJECTIVES[window]} quota of ${limit} requests is used up.`;
  return new MacroError('quota', waits, {
    status: 429,
    code: 'rate_limit_exceeded',
    retryAfter: wait,
    extra: { window, limit, retry_after: wait },
  });
}

export function windowsAt(second: number): Windows {
  const startOf = (length: number) => Math.floor(second / length) * length;
  const leftOf = (length: number) => startOf(length) + length - second;
  const date = new Date(second * 1000);
  const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1000;
  const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000;
  return {
    second,
    start: {
      minute: startOf(LIMIT_WINDOW_SECONDS.minute),
      hour: startOf(LIMIT_WINDOW_SECONDS.hour),
      day: startOf(LIMIT_WINDOW_SECONDS.day),
      month,
    },
    left: {
      minute: leftOf(LIMIT_WINDOW_SECONDS.minute),
      hour: leftOf(LIMIT_WINDOW_SECONDS.hour),
      day: leftOf(LIMIT_WINDOW_SECONDS.day),
      month: next - second,
    },
  };
}
