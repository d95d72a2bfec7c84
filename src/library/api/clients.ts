import type { QuestionMethods, ServiceMethods } from './endpoint-types.ts';
import type { CallOptions, MirrorCallOptions } from './methods.ts';

/** Which service is asked, and how. */
export interface ServiceOptions {
  /** `https://h`, `https://h/v1`, `https://h/api` or `https://h/api/v1`. A key goes over plain http to loopback only. */
  readonly baseUrl: string;
  /** The API key. Without one, only what needs no key is asked. */
  readonly apiKey?: string;
  /** The prefix of the service's own headers. Default `X-SVC`. */
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

/** How a mirror is read. */
export interface OpenMirrorOptions {
  /**
   * The reader has an API key. Then what the mirror learned without a key counts as missing wherever a key shows more. Default
   * true, which never takes a part for the whole.
   */
  readonly hasKey?: boolean;
}

/** A range that the mirror has whole. Its bounds are dates, or Unix seconds where rows are ordered by time. */
export interface CoveredRange {
  readonly from: string | number;
  readonly to: string | number;
  readonly rows: number;
  /** When it was last confirmed. */
  readonly confirmedAt: Date;
}

/** A series in the mirror. */
export interface MirroredSeries {
  readonly endpoint: string;
  /** The arguments that name the series. */
  readonly scope: Readonly<Record<string, string>>;
  /** `import:<publisher>`, or the address of the service that it came from. */
  readonly origin: string;
  /** When its origin last confirmed it; undefined when it never did. */
  readonly checkedAt: Date | undefined;
  readonly coverage: readonly CoveredRange[];
}

/** A mirror that is open for reading: a method for each question that it can answer, and what it holds. */
export interface ReadMirror extends QuestionMethods<MirrorCallOptions> {
  /** Path of the file, or the address of the server. */
  readonly name: string;
  /** The nature of the mirror: `real` data, `synthetic` data, or nothing yet. */
  kind(): Promise<'real' | 'synthetic' | undefined>;
  /** The series that it holds, of all endpoints or of one. */
  series(endpoint?: string): Promise<readonly MirroredSeries[]>;
  close(): void;
}
/** Headers of a request: those of `fetch`, those of Node, or pairs of name and value as they came. */
export type GivenHeaders =
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A delivery as it arrived. */
export interface WebhookRequest {
  readonly headers: GivenHeaders;
  /** The exact bytes, or their text, before anything parsed them. */
  readonly body: Uint8Array | string;
  /** The signing secret; during a rotation the old one and the new one. */
  readonly secret: string | readonly string[];
  /** The current time. Default: the clock of this machine. */
  readonly now?: Date;
}

/** A delivery that is what it says. */
export interface VerifiedWebhook {
  /** Id of the event. A delivery may come twice: take each id once. */
  readonly id: string;
  /** Kind of the event, such as `announcement`. */
  readonly event: string | undefined;
  /** Id of this delivery. */
  readonly deliveryId: string | undefined;
  /** The event is generated data. */
  readonly synthetic: boolean;
  /** The whole body. */
  readonly body: Readonly<Record<string, unknown>>;
}
