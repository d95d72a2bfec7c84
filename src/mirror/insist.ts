import { MacroError } from '../errors.ts';
import type { Clock } from '../platform/platform.ts';

/** How long a mirror that cannot be used is tried again. */
export interface Patience {
  /** Milliseconds between two tries. */
  readonly pause: number;
  /** Milliseconds for all of them. */
  readonly longest: number;
  readonly signal?: AbortSignal;
}

const USUAL: Patience = { pause: 1_000, longest: 30_000 };

/** Does a piece of work on a mirror that may be locked, or its disk full, for a moment: what has come must not be lost to it. */
export async function insist<T>(
  clock: Pick<Clock, 'now' | 'sleep'>,
  work: () => Promise<T>,
  { pause, longest, signal }: Patience = USUAL,
): Promise<T> {
  const end = clock.now() + longest;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const mayPass = error instanceof MacroError && error.code === 'mirror_unusable';
      if (!mayPass || clock.now() >= end) throw error;
      await clock.sleep(pause, signal);
    }
  }
}
