import { inBatches } from '../../mirror/core/in-batches.ts';
import { insist } from '../../mirror/core/retrying.ts';
import type { Attempt, Outbox } from '../../mirror/api/outbox.ts';
import type { Clock } from '../../platform/platform.ts';

/** Milliseconds between two tries at a mirror that is locked. */
const PAUSE = 250;

export interface BooksParts {
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
export function openBooks({ outbox, clock, patience, signal }: BooksParts): (attempt: Attempt) => Promise<void> {
  return inBatches<Attempt, undefined>({
    clock,
    async work(attempts) {
      await insist(clock, () => outbox.settle(attempts), { pause: PAUSE, longest: patience, signal });
      return [];
    },
  });
}
