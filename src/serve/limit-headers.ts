import type { Account, Refusal } from './limits.ts';
import { LENGTHS, type WindowName, type Windows } from './windows.ts';

/** Headers of an answer under construction. */
export type HeaderBag = Record<string, string | number>;

/**
 * Adds what an answer says about budgets. `RateLimit-*` speaks of the primary window; `X-RateLimit-*` of the one with
 * least headroom, or of the one that binds when the request was refused. Wire facts, section 6.
 */
export function addLimitHeaders(bag: HeaderBag, account: Account, windows: Windows, refusal?: Refusal): void {
  const [primary] = account.budgets;
  if (!primary) return;
  bag['RateLimit-Limit'] = primary.limit;
  bag['RateLimit-Remaining'] = remaining(account, 0);
  bag['RateLimit-Reset'] = refusal?.wait ?? windows.left[primary.window];
  bag['RateLimit-Policy'] = policyOf(account, windows);
  if (refusal) {
    bag['X-RateLimit-Limit'] = refusal.limit;
    bag['X-RateLimit-Remaining'] = 0;
    bag['X-RateLimit-Window'] = refusal.window;
    return;
  }
  const tight = tightest(account);
  const budget = account.budgets[tight] ?? primary;
  bag['X-RateLimit-Limit'] = budget.limit;
  bag['X-RateLimit-Remaining'] = remaining(account, tight);
  bag['X-RateLimit-Window'] = budget.window;
}

function remaining(account: Account, index: number): number {
  return Math.max(0, (account.budgets[index]?.limit ?? 0) - (account.used[index] ?? 0));
}

/** The budget with the smallest part left; of equals the shorter. */
function tightest(account: Account): number {
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

/** All windows as `quota;w=seconds`. */
function policyOf({ budgets }: Account, { left }: Windows): string {
  const lengthOf = (window: WindowName) => (window === 'month' ? left.month : LENGTHS[window]);
  return budgets.map(({ window, limit }) => `${limit};w=${lengthOf(window)}`).join(', ');
}
