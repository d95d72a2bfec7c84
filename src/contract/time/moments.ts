import { instantOfWall, zoneOffset } from './time.ts';

/**
 * Whose knowledge of a moment counts: the `public`'s (publication times), that of the service (`captured`, its own capture
 * times) or that of this mirror (`mirrored`, what it had taken in by then).
 */
export type Availability = 'public' | 'captured' | 'mirrored';

export const AVAILABILITIES: readonly Availability[] = ['public', 'captured', 'mirrored'];

/** A moment of the past that a question is put at: the answer knows nothing that came later. */
export interface AsOf {
  /** Milliseconds. */
  readonly at: number;
  readonly by: Availability;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const STRETCH = 7 * DAY;

/** Offsets that were asked for, by zone and instant: years of dates share a few hundred of them. */
const known = new Map<string, Map<number, number>>();
const MAX_KNOWN_TEXTS = 20_000;
/** Spans of time of which the mirror knows what was known of a series. */

/** Milliseconds, both ends included. */
export interface KnownSpan {
  readonly from: number;
  readonly to: number;
}

/** How far ahead of this clock another one may be. */
const CLOCK_SKEW_MS = 300_000;

/**
 * Gives the instant (Unix seconds) at which a zone's clock shows a full hour of a date, which is given as its midnight in
 * UTC (milliseconds). Asking a zone is slow and years of dates are asked for, so a week at whose ends the zone has one offset
 * is taken to have it throughout: no zone changes and changes back within that time.
 */
export function zonedInstants(zone: string, hour: number): (date: number) => number {
  const offsets = offsetsOf(zone);
  const offsetAt = (instant: number): number => {
    const stored = offsets.get(instant);
    if (stored !== undefined) return stored;
    const offset = zoneOffset(zone, instant);
    offsets.set(instant, offset);
    return offset;
  };
  return (date) => {
    const wall = date + hour * HOUR;
    const start = Math.floor(wall / STRETCH) * STRETCH;
    // A day more on both sides, as a wall clock is up to that far from UTC.
    const offset = offsetAt(start - DAY);
    const isSettled = offset === offsetAt(start + STRETCH + DAY);
    return (isSettled ? wall - offset : instantOfWall(wall, offsetAt)) / 1000;
  };
}

function offsetsOf(zone: string): Map<number, number> {
  const stored = known.get(zone);
  if (stored && stored.size < MAX_KNOWN_TEXTS) return stored;
  const fresh = new Map<number, number>();
  known.set(zone, fresh);
  return fresh;
}

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
