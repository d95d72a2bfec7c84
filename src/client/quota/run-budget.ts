import { MacroError } from '../../errors.ts';
import type { Clock } from '../../platform/platform.ts';
import type { RateLimiter } from '../client.ts';
import { waitText } from '../text.ts';
import { type QuotaWindow, windowEnd } from './budget.ts';

/** So many requests at most: of a whole run, or in each window of the clock. */
export interface RunBudget {
  readonly limit: number;
  readonly per: 'run' | QuotaWindow;
}

interface BudgetedRun {
  readonly budgets: readonly RunBudget[];
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** Milliseconds that a request may wait for the next window. */
  readonly maxWait: number;
}

/** Limits the requests of a run; free ones do not count. @throws MacroError of kind `quota`. */
export function withRunBudget(limiter: RateLimiter, { budgets, clock, maxWait }: BudgetedRun): RateLimiter {
  const counts = budgets.map((budget) => ({ ...budget, spent: 0, until: 0 }));

  /** Before anything is waited for: requests of one run go side by side. */
  async function spend(signal: AbortSignal | undefined): Promise<() => void> {
    const latest = clock.now() + maxWait;
    for (;;) {
      const now = clock.now();
      for (const count of counts) if (now >= count.until) Object.assign(count, { spent: 0, until: endOf(count, now) });
      const full = counts.filter(({ spent, limit }) => spent >= limit).sort((a, b) => b.until - a.until)[0];
      if (!full) break;
      if (full.until > latest) throw budgetSpent(full, full.until - now);
      await clock.sleep(full.until - now, signal);
    }
    for (const count of counts) count.spent += 1;
    const ends = counts.map(({ until }) => until);
    return () => {
      for (const [i, count] of counts.entries()) if (count.until === ends[i]) count.spent -= 1;
    };
  }

  return {
    async reserve(request) {
      const giveBack = await spend(request.signal);
      const reservation = await limiter.reserve(request).catch((error: unknown) => {
        giveBack();
        throw error;
      });
      return {
        answered(status, headers) {
          const isCounted = reservation.answered(status, headers);
          if (!isCounted) giveBack();
          return isCounted;
        },
        release() {
          giveBack();
          reservation.release();
        },
        lost: () => reservation.lost(),
      };
    },
  };
}

function endOf({ per }: RunBudget, now: number): number {
  return per === 'run' ? Number.POSITIVE_INFINITY : windowEnd(per, now);
}

function budgetSpent({ limit, per }: RunBudget, wait: number): MacroError {
  const requests = limit === 1 ? 'request' : 'requests';
  if (per === 'run')
    return new MacroError('quota', `This run may send ${limit} ${requests}, and has.`, {
      code: 'run_budget_spent',
      hint: 'Run it again to continue, or give a larger --budget.',
    });
  const seconds = Math.ceil(wait / 1000);
  return new MacroError(
    'quota',
    `This run may send ${limit} ${requests} a ${per}, and has; wait ${waitText(seconds)}.`,
    {
      code: 'run_budget_spent',
      retryAfter: seconds,
      hint: 'Run it again then, or give a larger --budget.',
    },
  );
}
