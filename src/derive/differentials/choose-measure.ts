import type { Lack, LoadedSeries } from '../../contract/hooks.ts';
import { lackOfList, listedIndicators } from '../announcements/all-indicators.ts';
import { lackOfAll } from '../lacks.ts';
import { type Comparison, candidates, isOwn } from './measures.ts';

/** What two currencies are compared by, and what is lacking to tell it. */
interface ChosenMeasure {
  /** Undefined where the currencies share none, or where it cannot be told. */
  readonly measure: string | undefined;
  readonly lacks: readonly Lack[];
}

/**
 * The measure of a spot question. `auto` takes the first one that both currencies have: what is not held may still exist, so
 * the catalogues of both have to tell. Another measure would give other numbers.
 */
export function chooseMeasure(args: Comparison, loaded: readonly LoadedSeries[], usesOwn: boolean): ChosenMeasure {
  const own = loaded.find(({ ref }) => isOwn(ref));
  const stated = own?.envelope.measure_used;
  if (args.measure === 'auto' && typeof stated === 'string') return { measure: stated, lacks: [] };
  const currencies = [args.base, args.quote];
  for (const measure of candidates(args)) {
    const places = currencies.map((currency) => placeOf(loaded, currency, measure));
    if (places.includes('nowhere')) continue;
    if (args.measure !== 'auto' || !places.includes('unknown')) return { measure, lacks: [] };
    const { base, quote, rate_type } = args;
    // The service's own answer is nearer at hand than two catalogues and all rates.
    if (usesOwn)
      return {
        measure: undefined,
        lacks: [lackOfAll('rate_differentials', { base, quote, measure: 'auto', rate_type })],
      };
    return {
      measure: undefined,
      lacks: currencies.filter((_, i) => places[i] === 'unknown').map(lackOfList),
    };
  }
  return { measure: own && args.measure !== 'auto' ? args.measure : undefined, lacks: [] };
}

/** Where a rate of a currency is: in the mirror, in the catalogue alone, nowhere, or nobody knows. */
function placeOf(loaded: readonly LoadedSeries[], currency: string, indicator: string) {
  const isHeld = loaded.some(
    ({ ref: { endpoint, scope } }) =>
      endpoint === 'announcements' && scope.currency === currency && scope.indicator === indicator,
  );
  if (isHeld) return 'held';
  const listed = listedIndicators(loaded, currency);
  if (!listed) return 'unknown';
  return listed.includes(indicator) ? 'listed' : 'nowhere';
}
