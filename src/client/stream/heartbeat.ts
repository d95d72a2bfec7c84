/** How long a stream may be silent before its connection counts as dead, learned from its heartbeats. */
export interface Heartbeat {
  /** A connection begins. */
  begin(): void;
  /** A heartbeat came. */
  beat(now: number): void;
  /** Longest silence of a living connection, in milliseconds. */
  readonly limit: number;
  /** A connection was given up for its silence: what was learned may have been wrong. */
  forget(): void;
}

/** See docs/interface.md#event-stream. */
const MAX_SILENCE_MS = 75_000;
const SHORTEST = 30_000;
/** So many heartbeats may be missing. */
const MISSED = 3;
/** Comments that follow each other faster are no heartbeats. */
const FASTEST = 1_000;
/** Heartbeats after which their time is known. */
const ENOUGH = 3;

export function createHeartbeat(): Heartbeat {
  let beats: readonly number[] = [];
  let last: number | undefined;
  return {
    begin() {
      last = undefined;
    },
    beat(now) {
      if (last !== undefined && now - last >= FASTEST) beats = [...beats, now - last].slice(-ENOUGH);
      last = now;
    },
    get limit() {
      if (beats.length < ENOUGH) return MAX_SILENCE_MS;
      return Math.min(MAX_SILENCE_MS, Math.max(SHORTEST, MISSED * Math.max(...beats)));
    },
    forget() {
      beats = [];
    },
  };
}
