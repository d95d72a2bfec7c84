import type { Envelope, Lack, LoadedSeries } from '../../contract/hooks.ts';
import { EVENTS_KEPT } from '../../contract/release-event.ts';
import { type Coverage, holesIn, type Range, unionOf } from '../../contract/time/coverage.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { isAfter, type Position } from './cursor.ts';

export const FEED = 'announcements_changes';

/** When somebody watched for events, in Unix seconds: whoever says that an event came to the mirror. */
export function watchedIn(loaded: readonly LoadedSeries[]): Coverage {
  return unionOf(loaded.filter(({ ref }) => ref.endpoint === FEED).map(({ coverage }) => coverage));
}

/** Where a walk goes on: at the hole that it passed, once somebody watched it, else behind what it has told. */
export function resumed(watched: Coverage, { unwatched, ...position }: Position): Position {
  if (unwatched === undefined) return position;
  const isWatched = holesIn({ ...watched, isOpen: false }, { from: unwatched, to: unwatched }).length === 0;
  return isWatched ? { timestamp: unwatched, eventId: '' } : { ...position, unwatched };
}

/**
 * The parts of a time that nobody watched. What lies behind an open end is a matter of age, except for a question that begins
 * there: nothing of its time was watched.
 */
export function unwatchedIn(watched: Coverage, range: Range): readonly Range[] {
  if (range.from > range.to) return [];
  const end = watched.ranges.at(-1)?.to;
  return end !== undefined && range.from > end ? [range] : holesIn(watched, range);
}

/** A position that leads back to the first moment before it that nobody watched. */
export function leadingBack(position: Position, watched: Coverage, holes: readonly Range[]): Position {
  const { timestamp, eventId } = position;
  const end = watched.ranges.at(-1)?.to;
  const hole = holes[0]?.from ?? (end === undefined ? undefined : Number(end) + 1);
  const isPassed = hole !== undefined && isAfter(position, { timestamp: Number(hole), eventId: '' });
  return { timestamp, eventId, ...(isPassed && { unwatched: Number(hole) }) };
}

export function lacksOfFeed(holes: readonly Range[]): readonly Lack[] {
  return holes.map((range) => ({ series: { endpoint: FEED, scope: {}, exact: true }, range }));
}

/** Tells that events may be missing, and from when on none is; nothing is said where that is at no time yet. */
export function gapEnvelope(holes: readonly Range[], range: Range): Envelope | undefined {
  const last = holes.at(-1);
  if (!last) return undefined;
  return { gap: true, ...(last.to < range.to && { oldest_available: isoSeconds(Number(last.to) + 1) }) };
}

/**
 * The first moment that an answer can be asked to know: the service keeps events for some days, and a mirror of one's own
 * keeps what it watched.
 */
export function beginOf(watched: Coverage, { isOwner, now }: { readonly isOwner: boolean; readonly now: number }) {
  const horizon = now - EVENTS_KEPT;
  const first = Number(watched.ranges[0]?.from ?? horizon);
  return isOwner ? Math.min(first, horizon) : horizon;
}
