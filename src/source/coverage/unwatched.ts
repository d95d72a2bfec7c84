import type { Lack } from '../../contract/hooks.ts';
import { EVENTS_KEPT } from '../../contract/release-event.ts';
import { coverageFrom, holesIn } from '../../contract/time/coverage.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { loadedEndpoint } from '../../endpoints/find.ts';
import type { JournalGap } from '../../mirror/api/journal.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import { timeRangesOf } from './coverage.ts';
import type { LostPart } from './shortfall.ts';

type CoverageReader = Pick<Mirror, 'find' | 'proofs' | 'journal'>;

export const EVENT_FEED = { endpoint: 'announcements_changes', scope: {} };
const REASON = 'nobody watched for events';
const LOST = 'the service no longer keeps these events';
const MAX_GAPS = 1_000;

/** The earliest moment (Unix seconds) of a feed that an answer lacks; undefined when it lacks none. */
export function firstUnwatched(lacks: readonly Lack[]): number | undefined {
  const from = lacks.flatMap(({ series, range, isUnseen }) =>
    range && !isUnseen && loadedEndpoint(series.endpoint)?.mirror?.sync.kind === 'cursor' ? [Number(range.from)] : [],
  );
  return from.length === 0 ? undefined : Math.min(...from);
}

/** Notes in the journal that a time was asked about that nobody watched: once a hole, however often it is asked about. */
export async function noteUnwatched({ find, journal }: CoverageReader, from: number, now: number): Promise<void> {
  const [feed] = await find(EVENT_FEED);
  if (!feed) return;
  const isNoted = (await openHoles(journal, feed.origin)).some((gap) => gap.from === undefined || gap.from <= from);
  if (isNoted) return;
  // Without an end it is a hole that may still be filled.
  await journal.noteGap({ origin: feed.origin, from, to: undefined, reason: REASON, via: 'changes', notedAt: now });
}

/** Closes the holes that were watched since; what the service had lost by then stays noted as lost. `now` in milliseconds. */
export async function closeWatched(
  { find, proofs, journal }: CoverageReader,
  origin: string,
  now: number,
): Promise<void> {
  const holes = (await openHoles(journal, origin)).filter(({ reason }) => reason === REASON);
  const feed = (await find(EVENT_FEED)).find((series) => series.origin === origin);
  if (holes.length === 0 || !feed) return;
  const watched = coverageFrom(timeRangesOf(await proofs(feed, 'keyless')), true);
  const seconds = Math.floor(now / 1000);
  for (const { id, from = 0 } of holes) {
    const left = holesIn(watched, { from, to: seconds });
    if (left.some(({ to }) => Number(to) >= seconds - EVENTS_KEPT)) continue;
    const lost: number[] = [];
    for (const range of left) {
      const gap = { from: Number(range.from), to: Number(range.to), reason: LOST };
      lost.push(await journal.noteGap({ origin, ...gap, via: 'changes', notedAt: now }));
    }
    if (!lost.includes(id)) await journal.closeGap(id, now);
  }
}

/** A stretch that nobody watched; Unix seconds, both inclusive. */
export interface UnwatchedHole extends Pick<JournalGap, 'origin' | 'reason'> {
  readonly from: number;
  readonly to: number;
}

/** What lies unwatched between the first and the last moment that was watched, newest first; without what is noted already. */
export async function holesBetween({ find, proofs, journal }: CoverageReader): Promise<readonly UnwatchedHole[]> {
  const noted = (await journal.gaps(MAX_GAPS)).filter(({ closedAt }) => closedAt === undefined);
  const holes: UnwatchedHole[] = [];
  for (const feed of await find(EVENT_FEED)) {
    const watched = timeRangesOf(await proofs(feed, 'keyless'));
    for (const [place, { to: before }] of watched.slice(0, -1).entries()) {
      const hole = { from: before + 1, to: (watched[place + 1]?.from ?? 0) - 1 };
      const isNoted = noted.some(
        ({ origin, from = 0, to = hole.to }) => origin === feed.origin && from <= hole.from && to >= hole.to,
      );
      if (!isNoted) holes.push({ origin: feed.origin, ...hole, reason: REASON });
    }
  }
  return holes.sort((a, b) => b.from - a.from);
}

async function openHoles(journal: Mirror['journal'], origin: string): Promise<readonly JournalGap[]> {
  const gaps = await journal.gaps(MAX_GAPS);
  return gaps.filter((gap) => gap.origin === origin && gap.closedAt === undefined && gap.to === undefined);
}

/** Holes of events that are older than the service keeps them: no sync brings what was in them. */

/** The first second of which the service still has events, at a moment in milliseconds. */
const oldestKept = (now: number) => Math.floor(now / 1000) - EVENTS_KEPT;

function isOfFeed({ series, range, isUnseen }: Lack): boolean {
  return range !== undefined && !isUnseen && loadedEndpoint(series.endpoint)?.mirror?.sync.kind === 'cursor';
}

/** When a question was asked, in milliseconds, and what the journal says that the service had lost by then. */
export interface KnownLost {
  readonly now: number;
  readonly lost?: readonly LostStretch[];
}

type LostStretch = Pick<JournalGap, 'from' | 'to'>;

/** A hole with an end is one that nobody can fill. */
export async function lostStretches(journal: Mirror['journal']): Promise<readonly LostStretch[]> {
  return (await journal.gaps(MAX_GAPS)).filter(({ to, closedAt }) => to !== undefined && closedAt === undefined);
}

/** True of a hole that ended before what the service keeps, or within what it had lost when it was asked. */
export function isLost(lack: Lack, { now, lost = [] }: KnownLost): boolean {
  if (!isOfFeed(lack)) return false;
  const end = Number(lack.range?.to);
  return end < oldestKept(now) || lost.some(({ from = 0, to = 0 }) => from <= end && end <= to);
}

/** What is lost of several holes; nothing where all of it can still be had. */
export function lostPartOf(lacks: readonly Lack[], known: KnownLost): { readonly lost?: LostPart } {
  const oldest = oldestKept(known.now);
  const begun = lacks.filter((lack) => isLost(lack, known) || (isOfFeed(lack) && Number(lack.range?.from) < oldest));
  if (begun.length === 0) return {};
  const ends = begun.map((lack) => (isLost(lack, known) ? Number(lack.range?.to) + 1 : oldest));
  const end = isoSeconds(Math.max(...ends));
  const days = EVENTS_KEPT / 86_400;
  return {
    lost: {
      text: `The service keeps events for ${days} days, so those before ${end} cannot be had any more.`,
      goOn: `macro announcements changes --since ${end}`,
    },
  };
}
