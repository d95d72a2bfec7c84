import type { JournalAsk, JournalEvent } from '../mirror/api/journal.ts';
import type { Mirror } from '../mirror/api/mirror.ts';
import type { Clock } from '../platform/platform.ts';

export interface FollowJournalOptions extends Pick<JournalAsk, 'currencies' | 'indicators'> {
  /** Position after which to begin. */
  readonly after: number;
  readonly signal: AbortSignal;
  /** Nothing more will come: it ends with what the journal holds then. */
  readonly isOver?: (() => boolean) | undefined;
}

/** Milliseconds between two looks, and events that are read at once. */
const LOOK_INTERVAL_MS = 250;
const PAGE = 200;

/**
 * The events of the journal behind a position, in order, and those that come later, whoever records them: this process or
 * another one. The signal is thrown.
 */
export async function* followJournal(
  { mirror, clock }: { mirror: Pick<Mirror, 'journal' | 'version'>; clock: Pick<Clock, 'sleep'> },
  { after, currencies, indicators, signal, isOver = () => false }: FollowJournalOptions,
): AsyncGenerator<JournalEvent, void> {
  let position = after;
  for (;;) {
    signal.throwIfAborted();
    const isLast = isOver();
    const version = mirror.version();
    const events = await mirror.journal.events({ after: position, limit: PAGE, currencies, indicators });
    for (const event of events) {
      signal.throwIfAborted();
      position = event.position;
      yield event;
    }
    if (events.length > 0) continue;
    if (isLast) return;
    while (mirror.version() === version && !isOver()) await clock.sleep(LOOK_INTERVAL_MS, signal);
  }
}
