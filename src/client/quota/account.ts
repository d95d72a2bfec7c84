import { type BudgetName, type QuotaWindow, WINDOWS, windowEnd, windowOf } from './budget.ts';
import { type Ahead, serviceTimes, unknownAhead } from './service-clock.ts';

/** `interactive` is a person who waits; `background` is work that can be done later. */
export type Priority = 'interactive' | 'background';

/** Requests allowed, by budget; an unnamed budget has no limit. */
export type QuotaLimits = Readonly<Partial<Record<BudgetName | 'concurrency', number>>>;

/** Everything that is known of what one access to one service has spent. A value: every change makes a new one. */
export interface QuotaAccount {
  /** Counts reservations and settlements: it orders them, whatever the clocks say. */
  readonly order: number;
  readonly limits: QuotaLimits;
  /** Whether the service itself has answered: before the first one nothing is known but the published plans. */
  readonly isHeard: boolean;
  /** Whether the service has sent its limits; until then they are the published ones. */
  readonly isTold: boolean;
  readonly ahead: Ahead;
  /** Nothing leaves before: a refusal that belongs to no window. */
  readonly hold: Hold | undefined;
  readonly windows: readonly WindowCount[];
  /** Requests under way. */
  readonly open: readonly Reserved[];
}

interface Hold {
  readonly budget: string;
  /** Milliseconds of our clock. */
  readonly until: number;
}

/** The facts of one window of a budget. */
export interface WindowCount {
  readonly budget: BudgetName;
  /** Milliseconds of the service's clock. */
  readonly ends: number;
  /** Own requests whose answer did not tell this window. Only grows. */
  readonly counted: number;
  readonly report: CountReport | undefined;
}

/** The count of a window by the service. */
export interface CountReport {
  readonly used: number;
  /** How many of `counted` are surely part of it. */
  readonly includes: number;
  /** The account's order when it was heard. */
  readonly order: number;
  /** Milliseconds of our clock. */
  readonly at: number;
  /** When a refusal said that there is room again, by our clock: its word counts more than the end of the window. */
  readonly freesAt?: number;
}

/** A request that may leave, until its answer settles it or its lease ends. */
export interface Reserved {
  /** The account's order when it was made. */
  readonly id: number;
  /** Verb and path. */
  readonly route: string;
  /** Milliseconds of our clock. */
  readonly at: number;
  readonly until: number;
  readonly pid: number;
  readonly priority: Priority;
  /** `counted` of each window when it was made, by `windowKey`. */
  readonly seen: Readonly<Record<string, number>>;
}

/** The published plans; specification, "Limits". They hold until the first answer tells. */
const KEYED: QuotaLimits = { minute: 300, hour: 5000, month: 1_000_000, concurrency: 20 };
const KEYLESS: QuotaLimits = { day: 100 };

/** Windows are remembered for a while after their end, for answers that come late. */
const REMEMBERED = 120_000;

export function openAccount(access: string, now: number): QuotaAccount {
  const limits = access === 'keyless' ? KEYLESS : KEYED;
  const ahead = unknownAhead(now);
  return { order: 0, limits, isHeard: false, isTold: false, ahead, hold: undefined, windows: [], open: [] };
}

/** An account without any knowledge; running requests stay. */
export function forgotten({ order, open }: QuotaAccount, access: string, now: number): QuotaAccount {
  return { ...openAccount(access, now), order, open };
}

/** The account by a clock that is `by` milliseconds ahead of its own. */
export function shifted({ ahead, hold, windows, open, ...account }: QuotaAccount, by: number): QuotaAccount {
  const reportBy = ({ at, freesAt, ...report }: CountReport): CountReport => ({
    ...{ ...report, at: at + by },
    ...(freesAt !== undefined && { freesAt: freesAt + by }),
  });
  return {
    ...account,
    ahead: { low: ahead.low - by, high: ahead.high - by, at: ahead.at + by },
    hold: hold && { ...hold, until: hold.until + by },
    windows: windows.map((window) => ({ ...window, report: window.report && reportBy(window.report) })),
    open: open.map((one) => ({ ...one, at: one.at + by, until: one.until + by })),
  };
}

export function windowKey({ budget, ends }: Pick<WindowCount, 'budget' | 'ends'>): string {
  return `${budget}@${ends}`;
}

export function findWindow({ windows }: QuotaAccount, budget: BudgetName, ends: number): WindowCount {
  const found = windows.find((one) => one.ends === ends && one.budget === budget);
  return found ?? { budget, ends, counted: 0, report: undefined };
}

/** Puts a changed window in its place. */
export function withQuotaWindow(account: QuotaAccount, window: WindowCount): QuotaAccount {
  const others = account.windows.filter(({ budget, ends }) => budget !== window.budget || ends !== window.ends);
  return { ...account, windows: [...others, window] };
}

/** Settled requests of a window: the count of the service, and later ones. */
export function settledIn({ counted, report }: WindowCount): number {
  return report ? report.used + counted - report.includes : counted;
}

/** Requests under way that count in a budget: they may be counted now or in the next window, so they stand in both. */
export function openIn({ open }: QuotaAccount, budget: BudgetName | 'concurrency'): number {
  if (budget === 'concurrency' || windowOf(budget) === budget) return open.length;
  return open.filter(({ route }) => budget === `endpoint ${route}`).length;
}

/** Budgets by window that a request of a route counts in. */
export function budgetsOf({ limits }: Pick<QuotaAccount, 'limits'>, route: string): readonly BudgetName[] {
  const own: BudgetName = `endpoint ${route}`;
  const named: readonly BudgetName[] = limits[own] === undefined ? WINDOWS : [...WINDOWS, own];
  return named.filter((budget) => limits[budget] !== undefined);
}

/** The window that `RateLimit-Limit` speaks of. */
export function primaryOf(limits: QuotaLimits): QuotaWindow | undefined {
  return WINDOWS.find((name) => limits[name] !== undefined);
}

/** Ends of the windows in which the service may be between two moments of our clock: one, at an edge two. */
export function possibleEnds(
  { ahead }: QuotaAccount,
  budget: BudgetName,
  span: { from: number; to: number },
): readonly number[] {
  const first = windowEnd(budget, serviceTimes(ahead, span.from).earliest);
  const last = windowEnd(budget, serviceTimes(ahead, span.to).latest);
  if (first === last) return [first];
  // More than one edge lies between: whatever is in the middle is full of nobody's requests.
  return [first, last];
}

export function countIn(account: QuotaAccount, budget: BudgetName, ends: number): QuotaAccount {
  const window = findWindow(account, budget, ends);
  return withQuotaWindow(account, { ...window, counted: window.counted + 1 });
}

/** Counts a request of which nothing is known in every window that it may have been counted in. */
export function countAnywhere(account: QuotaAccount, route: string, span: { from: number; to: number }): QuotaAccount {
  const places = budgetsOf(account, route).flatMap((budget) =>
    possibleEnds(account, budget, span).map((ends) => ({ budget, ends })),
  );
  return places.reduce((sofar, { budget, ends }) => countIn(sofar, budget, ends), account);
}

/** The account at a moment. A reservation past its lease is over and counts: its request may have been received. */
export function expire(account: QuotaAccount, now: number): QuotaAccount {
  const overdue = account.open.filter((reserved) => isOver(reserved, now));
  const rest = overdue.length === 0 ? account : { ...account, open: account.open.filter((one) => !isOver(one, now)) };
  const counted = overdue.reduce(
    (sofar, { route, at, until }) => countAnywhere(sofar, route, { from: at, to: Math.max(at, Math.min(until, now)) }),
    rest,
  );
  const oldest = serviceTimes(account.ahead, now).earliest - REMEMBERED;
  const hold = account.hold && account.hold.until > now ? account.hold : undefined;
  if (counted.windows.every(({ ends }) => ends > oldest)) return hold === counted.hold ? counted : { ...counted, hold };
  return { ...counted, hold, windows: counted.windows.filter(({ ends }) => ends > oldest) };
}

/** Also over: a reservation dated later than now by more than its whole lease. The clock was set back. */
function isOver({ at, until }: Reserved, now: number): boolean {
  return until <= now || at - now > until - at;
}
