import type { Attempt, Outbox } from '../../mirror/api/outbox.ts';
import { inBatches } from '../../mirror/core/in-batches.ts';
import { retrying } from '../../mirror/core/retrying.ts';
import type { Clock } from '../../platform/platform.ts';

/** Milliseconds between two tries at a mirror that is locked. */
const PAUSE = 250;

export interface DeliveryLogParts {
  readonly outbox: Pick<Outbox, 'settle'>;
  readonly clock: Pick<Clock, 'now' | 'sleep' | 'turnEnd'>;
  /** Milliseconds for which an attempt that ended is kept by its claim. */
  readonly patience: number;
  readonly signal: AbortSignal;
}

/**
 * Makes what notes an attempt that ended, and resolves when it is noted. What is not noted is made again, so a locked mirror
 * is waited for as long as the claims hold.
 */
export function openDeliveryLog({
  outbox,
  clock,
  patience,
  signal,
}: DeliveryLogParts): (attempt: Attempt) => Promise<void> {
  return inBatches<Attempt, undefined>({
    clock,
    async work(attempts) {
      await retrying(clock, () => outbox.settle(attempts), { pause: PAUSE, longest: patience, signal });
      return [];
    },
  });
}
