import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Clock, Random } from './platform.ts';

/** The max delay of a Node timer; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const nodeClock: Clock = {
  now: () => Date.now(),
  sleep: sleepFor,
  alarm: sleepFor,
  turn: turnCounter(),
  turnEnd: () => new Promise((resolve) => setImmediate(resolve)),
};

/** Where a clock begins and how fast it runs. */
interface ClockCourse {
  /** Milliseconds; now when left out. */
  readonly startsAt?: number | undefined;
  /** Seconds that pass in one real second; 1 when left out, 0 stops the clock. */
  readonly speed?: number | undefined;
}

async function sleepFor(ms: number, signal?: AbortSignal): Promise<void> {
  // An aborted timer rejects with an error of its own: the reason of the signal is thrown below.
  for (let left = ms; left > 0 && !signal?.aborted; left -= MAX_TIMER_MS)
    await setTimeout(Math.min(left, MAX_TIMER_MS), undefined, signal && { signal }).catch(() => undefined);
  signal?.throwIfAborted();
}

/** A turn ends when its sockets have been read: the loop runs immediates right after them. */
function turnCounter(): () => number {
  let turn = 0;
  let isRunning = false;
  return () => {
    if (isRunning) return turn;
    isRunning = true;
    turn += 1;
    setImmediate(() => {
      isRunning = false;
    });
    return turn;
  };
}

export const nodeRandom: Random = {
  number: () => Math.random(),
  bytes: (count) => new Uint8Array(randomBytes(count)),
};

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
