import { addHeader, type HeaderList } from '../reply/header-list.ts';
import type { CallerAccount, LimitRefusal, OwnBudget } from './limits.ts';
import { LIMIT_WINDOW_SECONDS, type LimitWindow, type Windows } from './windows.ts';

/** How many both of the following make: kept heads are cut around them. */
export const LIMIT_HEADERS = 7;

/**
 * Adds what an answer says about budgets. `RateLimit-*` speaks of the primary window; `X-RateLimit-*` of the one with
 * least headroom, or of the one that binds when the request was refused. See docs/interface.md#rate-limits.
 */
export function addLimitHeaders(list: HeaderList, account: CallerAccount, context: LimitContext): void {
  const facts = budgetFacts(account, context);
  if (!facts) return;
  addHeader(list, 'RateLimit-Limit', facts.limit);
  addHeader(list, 'RateLimit-Remaining', facts.remaining);
  addHeader(list, 'RateLimit-Reset', facts.reset);
  addHeader(list, 'RateLimit-Policy', facts.policy);
  addHeader(list, 'X-RateLimit-Limit', facts.binding.limit);
  addHeader(list, 'X-RateLimit-Remaining', facts.binding.left);
  addHeader(list, 'X-RateLimit-Window', facts.binding.window);
}

/** The same headers as lines of a head. */
export function limitLines(account: CallerAccount, context: LimitContext): string {
  const facts = budgetFacts(account, context);
  if (!facts) return '';
  return `RateLimit-Limit: ${facts.limit}\r\nRateLimit-Remaining: ${facts.remaining}\r\nRateLimit-Reset: ${facts.reset}\r\nRateLimit-Policy: ${facts.policy}\r\nX-RateLimit-Limit: ${facts.binding.limit}\r\nX-RateLimit-Remaining: ${facts.binding.left}\r\nX-RateLimit-Window: ${facts.binding.window}\r\n`;
}

function budgetFacts(account: CallerAccount, { windows, refusal, own }: LimitContext) {
  const [primary] = account.budgets;
  if (!primary) return undefined;
  const binding = refusal ? { limit: refusal.limit, left: 0, window: refusal.window } : leastHeadroom(account, own);
  return {
    limit: primary.limit,
    remaining: remaining(account, 0),
    reset: refusal?.wait ?? windows.left[primary.window],
    policy: policyOf(account, windows),
    binding,
  };
}

/** The budget with the smallest part left. Its own is one of a minute: of equals the minute itself is shown. */
function leastHeadroom(account: CallerAccount, own: OwnBudget | undefined) {
  const tight = tightest(account);
  const { limit = 1, window = 'minute' } = account.budgets[tight] ?? {};
  const left = remaining(account, tight);
  const ownLeft = own ? Math.max(0, own.limit - own.used) : 0;
  if (own && ownLeft / own.limit < left / limit) return { limit: own.limit, left: ownLeft, window: 'endpoint' };
  return { limit, left, window };
}

interface LimitContext {
  readonly windows: Windows;
  readonly refusal?: LimitRefusal | undefined;
  readonly own?: OwnBudget | undefined;
}

function remaining(account: CallerAccount, index: number): number {
  return Math.max(0, (account.budgets[index]?.limit ?? 0) - (account.used[index] ?? 0));
}

/** The budget with the smallest part left; of equals the shorter. */
function tightest(account: CallerAccount): number {
  let best = 0;
  let bestPart = Number.POSITIVE_INFINITY;
  for (let i = 0; i < account.budgets.length; i += 1) {
    const part = remaining(account, i) / (account.budgets[i]?.limit ?? 1);
    if (part < bestPart) {
      best = i;
      bestPart = part;
    }
  }
  return best;
}

/** The last policy of each kind of caller: it changes once a second. */
const policies = new Map<CallerAccount['budgets'], { readonly windows: Windows; readonly text: string }>();

function policyOf({ budgets }: CallerAccount, windows: Windows): string {
  let policy = policies.get(budgets);
  if (policy?.windows !== windows) {
    policy = { windows, text: policyText(budgets, windows) };
    policies.set(budgets, policy);
  }
  return policy.text;
}

/** All windows as `quota;w=seconds`. */
function policyText(budgets: CallerAccount['budgets'], { left }: Windows): string {
  const lengthOf = (window: LimitWindow) => (window === 'month' ? left.month : LIMIT_WINDOW_SECONDS[window]);
  return budgets.map(({ window, limit }) => `${limit};w=${lengthOf(window)}`).join(', ');
}
