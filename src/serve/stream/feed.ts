import { releaseCutoff } from '../../contract/access.ts';
import type { Clock } from '../../platform/platform.ts';
import type { Now } from '../options.ts';
import { readStreamBatch } from './batch.ts';
import { HEARTBEAT, RECONNECT, type StreamEvent } from './frames.ts';
import type { StreamParts } from './parts.ts';
import type { Subscriber } from './subscriber.ts';

/** Milliseconds between two looks at the mirror. */
const LOOK_INTERVAL_MS = 250;
/** Milliseconds between two heartbeats, and until a stream is ended; see docs/interface.md#event-stream. */
const HEARTBEAT_EVERY = 15_000;
const LIFE = 3_600_000;

export interface FeedParts extends StreamParts {
  readonly clock: Clock;
  readonly now: Now;
  /** Changes with the mirror. */
  readonly version: () => number;
  readonly failed: (error: unknown) => void;
}

export interface EventFeed {
  /** A reader who is told first what lies behind, if anything does. */
  join(subscriber: Subscriber, past?: AsyncIterable<readonly StreamEvent[]>): void;
  /** Ends every stream; readers come back by themselves. */
  close(): void;
}

/**
 * Pushes what becomes readable to all open streams. Walk of a look: when the mirror has changed, or the keyless delay has
 * moved on, read on from each position once, however many stand there; tell each subscriber; heartbeats and ends follow the clock.
 * Nothing runs while nobody listens.
 */
export function createFeed(parts: FeedParts): EventFeed {
  const { clock } = parts;
  const subscribers = new Map<Subscriber, { readonly joined: number; spoken: number }>();
  let stop: AbortController | undefined;

  /** Someone joined since the last look: what came between their start and their joining was not told to them. */
  let isDue = false;

  async function run(signal: AbortSignal): Promise<void> {
    let seen = '';
    let isFailing = false;
    while (subscribers.size > 0 && !signal.aborted) {
      await clock.sleep(LOOK_INTERVAL_MS, signal);
      try {
        const now = `${parts.version()} ${releaseCutoff(parts.now() / 1000)}`;
        if (isDue || now !== seen) {
          isDue = false;
          await readOn(parts, subscribers.keys());
          seen = now;
        }
        isFailing = false;
      } catch (error) {
        // Told once; the streams stay open, and the next look tries again.
        if (!isFailing) parts.failed(error);
        isFailing = true;
        isDue = true;
      }
      keepAlive(clock.now());
    }
  }

  function keepAlive(now: number): void {
    for (const [subscriber, times] of subscribers) {
      if (!subscriber.isOpen) subscribers.delete(subscriber);
      else if (now - times.joined >= LIFE) subscriber.end(RECONNECT);
      else if (now - times.spoken >= HEARTBEAT_EVERY) {
        subscriber.say(HEARTBEAT);
        times.spoken = now;
      }
    }
  }

  async function replay(subscriber: Subscriber, past: AsyncIterable<readonly StreamEvent[]>): Promise<void> {
    try {
      await subscriber.replay(past);
      isDue = true;
    } catch (error) {
      parts.failed(error);
      subscriber.end(RECONNECT);
    }
  }

  function start(): void {
    if (stop) return;
    const controller = new AbortController();
    stop = controller;
    run(controller.signal)
      .catch((error: unknown) => controller.signal.aborted || parts.failed(error))
      .finally(() => {
        stop = undefined;
        if (subscribers.size > 0 && !controller.signal.aborted) start();
      });
  }

  return {
    join(subscriber, past) {
      const now = clock.now();
      subscribers.set(subscriber, { joined: now, spoken: now });
      isDue = true;
      if (past) void replay(subscriber, past);
      start();
    },
    close() {
      stop?.abort();
      for (const subscriber of subscribers.keys()) subscriber.end(RECONNECT);
      subscribers.clear();
    },
  };
}

/** Subscribers that stand at the same place and want the same are read for together. */
async function readOn(parts: FeedParts, subscribers: Iterable<Subscriber>): Promise<void> {
  const groups = new Map<string, Subscriber[]>();
  for (const subscriber of subscribers) {
    const { filter, context, place, isReplaying } = subscriber;
    if (isReplaying) continue;
    const name = JSON.stringify([filter, context.class, place]);
    const group = groups.get(name);
    if (group) group.push(subscriber);
    else groups.set(name, [subscriber]);
  }
  for (const group of groups.values()) {
    const [first] = group;
    if (!first) continue;
    const { filter, place, context } = first;
    const { events, ...next } = await readStreamBatch(parts, {
      filter,
      caller: context.caller,
      now: parts.now(),
      ...place,
    });
    for (const subscriber of group) {
      subscriber.place = { cursor: next.cursor, position: next.position, from: next.from };
      subscriber.tell(events);
    }
  }
}
