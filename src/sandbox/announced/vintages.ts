import { printed, type Stream } from '../random-walks.ts';
import type { SchedulePeriod } from '../schedule.ts';
import type { Indicator } from './indicator-table.ts';

/** A value that a period had, and since when. */
export interface GeneratedPrint {
  readonly val: number;
  /** Unix seconds. */
  readonly epoch: number;
}

/** Three draws a period, whatever comes of them, so that later periods never change earlier ones. */
interface Draw {
  readonly first: number;
  readonly second: number;
  readonly shift: number;
}

export function drawRevisions(stream: Stream, count: number): readonly Draw[] {
  return Array.from({ length: count }, () => ({
    first: stream.uniform(),
    second: stream.uniform(),
    shift: stream.normal(),
  }));
}

/** Prints known at the horizon, oldest first: the release, then a revision with one of the two `later` ones. */
export function printsOf(
  indicator: Indicator,
  value: number,
  known: { period: SchedulePeriod; later: readonly (SchedulePeriod | undefined)[]; draw: Draw; horizon: number },
): readonly GeneratedPrint[] {
  const { period, later, draw, horizon } = known;
  const { decimals, revised, nudge } = indicator;
  const prints: GeneratedPrint[] = [{ val: printed(value, decimals), epoch: period.release }];
  const chances = [draw.first < revised, draw.second < revised / 3];
  const sizes = [draw.shift, -draw.shift / 2];
  let moved = value;
  for (const [i, happens] of chances.entries()) {
    const carrier = later[i];
    if (!happens || !carrier || carrier.release >= horizon) continue;
    moved += ((sizes[i] ?? 0) * nudge) / 10 ** decimals;
    const val = printed(moved, decimals);
    if (val !== prints.at(-1)?.val) prints.push({ val, epoch: carrier.release });
  }
  return prints;
}

/** One published period of a series with everything that was printed for it. */
export interface GeneratedObservation extends SchedulePeriod {
  readonly prints: readonly GeneratedPrint[];
  readonly monthly?: number;
}

/** The value of a period as it stands now. */
export function latestPrint(observation: GeneratedObservation): GeneratedPrint {
  const last = observation.prints.at(-1);
  if (!last) throw new RangeError(`Nothing was printed for ${observation.date}`);
  return last;
}
