import { dateToMs } from '../contract/time/time.ts';

const BERLIN = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', hourCycle: 'h23' });

/** Unix seconds of a whole hour of Frankfurt's clock on a date. Not for the night hours in which the clock changes. */
export function frankfurtHour(date: string, hour: number): number {
  const guess = dateToMs(date) + hour * 3_600_000;
  const shown = Number(BERLIN.format(guess));
  return (guess - (shown - hour) * 3_600_000) / 1000;
}
