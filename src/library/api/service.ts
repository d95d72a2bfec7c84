import type { QuestionMethods, ServiceMethods } from './endpoint-types.ts';
import type { CallOptions } from './methods.ts';

/** Which service is asked, and how. */
export interface ServiceOptions {
  /** `https://h`, `https://h/v1`, `https://h/api` or `https://h/api/v1`. A key goes over plain http to loopback only. */
  readonly baseUrl: string;
  /** The API key. Without one, only what needs no key is asked. */
  readonly apiKey?: string;
  /** What stands before the names of the service's own headers. Default `X-SVC`. */
  readonly headerPrefix?: string;
  /** Milliseconds for one question with all its tries. Default 30,000. */
  readonly timeout?: number;
}

/** A client of a service: a method for each endpoint. */
export type MacroClient = QuestionMethods<CallOptions> & ServiceMethods;

/** Whose events are followed, and which. */
export interface FollowEventsOptions extends ServiceOptions {
  /** Only events of these currencies. */
  readonly currencies?: readonly string[];
  /** Only events of these indicators. */
  readonly indicators?: readonly string[];
  /** Go on behind this event. */
  readonly lastEventId?: string;
  /** Ends the stream with an InterruptedError. */
  readonly signal?: AbortSignal;
}
