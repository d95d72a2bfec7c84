import { primaryOf, type QuotaAccount, type QuotaLimits } from './account.ts';
import { nearestBoundary, QUOTA_WINDOW_MS, type QuotaWindow, WINDOWS } from './budget.ts';
import type { PolicyEntry, QuotaReport } from './quota-report.ts';
import { narrowAhead, serviceTime } from './service-clock.ts';

/** A request whose answer is being read, by our clock. */
export interface Heard {
  readonly route: string;
  readonly sent: number;
  readonly received: number;
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

/** How far our clock may be off for what is left of the month to be known as such. */
const HALF_DAY = 12 * 3_600_000;

/**
 * Which window each entry speaks of: by its length; the month, whose rest may be as long as a day, is the last and largest
 * one. Other lengths mean nothing to us.
 */
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

/**
 * The second of the service's clock at which an answer was made. What is left of the month tells it whatever our clock
 * says; the end of a shorter window tells it up to half of that window. A refusal may ask for any wait, so its seconds point
 * at no window's end.
 */
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
