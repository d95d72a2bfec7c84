import { expire, findWindow, openIn, type QuotaAccount, type QuotaLimits, settledIn } from './account.ts';
import { type BudgetName, keptForPeople, windowEnd } from './budget.ts';
import { ourTime, serviceTime } from './service-clock.ts';

export interface BudgetLeft {
  readonly budget: BudgetName | 'concurrency';
  readonly limit: number;
  /** Spent in the current window, as far as is known. */
  readonly used: number;
  /** Set aside for requests under way, of any process. */
  readonly reserved: number;
  /** The requests left for a person; never below zero. */
  readonly left: number;
  /** The part that work in the background may still take. */
  readonly leftForBackground: number;
  /** When the window ends, in milliseconds of our clock; undefined for requests at the same time. */
  readonly resetsAt: number | undefined;
  /** `header`: the service stated the used requests; `counted`: by own counts; `assumed`: by published plans too. */
  readonly source: 'header' | 'counted' | 'assumed';
  /** When the service said it, in milliseconds of our clock. */
  readonly toldAt: number | undefined;
}

/**
 * The rest of each budget, shortest window first. A planner takes `leftForBackground` and goes on after `resetsAt`.
 */
export function readBudgets(account: QuotaAccount, now: number): readonly BudgetLeft[] {
  const current = expire(account, now);
  return ORDER.flatMap((start) => namesIn(current.limits, start)).map((budget) => leftOf(current, budget, now));
}

/** Until when nothing leaves, in milliseconds: the service asked for it, whatever is left of the budgets. */
export function blockedUntil(account: QuotaAccount, now: number): number | undefined {
  return expire(account, now).hold?.until;
}

const ORDER = ['minute', 'endpoint', 'hour', 'day', 'month', 'concurrency'] as const;

function namesIn(limits: QuotaLimits, start: string): readonly (BudgetName | 'concurrency')[] {
  return (Object.keys(limits) as (BudgetName | 'concurrency')[]) // its keys are declared to be these
    .filter((name) => name === start || name.startsWith(`${start} `))
    .sort();
}

function leftOf(account: QuotaAccount, budget: BudgetName | 'concurrency', now: number): BudgetLeft {
  const limit = account.limits[budget] ?? 0;
  const reserved = openIn(account, budget);
  const ends = budget === 'concurrency' ? undefined : windowEnd(budget, serviceTime(account.ahead, now));
  const window = budget === 'concurrency' || ends === undefined ? undefined : findWindow(account, budget, ends);
  const used = window ? settledIn(window) : 0;
  const left = Math.max(0, limit - used - reserved);
  return {
    budget,
    limit,
    used,
    reserved,
    left,
    leftForBackground: Math.max(0, left - keptForPeople(budget, limit)),
    resetsAt: ends === undefined ? undefined : ourTime(account.ahead, ends),
    source: window?.report ? 'header' : account.isTold ? 'counted' : 'assumed',
    toldAt: window?.report?.at,
  };
}
