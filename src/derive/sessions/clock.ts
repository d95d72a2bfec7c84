import { float } from '../../contract/json/json.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { OVERLAPS, type Overlap, SESSIONS, type Session } from './timetable.ts';
import {
  comingWindow,
  dayBefore,
  isBusinessDay,
  localDate,
  midnightOf,
  overlapWindow,
  sessionWindow,
} from './windows.ts';

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

/** FX trading sessions and their overlaps at a moment (Unix seconds). See docs/interface.md#market-sessions. */
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
  // A running overlap belongs to the UTC date of `at` or to a neighbour: those that are over are passed by.
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
