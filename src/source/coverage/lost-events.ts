import type { Lack } from '../../contract/hooks.ts';
import { EVENTS_KEPT } from '../../contract/release-event.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { loadedEndpoint } from '../../endpoints/find.ts';
import type { JournalGap } from '../../mirror/api/journal.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { LostPart } from './shortfall.ts';

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

const MAX_GAPS = 1_000;

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
