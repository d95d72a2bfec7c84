import type { JournalAsk, JournalEvent } from '../mirror/journal.ts';
import type { Mirror } from '../mirror/mirror.ts';
import type { Clock } from '../platform/platform.ts';

export interface FollowAsk extends Pick<JournalAsk, 'currencies' | 'indicators'> {
  /** Position after which to begin. */
  readonly after: number;
  readonly signal: AbortSignal;
}

/** Milliseconds between two looks, and events that are read at once. */
const LOOK = 250;
const PAGE = 200;

/**
 * The events of the journal behind a position, in order, and those that come later, whoever records them: this process or
 * another one. Ends only with the signal, which is thrown.
 */
export async function* followJournal(
  { mirror, clock }: { mirror: Pick<Mirror, 'journal' | 'version'>; clock: Pick<Clock, 'sleep'> },
  { after, currencies, indicators, signal }: FollowAsk,
): AsyncGenerator<JournalEvent, never> {
  let position = after;
  for (;;) {
    signal.throwIfAborted();
    const version = mirror.version();
    const events = await mirror.journal.events({ after: position, limit: PAGE, currencies, indicators });
    for (const event of events) {
      position = event.position;
      yield event;
    }
    if (events.length > 0) continue;
    while (mirror.version() === version) await clock.sleep(LOOK, signal);
  }
}
