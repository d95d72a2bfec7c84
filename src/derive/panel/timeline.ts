import type { JsonText } from '../../contract/json.ts';
import type { Availability, Vintage } from '../announcements/vintages.ts';

/** One reference period with the values that it had. */
export interface Period {
  readonly date: string;
  readonly vintages: readonly Vintage[];
  readonly release: number | undefined;
  readonly observationId: string;
}

/** What was known of a series: the newest period of which anything was known, and its newest value. */
export interface Known {
  readonly period: Period;
  /** Undefined when two different values have the same moment. */
  readonly valText: JsonText | undefined;
  /** Unix seconds. */
  readonly knownAt: number;
}

/** From the second after `from` on, and until the next step, this was known. */
interface Step {
  /** Unix seconds. */
  readonly from: number;
  readonly known: Known | undefined;
}

/** What was known of a series at any moment: steps in order of time. */
export type Timeline = readonly Step[];

const NANO = 1_000_000_000n;

type Event = {
  readonly at: bigint;
  readonly place: number;
  /** Undefined when the mirror saw the period vanish. */
  readonly vintage: Vintage | undefined;
};

/** The value of a period at a point of the replay. */
interface Held {
  readonly at: bigint;
  readonly vintage: Vintage;
  readonly isAmbiguous: boolean;
}

/**
 * Replays everything that became known of a series once, so that each of many questions is a binary search. Walk: all
 * vintages and disappearances in order of their moments; after each second that had some, what is known from then on.
 */
export function timelineOf(periods: readonly Period[], availability: Availability): Timeline {
  const ordered = [...periods].sort((a, b) => (a.date < b.date ? -1 : 1));
  const held = new Array<Held | undefined>(ordered.length);
  const steps: Step[] = [];
  let newest = -1;
  const apply = ({ at, place, vintage }: Event) => {
    held[place] = vintage && next(held[place], { at, vintage });
    if (vintage && place > newest) newest = place;
    while (newest >= 0 && !held[newest]) newest -= 1;
  };
  const events = eventsOf(ordered, availability);
  for (const [i, event] of events.entries()) {
    apply(event);
    const from = secondOf(event.at);
    const following = events[i + 1];
    if (following && secondOf(following.at) === from) continue;
    steps.push({ from, known: knownOf(ordered[newest], held[newest]) });
  }
  return steps;
}

function eventsOf(periods: readonly Period[], availability: Availability): readonly Event[] {
  const events: Event[] = [];
  for (const [place, { vintages }] of periods.entries())
    for (const vintage of vintages) {
      const at = momentOf(vintage, availability);
      if (at === undefined) continue;
      events.push({ at, place, vintage });
      if (vintage.withdrawnAt !== undefined) events.push({ at: vintage.withdrawnAt, place, vintage: undefined });
    }
  // What vanished in the moment of a value vanished after it.
  const rank = ({ vintage }: Event) => (vintage ? 0 : 1);
  return events.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : rank(a) - rank(b)));
}

/**
 * When a value became known. To the public at the time that is stated for it, even when another value claims the same one:
 * then nobody can tell which of them was known.
 */
export function momentOf(vintage: Vintage, availability: Availability): bigint | undefined {
  return availability === 'captured' ? vintage.capturedAt : (vintage.statedAt ?? vintage.publicAt);
}

function next(before: Held | undefined, { at, vintage }: { at: bigint; vintage: Vintage }): Held {
  if (!before || at > before.at) return { at, vintage, isAmbiguous: false };
  return { ...before, isAmbiguous: before.isAmbiguous || !Object.is(before.vintage.val, vintage.val) };
}

function knownOf(period: Period | undefined, held: Held | undefined): Known | undefined {
  if (!period || !held) return undefined;
  const valText = held.isAmbiguous ? undefined : held.vintage.valText;
  return { period, valText, knownAt: secondOf(held.at) };
}

/** The whole second that a moment lies in, before 1970 too. */
function secondOf(ns: bigint): number {
  const second = ns / NANO;
  return Number(ns < 0n && second * NANO !== ns ? second - 1n : second);
}

/**
 * What was known strictly before a decision (Unix seconds, whole). A moment inside of the second before it counts, since
 * decisions fall on whole seconds.
 */
export function knownBefore(timeline: Timeline, decision: number): Known | undefined {
  let [low, high] = [0, timeline.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((timeline[middle]?.from ?? 0) < decision) low = middle + 1;
    else high = middle;
  }
  return timeline[low - 1]?.known;
}
