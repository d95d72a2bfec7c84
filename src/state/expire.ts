import type { QuotaAccount, Reserved } from './account.ts';
import { countAnywhere } from './count.ts';
import { serviceTimes } from './service-clock.ts';

/** Windows are remembered for a while after their end, for answers that come late. */
const REMEMBERED = 120_000;

/**
 * The account as of a moment. A reservation whose lease ended belongs to a process that crashed or slept: its place is
 * free again, and its request counts, because it may have reached the service.
 */
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

/** Also over: one that was made after now, by more than its whole lease. The clock was set back. */
function isOver({ at, until }: Reserved, now: number): boolean {
  return until <= now || at - now > until - at;
}
