/** Windows of the service's counts, on UTC clock boundaries. See docs/interface-access.md#rate-limits. */
export type QuotaWindow = 'minute' | 'hour' | 'day' | 'month';

/** A budget of the account, or that of one route, which is counted by the minute. */
export type BudgetName = QuotaWindow | `endpoint ${string}`;

/** Shortest first: the first window of an account is its primary one. */
export const WINDOWS: readonly QuotaWindow[] = ['minute', 'hour', 'day', 'month'];

const MINUTE = 60_000;

/** Milliseconds; a month has its own length each time. */
export const QUOTA_WINDOW_MS: Readonly<Record<Exclude<QuotaWindow, 'month'>, number>> = {
  minute: MINUTE,
  hour: 60 * MINUTE,
  day: 24 * 60 * MINUTE,
};

/** Requests of any budget that are reserved for people: two a minute, at most two in a hundred. */
const KEPT_A_MINUTE = 2;
const KEPT_SHARE = 0.02;
const MINUTES: Readonly<Record<QuotaWindow, number>> = { minute: 1, hour: 60, day: 1440, month: 43_200 };

export function windowOf(budget: BudgetName): QuotaWindow {
  return isWindow(budget) ? budget : 'minute';
}

export function isWindow(name: string): name is QuotaWindow {
  return (WINDOWS as readonly string[]).includes(name);
}

/** Start of the window that a moment lies in; milliseconds of the service's clock. */
export function windowStart(budget: BudgetName, at: number): number {
  const window = windowOf(budget);
  if (window !== 'month') return Math.floor(at / QUOTA_WINDOW_MS[window]) * QUOTA_WINDOW_MS[window];
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** End of that window, which is the start of the next one. */
export function windowEnd(budget: BudgetName, at: number): number {
  const window = windowOf(budget);
  if (window !== 'month') return windowStart(window, at) + QUOTA_WINDOW_MS[window];
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** The boundary between two windows that is nearest to a moment. */
export function nearestBoundary(budget: BudgetName, at: number): number {
  const [before, after] = [windowStart(budget, at), windowEnd(budget, at)];
  return at - before < after - at ? before : after;
}

/** The part of a budget that work in the background leaves, so a person's question still passes. */
export function keptForPeople(budget: BudgetName | 'concurrency', limit: number): number {
  const share = Math.max(KEPT_A_MINUTE, Math.floor(limit * KEPT_SHARE));
  const kept = budget === 'concurrency' ? KEPT_A_MINUTE : Math.min(KEPT_A_MINUTE * MINUTES[windowOf(budget)], share);
  return Math.min(kept, Math.floor(limit / 2));
}
