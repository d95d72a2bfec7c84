import type { ServerResponse } from 'node:http';
import { releaseCutoff } from '../../contract/access.ts';
import type { MirrorState } from '../../mirror/api/mirror.ts';
import type { Clock } from '../../platform/platform.ts';
import type { RequestContext } from '../access/callers.ts';
import type { Now } from '../options.ts';
import {
  eventFrame,
  gapFrame,
  HEARTBEAT,
  PIECE,
  RECONNECT,
  readStreamBatch,
  type StreamEvent,
  type StreamFilter,
  type StreamParts,
  type StreamPosition,
} from './events.ts';

/** Milliseconds between two looks at the mirror. */
const LOOK_INTERVAL_MS = 250;
/** Milliseconds between two heartbeats, and until a stream is ended; see docs/interface-events.md#event-stream. */
const HEARTBEAT_EVERY = 15_000;
const LIFE = 3_600_000;

interface FeedParts extends StreamParts {
  readonly clock: Clock;
  readonly now: Now;
  /** Changes with the mirror. */
  readonly look: () => Promise<MirrorState>;
  readonly failed: (error: unknown) => void;
  /** Given after each change of the keys: what tells whether a reader is still accepted. */
  readonly revocations?: () => ((context: RequestContext) => boolean) | undefined;
}

export interface EventFeed {
  /** A reader; `past` events, if any, are sent first. */
  join(subscriber: Subscriber, past?: AsyncIterable<readonly StreamEvent[]>): void;
  /** Ends every stream; readers come back by themselves. */
  close(): void;
}

/** Events that may wait for one reader; see docs/interface-events.md#event-stream. */
const QUEUE = 1000;

/** One open stream. */
export interface Subscriber {
  readonly filter: StreamFilter;
  readonly context: RequestContext;
  /** The position up to which all events were sent. */
  place: StreamPosition;
  /** Sends events that were not sent yet. */
  tell(events: readonly StreamEvent[]): void;
  /** Sends the past events, each batch when the socket has taken the last. */
  replay(pieces: AsyncIterable<readonly StreamEvent[]>): Promise<void>;
  /** True while past events are sent: new ones wait. */
  readonly isReplaying: boolean;
  /** Writes a frame that is no event. */
  say(frame: string): void;
  end(frame: string): void;
  readonly isOpen: boolean;
}

/** Pushes readable events to open streams when the mirror or the keyless delay moves; heartbeats by the clock. */
export function createFeed(parts: FeedParts): EventFeed {
  const { clock } = parts;
  const subscribers = new Map<Subscriber, { readonly joined: number; spoken: number }>();
  let stop: AbortController | undefined;

  /** Someone joined since the last check, and has not yet received the events between their start and their joining. */
  let isDue = false;

  async function run(signal: AbortSignal): Promise<void> {
    let seen = '';
    let isFailing = false;
    while (subscribers.size > 0 && !signal.aborted) {
      await clock.sleep(LOOK_INTERVAL_MS, signal);
      try {
        const now = `${await parts.look()} ${releaseCutoff(parts.now() / 1000)}`;
        if (isDue || now !== seen) {
          isDue = false;
          await readOn(parts, subscribers.keys());
          seen = now;
        }
        isFailing = false;
      } catch (error) {
        // Reported once; the streams stay open, and the next check tries again.
        if (!isFailing) parts.failed(error);
        isFailing = true;
        isDue = true;
      }
      keepAlive(clock.now());
    }
  }

  function keepAlive(now: number): void {
    const isAccepted = parts.revocations?.();
    for (const [subscriber, times] of subscribers) {
      if (!subscriber.isOpen) subscribers.delete(subscriber);
      // Who comes back is refused.
      else if (isAccepted?.(subscriber.context) === false) subscriber.end(RECONNECT);
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

/** A subscriber of a begun answer. Output that its socket does not take waits within limits; slow readers are cut. */
export function createSubscriber(
  response: ServerResponse,
  options: Pick<Subscriber, 'filter' | 'context' | 'place'>,
): Subscriber {
  let waiting: readonly StreamEvent[] = [];
  let isBlocked = false;
  let isReplaying = false;
  let goOn = () => {};
  // A reader may have gone while the beginning was looked up.
  let isOpen = !response.destroyed;

  function write(text: string): void {
    if (isOpen && !response.write(text)) isBlocked = true;
  }

  function flush(): void {
    while (isOpen && !isBlocked && waiting.length > 0) {
      const piece = waiting.slice(0, PIECE);
      waiting = waiting.slice(PIECE);
      write(piece.map(eventFrame).join(''));
    }
  }

  function close(): void {
    isOpen = false;
    waiting = [];
    goOn();
  }

  response.on('close', close);
  response.on('drain', () => {
    isBlocked = false;
    goOn();
    flush();
  });

  const subscriber: Subscriber = {
    ...options,
    get isOpen() {
      return isOpen;
    },
    get isReplaying() {
      return isReplaying;
    },
    tell(events) {
      waiting = [...waiting, ...events];
      flush();
      if (waiting.length > QUEUE) subscriber.end(gapFrame('slow_consumer', undefined, waiting[0]));
    },
    async replay(pieces) {
      isReplaying = true;
      for await (const piece of pieces) {
        while (isOpen && isBlocked) await new Promise<void>((resolve) => (goOn = resolve));
        if (!isOpen) return;
        write(piece.map(eventFrame).join(''));
      }
      isReplaying = false;
    },
    say: (frame) => write(frame),
    end(frame) {
      if (!isOpen) return;
      close();
      response.end(frame);
    },
  };
  return subscriber;
}
