import type { Lack, LoadedSeries, SeriesRef, StoredRef } from '../../contract/hooks.ts';
import { type Coverage, NO_COVERAGE, type Range } from '../../contract/time/coverage.ts';
import { byOrigin } from '../announcements/series-choice.ts';
import { cadenceOf } from '../cadence.ts';
import { coverageOfRoute, lacksOfRoutes } from '../fx/pairs/coverage.ts';
import { historyOf, pointsOf } from '../fx/pairs/legs.ts';
import { candidatePairs, choosePath, type Pair, selectPathSeries, seriesOfPair } from '../fx/pairs/paths.ts';
import { ratesAlong } from '../fx/pairs/routes.ts';
import { lacksOfSeriesList } from '../lacks.ts';
import { COMPONENTS } from './score.ts';

/** A day's value of a component. */
interface SentimentInput {
  readonly date: string;
  readonly val: number;
}

/** Where the mirror keeps what a component is made of: a series of its own, or the rates that a pair follows from. */
type Source = { readonly series: SeriesRef } | { readonly pair: Pair };

/** The stress index is a daily series of nobody's currency; a service or a file that has it files it under the dollar. */
const SOURCES: Readonly<Record<string, Source>> = {
  ofr_fsi: { series: { endpoint: 'announcements', scope: { currency: 'USD', indicator: 'ofr_fsi' }, exact: true } },
  gold: { series: { endpoint: 'commodities', scope: { indicator: 'gold' } } },
  aud_usd: { pair: { base: 'AUD', quote: 'USD' } },
  usd_jpy: { pair: { base: 'USD', quote: 'JPY' } },
};

const sources: readonly Source[] = Object.values(SOURCES);

/** Every series that a component could follow from. */
export function inputRefs(): readonly SeriesRef[] {
  return sources.flatMap((source) =>
    'series' in source ? [source.series] : candidatePairs(source.pair).map(seriesOfPair),
  );
}

/** Of the stored series those that the components are made of. */
export function pickInputs<Ref extends StoredRef>(stored: readonly Ref[]): readonly Ref[] {
  const picked = sources.flatMap((source) =>
    'series' in source ? stored.filter((ref) => isOf(ref, source.series)) : selectPathSeries(source.pair, stored),
  );
  return [...new Set(picked)];
}

/** What is stored of a component. */
export interface Observed {
  /** A series of it is stored, with or without rows. */
  readonly isHeld: boolean;
  /** Oldest first. */
  readonly observations: readonly SentimentInput[];
  readonly coverage: Coverage;
  lacks(range: Range): readonly Lack[];
}

const UNHELD: Observed = { isHeld: false, observations: [], coverage: NO_COVERAGE, lacks: () => [] };

/** The observations of each component, in the order of the components; none for one that is not stored daily. */
export function observedComponents(loaded: readonly LoadedSeries[]): readonly Observed[] {
  return COMPONENTS.map(({ name }) => {
    const source = SOURCES[name];
    if (!source) return UNHELD;
    const { observations, ...stored } =
      'series' in source ? valuesOf(loaded, source.series) : ratesOf(loaded, source.pair);
    // A look-back of 252 observations is a year of days, and nothing else.
    const isDaily = cadenceOf(observations.map(({ date }) => date)) === 'daily';
    return { ...stored, observations: isDaily ? observations.toReversed() : [] };
  });
}

/** Newest first: of several origins the service's own rows. */
function valuesOf(loaded: readonly LoadedSeries[], target: SeriesRef): Observed {
  const [best] = loaded.filter(({ ref }) => isOf(ref, target)).sort(byOrigin);
  if (!best) return UNHELD;
  const observations = best.rows.flatMap(({ columns: { date, val } }) =>
    typeof date === 'string' && typeof val === 'number' ? [{ date, val }] : [],
  );
  return { isHeld: true, observations, coverage: best.coverage, lacks: (range) => lacksOfSeriesList([best], range) };
}

/** Newest first: the pair itself, its reverse or a cross, whichever the route of rates would show. */
function ratesOf(loaded: readonly LoadedSeries[], pair: Pair): Observed {
  const path = choosePath(
    pair,
    loaded.map(({ ref }) => ref),
  );
  if (!path) return UNHELD;
  const histories = path.legs.map((leg) => historyOf(leg.pair, loaded));
  const route = { path, histories, points: pointsOf(histories, false) };
  const { dates, vals } = ratesAlong(route);
  const observations = dates.flatMap((date, i) => {
    const val = vals[i] ?? Number.NaN;
    return Number.isNaN(val) ? [] : [{ date, val }];
  });
  return {
    isHeld: true,
    observations,
    coverage: coverageOfRoute(route),
    lacks: (range) => lacksOfRoutes([route], range),
  };
}

function isOf(ref: StoredRef, target: SeriesRef): boolean {
  if (ref.endpoint !== target.endpoint) return false;
  const names = Object.keys(target.exact ? { ...ref.scope, ...target.scope } : target.scope);
  return names.every((name) => ref.scope[name] === target.scope[name]);
}
