import type {
  Compose,
  Composed,
  CoveringSeries,
  HookContext,
  LoadedSeries,
  MissingPart,
  StoredRef,
} from '../../contract/hooks.ts';
import { commonTo, missingRangesIn, type Range, unionOf } from '../../contract/time/coverage.ts';
import { dateOf } from '../../contract/time/time.ts';
import { earlier, missingAll, missingOfEach, missingOfSeriesList } from '../../coverage/missing-parts.ts';
import { CATALOGUE, catalogueOf, LIST_COLUMNS, listedIndicators, missingOfOneList } from '../announcements/series.ts';
import {
  align,
  differentialEnvelope,
  differentialRow,
  joinPoints,
  type MatchedPoint,
  ownPoints,
} from './differential-envelope.ts';
import {
  type Comparison,
  candidates,
  type DifferentialArgs,
  forwardLeg,
  isMeasure,
  isOwn,
  isShared,
  type Leg,
  nodeSlugs,
  pickLegs,
  readSeries,
  sharedMeasure,
  spotLeg,
} from './differential-legs.ts';
import { confirmedAt, givesNodes, MARKET_COLUMNS, type ObservedMoment } from './rates.ts';

/** The tenors for which the service's answers are stored. */
export const START_TENOR = 2;
export const END_TENOR = 5;

/** The spread of both legs on common dates; the service's rows count where legs are missing, agree or are older. */
export const composeDifferential: Compose<DifferentialArgs> = {
  version: 2,
  reads: (args) => readSeries(args, usesOwn(args)),
  lists: ({ base, quote, rate_type: type }) => (type === 'spot' ? [base, quote].map(catalogueOf) : []),
  selectSeries: pickLegs,
  required: true,
  // The service's own answer has columns of its own dates.
  rowsNeeded: ({ start_date }, ref) =>
    isOwn(ref)
      ? undefined
      : ref.endpoint === CATALOGUE
        ? LIST_COLUMNS
        : { since: start_date, ...(ref.endpoint === 'announcements' && { columns: MARKET_COLUMNS }) },
  vouches: vouchingSeries,
  build: buildDifferential,
};

/** The series that each part of both legs rests on: one list a part, with the part's name. */
interface Part {
  readonly currency: string;
  readonly indicator: string;
  readonly origins: readonly LoadedSeries[];
}

/** The service's rows are those of its default tenors, as they stand now. */
function usesOwn({ as_of: asOf, rate_type: type, start_tenor_years: start, end_tenor_years: end }: DifferentialArgs) {
  return asOf === undefined && (type === 'spot' || (start === START_TENOR && end === END_TENOR));
}

/** The service's answer vouches for itself; legs do for a forward, and for an asked or the first measure. */
function vouchingSeries(args: DifferentialArgs, picked: readonly StoredRef[]): CoveringSeries | undefined {
  const own = picked.filter(isOwn);
  if (own.length > 0) return { series: own };
  if (args.rate_type === 'forward') {
    const yields = picked.filter(({ endpoint }) => endpoint === 'announcements');
    const certain = nodeSlugs(args).every((slug) => isShared(args, yields, slug));
    return certain ? { series: yields } : undefined;
  }
  const [preferred = ''] = candidates(args);
  return isShared(args, picked, preferred) ? { series: picked } : undefined;
}

function buildDifferential(
  loaded: readonly LoadedSeries[],
  context: HookContext<DifferentialArgs>,
): Composed | undefined {
  const { args } = context;
  const own = loaded.find(({ ref }) => isOwn(ref));
  const rates = loaded.filter(({ ref }) => givesNodes(ref) || isMeasure(ref));
  const { measure, missingParts: undecided } =
    args.rate_type === 'forward'
      ? { measure: args.curve_family, missingParts: [] }
      : chooseMeasure(args, loaded, usesOwn(args));
  const legs = legsOf(args, rates, { ...momentOf(context), measure });
  const points = pointsOf(args, legs, own);
  const page = points.slice(args.offset, args.offset + args.limit);
  const today = dateOf((args.as_of ?? context.now) * 1000);
  const to = earlier(args.end_date, today);
  const missingFrom = (from: string) => [
    ...undecided,
    ...missingOfDifferential({ args, own, rates, measure }, { from, to }),
  ];
  const isNewestKnown = missingFrom(points[0]?.date ?? args.start_date).length === 0;
  return {
    envelope: differentialEnvelope({ args, own, legs, measure, points, isNewestKnown, now: context.now }),
    rows: page.map(differentialRow),
    total: points.length,
    missingParts: missingFrom(args.start_date),
    notes: differentialNotes({
      args,
      legs,
      measure,
      own,
      rates,
      isUndecided: undecided.length > 0,
      matched: points.length,
    }),
  };
}

function momentOf({ args }: HookContext<DifferentialArgs>): ObservedMoment {
  return { from: args.start_date, to: args.end_date, asOf: args.as_of };
}

function legsOf(
  args: DifferentialArgs,
  rates: readonly LoadedSeries[],
  ask: ObservedMoment & { readonly measure: string | undefined },
): readonly [Leg, Leg] | undefined {
  const { measure } = ask;
  if (measure === undefined) return undefined;
  const leg = (currency: string) =>
    args.rate_type === 'forward'
      ? forwardLeg(rates, currency, { ...args, ...ask, measure })
      : spotLeg(rates, { currency, measure }, ask);
  return [leg(args.base), leg(args.quote)];
}

function pointsOf(
  args: DifferentialArgs,
  legs: readonly [Leg, Leg] | undefined,
  own: LoadedSeries | undefined,
): readonly MatchedPoint[] {
  const computed = legs ? align(...legs) : [];
  if (!own) return computed;
  return joinPoints(computed, ownPoints(own, args.start_date, args.end_date), isNewer(own, legs));
}

/** True when the service's answer was confirmed after the legs, which then may have been corrected since. */
function isNewer(own: LoadedSeries, legs: readonly [Leg, Leg] | undefined): boolean {
  const series = legs?.flatMap((leg) => leg.series) ?? [];
  return series.every((leg) => confirmedAt(leg) < confirmedAt(own));
}

/** The inputs of a differential. */
interface Compared {
  readonly args: Comparison;
  readonly measure: string | undefined;
  readonly own: LoadedSeries | undefined;
  readonly rates: readonly LoadedSeries[];
}

interface EmptyFacts extends Compared {
  readonly legs: readonly [Leg, Leg] | undefined;
  /** The stored series do not tell the measure that the service would take. */
  readonly isUndecided: boolean;
  /** Dates of the window that both legs have. */
  readonly matched: number;
}

/** Why a differential is empty, for a person. */
function differentialNotes({ args, legs, measure, own, rates, isUndecided, matched }: EmptyFacts): readonly string[] {
  if (own) return [];
  if (isUndecided)
    return [
      `The mirror does not know which measure the service would take: --measure ${sharedMeasure(args, rates) ?? 'policy_rate'} names one.`,
    ];
  if (measure === undefined || legs?.some(({ series }) => series.length === 0))
    return [`The mirror has no rate that ${args.base} and ${args.quote} share for this question.`];
  if (matched > 0) return [];
  return [`The rates of ${args.base} and ${args.quote} in the mirror have no date in common here.`];
}

function partsOf(args: Comparison, rates: readonly LoadedSeries[], measure: string | undefined): readonly Part[] {
  const slugs = args.rate_type === 'forward' ? nodeSlugs(args) : measure === undefined ? [] : [measure];
  return [args.base, args.quote].flatMap((currency) =>
    slugs.map((indicator) => ({
      currency,
      indicator,
      // A list of nodes tells of its own days alone, so it covers no history.
      origins: rates.filter(({ ref: { endpoint, scope } }) => {
        return endpoint === 'announcements' && scope.currency === currency && scope.indicator === indicator;
      }),
    })),
  );
}

/** The missing dates of a range: covered neither by the service's own answer nor by all parts of both legs. */
function missingOfDifferential({ args, own, rates, measure }: Compared, range: Range): readonly MissingPart[] {
  const parts = partsOf(args, rates, measure);
  if (!own)
    return parts.flatMap(({ currency, indicator, origins }) =>
      origins.length > 0 ? missingOfSeriesList(origins, range) : [missingAll('announcements', { currency, indicator })],
    );
  const legs =
    parts.length > 0 ? [commonTo(parts.map(({ origins }) => unionOf(origins.map(({ coverage }) => coverage))))] : [];
  const missingRanges = missingRangesIn(unionOf([own.coverage, ...legs]), range);
  return missingRanges.flatMap((missingRange) => missingOfEach([own], missingRange));
}

/** The measure of a spot question. `auto` takes the first shared one, which only the catalogues of both can tell. */
function chooseMeasure(args: Comparison, loaded: readonly LoadedSeries[], usesOwn: boolean) {
  const own = loaded.find(({ ref }) => isOwn(ref));
  const stated = own?.envelope.measure_used;
  if (args.measure === 'auto' && typeof stated === 'string') return { measure: stated, missingParts: [] };
  const currencies = [args.base, args.quote];
  for (const measure of candidates(args)) {
    const places = currencies.map((currency) => placeOf(loaded, currency, measure));
    if (places.includes('nowhere')) continue;
    if (args.measure !== 'auto' || !places.includes('unknown')) return { measure, missingParts: [] };
    const { base, quote, rate_type } = args;
    // The service's own answer is nearer at hand than two catalogues and all rates.
    if (usesOwn)
      return {
        measure: undefined,
        missingParts: [missingAll('rate_differentials', { base, quote, measure: 'auto', rate_type })],
      };
    return {
      measure: undefined,
      missingParts: currencies.filter((_, i) => places[i] === 'unknown').map(missingOfOneList),
    };
  }
  return { measure: own && args.measure !== 'auto' ? args.measure : undefined, missingParts: [] };
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
