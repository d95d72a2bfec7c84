import type { Clock } from '../../src/platform/platform.ts';

export interface TestClock extends Clock {
  /** Moves the time on and wakes the sleepers whose time has come, in their order. */
  advance(ms: number): Promise<void>;
  /** Moves the time as a suspended machine or a clock that is set does: timers do not run meanwhile. */
  jump(ms: number): void;
  /** Every sleep that was asked for, in milliseconds. */
  readonly slept: readonly number[];
  /** Sleepers still waiting; always 0 for a clock that jumps. */
  readonly sleepers: number;
}

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/**
 * A clock that moves by hand, on which each look is a turn of the loop. With `jumps`, a sleep moves the clock on by itself and returns at once; with `waits`, it
 * lasts until `advance` passes its end.
 */
export function testClock(start: number, sleeping: 'jumps' | 'waits' = 'jumps'): TestClock {
  let now = start;
  const slept: number[] = [];
  let waiting: Sleeper[] = [];
  /** On a clock that jumps: they go off when a sleep jumps over them. */
  let alarms: Sleeper[] = [];
  let turns = 0;

  function wait(ms: number, signal: AbortSignal | undefined, isAlarm = false): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const stop = () => {
        const others = ({ wake: other }: Sleeper) => other !== wake;
        if (isAlarm) alarms = alarms.filter(others);
        else waiting = waiting.filter(others);
        reject(signal?.reason);
      };
      const wake = () => {
        // A signal that outlives many sleeps would gather their listeners.
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      (isAlarm ? alarms : waiting).push({ until: now + ms, wake });
      signal?.addEventListener('abort', stop);
    });
  }

  return {
    now: () => now,
    slept,
    turn() {
      turns += 1;
      return turns;
    },
    turnEnd: settle,
    get sleepers() {
      return waiting.length;
    },
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      slept.push(ms);
      if (sleeping === 'waits') return wait(ms, signal);
      now += ms;
      const late = alarms.filter((alarm) => alarm.until <= now);
      alarms = alarms.filter((alarm) => alarm.until > now);
      for (const alarm of late) alarm.wake();
    },
    async alarm(ms, signal) {
      signal?.throwIfAborted();
      return wait(ms, signal, sleeping === 'jumps');
    },
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = waiting.filter((sleeper) => sleeper.until <= end).sort((a, b) => a.until - b.until);
        if (!next) break;
        now = Math.max(now, next.until);
        waiting = waiting.filter((other) => other !== next);
        next.wake();
        await settle();
      }
      now = end;
      await settle();
    },
    jump(ms) {
      now += ms;
      waiting = waiting.map((sleeper) => ({ ...sleeper, until: sleeper.until + ms }));
    },
  };
}

/** Lets everything that is ready to run, run. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
