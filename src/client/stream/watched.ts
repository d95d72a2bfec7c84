import type { IdleWatchdog } from './idle-watchdog.ts';

/**
 * What a walk brings, for as long as the vigil over it lasts: an answer that never comes is silence as well. The walk gets a
 * signal that ends it when nobody waits for it any more: a request that is left would keep the program.
 */
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
