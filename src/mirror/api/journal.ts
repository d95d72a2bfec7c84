import type { ReleaseEvent } from '../../contract/release-event.ts';

/** The journal of release events: each once, in the order in which this mirror knew them. Times are milliseconds. */
export interface Journal {
  /** Events after a position, in order. */
  events(ask: JournalAsk): Promise<readonly JournalEvent[]>;
  /** An event by its id; of several origins the newest arrival. */
  event(id: string): Promise<JournalEvent | undefined>;
  /** Position of the newest event; 0 when there is none. */
  newest(): Promise<number>;
  /** The subjects of the events after a position, each once, in the order of their last events. */
  subjects(after: number): Promise<readonly Subject[]>;
  consumers(): Promise<readonly JournalConsumer[]>;
  /** Where a consumer stands; undefined when it was never seen. */
  consumer(name: string): Promise<JournalConsumer | undefined>;
  /** Moves a consumer's position, never back. With the id of the event there, only while the journal has that event. */
  moveConsumer(name: string, position: number, at: number, event?: string): Promise<void>;
  /** Forgets where a consumer stands, and its failures. */
  forgetConsumer(name: string): Promise<void>;
  /** Notes that a consumer failed to deal with an event; `nextAt` is when it is tried again, undefined for never. */
  noteFailure(failure: Omit<Failure, 'attempts'>): Promise<Failure>;
  /** Stored failures, oldest event first. */
  failures(consumer?: string): Promise<readonly Failure[]>;
  forgetFailure(consumer: string, position: number): Promise<void>;
  /** Notes a missing range, or widens an open one of the same origin that it overlaps, and returns its id. */
  noteGap(gap: Omit<JournalGap, 'id' | 'closedAt'>): Promise<number>;
  /** Notes that what lay in a missing range is stored now. */
  closeGap(id: number, at: number): Promise<void>;
  /** Missing ranges, newest first. */
  gaps(limit: number): Promise<readonly JournalGap[]>;
}

/** How an event came. */
export type Via = 'stream' | 'webhook' | 'changes' | 'local';

export interface JournalAsk {
  /** Position after which to begin; 0 for the first event. */
  readonly after: number;
  readonly limit: number;
  /** Lower case. */
  readonly currencies?: readonly string[] | undefined;
  readonly indicators?: readonly string[] | undefined;
}

/** An event as it first came. */
export interface JournalEvent extends Omit<ReleaseEvent, 'eventId' | 'value'> {
  /** Place in the journal, from 1; never used twice. */
  readonly position: number;
  readonly origin: string;
  readonly id: string;
  /** The first arrival by each way, in order. */
  readonly arrivals: readonly { readonly via: Via; readonly at: number }[];
}

/** A series of which releases came. */
export interface Subject extends Pick<JournalEvent, 'origin' | 'currency' | 'indicator'> {
  /** The time of the last of them. */
  readonly position: number;
}

export interface JournalConsumer {
  readonly name: string;
  readonly position: number;
  readonly movedAt: number;
}

export interface Failure {
  readonly consumer: string;
  readonly position: number;
  readonly attempts: number;
  readonly error: string;
  readonly failedAt: number;
  readonly nextAt: number | undefined;
}

/** A range of processing time of which events may be missing; Unix seconds, both inclusive, undefined where nobody knows. */
export interface JournalGap {
  readonly id: number;
  readonly origin: string;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly reason: string;
  readonly via: Via;
  readonly notedAt: number;
  readonly closedAt: number | undefined;
}

/** The range that a service has lost (Unix seconds), if any; the second of the last known event belongs to it. */
export function missingRange(knownUntil: number, missedBefore: number): { from: number; to: number } | undefined {
  if (missedBefore < knownUntil) return undefined;
  const to = Math.max(knownUntil, missedBefore - 1);
  return { from: Math.min(knownUntil + 1, to), to };
}
