import type { Lack } from '../../contract/hooks.ts';
import { isCovered, type Range, runEnds } from '../../contract/time/coverage.ts';
import { addDays, BEGINNING } from '../../contract/time/time.ts';
import type { Observed } from './inputs.ts';
import { LOOKBACK, rollingScores, type Score, scoreOf } from './score.ts';

export interface ScoredDay extends Score {
  readonly date: string;
}

/**
 * Every day on which at least one component has a score, newest first. A day is left out when nobody can tell the score of a
 * component, because it is not covered that day, or not as far back as its score looks.
 */
export function scoredDays(components: readonly Observed[]): readonly ScoredDay[] {
  const scores = components.map(scoresOf);
  const dates = [...new Set(scores.flatMap(({ byDate }) => [...byDate.keys()]))].sort().reverse();
  return dates.flatMap((date) => {
    const parts = scores.map(({ byDate, isSilent }) => (isSilent(date) ? null : byDate.get(date)));
    if (!parts.every((part) => part !== undefined)) return [];
    const score = scoreOf(parts);
    return score ? [{ date, ...score }] : [];
  });
}

/** The scores of a component by date: null where it has none yet, undefined where it cannot be told. */
function scoresOf({ observations, coverage, isHeld }: Observed) {
  const dates = observations.map(({ date }) => date);
  const scores = rollingScores(observations.map(({ val }) => val));
  const newestFirst = dates.toReversed();
  const ends = runEnds(coverage, newestFirst);
  const isFromStart = dates[0] !== undefined && isCovered(coverage, { from: BEGINNING, to: dates[0] });
  const byDate = new Map<string, number | null | undefined>();
  for (const [i, date] of dates.entries()) {
    const place = dates.length - 1 - i;
    const end = ends[place] ?? place;
    const isKnown = end - place >= LOOKBACK || (end === dates.length && isFromStart);
    byDate.set(date, isKnown ? (scores[i] ?? null) : undefined);
  }
  // A component that is not stored at all counts as one without a score; the notes tell.
  const isSilent = (date: string) => !byDate.has(date) && (!isHeld || isCovered(coverage, { from: date, to: date }));
  return { byDate, isSilent };
}

/** What the scores of a range lack: of each component the range, and what a look-back before it reaches. */
export function lacksOfScores(components: readonly Observed[], { from, to }: Range): readonly Lack[] {
  return components.flatMap(({ observations, lacks }) => {
    const first = observations.findIndex(({ date }) => date >= from);
    const back = observations[(first < 0 ? observations.length : first) - LOOKBACK];
    return lacks({ from: back === undefined ? BEGINNING : addDays(back.date, 1), to });
  });
}
