import type { MissingPart } from '../../contract/hooks.ts';
import { type Bound, missingRangesIn, type Range } from '../../contract/time/coverage.ts';
import { dateOf } from '../../contract/time/time.ts';
import { loadedEndpoint } from '../../endpoints/find.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import { missingOfSeries } from './covering-series.ts';
import { type CoverageQuestion, closedBehind, evidenceOf } from './evidence.ts';

export interface StoredPart {
  /** Milliseconds. */
  readonly now: number;
  /** In the terms of the window column; undefined means the whole series. */
  readonly range?: Range | undefined;
}

/** The part of a stored series that no coverage reaches, for whoever reads the mirror at this machine. */
export async function missingOfStored(
  reader: CoverageQuestion['reader'],
  series: StoredSeries,
  { now, range }: StoredPart,
): Promise<readonly MissingPart[]> {
  const endpoint = loadedEndpoint(series.endpoint);
  if (!endpoint) return [];
  const visible = { args: {}, window: undefined, cutoff: undefined };
  const evidence = await evidenceOf({ question: { endpoint, args: {} }, visible, now, reader }, series, 'keyless');
  if (!evidence) return [];
  const coverage = range
    ? closedBehind(evidence.coverage, { ...range, today: todayAs(range.to, now) })
    : evidence.coverage;
  return missingOfSeries(series, missingRangesIn(coverage, range ?? evidence.needed));
}

/** The day or the second of now, as a window column has it. */
function todayAs(bound: Bound, now: number): Bound {
  return typeof bound === 'number' ? Math.floor(now / 1000) : dateOf(now);
}
