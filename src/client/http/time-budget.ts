import type { Clock } from '../../platform/platform.ts';

/** The time that one request has for all its tries. */
export interface TimeBudget {
  /** Milliseconds left; none or less when it is spent. */
  left(): number;
  /** Waits without spending any: for quota, or because the service asked for it. */
  waiting<T>(wait: () => Promise<T>): Promise<T>;
}

export function createTimeBudget(clock: Pick<Clock, 'now'>, ms: number): TimeBudget {
  let end = clock.now() + ms;
  return {
    // A clock that is set back gives no request more than it had.
    left: () => Math.min(ms, Math.ceil(end - clock.now())),
    async waiting(wait) {
      const from = clock.now();
      try {
        return await wait();
      } finally {
        end += Math.max(0, clock.now() - from);
      }
    },
  };
}
