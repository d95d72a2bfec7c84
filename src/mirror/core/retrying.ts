import type { Clock } from '../../platform/platform.ts';
import { isTransientFailure } from './storage-errors.ts';

/** How long a mirror that another program keeps is tried again. */
export interface RetryPolicy {
  /** Milliseconds between two tries. */
  readonly pause: number;
  /** Milliseconds for all of them. */
  readonly longest: number;
  readonly signal?: AbortSignal;
}

const DEFAULT_POLICY: RetryPolicy = { pause: 1_000, longest: 30_000 };

/**
 * Does a piece of work on a mirror that may be locked for a moment, or whose server begins anew: what has come must not be
 * lost to it.
 */
export async function retrying<T>(
  clock: Pick<Clock, 'now' | 'sleep'>,
  work: () => Promise<T>,
  { pause, longest, signal }: RetryPolicy = DEFAULT_POLICY,
): Promise<T> {
  const end = clock.now() + longest;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTransientFailure(error) || clock.now() >= end) throw error;
      await clock.sleep(pause, signal);
    }
  }
}
