import { EVENTS_KEPT } from '../contract/release-event.ts';
import { coverageFrom, missingRangesIn } from '../contract/time/coverage.ts';
import { timeRangesOf } from '../coverage/intervals.ts';
import type { GoneTime } from '../coverage/partial-mark.ts';
import type { JournalGap } from '../mirror/api/journal.ts';
import type { Mirror } from '../mirror/api/mirror.ts';

type CoverageReader = Pick<Mirror, 'find' | 'coveredRanges' | 'journal'>;

export const EVENT_FEED = { endpoint: 'announcements_changes', scope: {} };
const REASON = 'nobody watched for events';
const LOST = 'the service no longer keeps these events';
const MAX_GAPS = 1_000;

/** Until when (Unix seconds) all events of a service are stored, by stream or changes; undefined if nobody watched. */
export async function eventsCompleteUntil(mirror: CoverageReader, origin: string): Promise<number | undefined> {
  const [gap] = await openGaps(mirror.journal, origin);
  return gap ? (gap.from ?? 0) - 1 : (await watchedTimes(mirror, origin)).at(-1)?.to;
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
export async function closeWatched(mirror: CoverageReader, origin: string, now: number): Promise<void> {
  const { journal } = mirror;
  // Where the service does not say since when it has events again, its next answer shows no more.
  const missingRanges = (await openGaps(journal, origin)).filter(({ reason }) => reason !== LOST);
  if (missingRanges.length === 0) return;
  const watched = coverageFrom(await watchedTimes(mirror, origin), true);
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

/** Uncovered times between the first and the last watched moment, newest first, that the journal does not have. */
export async function uncoveredBetween({
  find,
  coveredRanges,
  journal,
}: CoverageReader): Promise<readonly UncoveredTime[]> {
  const noted = (await journal.gaps(MAX_GAPS)).filter(({ closedAt }) => closedAt === undefined);
  const missingRanges: UncoveredTime[] = [];
  for (const feed of await find(EVENT_FEED)) {
    const watched = timeRangesOf(await coveredRanges(feed, 'keyless'));
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

async function watchedTimes({ find, coveredRanges }: CoverageReader, origin: string) {
  const feed = (await find(EVENT_FEED)).find((series) => series.origin === origin);
  return feed ? timeRangesOf(await coveredRanges(feed, 'keyless')) : [];
}

async function openGaps(journal: Mirror['journal'], origin: string): Promise<readonly JournalGap[]> {
  const gaps = await journal.gaps(MAX_GAPS);
  return gaps.filter((gap) => gap.origin === origin && gap.closedAt === undefined && gap.to === undefined);
}

/** Missing ranges with an end: nobody can fill them. */
export async function goneTimes(journal: Mirror['journal']): Promise<readonly GoneTime[]> {
  return (await journal.gaps(MAX_GAPS)).filter(({ to, closedAt }) => to !== undefined && closedAt === undefined);
}
