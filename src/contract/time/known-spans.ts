/** Spans of time of which the mirror knows what was known of a series. */

/** Milliseconds, both ends included. */
export interface KnownSpan {
  readonly from: number;
  readonly to: number;
}

/** How far ahead of this clock another one may be. */
const CLOCK_SKEW_MS = 300_000;

/**
 * True of the second that the real present is in, and of what a clock that is ahead takes for it: what is asked then lacks
 * nothing by its moment, that answer is as old as the mirror is. What will be known later nobody knows. The clock of a replay
 * shows no present: its moment is one of the past like any other. Both in milliseconds.
 */
export function isPresent(moment: number, presentAt: number): boolean {
  return moment >= Math.floor(presentAt / 1000) * 1000 && moment <= presentAt + CLOCK_SKEW_MS;
}

/** Of a series whose last look was at a moment; none where nobody ever looked. */
export function knownUntil(lookedAt: number): readonly KnownSpan[] {
  return lookedAt > 0 ? [{ from: Number.NEGATIVE_INFINITY, to: lookedAt }] : [];
}

/** True where one of the spans has the moment (milliseconds). */
export function isKnownAt(spans: readonly KnownSpan[], moment: number): boolean {
  return spans.some(({ from, to }) => from <= moment && moment <= to);
}

/**
 * The times of which nothing is known that some moments look at, each once: from what was known last to the latest moment,
 * before everything from the earliest moment to what was known first.
 */
export function unknownTimes(spans: readonly KnownSpan[], moments: Iterable<number>): readonly KnownSpan[] {
  const times = new Map<number, KnownSpan>();
  for (const moment of moments) {
    if (isKnownAt(spans, moment)) continue;
    const last = maxOf(spans.map(({ to }) => to).filter((to) => to < moment));
    const next = last === undefined ? minOf(spans.map(({ from }) => from)) : undefined;
    const edge = last ?? next ?? moment;
    const { from, to } = times.get(edge) ?? { from: edge, to: edge };
    times.set(edge, { from: Math.min(from, moment), to: Math.max(to, moment) });
  }
  return [...times.values()];
}

const maxOf = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((a, b) => (a > b ? a : b));

const minOf = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((a, b) => (a < b ? a : b));
