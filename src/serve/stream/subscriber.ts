import type { ServerResponse } from 'node:http';
import type { RequestContext } from '../access/callers.ts';
import type { StreamPosition } from './batch.ts';
import type { StreamFilter } from './changes.ts';
import { eventFrame, gapFrame, type StreamEvent } from './frames.ts';
import { PIECE } from './pieces.ts';

/** Events that may wait for one reader; see docs/interface.md#event-stream. */
const QUEUE = 1000;

/** One open stream. */
export interface Subscriber {
  readonly filter: StreamFilter;
  readonly context: RequestContext;
  /** Up to where it was told everything. */
  place: StreamPosition;
  /** Tells events that it was not told yet. */
  tell(events: readonly StreamEvent[]): void;
  /** Tells what lies behind, each piece when the socket has taken the one before. */
  replay(pieces: AsyncIterable<readonly StreamEvent[]>): Promise<void>;
  /** Nothing that is new is told until what lies behind is. */
  readonly isReplaying: boolean;
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
