import type { Journal, JournalEvent } from '../../mirror/api/journal.ts';
import { type ChangesAsk, type ChangesRange, readChanges } from './changes.ts';
import type { StreamParts } from './parts.ts';

/** Up to where a reader knows everything: in the order of changes, and in the order in which the mirror came to know it. */
export interface StreamPosition {
  readonly cursor: string;
  readonly position: number;
  /** Unix seconds: what was processed earlier is history, even if it comes now, by a first sync for example. */
  readonly from: number;
}

export interface StreamBatch extends ChangesRange, StreamPosition {
  /** Ids of the events that came to the mirror since, whatever they are about. */
  readonly arrived: ReadonlySet<string>;
}

const PAGE = 1_000;

/**
 * What is new behind a place. Changes are in the order of processing, and a delivery that was tried again comes later than its
 * neighbours: an event that reaches the mirror behind the reader's back is read again from its own time, and told as well.
 */
export async function readStreamBatch(
  { ask, journal }: StreamParts,
  { position, from, ...question }: Omit<ChangesAsk, 'since'> & StreamPosition,
): Promise<StreamBatch> {
  const { cursor, filter, now } = question;
  const arrivals = journal ? await arrivalsAfter(journal, position) : [];
  const range = await readChanges(ask, { ...question, since: cursor });
  const sent = new Set(range.events.map(({ id }) => id));
  const oldest = filter.maxAge === undefined ? from : Math.max(from, (now - filter.maxAge) / 1000);
  const isMissed = ({ id, timestamp }: JournalEvent) => !sent.has(id) && timestamp >= oldest;
  const missed = new Map(arrivals.filter(isMissed).map(({ id, timestamp }) => [id, timestamp]));
  const since = String(Math.min(...missed.values()));
  const late = missed.size === 0 ? [] : (await readChanges(ask, { ...question, since })).events;
  return {
    ...range,
    events: [...late.filter(({ id }) => missed.has(id)), ...range.events].filter(
      ({ timestamp }) => timestamp >= oldest,
    ),
    arrived: new Set(arrivals.map(({ id }) => id)),
    position: arrivals.at(-1)?.position ?? position,
    from,
  };
}

async function arrivalsAfter(journal: Pick<Journal, 'events'>, position: number): Promise<readonly JournalEvent[]> {
  const all: JournalEvent[] = [];
  for (;;) {
    const page = await journal.events({ after: all.at(-1)?.position ?? position, limit: PAGE });
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}
