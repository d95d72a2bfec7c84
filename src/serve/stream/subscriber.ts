import type { ServerResponse } from 'node:http';
import type { Visitor } from '../callers.ts';
import type { Wish } from './changes.ts';
import { eventFrame, gapFrame, type StreamEvent } from './frames.ts';
import type { Place } from './news.ts';

/** Events that may wait for one reader; wire facts, section 10.2. */
const QUEUE = 1000;

/** One open stream. */
export interface Subscriber {
  readonly wish: Wish;
  readonly visitor: Visitor;
  /** Up to where it was told everything. */
  place: Place;
  /** Tells events that it was not told yet. */
  tell(events: readonly StreamEvent[]): void;
  /** Writes a frame that is no event. */
  say(frame: string): void;
  end(frame: string): void;
  readonly isOpen: boolean;
}

/**
 * Makes a subscriber of an answer that has begun. What the socket does not take at once waits here, and in bounds: a reader
 * that is too slow is told so, let go, and may come back with the last id that it has.
 */
export function createSubscriber(
  response: ServerResponse,
  told: Pick<Subscriber, 'wish' | 'visitor' | 'place'>,
): Subscriber {
  let waiting: StreamEvent[] = [];
  let isBlocked = false;
  // A reader may have gone while the beginning was looked up.
  let isOpen = !response.destroyed;
  response.on('close', () => {
    isOpen = false;
    waiting = [];
  });
  response.on('drain', () => {
    isBlocked = false;
    const ready = waiting;
    waiting = [];
    subscriber.tell(ready);
  });
  const write = (text: string) => {
    if (isOpen && !response.write(text)) isBlocked = true;
  };
  const subscriber: Subscriber = {
    ...told,
    get isOpen() {
      return isOpen;
    },
    tell(events) {
      if (!isBlocked) {
        if (events.length > 0) write(events.map(eventFrame).join(''));
        return;
      }
      waiting = [...waiting, ...events];
      if (waiting.length > QUEUE) subscriber.end(gapFrame('slow_consumer', undefined, waiting[0]));
    },
    say: (frame) => write(frame),
    end(frame) {
      if (!isOpen) return;
      isOpen = false;
      waiting = [];
      response.end(frame);
    },
  };
  return subscriber;
}
