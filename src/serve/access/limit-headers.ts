import { addHeader, type HeaderList } from '../reply/header-list.ts';
import type { CallerAccount, LimitRefusal, OwnBudget } from './limits.ts';
import { LIMIT_WINDOW_SECONDS, type LimitWindow, type Windows } from './windows.ts';

/**
 * Adds what an answer says about budgets. `RateLimit-*` speaks of the primary window; `X-RateLimit-*` of the one with
 * least headroom, or of the one that binds when the request was refused. See docs/interface.md#rate-limits.
 */
export function addLimitHeaders(list: HeaderList, account: CallerAccount, context: LimitContext): void {
  const { windows, refusal, own } = context;
  const [primary] = account.budgets;
  if (!primary) return;
  addHeader(list, 'RateLimit-Limit', primary.limit);
  addHeader(list, 'RateLimit-Remaining', remaining(account, 0));
  addHeader(list, 'RateLimit-Reset', refusal?.wait ?? windows.left[primary.window]);
  addHeader(list, 'RateLimit-Policy', policyOf(account, windows));
  if (refusal) {
    addHeader(list, 'X-RateLimit-Limit', refusal.limit);
    addHeader(list, 'X-RateLimit-Remaining', 0);
    addHeader(list, 'X-RateLimit-Window', refusal.window);
    return;
  }
  const tight = tightest(account);
  const budget = account.budgets[tight] ?? primary;
  const left = remaining(account, tight);
  const ownLeft = own ? Math.max(0, own.limit - own.used) : 0;
  // The endpoint's own budget is one of a minute: of equals the minute itself is told.
  const isOwn = own !== undefined && ownLeft / own.limit < left / budget.limit;
  addHeader(list, 'X-RateLimit-Limit', isOwn ? own.limit : budget.limit);
  addHeader(list, 'X-RateLimit-Remaining', isOwn ? ownLeft : left);
  addHeader(list, 'X-RateLimit-Window', isOwn ? 'endpoint' : budget.window);
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

/** The policies of a second: all callers of a kind have the same one. */
const policies = new WeakMap<Windows, Map<CallerAccount['budgets'], string>>();

function policyOf({ budgets }: CallerAccount, windows: Windows): string {
  let known = policies.get(windows);
  if (!known) {
    known = new Map();
    policies.set(windows, known);
  }
  let policy = known.get(budgets);
  if (policy === undefined) {
    policy = policyText(budgets, windows);
    known.set(budgets, policy);
  }
  return policy;
}

/** All windows as `quota;w=seconds`. */
function policyText(budgets: CallerAccount['budgets'], { left }: Windows): string {
  const lengthOf = (window: LimitWindow) => (window === 'month' ? left.month : LIMIT_WINDOW_SECONDS[window]);
  return budgets.map(({ window, limit }) => `${limit};w=${lengthOf(window)}`).join(', ');
}
