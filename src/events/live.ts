import type { JournalEvent } from '../mirror/api/journal.ts';
import type { Mirror } from '../mirror/api/mirror.ts';
import type { Clock } from '../platform/platform.ts';
import { eventAt } from './event-at.ts';
import type { FollowJournalOptions } from './follow.ts';

/**
 * The events that a stream tells of as they happen: not what was missed, told again, or brought by another way. The journal
 * has those as well.
 */
export interface LiveFeed {
  /** The connection is gone: what is known now was processed before the next one begins. */
  lost(): Promise<void>;
  /** The stream told of an event, and the journal has it. Waits while too many wait. */
  printed(id: string): Promise<void>;
  /** Told events in their order. The signal is thrown. */
  events(ask: Omit<FollowJournalOptions, 'after'>): AsyncGenerator<JournalEvent, void>;
}

export interface LiveParts {
  readonly mirror: Pick<Mirror, 'journal'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal: AbortSignal;
  /** Position of the newest event before the first connection. */
  readonly after: number;
}

/** Milliseconds between two looks. */
const LOOK_INTERVAL_MS = 100;
/** Events that wait for one who is slow; then the stream is not read. */
const MAX_WAITING_EVENTS = 1_000;
/** Events of one connection that are not taken again when they are told twice. */
const REMEMBERED = 10_000;

export function createLiveFeed({ mirror: { journal }, clock, signal, after }: LiveParts): LiveFeed {
  const waiting: number[] = [];
  let known = after;
  let taken: readonly number[] = [];
  return {
    async lost() {
      known = await journal.newest();
      taken = [];
    },
    async printed(id) {
      const position = (await journal.event(id))?.position ?? 0;
      if (position <= known || taken.includes(position)) return;
      taken = [...taken, position].slice(-REMEMBERED);
      waiting.push(position);
      while (waiting.length >= MAX_WAITING_EVENTS) await clock.sleep(LOOK_INTERVAL_MS, signal);
    },
    async *events({ currencies, indicators, signal: ended, isOver = () => false }) {
      for (;;) {
        ended.throwIfAborted();
        const isLast = isOver();
        const position = waiting.shift();
        const event = position === undefined ? undefined : await eventAt(journal, position, { currencies, indicators });
        if (event) yield event;
        if (position !== undefined) continue;
        if (isLast) return;
        await clock.sleep(LOOK_INTERVAL_MS, ended);
      }
    },
  };
}
