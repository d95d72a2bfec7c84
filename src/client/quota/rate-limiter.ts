import { MacroError } from '../../errors.ts';
import type { Clock } from '../../platform/platform.ts';
import type { RateLimiter, Reservation } from '../client.ts';
import type { Wait } from '../http/retry.ts';
import { waitText } from '../text.ts';
import type { Priority } from './account.ts';
import { isWindow } from './budget.ts';
import type { QuotaLedger } from './ledger.ts';
import { quotaOutcomeOf } from './rate-headers.ts';
import type { Blocked, Granted } from './reservations.ts';

export interface RateLimiterOptions {
  readonly clock: Clock;
  readonly ledger: QuotaLedger;
  /** Milliseconds that a request may wait for room. */
  readonly maxWait: number;
  readonly priority: Priority;
  readonly pid: number;
  readonly headerPrefix: string;
  /** Called before each wait that a person would notice. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
}

/** Milliseconds after which a request is surely over, so that a crashed process frees its place. */
const LEASE = 60_000;

/** Room that depends on requests under way is looked for this often, in milliseconds: soon at first, then less so. */
const FIRST_LOOK = 10;
const LAST_LOOK = 200;

const NOTICED = 1000;

/** Lets each request pass when the ledger has set it aside, and tells the ledger how it ended. */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { clock, pid, priority, headerPrefix, ledger } = options;

  function reservationOf(granted: Granted): Reservation {
    const end = (outcome: ReturnType<typeof quotaOutcomeOf>) => {
      void ledger.settle(granted, outcome, clock.now());
      return outcome.kind !== 'free';
    };
    return {
      answered: (status, headers) => end(quotaOutcomeOf(status, headers, { now: clock.now(), headerPrefix })),
      release: () => void end({ kind: 'free' }),
      lost: () => void end({ kind: 'lost' }),
    };
  }

  return {
    async reserve({ route, signal }) {
      signal?.throwIfAborted();
      const patience = patienceOf(options);
      for (let looks = 0; ; looks += 1) {
        const request = { route, priority, pid, now: clock.now(), lease: LEASE };
        const { granted, blocked } = await ledger.reserve(request);
        if (granted) return reservationOf(granted);
        await clock.sleep(patience.waitFor(blocked, looks), signal);
      }
    },
  };
}

/** How long one request waits: until the room that is blocked frees, as long as that is not later than allowed. */
function patienceOf({ clock, maxWait, onWait }: RateLimiterOptions) {
  const latest = clock.now() + maxWait;
  let reported: number | undefined;
  return {
    /** Milliseconds to wait before the next check; throws `quota` where it would be too long. */
    waitFor(blocked: Blocked, looks: number): number {
      const now = clock.now();
      const until = blocked.until ?? now + Math.min(LAST_LOOK, FIRST_LOOK * 2 ** Math.min(looks, 10));
      if (until > latest) throw spent(blocked, until - now);
      const ms = Math.max(1, until - now);
      if (ms >= NOTICED && reported !== until) onWait?.({ ms, reason: `${budgetText(blocked)} used up.` });
      reported = until;
      return ms;
    },
  };
}

function spent(blocked: Blocked, wait: number): MacroError {
  const seconds = Math.ceil(wait / 1000);
  return new MacroError('quota', `${budgetText(blocked)} used up; it frees in ${waitText(seconds)}.`, {
    code: 'rate_limit_exceeded',
    retryAfter: seconds,
    hint: 'Run it again then, or let it wait with --wait. See macro quota.',
  });
}

function budgetText({ budget }: Blocked): string {
  if (isWindow(budget)) return `The request budget of this ${budget} is`;
  if (budget === 'concurrency') return 'The number of requests at the same time is';
  return budget.startsWith('endpoint') ? 'The request budget of this route is' : 'The request budget is';
}
