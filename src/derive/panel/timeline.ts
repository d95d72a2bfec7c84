import type { JsonText } from '../../contract/json/json.ts';
import { type KnownStep, stepsOf, type TimedValue } from '../../contract/time/vintages.ts';

/** A value of a period and since when it was known. */
export interface Said extends TimedValue {
  /** JSON text of the value. */
  readonly valText: () => JsonText;
}

/** One reference period with the values that it had. */
export interface PanelPeriod {
  readonly date: string;
  readonly said: readonly Said[];
  readonly about: () => { readonly release: number | undefined; readonly observationId: string };
}

/** What was known of a series: the newest period of which anything was known, and its newest value. */
export interface Known {
  readonly period: PanelPeriod;
  /** Undefined when nobody can tell which of several values it was. */
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

/** A step in what was known of the period at a place. */
interface PlacedStep {
  readonly place: number;
  readonly step: KnownStep<Said>;
}

/**
 * Replays everything that became known of a series once, so that each of many questions is a binary search. Walk: the steps
 * of all periods in order of their moments; after each second that had some, what is known from then on.
 */
export function timelineOf(periods: readonly PanelPeriod[], availability: 'public' | 'captured'): Timeline {
  const ordered = [...periods].sort((a, b) => (a.date < b.date ? -1 : 1));
  const stored = new Array<KnownStep<Said> | undefined>(ordered.length);
  const steps: Step[] = [];
  let newest = -1;
  const apply = ({ place, step }: PlacedStep) => {
    stored[place] = step.state === 'gone' ? undefined : step;
    if (step.state !== 'gone' && place > newest) newest = place;
    while (newest >= 0 && !stored[newest]) newest -= 1;
  };
  const placed = ordered.flatMap(({ said }, place) => stepsOf(said, availability).map((step) => ({ place, step })));
  placed.sort((a, b) => (a.step.at < b.step.at ? -1 : a.step.at > b.step.at ? 1 : 0));
  for (const [i, one] of placed.entries()) {
    apply(one);
    const from = secondOf(one.step.at);
    const following = placed[i + 1];
    if (following && secondOf(following.step.at) === from) continue;
    steps.push({ from, known: knownOf(ordered[newest], stored[newest]) });
  }
  return steps;
}

function knownOf(period: PanelPeriod | undefined, stored: KnownStep<Said> | undefined): Known | undefined {
  if (!period || !stored) return undefined;
  return { period, value: stored.known, knownAt: secondOf(stored.at) };
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
