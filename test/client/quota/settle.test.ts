import { describe, expect, it } from 'vitest';
import { openAccount, type QuotaAccount } from '../../../src/client/quota/account.ts';
import { readBudgets } from '../../../src/client/quota/budgets.ts';
import type { Outcome, QuotaReport } from '../../../src/client/quota/rate-headers.ts';
import { type Granted, reserve, settleReservation } from '../../../src/client/quota/reservations.ts';
import { TEST_NOW } from '../../support/platform.ts';
import { SAYS_NOTHING } from './says-nothing.ts';

/** Books that are written step by step, for reading aloud. */
function books(access = 'key:0123456789ab') {
  let account: QuotaAccount = openAccount(access, TEST_NOW);
  return {
    ask(now = TEST_NOW): Granted {
      const wish = { route: 'GET /v1/x', priority: 'interactive', pid: 1, now, lease: 60_000 } as const;
      const { decision, account: after } = reserve(account, wish);
      account = after;
      if (decision.granted) return decision.granted;
      throw new Error(`Blocked by ${decision.blocked.budget}`);
    },
    end(granted: Granted, outcome: Outcome, now = TEST_NOW) {
      account = settleReservation(account, granted, outcome, now);
    },
    used(budget: string, now = TEST_NOW): number | undefined {
      return readBudgets(account, now).find((one) => one.budget === budget)?.used;
    },
  };
}

/** What an answer at 05:46:13 tells. */
function told(minuteUsed: number, more: Partial<QuotaReport> = {}): Outcome {
  const primary = { limit: 300, left: 300 - minuteUsed };
  const answer: QuotaReport = {
    isRefused: false,
    policy: [
      { limit: 300, seconds: 60 },
      { limit: 5000, seconds: 3600 },
      { limit: 1_000_000, seconds: 843_227 },
    ],
    primary,
    resets: 47,
    tightest: { name: 'minute', ...primary },
    retryAfter: undefined,
    ...more,
  };
  return { kind: 'told', report: answer };
}

describe('an answer', () => {
  it('tells the minute and counts one in the longer windows', () => {
    const { ask, end, used } = books();
    end(ask(), told(40));
    expect([used('minute'), used('hour'), used('month')]).toEqual([40, 1, 1]);
  });

  it('that tells of the hour wins over what was counted, up and down', () => {
    const { ask, end, used } = books();
    const hour = (usedUp: number) => told(1, { tightest: { name: 'hour', limit: 5000, left: 5000 - usedUp } });
    end(ask(), hour(4990));
    expect(used('hour')).toBe(4990);
    end(ask(), hour(3));
    expect(used('hour')).toBe(3);
  });

  it('that comes late does not take back what a newer one told', () => {
    const { ask, end, used } = books();
    end(ask(), told(10));
    const [first, second] = [ask(), ask()];
    end(second, told(12));
    end(first, told(11));
    expect([used('minute'), used('hour')]).toEqual([12, 3]);
  });

  it('to a request that cost nothing shows it by a count that has not grown', () => {
    const { ask, end, used } = books();
    end(ask(), told(10));
    end(ask(), told(10));
    expect([used('minute'), used('hour'), used('month')]).toEqual([10, 1, 1]);
  });

  it('after a minute counts in the next one, and not in the one in which the request left', () => {
    const { ask, end, used } = books();
    end(ask(), told(299));
    const late = ask(TEST_NOW + 46_500);
    end(late, told(1, { resets: 60, policy: [] }), TEST_NOW + 47_200);
    expect(used('minute', TEST_NOW + 48_000)).toBe(1);
    expect(used('minute')).toBe(299);
  });

  it('of 429 costs nothing and closes the window that it names', () => {
    const { ask, end, used } = books();
    end(ask(), told(5));
    const spent = { name: 'hour', limit: 5000, left: 0 } as const;
    end(ask(), told(5, { isRefused: true, resets: 827, retryAfter: 827, tightest: spent }));
    expect([used('minute'), used('hour'), used('month')]).toEqual([5, 5000, 1]);
    expect(() => ask()).toThrow('Blocked by hour');
    expect(() => ask(TEST_NOW + 827_000 + 3000)).not.toThrow();
  });

  it('of 429 that points at no window of ours holds everything back as long as it asks', () => {
    const { ask, end } = books();
    end(ask(), { kind: 'told', report: { ...SAYS_NOTHING, isRefused: true, retryAfter: 100 } });
    expect(() => ask(TEST_NOW + 99_999)).toThrow('Blocked by');
    expect(() => ask(TEST_NOW + 100_000)).not.toThrow();
  });
});

describe('a request without an answer', () => {
  it('counts until an answer to a later one tells', () => {
    const { ask, end, used } = books();
    end(ask(), told(10));
    end(ask(), { kind: 'lost' });
    expect([used('minute'), used('hour')]).toEqual([11, 2]);
    end(ask(), told(11));
    // The minute is told; of the hour nobody has said anything.
    expect([used('minute'), used('hour')]).toEqual([11, 3]);
  });

  it('counts in both minutes where it may have been counted in either', () => {
    const { ask, end, used } = books();
    end(ask(), told(10));
    const lost = ask(TEST_NOW + 45_000);
    end(lost, { kind: 'lost' }, TEST_NOW + 55_000);
    expect([used('minute'), used('minute', TEST_NOW + 55_000)]).toEqual([11, 1]);
  });

  it('counts nowhere when it was never sent or an edge cache had it', () => {
    const { ask, end, used } = books();
    end(ask(), told(10));
    end(ask(), { kind: 'free' });
    expect([used('minute'), used('hour')]).toEqual([10, 1]);
  });
});
