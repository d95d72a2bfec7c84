import {
  budgetsOf,
  type CountReport,
  countAnywhere,
  countIn,
  expire,
  findWindow,
  openIn,
  type Priority,
  possibleEnds,
  primaryOf,
  type QuotaAccount,
  type QuotaLimits,
  type Reserved,
  settledIn,
  type WindowCount,
  windowKey,
  withQuotaWindow,
} from './account.ts';
import {
  type BudgetName,
  keptForPeople,
  nearestBoundary,
  QUOTA_WINDOW_MS,
  type QuotaWindow,
  WINDOWS,
  windowEnd,
  windowOf,
} from './budget.ts';
import type { Outcome, PolicyEntry, QuotaReport, RemainingReport } from './rate-headers.ts';
import { narrowAhead, serviceTime, surelyReached } from './service-clock.ts';

/** A request that wants to leave. */
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

/** A request whose answer is being read, by our clock. */
interface Heard {
  readonly route: string;
  readonly sent: number;
  readonly received: number;
}

/** Ends a reservation: free ones leave no trace, lost ones count wherever they may, answers are believed. */
export function settleReservation(before: QuotaAccount, granted: Granted, outcome: Outcome, now: number): QuotaAccount {
  const reserved = before.open.find(({ id }) => id === granted.id);
  const open = before.open.filter(({ id }) => id !== granted.id);
  const account = expire({ ...before, open, order: before.order + 1 }, now);
  if (outcome.kind === 'free') return account;
  if (outcome.kind === 'untold') return account.isHeard ? account : { ...account, isHeard: true };
  const span = { from: granted.at, to: now };
  // A reservation that expired before was counted then.
  if (outcome.kind === 'lost') return reserved ? countAnywhere(account, granted.route, span) : account;
  const heard = { route: granted.route, sent: granted.at, received: now };
  const answer: Answer = { report: outcome.report, heard, id: granted.id, seen: reserved?.seen ?? {} };
  return believe(learn(account, outcome.report, heard), answer, reserved !== undefined);
}

interface Answer extends Pick<Reserved, 'id' | 'seen'> {
  readonly report: QuotaReport;
  readonly heard: Heard;
}

/** Windows by budget that an answer speaks of, and the count that it tells. */
interface Place {
  readonly budget: BudgetName;
  readonly ends: readonly number[];
  readonly report: RemainingReport | undefined;
}

function believe(account: QuotaAccount, answer: Answer, isOpen: boolean): QuotaAccount {
  const places = budgetsOf(account, answer.heard.route).map((budget) => placeOf(account, answer, budget));
  const isCounted = isOpen && !answer.report.isRefused && !wasSpared(account, answer, places[0]);
  return places.reduce(
    (sofar, place) => {
      const { budget, ends, report } = place;
      const [only] = ends;
      if (report && ends.length === 1 && only !== undefined)
        return tell(sofar, findWindow(sofar, budget, only), report, answer);
      return isCounted ? ends.reduce((then, end) => countIn(then, budget, end), sofar) : sofar;
    },
    holding(account, answer),
  );
}

function placeOf(account: QuotaAccount, { report, heard }: Answer, budget: BudgetName): Place {
  const { isRefused, primary, tightest, resets, retryAfter } = report;
  const { limits, ahead } = account;
  const first = primaryOf(limits);
  const isTightest =
    tightest !== undefined && budget === (tightest.name === 'endpoint' ? `endpoint ${heard.route}` : tightest.name);
  const left = isTightest ? tightest : budget === first ? primary : undefined;
  const now = serviceTime(ahead, heard.received);
  if (isRefused && isTightest && retryAfter !== undefined)
    return { budget, ends: [nearestBoundary(budget, now + retryAfter * 1000)], report: left };
  // The end of the primary window is exact to the second, so it also shows which longer window it lies in.
  if (!isRefused && first && resets !== undefined && WINDOWS.indexOf(windowOf(budget)) >= WINDOWS.indexOf(first)) {
    const primaryEnd = nearestBoundary(first, now + resets * 1000);
    return { budget, ends: [windowEnd(budget, primaryEnd - 1)], report: left };
  }
  return { budget, ends: possibleEnds(account, budget, { from: heard.sent, to: heard.received }), report: left };
}

/** Some answers cost nothing and say so by a count that has not grown since a request that was over before this one. */
function wasSpared(account: QuotaAccount, answer: Answer, primary: Place | undefined): boolean {
  const [ends] = primary?.ends ?? [];
  if (!primary?.report || ends === undefined) return false;
  const { report } = findWindow(account, primary.budget, ends);
  return report !== undefined && answer.id > report.order && usedBy(primary.report) === report.used;
}

/** Takes the count of a window from an answer: the higher one of concurrent answers, else that of the later request. */
function tell(account: QuotaAccount, window: WindowCount, left: RemainingReport, answer: Answer): QuotaAccount {
  const { id, seen, heard } = answer;
  const { report: known } = window;
  const used = usedBy(left);
  const includes = seen[windowKey(window)] ?? 0;
  const freesAt = left.left === 0 ? roomAt(answer) : undefined;
  const at = heard.received;
  const fresh: CountReport = { used, includes, order: account.order, at, ...(freesAt !== undefined && { freesAt }) };
  if (!known || id > known.order) return withQuotaWindow(account, { ...window, report: fresh });
  const newest = used > known.used ? fresh : known;
  const merged = { ...newest, includes: Math.max(includes, known.includes) };
  return withQuotaWindow(account, { ...window, report: merged });
}

/** When a refusal says that there is room again, by our clock. */
function roomAt({ report: { isRefused, retryAfter }, heard }: Answer): number | undefined {
  return isRefused && retryAfter !== undefined ? heard.received + retryAfter * 1000 : undefined;
}

function usedBy({ limit, left }: RemainingReport): number {
  return Math.max(0, limit - left);
}

/** How far from the end of a window a refusal may point and still mean it, in milliseconds. */
const NEAR = 3000;

/** A refusal for no window of ours (too many at the same time, an odd length) pauses all requests. */
function holding(account: QuotaAccount, answer: Answer): QuotaAccount {
  const { report, heard } = answer;
  const until = roomAt(answer);
  if (until === undefined) return account;
  const name = report.tightest?.name ?? '';
  if (name !== 'concurrency' && name !== '') {
    const at = serviceTime(account.ahead, until);
    const budget = name === 'endpoint' ? (`endpoint ${heard.route}` as const) : name;
    if (Math.abs(nearestBoundary(budget, at) - at) < NEAR) return account;
  }
  return { ...account, hold: { budget: name, until } };
}

/** Takes the limits and the service's clock from an answer. */
export function learn(account: QuotaAccount, report: QuotaReport, heard: Heard): QuotaAccount {
  const limits = learnLimits(account, report, heard);
  const learnt = { ...account, limits, isHeard: true, isTold: true };
  const second = secondOf(learnt, report, heard);
  return second === undefined ? learnt : { ...learnt, ahead: narrowAhead(account.ahead, { second, ...heard }) };
}

/** The windows are those of the policy; what it does not speak of (routes, places at the same time) stays. */
function learnLimits(
  { limits: known, ahead }: QuotaAccount,
  { policy, primary, tightest }: QuotaReport,
  heard: Heard,
): QuotaLimits {
  const windows =
    policy.length === 0 ? {} : Object.fromEntries(namesOf(policy, known, serviceTime(ahead, heard.received)));
  const limits: Record<string, number | undefined> = { ...known, ...(policy.length > 0 && NO_WINDOWS), ...windows };
  // A plan by agreement without a minute's cap has none on requests at the same time either; specification, "Limits".
  if (policy.length > 0 && limits.minute === undefined) delete limits.concurrency;
  const first = primaryOf(limits);
  if (primary && first) limits[first] = primary.limit;
  if (tightest) limits[tightest.name === 'endpoint' ? `endpoint ${heard.route}` : tightest.name] = tightest.limit;
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}

const NO_WINDOWS: Readonly<Record<QuotaWindow, undefined>> = {
  minute: undefined,
  hour: undefined,
  day: undefined,
  month: undefined,
};

/** Max error of our clock at which the remaining seconds of the month are recognized. */
const HALF_DAY = 12 * 3_600_000;

/** The window of each entry by its length, the month by being last and largest; other lengths are ignored. */
function namesOf(
  policy: readonly PolicyEntry[],
  known: QuotaLimits,
  now: number,
): readonly (readonly [QuotaWindow, number])[] {
  const largest = Math.max(...policy.map(({ limit }) => limit));
  return policy.flatMap(({ limit, seconds }, at) => {
    const fixed = WINDOWS.find((name) => name !== 'month' && QUOTA_WINDOW_MS[name] === seconds * 1000);
    const isTaken = policy.slice(0, at).some((other) => other.seconds === seconds);
    if (fixed !== undefined && !isTaken && known.month !== limit) return [[fixed, limit] as const];
    const end = now + seconds * 1000;
    const isMonth =
      at === policy.length - 1 && limit === largest && Math.abs(nearestBoundary('month', end) - end) < HALF_DAY;
    return isMonth ? [['month', limit] as const] : [];
  });
}

/** The second of the service's clock, by the rest of the month or of a window; a refusal may ask for any wait. */
function secondOf(account: QuotaAccount, report: QuotaReport, { received }: Heard): number | undefined {
  const now = serviceTime(account.ahead, received);
  const { limits } = account;
  const month = report.policy.find(({ limit, seconds }) => limit === limits.month && !isFixed(seconds));
  if (month) return nearestBoundary('month', now + month.seconds * 1000) - month.seconds * 1000;
  const primary = primaryOf(limits);
  if (report.isRefused || report.resets === undefined || primary === undefined) return undefined;
  return nearestBoundary(primary, now + report.resets * 1000) - report.resets * 1000;
}

function isFixed(seconds: number): boolean {
  return Object.values(QUOTA_WINDOW_MS).includes(seconds * 1000);
}
