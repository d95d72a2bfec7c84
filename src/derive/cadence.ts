import { dateToMs, daysBetween, lastDayOf } from '../contract/time/time.ts';
import { type Decimal, decimalOf, divide, multiply, roundHalfEven, subtract, toNumber } from './decimal.ts';

/** How often a series gets a new period. */
export type Cadence = 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'annual';

/** The cadence of a series, for arithmetic. Days unless said otherwise. */
interface Rhythm {
  /** The max normal step between two periods. */
  readonly step: number;
  /** A newest row older than this is stale. See docs/interface.md#data-quality. */
  readonly staleAfter: number;
  /** How far before "a year ago" a row may lie and still be that period. */
  readonly tolerance: number;
  /** Rows that reach a year back, with some to spare. */
  readonly rowsPerYear: number;
  readonly label: string;
}

export const RHYTHMS: Readonly<Record<Cadence, Rhythm>> = {
  daily: { step: 4, staleAfter: 7, tolerance: 10, rowsPerYear: 380, label: 'Daily' },
  weekly: { step: 20, staleAfter: 21, tolerance: 10, rowsPerYear: 56, label: 'Weekly' },
  monthly: { step: 45, staleAfter: 95, tolerance: 20, rowsPerYear: 14, label: 'Monthly' },
  quarterly: { step: 135, staleAfter: 170, tolerance: 45, rowsPerYear: 6, label: 'Quarterly' },
  annual: { step: Number.POSITIVE_INFINITY, staleAfter: 430, tolerance: 180, rowsPerYear: 3, label: 'Annual' },
};

/** Rows that are enough to tell the cadence and to look back a year in anything but a daily or weekly series. */
export const SAMPLE = 14;

const DAY_MS = 86_400_000;

/** The cadence of dates, newest first, by their middle step; undefined for fewer than two of them. */
export function cadenceOf(dates: readonly string[]): Cadence | undefined {
  // Each row of some answers asks for the rhythm around it: a date is read once for both of its steps.
  const moments = dates.slice(0, 2 * SAMPLE).map(dateToMs);
  const steps: number[] = [];
  for (let i = 1; i < moments.length; i += 1)
    steps.push(Math.abs(Math.round(((moments[i - 1] ?? 0) - (moments[i] ?? 0)) / DAY_MS)));
  steps.sort((a, b) => a - b);
  const middle = steps[Math.floor(steps.length / 2)];
  if (middle === undefined) return undefined;
  return (Object.keys(RHYTHMS) as Cadence[]).find((name) => middle <= RHYTHMS[name].step); // keys of a literal above
}

/** True where the rows stand for whole months or longer, so that a last day of a month matches a last day. */
export function standsForMonths(cadence: Cadence | undefined): boolean {
  return cadence !== 'daily' && cadence !== 'weekly';
}

/** Change in per cent of the absolute previous value, two decimals, half-even; undefined without both or over 0. */
export function percentChange(value: number | null | undefined, before: number | null | undefined): number | undefined {
  if (typeof value !== 'number' || typeof before !== 'number' || before === 0) return undefined;
  const change = ((value - before) / Math.abs(before)) * 100;
  if (!Number.isFinite(change)) return undefined;
  return isNearTie(change) ? decimalPercent(value, before) : roundHalfEven(change, 2);
}

/** Near a tie the last place of the binary quotient would decide, and not the decimals that were published. */
function isNearTie(change: number): boolean {
  const size = Math.abs(change) * 100;
  return Math.abs(size - Math.floor(size) - 0.5) < 1e-6 + size * 1e-14;
}

function decimalPercent(value: number, before: number): number | undefined {
  const [a, b, size] = [decimalOf(value), decimalOf(before), decimalOf(Math.abs(before))];
  return a && b && size && toNumber(divide(multiply(subtract(a, b), HUNDRED), size, 2));
}

const HUNDRED: Decimal = { units: 100n, scale: 0 };

/** The same day some months earlier, or the last day of a shorter month; `monthEnds` keeps last days last. */
export function monthsBefore(date: string, months: number, monthEnds: boolean): string {
  // Each row of a history is compared with two dates: none of them is worth a Date.
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const before = year * 12 + month - 1 - months;
  const [inYear, inMonth] = [Math.floor(before / 12), (((before % 12) + 12) % 12) + 1];
  const last = lastDayOf(inYear, inMonth);
  const isEnd = monthEnds && day === lastDayOf(year, month);
  const target = isEnd ? last : Math.min(day, last);
  return `${String(inYear).padStart(4, '0')}-${String(inMonth).padStart(2, '0')}-${String(target).padStart(2, '0')}`;
}

/** The newest of rows (newest first) on or before a date, unless it lies more than `tolerance` days before it. */
export function newestUpTo<T extends { readonly date: string }>(
  rows: readonly T[],
  date: string,
  tolerance = Number.POSITIVE_INFINITY,
): T | undefined {
  const found = rows.find((row) => row.date <= date);
  return found && daysBetween(found.date, date) <= tolerance ? found : undefined;
}
