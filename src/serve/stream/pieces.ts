import { type ChangesAsk, readChanges } from './changes.ts';
import type { StreamEvent } from './frames.ts';
import type { StreamParts } from './parts.ts';

/** Events that are written at once. */
export const PIECE = 100;

type Named = Pick<StreamEvent, 'id' | 'timestamp'>;

/**
 * Gives a replay a piece at a time, in its order. It may be a week long and its reader slow: what waits is names, and the texts are
 * read again when their turn comes.
 */
export function inPieces(
  parts: Pick<StreamParts, 'ask'>,
  question: Omit<ChangesAsk, 'since' | 'limit'>,
  events: readonly StreamEvent[],
): AsyncGenerator<readonly StreamEvent[], void> {
  const named = events.slice(PIECE).map(({ id, timestamp }) => ({ id, timestamp }));
  return readAgain(parts, question, { first: events.slice(0, PIECE), named });
}

async function* readAgain(
  { ask }: Pick<StreamParts, 'ask'>,
  question: Omit<ChangesAsk, 'since' | 'limit'>,
  { first, named }: { readonly first: readonly StreamEvent[]; readonly named: readonly Named[] },
): AsyncGenerator<readonly StreamEvent[], void> {
  if (first.length > 0) yield first;
  for (let from = 0; from < named.length; from += PIECE) {
    const piece = named.slice(from, from + PIECE);
    const found = await readNamed(ask, question, piece);
    yield piece.flatMap(({ id }) => found.get(id) ?? []);
  }
}

/** Looks for events from the time of the first one on, until all are found or their time is over. */
async function readNamed(
  ask: StreamParts['ask'],
  question: Omit<ChangesAsk, 'since' | 'limit'>,
  piece: readonly Named[],
): Promise<ReadonlyMap<string, StreamEvent>> {
  const times = piece.map(({ timestamp }) => timestamp);
  const names = new Set(piece.map(({ id }) => id));
  const found = new Map<string, StreamEvent>();
  for (let since = String(Math.min(...times)); ; ) {
    const { events, cursor } = await readChanges(ask, { ...question, since, limit: PIECE });
    for (const event of events) if (names.has(event.id)) found.set(event.id, event);
    const isOver = events.length < PIECE || (events.at(-1)?.timestamp ?? 0) > Math.max(...times);
    if (found.size === names.size || isOver) return found;
    since = cursor;
  }
}
