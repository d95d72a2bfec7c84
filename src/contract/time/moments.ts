import { instantOfWall, zoneOffset } from './time.ts';

/** Knowledge of the public (release times), of the service (its capture times), or of this mirror. */
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

/** A span of time for which the mirror knows the values of that time. Milliseconds, both ends included. */
export interface KnownSpan {
  readonly from: number;
  readonly to: number;
}

/** How far ahead of this clock another one may be. */
const CLOCK_SKEW_MS = 300_000;

/** Gives the instant (Unix seconds) of a zone's full hour on a UTC midnight (ms). */
export function zonedInstants(zone: string, hour: number): (date: number) => number {
  const offsets = known.get(zone) ?? new Map<number, number>();
  known.set(zone, offsets);
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

/** True for the second of the real present, clocks ahead included; a replay has no present. Both in milliseconds. */
export function isPresent(moment: number, presentAt: number): boolean {
  return moment >= Math.floor(presentAt / 1000) * 1000 && moment <= presentAt + CLOCK_SKEW_MS;
}

/** The span known of a series by its last check; none if it was never checked. */
export function knownUntil(lookedAt: number): readonly KnownSpan[] {
  return lookedAt > 0 ? [{ from: Number.NEGATIVE_INFINITY, to: lookedAt }] : [];
}

export function isKnownAt(spans: readonly KnownSpan[], moment: number): boolean {
  return spans.some(({ from, to }) => from <= moment && moment <= to);
}

/** Times without knowledge that moments look at: after the last known one, and before the first. */
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
