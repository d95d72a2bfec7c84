import type { CoveringSeries } from '../../contract/hooks.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import type { Visibility } from '../answer/visibility.ts';
import type { Question } from '../source.ts';

/** The series that stand for an answer, and the window that has to be covered where it is not the asked one. */
export interface CoverageRule {
  readonly series: readonly StoredSeries[];
  readonly window?: CoveringSeries['window'];
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

/** What a caller may see, of another window than the asked one. */
export function withWindow(visible: Visibility, window: CoveringSeries['window']): Visibility {
  return window ? { ...visible, args: { ...visible.args, ...window } } : visible;
}
