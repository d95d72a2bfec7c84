import type { Availability } from '../../contract/as-of.ts';
import { type JsonText, readJson } from '../../contract/json.ts';

/** A value of a period and since when it was known. Times are nanoseconds since the epoch; undefined when nobody said. */
export interface Said {
  readonly publicAt: bigint | undefined;
  readonly capturedAt: bigint | undefined;
  /** JSON text of the value. */
  readonly valText: () => JsonText;
  /** When the mirror saw the period vanish. */
  readonly withdrawnAt?: bigint;
}

/** One reference period with the values that it had. */
export interface Period {
  readonly date: string;
  readonly said: readonly Said[];
  readonly about: () => { readonly release: number | undefined; readonly observationId: string };
}

/** What was known of a series: the newest period of which anything was known, and its newest value. */
export interface Known {
  readonly period: Period;
  /** Undefined when two different values have the same moment. */
  readonly value: Said | undefined;
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
  readonly said: Said | undefined;
};

/** The value of a period at a point of the replay. */
interface Held {
  readonly at: bigint;
  readonly said: Said;
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
  const apply = ({ at, place, said }: Event) => {
    held[place] = said && next(held[place], { at, said });
    if (said && place > newest) newest = place;
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
  for (const [place, period] of periods.entries())
    for (const said of period.said) {
      const at = availability === 'public' ? said.publicAt : said.capturedAt;
      if (at === undefined) continue;
      events.push({ at, place, said });
      if (said.withdrawnAt !== undefined) events.push({ at: said.withdrawnAt, place, said: undefined });
    }
  // What vanished in the moment of a value vanished after it.
  const rank = ({ said }: Event) => (said ? 0 : 1);
  return events.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : rank(a) - rank(b)));
}

function next(before: Held | undefined, { at, said }: { readonly at: bigint; readonly said: Said }): Held {
  if (!before || at > before.at) return { at, said, isAmbiguous: false };
  return { ...before, isAmbiguous: before.isAmbiguous || !isSame(before.said, said) };
}

/** Equal as values: `3.0` and `3` are. */
function isSame(a: Said, b: Said): boolean {
  const [left, right] = [a.valText(), b.valText()];
  return left === right || Object.is(readJson(left), readJson(right));
}

function knownOf(period: Period | undefined, held: Held | undefined): Known | undefined {
  if (!period || !held) return undefined;
  return { period, value: held.isAmbiguous ? undefined : held.said, knownAt: secondOf(held.at) };
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
