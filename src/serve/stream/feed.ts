import { releaseCutoff } from '../../contract/access.ts';
import type { Clock } from '../../platform/platform.ts';
import type { Source } from '../../source/source.ts';
import type { Now } from '../options.ts';
import { readChanges, type Stretch } from './changes.ts';
import { HEARTBEAT, RECONNECT } from './frames.ts';
import type { Subscriber } from './subscriber.ts';

/** Milliseconds between two looks at the mirror. */
const LOOK = 250;
/** Milliseconds between two heartbeats, and until a stream is ended; wire facts, section 10.2. */
const HEARTBEAT_EVERY = 15_000;
const LIFE = 3_600_000;
export interface FeedParts {
  readonly ask: Source['ask'];
  readonly clock: Clock;
  readonly now: Now;
  /** Changes with the mirror. */
  readonly version: () => number;
  readonly failed: (error: unknown) => void;
}

export interface Feed {
  join(subscriber: Subscriber): void;
  /** Ends every stream; readers come back by themselves. */
  close(): void;
}

/**
 * Pushes what becomes readable to all open streams. Walk of a look: when the mirror has changed, or the keyless delay has
 * moved on, read on from each position once, however many stand there; tell each subscriber; heartbeats and ends follow the clock.
 * Nothing runs while nobody listens.
 */
export function createFeed(parts: FeedParts): Feed {
  const { clock } = parts;
  const subscribers = new Map<Subscriber, { readonly joined: number; spoken: number }>();
  let stop: AbortController | undefined;

  const look = () => ({ version: parts.version(), cutoff: releaseCutoff(parts.now() / 1000) });

  async function run(signal: AbortSignal): Promise<void> {
    let seen = look();
    while (subscribers.size > 0 && !signal.aborted) {
      await clock.sleep(LOOK, signal);
      const now = look();
      if (now.version !== seen.version || now.cutoff !== seen.cutoff) {
        seen = now;
        await readOn(parts, subscribers.keys());
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
    join(subscriber) {
      const now = clock.now();
      subscribers.set(subscriber, { joined: now, spoken: now });
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
async function readOn({ ask, now }: FeedParts, subscribers: Iterable<Subscriber>): Promise<void> {
  const groups = new Map<string, Subscriber[]>();
  for (const subscriber of subscribers) {
    const { wish, visitor, cursor } = subscriber;
    const name = JSON.stringify([wish.currencies, wish.indicators, wish.payload, visitor.class, cursor]);
    groups.set(name, [...(groups.get(name) ?? []), subscriber]);
  }
  for (const group of groups.values()) {
    const [first] = group;
    if (!first) continue;
    const { wish, cursor, visitor } = first;
    const stretch: Stretch = await readChanges(ask, { wish, since: cursor, caller: visitor.caller, now: now() });
    for (const subscriber of group) {
      subscriber.cursor = stretch.cursor;
      subscriber.tell(stretch.events);
    }
  }
}
