import type { FetchInit, Platform } from '../../platform/platform.ts';
import type { ClientRequest, RateLimiter, Reservation } from '../client.ts';
import { neverSent } from './network.ts';
import type { TimeBudget } from './time-budget.ts';

/** Requests of one exchange, a redirect's hops included, each of which is set aside before it leaves. */
export interface CountedSend {
  send(url: string): Promise<Response>;
  /** Tells the gate how the last one ended; called when its body is read, because until then it holds its place. */
  settle(): void;
}

export function countedSend(
  limiter: RateLimiter,
  platform: Pick<Platform, 'fetch'>,
  request: {
    readonly route: string;
    readonly init: FetchInit;
    readonly time?: TimeBudget;
    readonly onSpent?: ClientRequest['onSpent'];
  },
): CountedSend {
  const { route, init, time, onSpent } = request;
  const signal = init.signal ?? undefined;
  let open: { reservation: Reservation; response: Response } | undefined;
  const settle = () => {
    if (open?.reservation.answered(open.response.status, open.response.headers)) onSpent?.();
    open = undefined;
  };
  return {
    settle,
    async send(url) {
      settle();
      const reserve = () => limiter.reserve({ route, signal });
      const reservation = await (time ? time.waiting(reserve) : reserve());
      try {
        // Every hop of a redirect and every try has what the ones before it left.
        const deadline = time && Math.max(1, time.left());
        const response = await platform.fetch(url, { ...init, ...(deadline !== undefined && { deadline }) });
        open = { reservation, response };
        return response;
      } catch (error) {
        if (neverSent(error)) reservation.release();
        else {
          reservation.lost();
          onSpent?.();
        }
        throw error;
      }
    },
  };
}
