/** What stands between two connections. */
export interface PauseAsk {
  /** Connections in a row that brought nothing. */
  readonly failures: number;
  /** What the stream asks for, in milliseconds. */
  readonly retry: number;
  /** What a refusal asks for, in milliseconds. */
  readonly retryAfter: number | undefined;
  /** In [0, 1). */
  readonly random: number;
}

/** What a stream is taken to ask for until it says so; wire facts, section 10.2. */
export const USUAL_RETRY = 3_000;

const LONGEST = 60_000;
/** A stream that asks for less would be asked in a loop. */
const SHORTEST = 250;
/** A refusal may ask for more, up to an hour. */
const LONGEST_ASKED = 3_600_000;

/**
 * Milliseconds until the next connection: what the stream asks for, doubled with each failure up to a minute, and spread over
 * the upper half so that many clients do not come back together. Never sooner than asked.
 */
export function pauseBefore({ failures, retry, retryAfter, random }: PauseAsk): number {
  const least = Math.min(Math.max(retry, SHORTEST), LONGEST);
  const most = Math.min(least * 2 ** Math.min(failures + 1, 16), LONGEST);
  const from = Math.max(least, most / 2);
  const pause = Math.round(from + random * (most - from));
  return Math.max(pause, Math.min(retryAfter ?? 0, LONGEST_ASKED));
}
