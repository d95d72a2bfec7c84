import type { Clock } from '../platform/platform.ts';
import type { Work } from './work.ts';

/** Milliseconds without an answer after which the other series go on meanwhile. */
const PATIENCE_MS = 5_000;

/** What was not waited for any longer: it goes on beside the others. */
export const SET_ASIDE = Symbol('set aside');

const ENDED = 'ended';

interface Around {
  readonly clock: Pick<Clock, 'now' | 'alarm'>;
  /** Whether one more may go on beside the others. */
  readonly hasRoom: () => boolean;
}

/** Waits for a part of a step, but not for an answer that is long in coming. Time between two answers does not count. */
export async function waitOrSetAside<T>(
  doing: Promise<T>,
  { progress }: Pick<Work, 'progress'>,
  { clock, hasRoom }: Around,
): Promise<T | typeof SET_ASIDE> {
  const ended = new AbortController();
  try {
    for (;;) {
      const left = (progress.awaitedSince ?? clock.now()) + PATIENCE_MS - clock.now();
      const nap = left > 0 && left < PATIENCE_MS ? left : PATIENCE_MS;
      const isSlow = clock.alarm(nap, ended.signal).then((): typeof SET_ASIDE => SET_ASIDE);
      const first = await Promise.race([doing, isSlow]);
      if (first !== SET_ASIDE) return first;
      const isWaiting = progress.awaitedSince !== undefined && clock.now() - progress.awaitedSince >= PATIENCE_MS;
      if (isWaiting && hasRoom()) return SET_ASIDE;
    }
  } finally {
    // With a reason of its own no error is made, with a stack, for each part of a step.
    ended.abort(ENDED);
  }
}
