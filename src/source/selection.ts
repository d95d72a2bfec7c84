import type { Endpoint } from '../contract/endpoint.ts';
import type { Mapping, WindowMapping } from '../contract/mapping.ts';
import type { Args, ArgValue } from '../contract/params/param.ts';
import { addDays, BEGINNING, dateOf, dateToMs, parseInstant } from '../contract/time/time.ts';
import type { KeyValue, Selection } from '../mirror/api/series.ts';
import type { Visibility } from './answer/keyless.ts';

/** The rows of the endpoint's own series that these arguments ask for and this caller may see. */
export function selectionOf(endpoint: Endpoint, visible: Visibility, now: number): Selection {
  const mapping = endpoint.mirror;
  const where: Record<string, KeyValue> = {};
  for (const [param, effect] of Object.entries(mapping?.effects ?? {})) {
    const column = effect.does === 'selects' ? effect.column : undefined;
    const value = visible.args[param];
    if (column === undefined) continue;
    if (typeof value === 'string' || typeof value === 'number') where[column] = value;
  }
  return {
    ...(mapping?.window && boundsOf(mapping.window, visible.args, now)),
    ...(Object.keys(where).length > 0 && { where }),
    ...(visible.cutoff !== undefined && mapping?.release && { releasedBy: visible.cutoff }),
  };
}

/** Bounds on the window column: dates as they are, the first and last second of their UTC days, or instants as seconds. */
export function boundsOf(window: WindowMapping, args: Args, now: number): { from?: KeyValue; to?: KeyValue } {
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

interface DatesAsked {
  readonly args: Args;
  /** Milliseconds. */
  readonly now: number;
  /** Date of the newest row, which a question without bounds may mean alone. */
  readonly newest: string | undefined;
}

/** The dates that a question about a history speaks of; without bounds all of them, as far as rows can be dated by now. */
export function askedDates({ window, sync }: Mapping, { args, now, newest }: DatesAsked): { from: string; to: string } {
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

/** The rows that the caller may see at all, whatever the window: for neighbours and edges. */
export function everythingVisible(endpoint: Endpoint, visible: Visibility): Selection {
  const { window, release } = endpoint.mirror ?? {};
  return {
    ...(visible.window && window?.unit === 'date' && { from: visible.window.cutoffDate }),
    ...(visible.cutoff !== undefined && release && { releasedBy: visible.cutoff }),
  };
}
