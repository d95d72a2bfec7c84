import type { Journal, JournalAsk, JournalEvent } from '../mirror/api/journal.ts';
import type { Mirror } from '../mirror/api/mirror.ts';
import type { Clock } from '../platform/platform.ts';

export interface FollowJournalOptions extends Pick<JournalAsk, 'currencies' | 'indicators'> {
  /** Position after which to begin. */
  readonly after: number;
  readonly signal: AbortSignal;
  /** Where to continue after a failover or restore removed delivered events; by default at the newest event. */
  readonly cursor?: (() => Promise<number>) | undefined;
  /** True when nothing more will come: the feed then ends with the journal's last event. */
  readonly isOver?: (() => boolean) | undefined;
}

/** Milliseconds between two looks at a file and at a server, and events that are read at once. */
const LOOK_INTERVAL_MS = 250;
const SERVER_LOOK_INTERVAL_MS = 1_000;
const PAGE = 200;

/** Events as a stream brings them live; the journal also has missed and repeated ones. */
export interface LiveFeed {
  /** The connection is lost: all events known now come before those of the next connection. */
  lost(): Promise<void>;
  /** The stream sent an event, and the journal has it. Waits while too many wait. */
  printed(id: string): Promise<void>;
  /** Called with events in their order. The signal is thrown. */
  events(ask: Omit<FollowJournalOptions, 'after'>): AsyncGenerator<JournalEvent, void>;
}

interface LiveParts {
  readonly mirror: Pick<Mirror, 'journal'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal: AbortSignal;
  /** Position of the newest event before the first connection. */
  readonly after: number;
}

/** Milliseconds between two looks. */
const LIVE_LOOK_INTERVAL_MS = 100;
/** Events that wait for one who is slow; then the stream is not read. */
const MAX_WAITING_EVENTS = 1_000;
/** Events of one connection that are remembered, so that a repeated one is skipped. */
const REMEMBERED = 10_000;

/** Events of the journal behind a position, and later ones of any process. Throws the signal. */
export async function* followJournal(
  { mirror, clock }: { mirror: Pick<Mirror, 'journal' | 'look' | 'state'>; clock: Pick<Clock, 'sleep'> },
  { after, currencies, indicators, signal, cursor, isOver = () => false }: FollowJournalOptions,
): AsyncGenerator<JournalEvent, void> {
  const { journal } = mirror;
  const idOf = async (at: number) => (await eventAt(journal, at))?.id;
  let position = after;
  let last = await idOf(position);
  let seen = await mirror.look();
  for (;;) {
    signal.throwIfAborted();
    const isLast = isOver();
    const state = await mirror.look();
    if (state !== seen && (await idOf(position)) !== last) {
      position = cursor ? await cursor() : Math.min(position, await journal.newest());
      last = await idOf(position);
    }
    seen = state;
    const events = await journal.events({ after: position, limit: PAGE, currencies, indicators });
    for (const event of events) {
      signal.throwIfAborted();
      ({ position, id: last } = event);
      yield event;
    }
    if (events.length > 0) continue;
    if (isLast) return;
    do await clock.sleep(mirror.state ? LOOK_INTERVAL_MS : SERVER_LOOK_INTERVAL_MS, signal);
    while ((await mirror.look()) === state && !isOver());
  }
}

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
      while (waiting.length >= MAX_WAITING_EVENTS) await clock.sleep(LIVE_LOOK_INTERVAL_MS, signal);
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
        await clock.sleep(LIVE_LOOK_INTERVAL_MS, ended);
      }
    },
  };
}

/** The event at a position of the journal, if there is one and the filter takes it. */
export async function eventAt(
  journal: Pick<Journal, 'events'>,
  position: number,
  { currencies, indicators }: Pick<JournalAsk, 'currencies' | 'indicators'> = {},
): Promise<JournalEvent | undefined> {
  const [event] = await journal.events({ currencies, indicators, after: position - 1, limit: 1 });
  return event?.position === position ? event : undefined;
}

/**
 * Whether an event is older than the max age at a moment, both in milliseconds. Events are dated to the second of their
 * processing.
 */
export function isTooOld(
  { timestamp }: Pick<JournalEvent, 'timestamp'>,
  maxAge: number | undefined,
  at: number,
): boolean {
  return maxAge !== undefined && at - timestamp * 1000 > maxAge;
}
