import type { Journal, JournalEvent } from '../../mirror/api/journal.ts';
import type { Clock } from '../../platform/platform.ts';
import { eventAt } from '../event-at.ts';
import type { Handler } from './handler.ts';

export interface ReplayParts {
  readonly journal: Journal;
  readonly clock: Pick<Clock, 'now'>;
  readonly handle: Handler;
}

/** How an event fared. */
export interface Replayed {
  readonly event: JournalEvent;
  /** Undefined when it was dealt with. */
  readonly error: string | undefined;
}

/** The events that a consumer set aside, oldest first. */
export async function setAside(journal: Journal, name: string): Promise<readonly JournalEvent[]> {
  const events: JournalEvent[] = [];
  for (const { position, nextAt } of await journal.failures(name)) {
    const event = nextAt === undefined ? await eventAt(journal, position) : undefined;
    if (event) events.push(event);
  }
  return events;
}

/** Tries an event once more; its cursor is not touched. */
export async function replayEvent(
  { journal, clock, handle }: ReplayParts,
  name: string,
  event: JournalEvent,
): Promise<Replayed> {
  const { position } = event;
  const error = await handle(event);
  if (error === undefined) await journal.forgetFailure(name, position);
  else await journal.noteFailure({ consumer: name, position, error, failedAt: clock.now(), nextAt: undefined });
  return { event, error };
}
