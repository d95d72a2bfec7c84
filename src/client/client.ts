import type { PartialMark } from '../contract/answer-members.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import type { CutBody } from '../contract/json/body.ts';
import type { JsonObject, JsonText } from '../contract/json/json.ts';
import type { Args } from '../contract/params/params.ts';

/** The upstream face: questions over HTTP to the service, checked, with errors typed. */
export interface Client {
  /** Identity of the service: the origin of its address. Series and stamps are named by it. */
  readonly service: string;
  /** `keyless`, or `key:` and a fingerprint of the key; never the key. */
  readonly access: 'keyless' | `key:${string}`;
  /** One request (with retries). 304 only when `ifNoneMatch` was given. */
  ask(request: ClientRequest): Promise<LiveReply>;
  /**
   * All pages of a question, each compared with those before. Throws `protocol` or `incomplete`; a first 304 ends it.
   */
  pages(request: ClientRequest, resume?: { offset: number; total: number | undefined }): AsyncIterable<LivePage>;
}

export interface ClientRequest {
  readonly endpoint: Endpoint;
  readonly args: Args;
  readonly extra?: Readonly<Record<string, string>>;
  readonly ifNoneMatch?: string;
  readonly signal?: AbortSignal;
  /** Called for every request that left and may have been counted by the service, whatever came of it. */
  readonly onSpent?: () => void;
}

export interface LiveReply {
  readonly status: 200 | 304;
  readonly body: JsonText;
  readonly etag: string | undefined;
  /** `GET /v1/...?...` as sent. */
  readonly request: string;
  /** The answer came from a synthetic data set. */
  readonly synthetic: boolean;
  /** The mark of a partial answer of a mirror, in its body or in a header. */
  readonly partial?: PartialMark;
  /** Answered by an edge cache: it cost no quota. */
  readonly edgeHit: boolean;
  /** Warnings of the service: deprecations and the like, one sentence each. */
  readonly notes: readonly string[];
}

/** One page of a walk: the reply, cut into rows, and where the walk stands after it. */
export interface LivePage extends LiveReply {
  readonly cut: CutBody;
  readonly pagination: Pagination | undefined;
  readonly offset: number;
  /** The position of the next page; undefined on the last one. */
  readonly next: string | undefined;
  readonly total: number | undefined;
}

export interface Pagination {
  readonly has_more: boolean;
  readonly next_offset: number | undefined;
  readonly total_count: number | undefined;
  readonly raw: JsonObject;
}

/** How long a person's question waits for room, in milliseconds. */
export const INTERACTIVE_WAIT = 5000;

/** Decides when a request may leave. */
export interface RateLimiter {
  /** Sets a request aside in every budget; waits for room, or throws `quota` when that would take longer than allowed. */
  reserve(request: { readonly route: string; readonly signal?: AbortSignal | undefined }): Promise<Reservation>;
}

/** One request that may leave. It ends exactly once, in one of three ways. */
export interface Reservation {
  /** It was answered, and its last byte is here: the headers are believed. False when it cost nothing. */
  answered(status: number, headers: Headers): boolean;
  /** It never left. */
  release(): void;
  /** Nobody knows whether it was counted. */
  lost(): void;
}
