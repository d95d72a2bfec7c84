import {
  budgetsOf,
  expire,
  findWindow,
  openIn,
  type Priority,
  possibleEnds,
  type QuotaAccount,
  type Reserved,
  settledIn,
  windowKey,
} from './account.ts';
import { type BudgetName, keptForPeople } from './budget.ts';
import { surelyReached } from './service-clock.ts';

/** A delivery to send. */
export interface ReservationRequest {
  /** Verb and path: some routes have a budget of their own. */
  readonly route: string;
  readonly priority: Priority;
  readonly pid: number;
  /** Milliseconds of our clock. */
  readonly now: number;
  /** Milliseconds after which the request is surely over, whatever became of its process. */
  readonly lease: number;
}

export interface Granted {
  readonly id: number;
  readonly route: string;
  readonly at: number;
}

/** Why a request must not leave now. */
export interface Blocked {
  readonly budget: string;
  readonly limit: number;
  /** When there will be room, by our clock; undefined while it depends on requests under way. */
  readonly until: number | undefined;
}

export type Decision =
  | { readonly granted: Granted; readonly blocked?: undefined }
  | { readonly blocked: Blocked; readonly granted?: undefined };

/** Milliseconds that the first request of all has alone: its answer tells the limits of the rest. */
const FIRST_ANSWER = 2000;

/** Reserves a request in every window that it may count in, or names the full window that frees last. */
export function reserve(
  before: QuotaAccount,
  request: ReservationRequest,
): { readonly account: QuotaAccount; readonly decision: Decision } {
  const account = expire(before, request.now);
  const blocked = blockOf(account, request);
  if (blocked) return { account, decision: { blocked } };
  const id = account.order + 1;
  const { route, now, lease, pid, priority } = request;
  const seen = Object.fromEntries(account.windows.map((window) => [windowKey(window), window.counted]));
  const reserved: Reserved = { id, route, at: now, until: now + lease, pid, priority, seen };
  return {
    account: { ...account, order: id, open: [...account.open, reserved] },
    decision: { granted: { id, route, at: now } },
  };
}

function blockOf(account: QuotaAccount, request: ReservationRequest): Blocked | undefined {
  const { hold, limits, isHeard, open } = account;
  if (hold) return { budget: hold.budget, limit: 0, until: hold.until };
  if (!isHeard && open.some(({ at }) => request.now - at < FIRST_ANSWER))
    return { budget: 'concurrency', limit: 1, until: undefined };
  const { concurrency } = limits;
  const found = budgetsOf(account, request.route).flatMap((budget) => blocksOf(account, request, budget));
  if (concurrency !== undefined && open.length >= concurrency - keptFrom(request, 'concurrency', concurrency))
    found.push({ budget: 'concurrency', limit: concurrency, until: undefined });
  return found.sort((a, b) => (b.until ?? 0) - (a.until ?? 0))[0];
}

function blocksOf(account: QuotaAccount, request: ReservationRequest, budget: BudgetName): Blocked[] {
  const limit = account.limits[budget] ?? Number.POSITIVE_INFINITY;
  const most = limit - keptFrom(request, budget, limit);
  return possibleEnds(account, budget, { from: request.now, to: request.now }).flatMap((ends) => {
    const window = findWindow(account, budget, ends);
    const freesAt = window.report?.freesAt;
    if (freesAt !== undefined) return request.now < freesAt ? [{ budget, limit, until: freesAt }] : [];
    const settled = settledIn(window);
    if (settled + openIn(account, budget) < most) return [];
    // The window is surely over when even the slowest reading of the service's clock says so.
    return [{ budget, limit, until: settled < most ? undefined : surelyReached(account.ahead, ends) }];
  });
}

function keptFrom({ priority }: ReservationRequest, budget: BudgetName | 'concurrency', limit: number): number {
  return priority === 'background' ? keptForPeople(budget, limit) : 0;
}
