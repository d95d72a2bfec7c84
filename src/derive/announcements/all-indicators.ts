import type { Lack, LoadedSeries, SeriesRef, StoredRef } from '../../contract/hooks.ts';
import { holesIn, isCovered, type Range } from '../../contract/time/coverage.ts';
import { isBaseSeries } from './series-choice.ts';

const CATALOGUE = 'data_catalogue';
const HISTORY = 'announcements';

/** The list that tells which indicators a currency has. */
export const catalogueOf = (currency: string): SeriesRef => ({ endpoint: CATALOGUE, scope: { currency } });

/** The indicators of a currency, by its list; undefined where no list of them is held. */
export function listedIndicators(loaded: readonly LoadedSeries[], currency: string): readonly string[] | undefined {
  const list = loaded.find(
    ({ ref: { endpoint, scope }, coverage }) =>
      endpoint === CATALOGUE && scope.currency === currency && coverage.ranges.length > 0,
  );
  return list?.rows.map(({ columns }) => String(columns.slug));
}

/** What an answer about all indicators of a currency lacks: the list of them, indicators on it, and parts of those. */
export function lacksOfIndicators(
  loaded: readonly LoadedSeries[],
  { currency, neededOf }: { readonly currency: string; readonly neededOf: (history: LoadedSeries) => Range },
): readonly Lack[] {
  const slugs = listedIndicators(loaded, currency);
  if (!slugs) return [lackOfList(currency)];
  const histories = loaded.filter(({ ref }) => ref.endpoint === HISTORY && isBaseSeries(ref));
  return slugs.flatMap((indicator) => {
    const stored = histories.filter(({ ref }) => ref.scope.indicator === indicator);
    const series = { endpoint: HISTORY, scope: { currency, indicator }, exact: true };
    if (stored.length === 0) return [{ series }];
    if (stored.some((history) => isCovered(history.coverage, neededOf(history)))) return [];
    return stored.slice(0, 1).flatMap((history) => lacksOfHistory(history.ref, history.coverage, neededOf(history)));
  });
}

/** The list of indicators itself. */
export function lackOfList(currency: string): Lack {
  return { series: { ...catalogueOf(currency), exact: true } };
}

export function lacksOfHistory(
  { endpoint, scope }: StoredRef,
  coverage: LoadedSeries['coverage'],
  range: Range,
): readonly Lack[] {
  return holesIn(coverage, range).map((hole) => ({ series: { endpoint, scope, exact: true }, range: hole }));
}
