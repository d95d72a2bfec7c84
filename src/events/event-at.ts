import type { Journal, JournalAsk, JournalEvent } from '../mirror/api/journal.ts';

/** The event at a position of the journal, when there is one and it is wanted. */
export async function eventAt(
  journal: Pick<Journal, 'events'>,
  position: number,
  { currencies, indicators }: Pick<JournalAsk, 'currencies' | 'indicators'> = {},
): Promise<JournalEvent | undefined> {
  const [event] = await journal.events({ currencies, indicators, after: position - 1, limit: 1 });
  return event?.position === position ? event : undefined;
}
