/** What a run may still spend of one budget. */
export interface PlannedBudget {
  readonly window: 'minute' | 'hour' | 'day' | 'month';
  readonly limit: number;
  readonly left: number;
  /** When the window ends, in milliseconds; undefined when nobody knows. */
  readonly resetsAt: number | undefined;
}

const SECONDS = { minute: 60, hour: 3600, day: 86_400, month: 30 * 86_400 } as const;

/** What a number of requests does to a budget. */
interface Spent {
  readonly window: PlannedBudget['window'];
  readonly limit: number;
  readonly left: number;
  /** What is left of the window in which the run ends. */
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
  const waits = budgets.map(({ window, limit, left, resetsAt }) => {
    if (requests <= left) return 0;
    const windows = limit > 0 ? Math.floor((requests - left - 1) / limit) : 0;
    return Math.max(0, ((resetsAt ?? now) - now) / 1000) + windows * SECONDS[window];
  });
  const spent = budgets.map(({ window, limit, left }) => {
    const over = requests - left;
    const after = over <= 0 ? -over : limit > 0 ? (limit - (over % limit)) % limit : 0;
    return { window, limit, left, after };
  });
  const stored = requests === 0 ? 0 : (heldUntil - now) / 1000;
  return { seconds: Math.ceil(Math.max(0, stored, ...waits)), budgets: spent };
}
