import type { CoveringSeries, MissingPart, MissingRange } from '../../contract/hooks.ts';
import { missingRangesIn } from '../../contract/time/coverage.ts';
import { evidenceFor } from '../../coverage/intervals.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import type { MirrorQuestion } from '../answer/answer.ts';
import type { Visibility } from '../answer/keyless.ts';
import type { Question } from '../source.ts';
import { type CoverageQuestion, evidenceOf } from './evidence.ts';
import { missingFor } from './not-mirrored.ts';

/** The series that stand for an answer, and the window that has to be covered where it is not the asked one. */
interface CoverageRule {
  readonly series: readonly StoredSeries[];
  readonly window?: CoveringSeries['window'];
}

/**
 * The missing parts of an answer from several series: the uncovered ranges of the series that vouch for it. If none
 * vouches, all its series count; if it has none, the series that it needs are missing.
 */
export async function missingOfCoveringSeries(
  ask: MirrorQuestion,
  picked: readonly StoredSeries[],
): Promise<readonly MissingPart[]> {
  if (ask.question.endpoint.compose?.needs === 'none' && picked.length === 0) return [];
  if (picked.length === 0) return (await missingFor(ask)).map((series) => ({ series }));
  const vouching = coverageRulesOf({ ...ask.question, args: ask.visible.args }, picked);
  const { series, window } = vouching ?? { series: picked, window: undefined };
  const found = await Promise.all(
    series.map(async (stored) => {
      const evidence = await evidenceOf(coverageQuestion(ask, window), stored, evidenceFor(ask.caller));
      return evidence ? missingOfSeries(stored, missingRangesIn(evidence.coverage, evidence.needed)) : [];
    }),
  );
  return found.flat();
}

/** Missing ranges as missing parts of a series: a document has no part that could be named. */
export function missingOfSeries(
  { endpoint, scope }: Pick<StoredSeries, 'endpoint' | 'scope'>,
  missingRanges: readonly MissingRange[],
) {
  const series = { endpoint, scope, exact: true };
  return missingRanges.map((range): MissingPart => (range.from === '' ? { series } : { series, range }));
}

/**
 * The question with today's coverage, whatever its moment: a range missing today was missing on every earlier day. A
 * range covered today need not have been covered then, so no answer about the past counts as fresh.
 */
export function coverageQuestion(ask: MirrorQuestion, window?: CoveringSeries['window']): CoverageQuestion {
  const { question, visible, now, clock, present, caller, hasKey, asOf } = ask;
  return {
    question,
    visible: withWindow(visible, window),
    now,
    clock,
    ...(asOf && { asOf }),
    reader: present,
    isKeyless: caller.kind === 'owner' && !hasKey,
  };
}

/** Undefined when none of the picked series can tell that the answer is complete. */
export function coverageRulesOf(
  { endpoint, args }: Question,
  picked: readonly StoredSeries[],
): CoverageRule | undefined {
  if (!endpoint.compose?.vouches) return { series: picked };
  const named = endpoint.compose.vouches(args, picked);
  if (!named || named.series.length === 0) return undefined;
  const namedSeries = new Set(named.series);
  return { ...named, series: picked.filter((series) => namedSeries.has(series)) };
}

/** The caller's visibility with another window than the requested one. */
export function withWindow(visible: Visibility, window: CoveringSeries['window']): Visibility {
  return window ? { ...visible, args: { ...visible.args, ...window } } : visible;
}
