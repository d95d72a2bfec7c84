import { wallInstant, zoneOffset } from '../../contract/time/time.ts';
import type { Overlap, Session } from './timetable.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A stretch of time, in Unix seconds: the start belongs to it, the end does not. */
export interface TimeWindow {
  readonly start: number;
  readonly end: number;
}

/** Opening hours of a session on a local date, given as its midnight in UTC (milliseconds), whatever its weekday. */
export function sessionWindow({ zone, opens, closes }: Session, date: number): TimeWindow {
  const at = (hour: number) => wallInstant(zone, date + hour * HOUR) / 1000;
  return { start: at(opens), end: at(closes) };
}

/** The hours that two sessions share on one business day; it is the same date on both walls. */
export function overlapWindow({ sessions: [first, second] }: Overlap, date: number): TimeWindow {
  const [a, b] = [sessionWindow(first, date), sessionWindow(second, date)];
  return { start: Math.max(a.start, b.start), end: Math.min(a.end, b.end) };
}

/** The date on the wall at an instant (Unix seconds), as its midnight in UTC (milliseconds). */
export function localDate(zone: string, at: number): number {
  return midnightOf(at * 1000 + zoneOffset(zone, at * 1000));
}

/** Midnight UTC of the day of an instant, both in milliseconds. */
export function midnightOf(instant: number): number {
  return Math.floor(instant / DAY) * DAY;
}

/** True from Monday to Friday. */
export function isBusinessDay(date: number): boolean {
  const weekday = new Date(date).getUTCDay();
  return weekday !== 0 && weekday !== 6;
}

/** The window of the first business day, at or after a date, whose window is not over at `at` (Unix seconds). */
export function comingWindow(windowOf: (date: number) => TimeWindow, from: number, at: number): TimeWindow {
  for (let date = from; ; date += DAY) {
    if (!isBusinessDay(date)) continue;
    const window = windowOf(date);
    if (window.end > at) return window;
  }
}

/** The day before a date. */
export function dayBefore(date: number): number {
  return date - DAY;
}
