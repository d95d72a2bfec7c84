/** Periods of a calendar that a value can be of. */
import { addDays } from '../../contract/time/time.ts';

export const PERIODS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Period = (typeof PERIODS)[number];

const MONTHS_OF: Readonly<Record<Exclude<Period, 'day' | 'week'>, number>> = { month: 1, quarter: 3, year: 12 };

/** The last day of the period that a date lies in. A week ends with its Sunday. */
export function periodEnd(date: string, period: Period): string {
  if (period === 'day') return date;
  if (period === 'week') return addDays(date, (7 - new Date(`${date}T00:00:00Z`).getUTCDay()) % 7);
  const months = MONTHS_OF[period];
  const [year, month] = [Number(date.slice(0, 4)), Number(date.slice(5, 7))];
  const next = new Date(Date.UTC(year, Math.ceil(month / months) * months, 1)).toISOString().slice(0, 10);
  return addDays(next, -1);
}

/** The first day of the period that a date lies in. A week begins with its Monday. */
export function periodStart(date: string, period: Period): string {
  if (period === 'day') return date;
  if (period === 'week') return addDays(periodEnd(date, period), -6);
  const months = MONTHS_OF[period];
  const month = Math.floor((Number(date.slice(5, 7)) - 1) / months) * months + 1;
  return `${date.slice(0, 5)}${String(month).padStart(2, '0')}-01`;
}
