import type { MissingPart } from '../../contract/hooks.ts';
import { EVENTS_KEPT } from '../../contract/release-event.ts';
import { coverageFrom, missingRangesIn } from '../../contract/time/coverage.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { timeRangesOf } from '../../coverage/intervals.ts';
import type { GonePart } from '../../coverage/partial-answer.ts';
import { loadedEndpoint } from '../../endpoints/find.ts';
import type { JournalGap } from '../../mirror/api/journal.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';

type CoverageReader = Pick<Mirror, 'find' | 'proofs' | 'journal'>;

export const EVENT_FEED = { endpoint: 'announcements_changes', scope: {} };
const REASON = 'nobody watched for events';
const LOST = 'the service no longer keeps these events';
const MAX_GAPS = 1_000;

/** The earliest missing moment (Unix seconds) of a feed; undefined if none is missing. */
export function firstUncovered(missingParts: readonly MissingPart[]): number | undefined {
  const from = missingParts.flatMap(({ series, range, reason }) =>
    range && reason !== 'unchecked' && loadedEndpoint(series.endpoint)?.mirror?.sync.kind === 'cursor'
      ? [Number(range.from)]
      : [],
  );
  return from.length === 0 ? undefined : Math.min(...from);
}

/** Notes in the journal that a time was asked about that nobody watched: once a missing range, however often it is asked about. */
export async function noteUncovered({ find, journal }: CoverageReader, from: number, now: number): Promise<void> {
  const [feed] = await find(EVENT_FEED);
  if (!feed) return;
  const isNoted = (await openGaps(journal, feed.origin)).some((gap) => gap.from === undefined || gap.from <= from);
  if (isNoted) return;
  // Without an end it is a missing range that may still be filled.
  await journal.noteGap({ origin: feed.origin, from, to: undefined, reason: REASON, via: 'changes', notedAt: now });
}

/** Closes the missing ranges that were watched since; what the service had lost by then stays noted as lost. `now` in milliseconds. */
export async function closeWatched(
  { find, proofs, journal }: CoverageReader,
  origin: string,
  now: number,
): Promise<void> {
  const missingRanges = (await openGaps(journal, origin)).filter(({ reason }) => reason === REASON);
  const feed = (await find(EVENT_FEED)).find((series) => series.origin === origin);
  if (missingRanges.length === 0 || !feed) return;
  const watched = coverageFrom(timeRangesOf(await proofs(feed, 'keyless')), true);
  const seconds = Math.floor(now / 1000);
  for (const { id, from = 0 } of missingRanges) {
    const left = missingRangesIn(watched, { from, to: seconds });
    if (left.some(({ to }) => Number(to) >= seconds - EVENTS_KEPT)) continue;
    const lost: number[] = [];
    for (const range of left) {
      const gap = { from: Number(range.from), to: Number(range.to), reason: LOST };
      lost.push(await journal.noteGap({ origin, ...gap, via: 'changes', notedAt: now }));
    }
    if (!lost.includes(id)) await journal.closeGap(id, now);
  }
}

/** A range that nobody watched; Unix seconds, both inclusive. */
export interface UncoveredTime extends Pick<JournalGap, 'origin' | 'reason'> {
  readonly from: number;
  readonly to: number;
}

/**
 * Uncovered times between the first and the last watched moment, newest first, without those already in the journal.
 */
export async function uncoveredBetween({ find, proofs, journal }: CoverageReader): Promise<readonly UncoveredTime[]> {
  const noted = (await journal.gaps(MAX_GAPS)).filter(({ closedAt }) => closedAt === undefined);
  const missingRanges: UncoveredTime[] = [];
  for (const feed of await find(EVENT_FEED)) {
    const watched = timeRangesOf(await proofs(feed, 'keyless'));
    for (const [place, { to: before }] of watched.slice(0, -1).entries()) {
      const missingRange = { from: before + 1, to: (watched[place + 1]?.from ?? 0) - 1 };
      const isNoted = noted.some(
        ({ origin, from = 0, to = missingRange.to }) =>
          origin === feed.origin && from <= missingRange.from && to >= missingRange.to,
      );
      if (!isNoted) missingRanges.push({ origin: feed.origin, ...missingRange, reason: REASON });
    }
  }
  return missingRanges.sort((a, b) => b.from - a.from);
}

async function openGaps(journal: Mirror['journal'], origin: string): Promise<readonly JournalGap[]> {
  const gaps = await journal.gaps(MAX_GAPS);
  return gaps.filter((gap) => gap.origin === origin && gap.closedAt === undefined && gap.to === undefined);
}

/** Missing ranges of events that are older than the service stores them: no sync brings these events back. */

/** The first second of which the service still has events, at a moment in milliseconds. */
const oldestKept = (now: number) => Math.floor(now / 1000) - EVENTS_KEPT;

function isOfFeed({ series, range, reason }: MissingPart): boolean {
  return (
    range !== undefined && reason !== 'unchecked' && loadedEndpoint(series.endpoint)?.mirror?.sync.kind === 'cursor'
  );
}

/** When a question was asked, in milliseconds, and what the journal says that the service had lost by then. */
export interface GoneBy {
  readonly now: number;
  readonly lost?: readonly GoneTime[];
}

type GoneTime = Pick<JournalGap, 'from' | 'to'>;

/** Missing ranges with an end: nobody can fill them. */
export async function goneTimes(journal: Mirror['journal']): Promise<readonly GoneTime[]> {
  return (await journal.gaps(MAX_GAPS)).filter(({ to, closedAt }) => to !== undefined && closedAt === undefined);
}

/** True of a missing range that ended before what the service keeps, or within what it had lost when it was asked. */
export function isGone(missingPart: MissingPart, { now, lost = [] }: GoneBy): boolean {
  if (!isOfFeed(missingPart)) return false;
  const end = Number(missingPart.range?.to);
  return end < oldestKept(now) || lost.some(({ from = 0, to = 0 }) => from <= end && end <= to);
}

/** The permanently missing part of several missing ranges; empty if a sync can still bring all of it. */
export function gonePartOf(missingParts: readonly MissingPart[], known: GoneBy): { readonly lost?: GonePart } {
  const oldest = oldestKept(known.now);
  const begun = missingParts.filter(
    (missingPart) => isGone(missingPart, known) || (isOfFeed(missingPart) && Number(missingPart.range?.from) < oldest),
  );
  if (begun.length === 0) return {};
  const ends = begun.map((missingPart) => (isGone(missingPart, known) ? Number(missingPart.range?.to) + 1 : oldest));
  const end = isoSeconds(Math.max(...ends));
  const days = EVENTS_KEPT / 86_400;
  return {
    lost: {
      text: `The service keeps events for ${days} days, so those before ${end} cannot be had any more.`,
      goOn: `macro announcements changes --since ${end}`,
    },
  };
}
