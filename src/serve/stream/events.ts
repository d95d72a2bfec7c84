// The events of a stream, as frames and as data: new events after a position, and events between two positions.
import type { Caller } from '../../contract/hooks.ts';
import { cutBody } from '../../contract/json/body.ts';
import { toJsonText } from '../../contract/json/json.ts';
import type { Args } from '../../contract/params/params.ts';
import { EVENTS_KEPT } from '../../contract/release-event.ts';
import changes from '../../endpoints/announcements/changes.ts';
import { MacroError } from '../../errors.ts';
import type { Journal, JournalEvent } from '../../mirror/api/journal.ts';
import type { Source } from '../../source/source.ts';

export interface StreamParts {
  readonly ask: Source['ask'];
  /** Undefined where nobody keeps one: then events come in the order of changes alone. */
  readonly journal: Pick<Journal, 'events' | 'event' | 'newest'> | undefined;
}

/** One release as a subscriber gets it. */
export type StreamEvent = Pick<JournalEvent, 'id' | 'timestamp' | 'text'>;

/** Frames of the stream, as docs/interface-events.md#event-stream spells them: LF, one `data:` line. */
export const HEARTBEAT = ': heartbeat\n\n';
export const RECONNECT = ': reconnect\n\n';

/** Milliseconds before a reader comes back, where nobody decides otherwise. */
const RETRY = 3_000;

/** Events from a position on, and the position behind them. */
interface ChangesRange {
  readonly events: readonly StreamEvent[];
  readonly cursor: string;
  /** Events may be missing among them: nobody watched for all of their time, or they are no longer stored. */
  readonly isBroken: boolean;
  /** The events were generated. */
  readonly synthetic: boolean;
}

/** The filters of a subscriber. */
export interface StreamFilter {
  readonly currencies: unknown;
  readonly indicators: unknown;
  readonly payload: unknown;
  /** Milliseconds; an older event is left out. */
  readonly maxAge: number | undefined;
}

/** Everything, whatever it is about: what positions are looked up in. */
const ANYTHING: StreamFilter = {
  currencies: undefined,
  indicators: undefined,
  payload: 'compact',
  maxAge: undefined,
};

interface ChangesAsk {
  readonly filter: StreamFilter;
  /** A cursor, or Unix seconds. */
  readonly since: string;
  readonly caller: Caller;
  /** Milliseconds. */
  readonly now: number;
  /** Events at most; all that there are when left out. */
  readonly limit?: number;
}

/** One page with all rows: the mirror knows no page size. */
const WHOLE = 1_000_000_000;

/** Up to where a reader knows everything: in the order of changes, and in the order in which the mirror came to know it. */
export interface StreamPosition {
  readonly cursor: string;
  readonly position: number;
  /** Unix seconds: events processed earlier are history, even if they arrive now, by a first sync for example. */
  readonly from: number;
}

interface StreamBatch extends ChangesRange, StreamPosition {
  /** Ids of the events that came to the mirror since, whatever they are about. */
  readonly arrived: ReadonlySet<string>;
}

const PAGE = 1_000;

/** How much earlier than its beginning an event of a live stream may have been processed, in seconds: it may be on its way. */
const ON_THE_WAY = 3_600;

interface StreamStart extends ChangesRange, StreamPosition {
  /** The frame that reports why the requested events cannot be replayed; the stream goes on live. */
  readonly gap: string | undefined;
}

interface StartAsk {
  readonly filter: StreamFilter;
  readonly caller: Caller;
  /** Milliseconds. */
  readonly now: number;
  readonly lastEventId: string | undefined;
  readonly liveOnly: boolean;
}

/** Events that are written at once. */
export const PIECE = 100;

type Named = Pick<StreamEvent, 'id' | 'timestamp'>;

/** Tells that a stream is open, and how long its reader waits before it comes back. */
export function openingFrame(retry = RETRY): string {
  return `retry: ${retry}\n: connected\n\n`;
}

export function eventFrame({ id, text }: StreamEvent): string {
  return `id: ${id}\nevent: announcement\ndata: ${text}\n\n`;
}

type GapReason = 'last_event_id_expired' | 'last_event_id_unknown' | 'not_watched' | 'slow_consumer';

/** Tells that events are missing here, and from where they can be read again. It carries no id: nothing goes on from it. */
export function gapFrame(reason: GapReason, requested: string | undefined, oldest: StreamEvent | undefined): string {
  const data = {
    reason,
    requested_last_event_id: requested,
    oldest_event_id: oldest?.id,
    resume_with: oldest && `/v1/announcements/changes?since=${oldest.timestamp}`,
  };
  return `event: gap\ndata: ${toJsonText(data)}\n\n`;
}

/** Reads events as the route of changes does: one order, access, delay and form. A mirror without events has none. */
async function readChanges(ask: Source['ask'], question: ChangesAsk): Promise<ChangesRange> {
  const { filter, since, caller, now, limit = WHOLE } = question;
  const args: Args = {
    currencies: filter.currencies,
    indicators: filter.indicators,
    payload: filter.payload,
    since,
    limit,
  } as Args; // values that the stream's own contract has read by the same rules
  try {
    const { body, synthetic } = await ask({ endpoint: changes, args }, { caller, now });
    const { envelope, rows } = cutBody(changes.body, body);
    return {
      events: rows.map(({ value, text }) => ({ id: String(value.event_id), timestamp: Number(value.timestamp), text })),
      cursor: String(envelope.next_cursor),
      isBroken: envelope.gap === true,
      synthetic,
    };
  } catch (error) {
    if (error instanceof MacroError && error.kind === 'notFound')
      return { events: [], cursor: since, isBroken: false, synthetic: false };
    throw error;
  }
}

/** New events after a position. An event that arrives late is read again from its own time. */
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
    // A failover or a restore may have taken back what came last.
    position: arrivals.at(-1)?.position ?? Math.min(position, (await journal?.newest()) ?? position),
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

/** Where a stream begins: behind the newest event or an id. An old or unknown id, or uncovered time, is a gap. */
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

/** The order of changes: by processing time, then by id. See docs/interface-events.md#changes. */
function isBehind(event: StreamEvent, last: StreamEvent): boolean {
  return event.timestamp > last.timestamp || (event.timestamp === last.timestamp && event.id > last.id);
}

/** An id ends with its release's time, which separates expired ids from unknown ones. */
function reasonOf(id: string, oldest: number): GapReason {
  const release = Number(/_(\d{1,12})$/.exec(id)?.[1] ?? Number.NaN);
  return release < oldest ? 'last_event_id_expired' : 'last_event_id_unknown';
}

/** A replay in batches: only ids wait in memory, since it may be a week long and its reader slow. */
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
