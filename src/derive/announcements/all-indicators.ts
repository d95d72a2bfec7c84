import type { Lack, LoadedSeries, SeriesRef, StoredRef } from '../../contract/hooks.ts';
import { holesIn, isCovered, type Range } from '../../contract/time/coverage.ts';
import { isBaseSeries } from './series-choice.ts';

const CATALOGUE = 'data_catalogue';
const HISTORY = 'announcements';

/** The list that tells which indicators a currency has. */
export const catalogueOf = (currency: string): SeriesRef => ({ endpoint: CATALOGUE, scope: { currency } });

/** What an answer about all indicators of a currency lacks: the list of them, indicators on it, and parts of those. */
export function lacksOfIndicators(
  loaded: readonly LoadedSeries[],
  { currency, neededOf }: { readonly currency: string; readonly neededOf: (history: LoadedSeries) => Range },
): readonly Lack[] {
  const catalogue = loaded.find(({ ref, coverage }) => ref.endpoint === CATALOGUE && coverage.ranges.length > 0);
  if (!catalogue) return [{ series: { ...catalogueOf(currency), exact: true } }];
  const histories = loaded.filter(({ ref }) => ref.endpoint === HISTORY && isBaseSeries(ref));
  const slugs = catalogue.rows.map(({ columns }) => String(columns.slug));
  return slugs.flatMap((indicator) => {
    const held = histories.filter(({ ref }) => ref.scope.indicator === indicator);
    const series = { endpoint: HISTORY, scope: { currency, indicator }, exact: true };
    if (held.length === 0) return [{ series }];
    if (held.some((history) => isCovered(history.coverage, neededOf(history)))) return [];
    return held.slice(0, 1).flatMap((history) => lacksOfHistory(history.ref, history.coverage, neededOf(history)));
  });
}

export function lacksOfHistory(
  { endpoint, scope }: StoredRef,
  coverage: LoadedSeries['coverage'],
  range: Range,
): readonly Lack[] {
  return holesIn(coverage, range).map((hole) => ({ series: { endpoint, scope, exact: true }, range: hole }));
}
