/** What stands between two tries. Times are milliseconds. */
export interface PauseAsk {
  /** Failures in a row before the one that is waited after. */
  readonly failures: number;
  /** Least wait; it doubles with each failure. */
  readonly first: number;
  /** What a refusal asks for. */
  readonly retryAfter: number | undefined;
  /** In [0, 1). */
  readonly random: number;
}

const MAX_PAUSE_MS = 60_000;
/** Whoever asks for less would be asked in a loop. */
const SHORTEST = 250;

/**
 * Milliseconds until the next try: the first wait, doubled with each failure up to a minute, and spread over the upper half so
 * that many clients do not come back together. Never sooner than asked.
 */
export function pauseBefore({ failures, first, retryAfter = 0, random }: PauseAsk): number {
  const least = Math.min(Math.max(first, SHORTEST), MAX_PAUSE_MS);
  const most = Math.min(least * 2 ** Math.min(failures + 1, 16), MAX_PAUSE_MS);
  const from = Math.max(least, most / 2);
  return Math.max(Math.round(from + random * (most - from)), retryAfter);
}
