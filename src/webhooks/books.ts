import { insist } from '../mirror/insist.ts';
import type { Attempt, Outbox } from '../mirror/outbox.ts';
import type { Clock } from '../platform/platform.ts';

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
 * Makes what notes an attempt that ended, and resolves when it is noted. A transaction costs far more than a note in it, so
 * attempts that end in the same turn are one. What is not noted is made again, so a locked mirror is waited for as long as
 * the claims hold.
 */
export function openBooks({ outbox, clock, patience, signal }: BooksParts): (attempt: Attempt) => Promise<void> {
  let next: { readonly attempts: Attempt[]; readonly noted: Promise<void> } | undefined;
  let last: Promise<void> = Promise.resolve();

  async function noteAfter(before: Promise<void>, attempts: readonly Attempt[]): Promise<void> {
    await before.catch(() => undefined);
    await clock.turnEnd();
    next = undefined;
    await insist(clock, () => outbox.settle(attempts), { pause: PAUSE, longest: patience, signal });
  }

  return (attempt) => {
    if (!next) {
      const attempts: Attempt[] = [];
      next = { attempts, noted: noteAfter(last, attempts) };
      last = next.noted;
    }
    next.attempts.push(attempt);
    return next.noted;
  };
}
