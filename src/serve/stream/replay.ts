import type { Caller } from '../../contract/hooks.ts';
import { EVENTS_KEPT } from '../../contract/release-event.ts';
import { readStreamBatch, type StreamPosition } from './batch.ts';
import { ANYTHING, type ChangesRange, readChanges, type StreamFilter } from './changes.ts';
import { type GapReason, gapFrame, type StreamEvent } from './frames.ts';
import type { StreamParts } from './parts.ts';

/** How much earlier than its beginning an event of a live stream may have been processed, in seconds: it may be on its way. */
const ON_THE_WAY = 3_600;

export interface StreamStart extends ChangesRange, StreamPosition {
  /** Tells that what was asked for cannot be replayed; the stream goes on live. */
  readonly gap: string | undefined;
}

export interface StartAsk {
  readonly filter: StreamFilter;
  readonly caller: Caller;
  /** Milliseconds. */
  readonly now: number;
  readonly lastEventId: string | undefined;
  readonly liveOnly: boolean;
}

/**
 * Where a stream begins. Without an id, or when only live events are wanted, behind the newest one; with an id right behind
 * it, with the events since. An id that is too old or unknown leaves a gap, and so does a time since then that nobody
 * watched; nothing is replayed across it.
 */
export async function startOf(parts: StreamParts, start: StartAsk): Promise<StreamStart> {
  const { filter, caller, now, lastEventId, liveOnly } = start;
  const began = Math.floor(now / 1000);
  const oldest = String(began - EVENTS_KEPT);
  const position = (await parts.journal?.newest()) ?? 0;
  const kept = await readChanges(parts.ask, { filter: ANYTHING, since: oldest, caller, now });
  const live: StreamStart = { ...kept, position, from: began - ON_THE_WAY, events: [], gap: undefined };
  if (lastEventId === undefined || liveOnly) return live;
  const last = kept.events.find(({ id }) => id === lastEventId);
  if (!last) return { ...live, gap: gapFrame(reasonOf(lastEventId, Number(oldest)), lastEventId, kept.events[0]) };
  const behind = (await parts.journal?.event(lastEventId))?.position ?? position;
  const place = { cursor: String(last.timestamp), position: behind, from: 0 };
  const batch = await readStreamBatch(parts, { filter, caller, now, ...place });
  if (batch.isBroken) return { ...live, gap: gapFrame('not_watched', lastEventId, last) };
  return {
    ...live,
    from: 0,
    events: batch.events.filter((event) => isBehind(event, last) || batch.arrived.has(event.id)),
  };
}

/** The order of changes: by processing time, then by id. See docs/interface.md#changes. */
function isBehind(event: StreamEvent, last: StreamEvent): boolean {
  return event.timestamp > last.timestamp || (event.timestamp === last.timestamp && event.id > last.id);
}

/** An id ends with its release's time, which tells one that is too old from one that never was. */
function reasonOf(id: string, oldest: number): GapReason {
  const release = Number(/_(\d{1,12})$/.exec(id)?.[1] ?? Number.NaN);
  return release < oldest ? 'last_event_id_expired' : 'last_event_id_unknown';
}
