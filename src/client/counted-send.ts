import type { FetchInit, Platform } from '../platform/platform.ts';
import type { ClientRequest, QuotaGate, Reservation } from './client.ts';
import { neverSent } from './network.ts';

/** Requests of one exchange, a redirect's hops included, each of which is set aside before it leaves. */
export interface CountedSend {
  send(url: string): Promise<Response>;
  /** Tells the gate how the last one ended; called when its body is read, because until then it holds its place. */
  settle(): void;
}

export function countedSend(
  gate: QuotaGate,
  platform: Pick<Platform, 'fetch'>,
  request: { readonly route: string; readonly init: FetchInit; readonly onSpent?: ClientRequest['onSpent'] },
): CountedSend {
  const { route, init, onSpent } = request;
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
      const reservation = await gate.reserve({ route, signal });
      try {
        const response = await platform.fetch(url, init);
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
