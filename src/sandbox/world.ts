import { addDays, dateOf, dateToMs } from '../contract/time/time.ts';
import { MacroError } from '../errors.ts';

/** Every walk starts here, whatever is asked for, so that tomorrow's data set only adds to today's. */
export const WALK_START = '2000-01-03';

/** How much of the data set is written. */
export type SandboxSize = 'small' | 'full';

/** The inputs of a data set. */
export interface World {
  readonly seed: number;
  readonly size: SandboxSize;
  /** Milliseconds; stamps the commits and nothing else. */
  readonly now: number;
  /** UTC date of `now`. */
  readonly today: string;
  /** Unix seconds of today's midnight: releases before it are data, later ones are only scheduled. */
  readonly horizon: number;
  /** First date written, by kind of series. */
  readonly since: {
    readonly fx: string;
    readonly daily: string;
    /** Daily series that are there in number. */
    readonly brief: string;
    readonly periodic: string;
  };
}

/** Days of the release schedule before and after today. */
export const SCHEDULE_BACK = 30;
export const SCHEDULE_AHEAD = 120;

const YEARS = {
  full: { fx: 12, daily: 3, brief: 1, periodic: 10 },
  small: { fx: 1, daily: 0, brief: 0, periodic: 1 },
} as const;

/** The world of a seed on the UTC day of `now`. @throws MacroError of kind `usage`. */
export function createWorld(options: { seed: number; now: number; size: SandboxSize }): World {
  const today = dateOf(options.now);
  const year = Number(today.slice(0, 4));
  if (year < 2003)
    throw new MacroError('usage', `The sandbox has no data before 2003, and the clock says ${today}.`, {
      hint: 'Set the clock to a later date.',
    });
  const years = YEARS[options.size];
  // Whole years, so that the first row stays the same from day to day; half a year at least in January.
  const back = (count: number) => `${Math.max(year - count - (today < `${year}-07` ? 1 : 0), 2001)}-01-01`;
  return {
    ...options,
    today,
    horizon: dateToMs(today) / 1000,
    since: { fx: back(years.fx), daily: back(years.daily), brief: back(years.brief), periodic: back(years.periodic) },
  };
}

/** The last date of which daily data exists. */
export function yesterday(world: World): string {
  return addDays(world.today, -1);
}
