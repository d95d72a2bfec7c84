import { MacroError } from '../../errors.ts';
import type { RateLimiter } from '../client.ts';

/** Lets at most so many requests of one run pass; one that cost nothing does not count. */
export function withRunBudget(gate: RateLimiter, most: number): RateLimiter {
  let spent = 0;
  return {
    async reserve(request) {
      if (spent >= most) throw runBudgetSpent(most);
      // Before anything is waited for: requests of one run go side by side.
      spent += 1;
      const giveBack = () => {
        spent -= 1;
      };
      const reservation = await gate.reserve(request).catch((error: unknown) => {
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

function runBudgetSpent(most: number): MacroError {
  return new MacroError('quota', `This run may send ${most} ${most === 1 ? 'request' : 'requests'}, and has.`, {
    code: 'run_budget_spent',
    hint: 'Run it again to continue, or give a larger --budget.',
  });
}
