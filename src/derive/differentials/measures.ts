import type { SeriesRef, StoredRef } from '../../contract/hooks.ts';
import { isBaseSeries } from '../announcements/series-choice.ts';
import { type Maturity, maturityOfYears, slugOfMaturity } from '../rates/maturity.ts';
import { givesNodes } from '../rates/nodes.ts';

/** What two rates are compared by, as far as it decides which series take part. */
export interface Comparison {
  readonly base: string;
  readonly quote: string;
  readonly measure: string;
  readonly rate_type: string;
  readonly start_tenor_years: number;
  readonly end_tenor_years: number;
}

/** Measures that `auto` tries, the preferred one first. */
const AUTO_ORDER = ['risk_free_rate', 'gov_bond_2y', 'policy_rate'] as const;
const MEASURES = [...AUTO_ORDER, 'gov_bond_10y'] as const;

/** The measures that answer a question, the preferred one first. */
export function candidates({ measure }: Comparison): readonly string[] {
  return measure === 'auto' ? AUTO_ORDER : [measure];
}

/** Start and end of the forward that a question asks for. */
export function tenorsOf(args: Comparison): readonly [Maturity, Maturity] {
  return [maturityOfYears(args.start_tenor_years), maturityOfYears(args.end_tenor_years)];
}

/** Indicators of the two nodes that a forward rests on. */
export function nodeSlugs(args: Comparison): readonly [string, string] {
  const [start, end] = tenorsOf(args);
  return [slugOfMaturity(start), slugOfMaturity(end)];
}

/** Series that could take part, the service's own answer among them where it can. */
export function readSeries(args: Comparison, usesOwn: boolean): readonly SeriesRef[] {
  const { base, quote, measure, rate_type } = args;
  return [
    ...(usesOwn ? [{ endpoint: 'rate_differentials', scope: { base, quote, measure, rate_type } }] : []),
    ...[base, quote].flatMap((currency) => [
      { endpoint: 'announcements', scope: { currency } },
      ...(rate_type === 'forward' ? [{ endpoint: 'curves', scope: { currency } }] : []),
    ]),
  ];
}

/**
 * The held series that the answer uses. Walk: the service's own answer always; then the legs of the preferred measure where
 * both currencies have it, of all measures where the service's answer or the catalogue will tell which one is taken; where
 * both currencies are known and share nothing, one series of each, so that the answer is an empty one instead of none.
 */
export function pickLegs(args: Comparison, stored: readonly StoredRef[]): readonly StoredRef[] {
  const own = stored.filter(isOwn);
  const isAny = own.length > 0;
  const rates = stored.filter(
    (ref) => !isOwn(ref) && (args.rate_type === 'forward' ? givesNodes(ref) : isMeasure(ref)),
  );
  const legs = args.rate_type === 'forward' ? forwardLegs(args, rates) : spotLegs(args, rates, isAny);
  if (isAny) return [...own, ...legs];
  const known = [args.base, args.quote].flatMap((code) => rates.find(({ scope }) => scope.currency === code) ?? []);
  if (known.length < 2) return [];
  return legs.length > 0 ? legs : known;
}

export function isOwn({ endpoint }: StoredRef): boolean {
  return endpoint === 'rate_differentials';
}

export function isMeasure(ref: StoredRef): boolean {
  return isBaseSeries(ref) && MEASURES.some((measure) => measure === ref.scope.indicator);
}

function spotLegs(args: Comparison, rates: readonly StoredRef[], all: boolean): readonly StoredRef[] {
  const [preferred = '', ...others] = candidates(args);
  const isCertain = !all && isShared(args, rates, preferred);
  const usable = isCertain ? [preferred] : [preferred, ...others].filter((one) => !all || isShared(args, rates, one));
  return rates.filter(({ scope }) => usable.includes(scope.indicator ?? ''));
}

/** True when both currencies have a series of the measure. */
export function isShared({ base, quote }: Comparison, rates: readonly StoredRef[], measure: string): boolean {
  return [base, quote].every((currency) =>
    rates.some(({ scope }) => scope.currency === currency && scope.indicator === measure),
  );
}

/** Yields of both nodes, and curves that may list them. */
function forwardLegs(args: Comparison, rates: readonly StoredRef[]): readonly StoredRef[] {
  const slugs = nodeSlugs(args);
  const legs = rates.filter(({ endpoint, scope }) => endpoint === 'curves' || slugs.includes(scope.indicator ?? ''));
  return [args.base, args.quote].every((code) => legs.some(({ scope }) => scope.currency === code)) ? legs : [];
}

/** The preferred one of the measures that both currencies have. */
export function sharedMeasure(args: Comparison, rates: readonly { readonly ref: StoredRef }[]): string | undefined {
  const refs = rates.map(({ ref }) => ref);
  return MEASURES.find((measure) => isShared(args, refs, measure));
}
