import { type ReleaseEvent, releaseEventOf } from '../../contract/release-event.ts';
import type { NamedSeries } from '../api/follows.ts';
import type { NewRow, PageCommit } from '../api/page-commit.ts';
import type { KeyValue } from '../api/rows.ts';
import { cameByItself } from '../core/commit/commit-rules.ts';
import type { Prepared } from '../core/rows.ts';

/** An event of a page: its place in the journal, and its processing time there when it was known before. */
export interface Arrival {
  readonly position: number;
  readonly known: number | undefined;
}

/** What a page of events brings. */
export interface Arrivals {
  /** For the report, row by row. */
  readonly arrived: readonly (number | undefined)[];
  /** Series that the events name which were not known. */
  readonly named: readonly NamedSeries[];
  /** Rows that are written: of what comes by itself only those of events that were not known. */
  readonly taken: readonly Prepared[];
  /** Keys of rows that stand there under another time: the feed says it otherwise than what came by itself before. */
  readonly replaced: readonly (readonly KeyValue[])[];
}

/** What becomes of a page of events, by what the journal knows of each. */
export function arrivalsOf(rows: readonly Prepared[], commit: PageCommit, arrivals: readonly Arrival[]): Arrivals {
  const isNew = (i: number) => arrivals[i]?.known === undefined;
  const news = commit.rows.filter((_, i) => isNew(i));
  const byItself = cameByItself(commit);
  const taken = new Set(news);
  return {
    arrived: arrivals.map(({ position, known }) => (known === undefined ? position : undefined)),
    named: news.flatMap(({ names = [] }) => names),
    taken: byItself ? rows.filter(({ row }) => taken.has(row)) : rows,
    replaced: byItself ? [] : commit.rows.flatMap((row, i) => redated(row, arrivals[i]?.known)),
  };
}

/** An event's id as the file has it: UTF-8 has no place for half of a surrogate pair. */
export function storedId(eventId: string): string {
  return eventId.toWellFormed();
}

/** Events that the journal does not know, each as its first row has it. */
export function unknownAmong(
  events: readonly ReleaseEvent[],
  known: ReadonlyMap<string, Arrival>,
): readonly ReleaseEvent[] {
  const unknown = new Map<string, ReleaseEvent>();
  for (const event of events) {
    const id = storedId(event.eventId);
    if (!known.has(id) && !unknown.has(id)) unknown.set(id, event);
  }
  return [...unknown.values()];
}

/** What is told of each event, by those that were known and the positions of those that were not. */
export function arrivalsInOrder(
  events: readonly ReleaseEvent[],
  known: ReadonlyMap<string, Arrival>,
  positions: ReadonlyMap<string, number>,
): readonly Arrival[] {
  const all = new Map(known);
  return events.map(({ eventId, timestamp }): Arrival => {
    const id = storedId(eventId);
    const stored = all.get(id);
    if (stored) return stored;
    const position = positions.get(id) ?? 0;
    // Its next row in the same page finds it known.
    all.set(id, { position, known: timestamp });
    return { position, known: undefined };
  });
}

function redated(row: NewRow, known: number | undefined): readonly (readonly KeyValue[])[] {
  const { eventId, timestamp } = releaseEventOf(row);
  return known === undefined || known === timestamp ? [] : [[known, eventId]];
}
