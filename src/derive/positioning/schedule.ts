import { addDays, dateOf, dateToMs, wallInstant } from '../../contract/time/time.ts';

/** When positions of a Tuesday are published. */
export interface ReportRelease {
  /** The usual Friday, UTC date of the place of publication. */
  readonly date: string;
  /** Unix seconds. */
  readonly epoch: number;
}

const ZONE = 'America/New_York';
/** 15:30 on the clock of the publisher. */
const CLOCK_MS = (15 * 60 + 30) * 60_000;
const FRIDAY = 5;
const WEEK = 7;

/** The first Friday after a report date, 15:30 in New York. See docs/interface.md#positions-of-traders. */
export function reportRelease(reportDate: string): ReportRelease {
  const day = new Date(dateToMs(reportDate)).getUTCDay();
  const date = addDays(reportDate, (FRIDAY - day + WEEK) % WEEK || WEEK);
  return { date, epoch: wallInstant(ZONE, dateToMs(date) + CLOCK_MS) / 1000 };
}

/** True on the day on which the newest report usually comes. `now` in Unix seconds. */
export function isReleaseDay(now: number): boolean {
  return new Date(now * 1000).getUTCDay() === FRIDAY;
}

/** The first usual release after a moment (Unix seconds) that brings something newer than a report date. */
export function nextRelease(latest: string | undefined, now: number): ReportRelease {
  // Reports are of Tuesdays; without any, the one of this week or the next.
  let report = latest === undefined ? addDays(dateOf(now * 1000), -WEEK) : addDays(latest, WEEK);
  for (;;) {
    const release = reportRelease(report);
    if (release.epoch > now) return release;
    report = addDays(report, WEEK);
  }
}
