/**
 * When a vintage is the one that followed right behind another one. Publishers of archives let people choose which vintages
 * a file has, so that a value that a vintage is the first to have need not be a first print. See docs/point-in-time.md.
 */
import { dateToMs } from './time.ts';

/** How often a series gets a new period. */
export type ReleaseRhythm = 'day' | 'week' | 'month' | 'quarter';

/** A series as it was since a moment. */
export interface VintageState {
  /** Unix seconds. */
  readonly at: number;
  /** Periods of which no earlier vintage has a value. */
  readonly begun: number;
}

/** Statistics of months and the three estimates of a quarter are published every month, daily yields on business days. */
const MAX_STEP_DAYS: Readonly<Record<ReleaseRhythm, number>> = { day: 5, week: 10, month: 45, quarter: 45 };

/** A first print that comes later after the end of its period is not told from a revision of one that was left out. */
const MAX_FIRST_PRINT_DAYS: Readonly<Record<ReleaseRhythm, number>> = { day: 5, week: 14, month: 35, quarter: 45 };

const DAY_SECONDS = 86_400;

/** True where no release can lie between two states: at most one period is new, and no more than the usual step is over. */
export function isNextRelease(before: VintageState, next: VintageState, rhythm: ReleaseRhythm): boolean {
  return next.begun <= 1 && next.at - before.at <= MAX_STEP_DAYS[rhythm] * DAY_SECONDS;
}

/** True where a state, the first one with a value of a period that ends on `date`, is the release of that period. */
export function isFirstPrint(
  before: VintageState | undefined,
  next: VintageState,
  { date, rhythm }: { readonly date: string; readonly rhythm: ReleaseRhythm },
): boolean {
  if (before === undefined || next.begun !== 1 || !isNextRelease(before, next, rhythm)) return false;
  return next.at - dateToMs(date) / 1000 <= MAX_FIRST_PRINT_DAYS[rhythm] * DAY_SECONDS;
}

/** Days between two neighbouring periods at most. */
const MAX_GAP_DAYS: readonly (readonly [ReleaseRhythm, number])[] = [
  ['day', 4],
  ['week', 20],
  ['month', 45],
];

/** The rhythm of ascending dates by their middle gap. Of a single date nobody knows it, so the shortest steps count. */
export function rhythmOf(dates: readonly string[]): ReleaseRhythm {
  const gaps = dates.slice(1).map((date, i) => (dateToMs(date) - dateToMs(dates[i] ?? date)) / (1000 * DAY_SECONDS));
  const middle = gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  return MAX_GAP_DAYS.find(([, days]) => middle <= days)?.[0] ?? 'quarter';
}

/** The states of a series by the moments (Unix seconds) since when each of its periods had a value, and all further ones. */
export function statesOf(begins: Iterable<number>, others: Iterable<number>): readonly VintageState[] {
  const begun = new Map<number, number>();
  for (const at of others) begun.set(at, 0);
  for (const at of begins) begun.set(at, (begun.get(at) ?? 0) + 1);
  return [...begun].map(([at, count]) => ({ at, begun: count })).sort((a, b) => a.at - b.at);
}
