// A clock that runs from another time at another speed.
import type { Clock } from './platform.ts';

/** Where a clock begins and how fast it runs. */
export interface ClockCourse {
  /** Milliseconds; now when left out. */
  readonly startsAt?: number | undefined;
  /** Seconds that pass in one real second; 1 when left out, 0 stops the clock. */
  readonly speed?: number | undefined;
}

/** A clock that begins at another time and runs at another speed. Its sleeps are as long as it shows. */
export function virtualClock(clock: Clock, { startsAt, speed = 1 }: ClockCourse): Clock {
  const began = clock.now();
  const start = startsAt ?? began;
  const wait = (sleep: Clock['sleep']): Clock['sleep'] => {
    return (ms, signal) => sleep(ms === 0 ? 0 : ms / speed, signal);
  };
  return {
    ...clock,
    now: () => start + Math.floor((clock.now() - began) * speed),
    sleep: wait((ms, signal) => clock.sleep(ms, signal)),
    alarm: wait((ms, signal) => clock.alarm(ms, signal)),
  };
}
