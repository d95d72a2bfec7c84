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
  /** What counts as now. Default: the clock of this machine. */
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
