/** How far the service's clock is ahead of ours, as bounds in milliseconds, and when that was last narrowed. */
export interface Ahead {
  readonly low: number;
  readonly high: number;
  /** By our clock. */
  readonly at: number;
}

/** Before any answer: both clocks are right to a few seconds. */
export function unknownAhead(now: number): Ahead {
  return { low: -2000, high: 2000, at: now };
}

/** Clocks drift apart by half a thousandth at most: the fastest that time services slew a clock. */
const DRIFT = 0.0005;

/** A second from an answer, and when the request left and the answer came, by our clock. */
interface ReportedSecond {
  /** Milliseconds of the service's clock. */
  readonly second: number;
  readonly sent: number;
  readonly received: number;
}

/**
 * Narrows the bounds by an answer, whose second may be rounded either way. A contradiction means that a clock was set.
 */
export function narrowAhead(known: Ahead, { second, sent, received }: ReportedSecond): Ahead {
  const bounds = { low: second - 1000 - received, high: second + 1000 - sent };
  const drift = driftSince(known, received);
  const low = Math.max(known.low - drift, bounds.low);
  const high = Math.min(known.high + drift, bounds.high);
  return low <= high ? { low, high, at: received } : { ...bounds, at: received };
}

/** The bounds of the service's clock at a moment of ours. */
export function serviceTimes(ahead: Ahead, at: number): { readonly earliest: number; readonly latest: number } {
  const drift = driftSince(ahead, at);
  return { earliest: at + ahead.low - drift, latest: at + ahead.high + drift };
}

/** The first moment of our clock at which the service's has surely reached a moment of its own. */
export function surelyReached(ahead: Ahead, moment: number): number {
  const aimed = moment - ahead.low;
  return Math.ceil(aimed + (Math.max(0, aimed - ahead.at) * DRIFT) / (1 - DRIFT));
}

function driftSince({ at }: Ahead, now: number): number {
  return Math.abs(now - at) * DRIFT;
}

/** Our best guess of when a moment of the service's clock comes: the moment itself unless the clocks surely differ. */
export function ourTime({ low, high }: Ahead, moment: number): number {
  return low <= 0 && high >= 0 ? moment : Math.round(moment - (low + high) / 2);
}

/** Our best guess of the service's clock. */
export function serviceTime(ahead: Ahead, at: number): number {
  return at + (ahead.low + ahead.high) / 2;
}
