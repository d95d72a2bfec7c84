import type { HeldRef, LoadedSeries, SeriesRef } from '../../contract/hooks.ts';
import { byOrigin } from '../announcements/series-choice.ts';
import { cadenceOf } from '../cadence.ts';
import { historyOf, pointsOf } from '../forex/legs.ts';
import { candidatePairs, choosePath, type Pair, pickSeries, seriesOfPair } from '../forex/paths.ts';
import { ratesAlong } from '../forex/routes.ts';
import { COMPONENTS } from './score.ts';

/** A day's value of a component. */
export interface Observation {
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

/** Of the held series those that the components are made of. */
export function pickInputs<Ref extends HeldRef>(held: readonly Ref[]): readonly Ref[] {
  const picked = sources.flatMap((source) =>
    'series' in source ? held.filter((ref) => isOf(ref, source.series)) : pickSeries(source.pair, held),
  );
  return [...new Set(picked)];
}

/** The observations of each component, oldest first, in the order of the components; none for one that is not held daily. */
export function observedComponents(loaded: readonly LoadedSeries[]): readonly (readonly Observation[])[] {
  return COMPONENTS.map(({ name }) => {
    const source = SOURCES[name];
    if (!source) return [];
    const observed = 'series' in source ? valuesOf(loaded, source.series) : ratesOf(loaded, source.pair);
    // A look-back of 252 observations is a year of days, and nothing else.
    return cadenceOf(observed.map(({ date }) => date)) === 'daily' ? observed.toReversed() : [];
  });
}

/** Newest first: of several origins the service's own rows. */
function valuesOf(loaded: readonly LoadedSeries[], wanted: SeriesRef): readonly Observation[] {
  const [best] = loaded.filter(({ ref, rows }) => isOf(ref, wanted) && rows.length > 0).sort(byOrigin);
  return (best?.rows ?? []).flatMap(({ columns: { date, val } }) =>
    typeof date === 'string' && typeof val === 'number' ? [{ date, val }] : [],
  );
}

/** Newest first: the pair itself, its reverse or a cross, whichever the route of rates would show. */
function ratesOf(loaded: readonly LoadedSeries[], pair: Pair): readonly Observation[] {
  const path = choosePath(
    pair,
    loaded.map(({ ref }) => ref),
  );
  if (!path) return [];
  const histories = path.legs.map((leg) => historyOf(leg.pair, loaded));
  const { dates, vals } = ratesAlong({ path, histories, points: pointsOf(histories, false) });
  return dates.flatMap((date, i) => {
    const val = vals[i] ?? Number.NaN;
    return Number.isNaN(val) ? [] : [{ date, val }];
  });
}

function isOf(ref: HeldRef, wanted: SeriesRef): boolean {
  if (ref.endpoint !== wanted.endpoint) return false;
  const names = Object.keys(wanted.exact ? { ...ref.scope, ...wanted.scope } : wanted.scope);
  return names.every((name) => ref.scope[name] === wanted.scope[name]);
}
