import { float } from '../contract/json/json.ts';
import { isoSeconds, wallInstant, zoneOffset } from '../contract/time/time.ts';

interface SessionNow {
  readonly name: string;
  readonly display_name: string;
  readonly description: string;
  readonly currencies: readonly string[];
  readonly timezone: string;
  readonly open_utc: string;
  readonly close_utc: string;
  readonly open_unix: number;
  readonly close_unix: number;
  readonly is_open: boolean;
  readonly seconds_to_open?: number;
  readonly seconds_to_close?: number;
}

interface OverlapNow {
  readonly name: string;
  readonly description: string;
  readonly sessions: readonly string[];
  readonly priority: string;
  readonly notable_pairs: readonly string[];
  readonly start_utc: string;
  readonly end_utc: string;
  readonly start_unix: number;
  readonly end_unix: number;
  readonly is_active: boolean;
  readonly seconds_to_start: number;
  readonly seconds_to_end?: number;
  readonly duration_hours: unknown;
}
/** A trading session: business days Monday to Friday of its own zone, holidays not modelled. */
export interface Session {
  readonly name: SessionName;
  readonly displayName: string;
  readonly description: string;
  readonly currencies: readonly string[];
  readonly zone: string;
  /** Full hours of the local clock. */
  readonly opens: number;
  readonly closes: number;
}

export interface Overlap {
  readonly name: string;
  readonly description: string;
  readonly sessions: readonly [Session, Session];
  readonly priority: 'low' | 'medium' | 'high';
  readonly notablePairs: readonly string[];
}

export type SessionName = 'sydney' | 'tokyo' | 'london' | 'new_york';

const sydney: Session = {
  name: 'sydney',
  displayName: 'Sydney',
  description: 'Pacific session',
  currencies: ['AUD', 'NZD'],
  zone: 'Australia/Sydney',
  opens: 8,
  closes: 17,
};

const tokyo: Session = {
  name: 'tokyo',
  displayName: 'Tokyo',
  description: 'Asian session',
  currencies: ['JPY', 'CNY', 'CNH'],
  zone: 'Asia/Tokyo',
  opens: 9,
  closes: 18,
};

const london: Session = {
  name: 'london',
  displayName: 'London',
  description: 'European session',
  currencies: ['GBP', 'EUR', 'CHF'],
  zone: 'Europe/London',
  opens: 8,
  closes: 17,
};

const newYork: Session = {
  name: 'new_york',
  displayName: 'New York',
  description: 'American session',
  currencies: ['USD', 'CAD'],
  zone: 'America/New_York',
  opens: 8,
  closes: 17,
};

/** The four sessions, in the order in which a day passes through them. See docs/interface-endpoints.md#market-sessions. */
export const SESSIONS: readonly Session[] = [sydney, tokyo, london, newYork];

const OVERLAPS: readonly Overlap[] = [
  {
    name: 'sydney_tokyo',
    description: 'Pacific and Asian sessions',
    sessions: [sydney, tokyo],
    priority: 'low',
    notablePairs: ['AUD/JPY', 'AUD/USD', 'NZD/USD', 'USD/JPY'],
  },
  {
    name: 'tokyo_london',
    description: 'Asian and European sessions',
    sessions: [tokyo, london],
    priority: 'medium',
    notablePairs: ['EUR/JPY', 'GBP/JPY', 'USD/JPY'],
  },
  {
    name: 'london_new_york',
    description: 'European and American sessions, the busiest hours of the day',
    sessions: [london, newYork],
    priority: 'high',
    notablePairs: ['EUR/USD', 'GBP/USD', 'USD/CHF', 'USD/CAD'],
  },
];

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A range of time, in Unix seconds: the start belongs to it, the end does not. */
interface TimeWindow {
  readonly start: number;
  readonly end: number;
}

/** FX trading sessions and their overlaps at a moment (Unix seconds). See docs/interface-endpoints.md#market-sessions. */
export function marketSessions(at: number) {
  return {
    now_utc: isoSeconds(at),
    now_unix: at,
    is_market_day: isBusinessDay(midnightOf(at * 1000)),
    sessions: SESSIONS.map((session) => sessionAt(session, at)),
    overlaps: OVERLAPS.map((overlap) => overlapAt(overlap, at)),
  };
}

/** Bounds are those of the session's local date, on weekends too; only one of the two waits is there. */
function sessionAt(session: Session, at: number): SessionNow {
  const windowOf = (date: number) => sessionWindow(session, date);
  const today = localDate(session.zone, at);
  const { start, end } = windowOf(today);
  const coming = comingWindow(windowOf, today, at);
  const isOpen = coming.start <= at;
  return {
    name: session.name,
    display_name: session.displayName,
    description: session.description,
    currencies: session.currencies,
    timezone: session.zone,
    open_utc: isoSeconds(start),
    close_utc: isoSeconds(end),
    open_unix: start,
    close_unix: end,
    is_open: isOpen,
    ...(isOpen ? { seconds_to_close: coming.end - at } : { seconds_to_open: coming.start - at }),
  };
}

/** Bounds are those of the running overlap, else of the next one. */
function overlapAt(overlap: Overlap, at: number): OverlapNow {
  // A running overlap belongs to the UTC date of `at` or to a neighbour; past overlaps are skipped.
  const from = dayBefore(midnightOf(at * 1000));
  const { start, end } = comingWindow((date) => overlapWindow(overlap, date), from, at);
  const isActive = start <= at;
  return {
    name: overlap.name,
    description: overlap.description,
    sessions: overlap.sessions.map((session) => session.name),
    priority: overlap.priority,
    notable_pairs: overlap.notablePairs,
    start_utc: isoSeconds(start),
    end_utc: isoSeconds(end),
    start_unix: start,
    end_unix: end,
    is_active: isActive,
    seconds_to_start: isActive ? 0 : start - at,
    ...(isActive && { seconds_to_end: end - at }),
    duration_hours: float((end - start) / 3600),
  };
}

/** Opening hours of a session on a local date, given as its midnight in UTC (milliseconds), whatever its weekday. */
function sessionWindow({ zone, opens, closes }: Session, date: number): TimeWindow {
  const at = (hour: number) => wallInstant(zone, date + hour * HOUR) / 1000;
  return { start: at(opens), end: at(closes) };
}

/** The hours that two sessions share on one business day; it is the same date on both walls. */
function overlapWindow({ sessions: [first, second] }: Overlap, date: number): TimeWindow {
  const [a, b] = [sessionWindow(first, date), sessionWindow(second, date)];
  return { start: Math.max(a.start, b.start), end: Math.min(a.end, b.end) };
}

/** The date on the wall at an instant (Unix seconds), as its midnight in UTC (milliseconds). */
function localDate(zone: string, at: number): number {
  return midnightOf(at * 1000 + zoneOffset(zone, at * 1000));
}

/** Midnight UTC of the day of an instant, both in milliseconds. */
function midnightOf(instant: number): number {
  return Math.floor(instant / DAY) * DAY;
}

/** True from Monday to Friday. */
export function isBusinessDay(date: number): boolean {
  const weekday = new Date(date).getUTCDay();
  return weekday !== 0 && weekday !== 6;
}

/** The window of the first business day, at or after a date, whose window is not over at `at` (Unix seconds). */
function comingWindow(windowOf: (date: number) => TimeWindow, from: number, at: number): TimeWindow {
  for (let date = from; ; date += DAY) {
    if (!isBusinessDay(date)) continue;
    const window = windowOf(date);
    if (window.end > at) return window;
  }
}

function dayBefore(date: number): number {
  return date - DAY;
}
