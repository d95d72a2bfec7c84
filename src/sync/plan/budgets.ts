import { keptForPeople } from '../../client/quota/budget.ts';

/** One budget as a run finds it. */
export interface PlannedBudget {
  readonly window: 'minute' | 'hour' | 'day' | 'month';
  readonly limit: number;
  /** The rest of it for everybody, as `macro quota` says. */
  readonly left: number;
  /** The run's share of them: the rest stays free for interactive use. */
  readonly leftForRun: number;
  /** When the window ends, in milliseconds; undefined when nobody knows. */
  readonly resetsAt: number | undefined;
}

const SECONDS = { minute: 60, hour: 3600, day: 86_400, month: 30 * 86_400 } as const;

/** The effect of a number of requests on a budget. */
interface Spent {
  readonly window: PlannedBudget['window'];
  readonly limit: number;
  readonly left: number;
  /** The rest for everybody in the window in which the run ends. */
  readonly after: number;
}

export interface Cost {
  /** Seconds that the run waits for its budgets at least. */
  readonly seconds: number;
  readonly budgets: readonly Spent[];
}

/** When a run begins. */
export interface BudgetStart {
  readonly now: number;
  /** Until when the service asked for no request at all, in milliseconds. */
  readonly heldUntil: number | undefined;
}

/** How long some requests take at the allowed rate, and what they leave of each budget. */
export function costOf(
  requests: number,
  budgets: readonly PlannedBudget[],
  { now, heldUntil = now }: BudgetStart,
): Cost {
  const plans = budgets.map((budget) => ({ ...budget, ...windowsFor(requests, budget) }));
  const waits = plans.map(({ window, windows, resetsAt }) =>
    windows === 0 ? 0 : Math.max(0, ((resetsAt ?? now) - now) / 1000) + (windows - 1) * SECONDS[window],
  );
  const spent = plans.map(({ window, limit, left, windows, last }) => {
    return { window, limit, left, after: Math.max(0, (windows === 0 ? left : limit) - last) };
  });
  const stored = requests === 0 ? 0 : (heldUntil - now) / 1000;
  return { seconds: Math.ceil(Math.max(0, stored, ...waits)), budgets: spent };
}

/** For how many windows after the current one a run goes on, and what it takes of the last of them. */
function windowsFor(
  requests: number,
  { window, limit, leftForRun }: PlannedBudget,
): { readonly windows: number; readonly last: number } {
  const over = requests - leftForRun;
  if (over <= 0) return { windows: 0, last: requests };
  const aWindow = Math.max(1, limit - keptForPeople(window, limit));
  const windows = Math.ceil(over / aWindow);
  return { windows, last: over - (windows - 1) * aWindow };
}
