import { MacroError } from '../errors.ts';
import type { Clock } from '../platform/platform.ts';

/** Tries for a mirror that another program has locked, and milliseconds between them. */
const TRIES = 30;
const PAUSE = 1_000;

/** Does a piece of work on a mirror that may be locked, or its disk full, for a moment: what has come must not be lost to it. */
export async function insist<T>(clock: Pick<Clock, 'sleep'>, work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      const mayPass = error instanceof MacroError && error.code === 'mirror_unusable';
      if (!mayPass || tried === TRIES) throw error;
      await clock.sleep(PAUSE);
    }
  }
}
