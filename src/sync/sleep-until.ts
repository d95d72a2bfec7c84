import type { Clock } from '../platform/platform.ts';

/** Timers stand still while a machine sleeps, and clocks are set: the time is looked at again after so many milliseconds. */
const LOOK = 60_000;

/** Sleeps until the clock shows a moment, in milliseconds, however it gets there. */
export async function sleepUntil(clock: Clock, at: number, signal?: AbortSignal): Promise<void> {
  for (let left = at - clock.now(); left > 0; left = at - clock.now()) await clock.sleep(Math.min(left, LOOK), signal);
  signal?.throwIfAborted();
}
