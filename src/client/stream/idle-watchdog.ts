import { MacroError } from '../../errors.ts';
import type { Clock } from '../../platform/platform.ts';
import { waitText } from '../text.ts';

/** Watches over the time while somebody waits for the network. */
export interface IdleWatchdog {
  /** Bytes came. */
  heard(): void;
  /** Why `work` was not waited for any longer, or its result. Throws `stale` when all has been silent for too long. */
  over<T>(
    work: Promise<T>,
    limit: number,
    signal?: AbortSignal,
  ): Promise<{ readonly done: T } | { readonly lost: string }>;
  /** Sleeps, but not into staleness. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Milliseconds between two looks at the clock. A machine that slept shows it at the first check after. */
const LOOK_INTERVAL_MS = 5_000;
/** A check this much too late or too early shows that the machine slept or its clock was set. */
const JUMP = 10_000;
/** How long a stream may be silent before its connection counts as dead, learned from its heartbeats. */
export interface Heartbeat {
  begin(): void;
  /** A heartbeat came. */
  beat(now: number): void;
  /** The max silence of a living connection, in milliseconds. */
  readonly limit: number;
  /** A connection was given up for its silence: the learned limit may be wrong. */
  forget(): void;
}

/** See docs/interface-events.md#event-stream. */
const MAX_SILENCE_MS = 75_000;
const SHORTEST = 30_000;
/** So many heartbeats may be missing. */
const MISSED = 3;
/** Comments that follow each other faster are no heartbeats. */
const FASTEST = 1_000;
/** Heartbeats after which their time is known. */
const ENOUGH = 3;

/** Ends a wait after `longest` milliseconds without a byte. @throws MacroError of kind `stale`. */
export function createIdleWatchdog(
  clock: Pick<Clock, 'now' | 'sleep'>,
  longest = Number.POSITIVE_INFINITY,
): IdleWatchdog {
  let heardAt = clock.now();
  let waitedUntil = heardAt;

  /** Work between two waits, such as a commit, is no silence. */
  function begin(): void {
    heardAt += clock.now() - waitedUntil;
  }

  /** Milliseconds until everything is stale. */
  function untilStale(): number {
    const left = heardAt + longest - clock.now();
    if (left > 0) return left;
    throw new MacroError('stale', `Not a byte came from the stream for ${waitText(longest / 1000)}.`, {
      code: 'stream_stale',
      hint: 'Check the network and the service; macro announcements changes asks for missed releases.',
    });
  }

  async function watch(limit: number, signal: AbortSignal): Promise<string> {
    const end = clock.now() + limit;
    for (;;) {
      const from = clock.now();
      const nap = Math.max(1, Math.min(LOOK_INTERVAL_MS, end - from, untilStale()));
      await clock.sleep(nap, signal);
      const now = clock.now();
      if (Math.abs(now - from - nap) > JUMP) return 'the clock jumped, as after a sleep of this machine';
      if (now >= end) return `nothing came for ${waitText(limit / 1000)}`;
    }
  }

  return {
    heard() {
      heardAt = clock.now();
      waitedUntil = heardAt;
    },
    async over(work, limit, signal) {
      const stop = new AbortController();
      const end = () => stop.abort(signal?.reason);
      const done = work.then((result) => ({ done: result }));
      // The signal may end the work too, which then fails with nobody to hear of it.
      done.catch(() => undefined);
      signal?.throwIfAborted();
      signal?.addEventListener('abort', end, { once: true });
      begin();
      try {
        return await Promise.race([done, watch(limit, stop.signal).then((lost) => ({ lost }))]);
      } finally {
        waitedUntil = clock.now();
        signal?.removeEventListener('abort', end);
        stop.abort();
      }
    },
    async pause(ms, signal) {
      begin();
      await clock.sleep(Math.min(ms, untilStale()), signal);
      waitedUntil = clock.now();
      untilStale();
    },
  };
}

export function createHeartbeat(): Heartbeat {
  let beats: readonly number[] = [];
  let last: number | undefined;
  return {
    begin() {
      last = undefined;
    },
    beat(now) {
      if (last !== undefined && now - last >= FASTEST) beats = [...beats, now - last].slice(-ENOUGH);
      last = now;
    },
    get limit() {
      if (beats.length < ENOUGH) return MAX_SILENCE_MS;
      return Math.min(MAX_SILENCE_MS, Math.max(SHORTEST, MISSED * Math.max(...beats)));
    },
    forget() {
      beats = [];
    },
  };
}

/** The items of a walk while its watch lasts: a missing answer is silence. A signal ends an abandoned walk. */
export async function* watched<T>(
  walk: (signal: AbortSignal) => AsyncIterable<T>,
  watchdog: IdleWatchdog,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const stop = new AbortController();
  const steps = walk(AbortSignal.any([signal, stop.signal]))[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await waitFor(steps.next(), watchdog, signal);
      watchdog.heard();
      if (step.done) return;
      yield step.value;
    }
  } finally {
    stop.abort();
  }
}

/** A clock that jumped is no answer: the one who asks has a limit of its own. */
async function waitFor<T>(work: Promise<T>, watchdog: IdleWatchdog, signal: AbortSignal): Promise<T> {
  for (;;) {
    const outcome = await watchdog.over(work, Number.POSITIVE_INFINITY, signal);
    if ('done' in outcome) return outcome.done;
  }
}
