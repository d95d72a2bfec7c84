import { addHeader, type HeaderList } from '../reply/header-list.ts';
import type { CallerAccount, LimitRefusal, OwnBudget } from './limits.ts';
import { LIMIT_WINDOW_SECONDS, type LimitWindow, type Windows } from './windows.ts';

/**
 * Adds what an answer says about budgets. `RateLimit-*` speaks of the primary window; `X-RateLimit-*` of the one with
 * least headroom, or of the one that binds when the request was refused. See docs/interface.md#rate-limits.
 */
export function addLimitHeaders(
  list: HeaderList,
  account: CallerAccount,
  { windows, refusal, own }: LimitContext,
): void {
  const [primary] = account.budgets;
  if (!primary) return;
  const binding = refusal ? { limit: refusal.limit, left: 0, window: refusal.window } : leastHeadroom(account, own);
  addHeader(list, 'RateLimit-Limit', primary.limit);
  addHeader(list, 'RateLimit-Remaining', remaining(account, 0));
  addHeader(list, 'RateLimit-Reset', refusal?.wait ?? windows.left[primary.window]);
  addHeader(list, 'RateLimit-Policy', policyOf(account, windows));
  addHeader(list, 'X-RateLimit-Limit', binding.limit);
  addHeader(list, 'X-RateLimit-Remaining', binding.left);
  addHeader(list, 'X-RateLimit-Window', binding.window);
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
