import { isSameForAll } from '../contract/access.ts';
import type { CoveringSeries, MissingPart } from '../contract/hooks.ts';
import { type Bound, missingRangesIn, type Range } from '../contract/time/coverage.ts';
import type { AsOf } from '../contract/time/moments.ts';
import { dateOf } from '../contract/time/time.ts';
import { accessOfCaller } from '../coverage/intervals.ts';
import { missingOfSeries } from '../coverage/missing-parts.ts';
import type { PartialAnswer } from '../coverage/partial-answer.ts';
import { partialFor } from '../coverage/partial-mark.ts';
import { type CoverageAsk, coverageIn, type SeriesCoverage } from '../coverage/series-coverage.ts';
import { closedBehind } from '../coverage/windows.ts';
import { loadedEndpoint } from '../endpoints/find.ts';
import type { AccessTag, StoredSeries } from '../mirror/api/series.ts';
import type { MirrorQuestion } from './answer/answer.ts';
import type { Visibility } from './answer/keyless.ts';
import { type EventAsk, rangesAfterEvents } from './newer-events.ts';
import { missingFor } from './not-mirrored.ts';
import type { Question } from './source.ts';

/** A question about coverage, and who reads the checks for it. */
export interface CoverageQuestion extends CoverageAsk {
  readonly visible: Visibility;
  /** The moment of the past that it is put at. */
  readonly asOf?: AsOf | undefined;
  readonly reader: EventAsk['reader'];
  /** Somebody asks who has no key: of a mirror that was filled without one nothing more can be had. */
  readonly isKeyless?: boolean;
}

/** Reads the checks of a series for a question; undefined for endpoints that are not stored. */
export async function seriesCoverage(
  ask: CoverageQuestion,
  stored: StoredSeries,
  access: AccessTag | 'keyed',
): Promise<SeriesCoverage | undefined> {
  const endpoint = loadedEndpoint(stored.endpoint);
  const mapping = endpoint?.mirror;
  if (!endpoint || !mapping) return undefined;
  // A file, and a series that is the same with and without a key, have one coverage for everybody.
  const isForAll = isSameForAll(endpoint.access) || stored.origin.startsWith('import:');
  const of = isForAll ? 'keyless' : access;
  const coveredRanges = await rangesAfterEvents(stored, {
    ...ask,
    access: of,
    cutoff: ask.visible.cutoff,
    asOf: ask.asOf,
  });
  const isKeyless = ask.isKeyless === true && mapping.sync.kind === 'history' && endpoint.access.window === true;
  const isClipped = isKeyless && (await ask.reader.coveredRanges(stored, 'keyed')).length === 0;
  return coverageIn(ask, { stored, mapping, coveredRanges, isClipped });
}

/** The mark of an answer with missing parts. */
export function partialOf(
  { endpoint }: Question,
  missingParts: readonly MissingPart[],
  moments: Parameters<typeof partialFor>[2],
): PartialAnswer | undefined {
  return partialFor(endpoint, missingParts.map(withEndpoint), moments);
}

export const withEndpoint = (part: MissingPart) => ({ ...part, endpoint: loadedEndpoint(part.series.endpoint) });

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
      const covered = await seriesCoverage(coverageQuestion(ask, window), stored, accessOfCaller(ask.caller));
      return covered ? missingOfSeries(stored, missingRangesIn(covered.coverage, covered.needed)) : [];
    }),
  );
  return found.flat();
}

/** The question with today's coverage, whatever its moment: a range missing today was missing on every earlier day. */
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

/** The part of a stored series that no coverage reaches, for whoever reads the mirror at this machine. */
export async function missingOfStored(
  reader: EventAsk['reader'],
  series: StoredSeries,
  { now, range }: { readonly now: number; readonly range?: Range | undefined },
): Promise<readonly MissingPart[]> {
  const endpoint = loadedEndpoint(series.endpoint);
  if (!endpoint) return [];
  const visible = { args: {}, window: undefined, cutoff: undefined };
  const covered = await seriesCoverage({ question: { endpoint, args: {} }, visible, now, reader }, series, 'keyless');
  if (!covered) return [];
  const coverage = range
    ? closedBehind(covered.coverage, { ...range, today: todayAs(range.to, now) })
    : covered.coverage;
  return missingOfSeries(series, missingRangesIn(coverage, range ?? covered.needed));
}

/** The day or the second of now, as a window column has it. */
function todayAs(bound: Bound, now: number): Bound {
  return typeof bound === 'number' ? Math.floor(now / 1000) : dateOf(now);
}
