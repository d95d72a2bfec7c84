// The window of a question, in the terms of the column that it bounds.
import type { Endpoint } from '../contract/endpoint.ts';
import type { Mapping, WindowMapping } from '../contract/mapping.ts';
import type { Args, ArgValue } from '../contract/params/param.ts';
import type { Bound, Coverage } from '../contract/time/coverage.ts';
import { addDays, BEGINNING, dateOf, dateToMs, parseInstant } from '../contract/time/time.ts';
import { earlier } from './missing-parts.ts';

/** A question, and its arguments as far as the caller may see. Times are milliseconds. */
export interface WindowQuestion {
  readonly question: { readonly endpoint: Endpoint; readonly args: Args; readonly given?: ReadonlySet<string> };
  readonly visible: { readonly args: Args };
  readonly now: number;
  /** The moment that it is put at; `now` when left out. */
  readonly clock?: number;
}

/** Bounds on the window column: dates as they are, the first and last second of their UTC days, or instants as seconds. */
export function boundsOf(window: WindowMapping, args: Args, now: number): { from?: Bound; to?: Bound } {
  const single = window.only === undefined ? undefined : args[window.only];
  const from = single ?? args[window.from];
  const to = single ?? args[window.to];
  if (window.unit === 'instant') return { ...secondsOf(from, 'from'), ...secondsOf(to, 'to') };
  const unix = window.unit === 'unix';
  const first = typeof from === 'string' ? (unix ? dateToMs(from) / 1000 : from) : undefined;
  const last = typeof to === 'string' ? (unix ? dateToMs(addDays(to, 1)) / 1000 - 1 : to) : undefined;
  const start = first ?? (window.opens === 'now' ? Math.floor(now / 1000) : undefined);
  return { ...(start !== undefined && { from: start }), ...(last !== undefined && { to: last }) };
}

/** The dates that a question about a history speaks of; without bounds all of them, as far as rows can be dated by now. */
export function askedDates(
  { window, sync }: Mapping,
  { args, now, newest }: { readonly args: Args; readonly now: number; readonly newest: string | undefined },
): { from: string; to: string } {
  const { from, to } = window ? boundsOf(window, args, now) : {};
  const ahead = sync.kind === 'history' ? (sync.aheadDays ?? 0) : 0;
  const end = String(to ?? addDays(dateOf(now), ahead));
  if (from === undefined && to === undefined && window?.unbounded === 'newest') return { from: newest ?? end, to: end };
  return { from: String(from ?? BEGINNING), to: end };
}

function secondsOf(value: ArgValue | undefined, side: 'from' | 'to'): { from?: number; to?: number } {
  const seconds = typeof value === 'string' ? parseInstant(value) : undefined;
  return seconds === undefined ? {} : { [side]: seconds };
}

/** The window that a question names for series of a mapping, those of its own endpoint when left out. */
export function windowNamed(
  { question, visible, now, clock = now }: WindowQuestion,
  { mirror, compose }: Endpoint,
  mapping: Mapping | undefined = mirror,
): NamedWindow {
  const present = dateOf(clock);
  const bounds = mapping?.window ? boundsOf(mapping.window, visible.args, now) : {};
  const { from, to, only } = mapping?.window ?? {};
  const names = (parameter: string | undefined) =>
    parameter !== undefined && isNamed(question, parameter, [present, dateOf(now)]);
  // Counted from today, days behind the last row would be missing of a window whose end nobody named.
  const end = names(to) || names(only) ? String(bounds.to) : undefined;
  const last = compose?.lastDayNamed?.(visible.args);
  return {
    from: names(from) ? bounds.from : undefined,
    to: last === undefined || end === undefined ? (last ?? end) : earlier(end, last),
    today: present,
  };
}

/** Somebody gave the argument, be it the default or not. */
function isNamed(
  { endpoint, args, given }: WindowQuestion['question'],
  parameter: string,
  days: readonly string[],
): boolean {
  if (given?.has(parameter)) return true;
  return (
    args[parameter] !== undefined && days.every((day) => args[parameter] !== endpoint.query[parameter]?.fallback?.(day))
  );
}

/** The window that a question names, in the terms of its column, and the day or the second of now. */
export interface NamedWindow {
  readonly from: Bound | undefined;
  readonly to: Bound | undefined;
  readonly today: Bound;
}

/**
 * Closes the open end of coverage if a window begins after the last checked date, or names an end and has a past day
 * there. Nothing is known about those days, so an answer without their rows would seem complete. `overDays` is the
 * coverage of days that were over when they were checked.
 */
export function closedBehind(coverage: Coverage, named: NamedWindow, overDays = coverage): Coverage {
  return isBehind(overDays.ranges.at(-1)?.to, named) ? { ...overDays, isOpen: false } : coverage;
}

/** Does a window begin behind the last bound that was checked, or have a day there that is over? */
export function isBehind(last: Bound | undefined, { from, to, today }: NamedWindow): boolean {
  if (last === undefined) return false;
  const over = typeof today === 'string' && to !== undefined && to >= today ? addDays(today, -1) : to;
  return (from !== undefined && from > last) || (over !== undefined && over < today && over > last);
}
