import type { Clock } from '../platform/platform.ts';

/** Timers stand still while a machine sleeps, and clocks are set: the time is looked at again after so many milliseconds. */
const LOOK_INTERVAL_MS = 60_000;
/** The same while something may end the sleep. */
const EARLY_LOOK = 1_000;

/** Sleeps until the clock shows a moment, in milliseconds, however it gets there, or until something ends the sleep early. */
export async function sleepUntil(
  clock: Clock,
  at: number,
  signal?: AbortSignal,
  isOver?: () => Promise<boolean>,
): Promise<void> {
  const longest = isOver ? EARLY_LOOK : LOOK_INTERVAL_MS;
  for (let left = at - clock.now(); left > 0; left = at - clock.now()) {
    await clock.sleep(Math.min(left, longest), signal);
    if (await isOver?.()) break;
  }
  signal?.throwIfAborted();
}
