import type { PartialMark } from '../../contract/answer-members.ts';

/** An answer of the service or of a mirror. */
export interface Answer<Body> {
  /** The body, as it was parsed. Numbers are what JavaScript makes of them; `text` has them as they were spelled. */
  readonly body: Body;
  /** The body, exactly as it came. */
  readonly text: string;
  /** Missing parts of an answer from a mirror. Undefined for a complete answer. */
  readonly mirror: PartialMark | undefined;
  /** The answer is made of generated data. */
  readonly synthetic: boolean;
  /** The validator of the answer. */
  readonly etag: string | undefined;
  /** Warnings, one sentence each. */
  readonly notes: readonly string[];
}

/** Options of one question to a service. */
export interface CallOptions {
  /** Ends the question. */
  readonly signal?: AbortSignal;
}

/** Options of one question to a mirror. */
export interface MirrorCallOptions {
  /** The moment at which the question is put: the answer knows nothing that came later. A date, an ISO time, or Unix seconds. */
  readonly asOf?: string | number | Date;
  /** Whose knowledge of that moment counts. Default `public`: the times of publication. */
  readonly by?: 'public' | 'captured' | 'mirrored';
}

/** Additional options of iterations over pages. */
export interface WalkOptions {
  /** Rows of a partial answer are given too. Without it, such an answer throws an IncompleteError before its rows. */
  readonly allowPartial?: boolean;
}

/** Arguments may be left out where an endpoint requires none. */
export type ArgsAndOptions<Args, Options> =
  Record<never, never> extends Args ? [args?: Args, options?: Options] : [args: Args, options?: Options];

/** Asks one question. */
export type Method<Args, Body, Options> = (...parameters: ArgsAndOptions<Args, Options>) => Promise<Answer<Body>>;

/** Asks for one page; `pages` and `rows` go on to the last one, and check that the pages are one answer. */
export interface PagedMethod<Args, Body, OneRow, Options> {
  (...parameters: ArgsAndOptions<Args, Options>): Promise<Answer<Body>>;
  /** Every page of the answer. A partial page says so in `mirror`. */
  pages(...parameters: ArgsAndOptions<Args, Options>): AsyncIterable<Answer<Body>>;
  /** Every row of the answer. Throws an IncompleteError before the rows of a partial page, unless that is allowed. */
  rows(...parameters: ArgsAndOptions<Args, Options & WalkOptions>): AsyncIterable<OneRow>;
}

/** Changes something at the service. */
export type WriteMethod<Args, Sent, Written> = (
  ...parameters: Sent extends undefined
    ? [args: Args, body?: undefined, options?: CallOptions]
    : [args: Args, body: Sent, options?: CallOptions]
) => Promise<Written>;

/** A connection of a stream is open. */
export interface StreamOpen {
  readonly kind: 'open';
  /** Filter words that no table has: their events never come. */
  readonly notes: readonly string[];
}

/** A release that a stream tells of. */
export interface StreamEventItem<Event> {
  readonly kind: 'event';
  /** The position to continue after. An event may come twice: take each id once. */
  readonly id: string;
  readonly event: Event;
  /** The event, exactly as it came. */
  readonly text: string;
  readonly synthetic: boolean;
}

/** Events are missing here. Ask for the changes since the last event. */
export interface StreamGap {
  readonly kind: 'gap';
  readonly reason: string;
}

/** The connection is gone. */
export interface StreamLost {
  readonly kind: 'lost';
  readonly reason: string;
  /** Milliseconds until the next connection. */
  readonly pause: number;
}

/** The content of a stream of release events. */
export type StreamItem<Event> = StreamOpen | StreamEventItem<Event> | StreamGap | StreamLost;

/** Follows a stream; it connects again by itself. */
export type StreamMethod<Args, Event> = (
  ...parameters: ArgsAndOptions<Args, CallOptions>
) => AsyncIterable<StreamItem<Event>>;
