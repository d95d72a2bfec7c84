import type { Compose, Composed, CoveringSeries, HookContext, LoadedSeries, StoredRef } from '../../contract/hooks.ts';
import { dateOf } from '../../contract/time/time.ts';
import { catalogueOf } from '../announcements/all-indicators.ts';
import { earlier } from '../lacks.ts';
import { givesNodes } from '../rates/nodes.ts';
import { confirmedAt, type ObservedMoment } from '../rates/observations.ts';
import { chooseMeasure } from './choose-measure.ts';
import { lacksOfDifferential } from './coverage.ts';
import { type DifferentialArgs, END_TENOR, START_TENOR } from './differential-args.ts';
import { differentialEnvelope } from './envelope.ts';
import { forwardLeg, type Leg, spotLeg } from './legs.ts';
import { candidates, isMeasure, isOwn, isShared, nodeSlugs, pickLegs, readSeries } from './measures.ts';
import { differentialNotes } from './notes.ts';
import { align, differentialRow, joinPoints, type MatchedPoint, ownPoints } from './rows.ts';

/**
 * The spread of two currencies on a shared measure. Walk: choose the measure, by the service's own answer where that is
 * stored, else the first that both currencies have; read both legs as they were known at the moment; align them on common
 * dates; add dates that only the service's answer has. Legs are recomputed rather than trusted: the service's rows speak
 * where the legs are missing, agree, or were confirmed longer ago.
 */
export const composeDifferential: Compose<DifferentialArgs> = {
  version: 2,
  reads: (args) => readSeries(args, usesOwn(args)),
  lists: ({ base, quote, rate_type: type }) => (type === 'spot' ? [base, quote].map(catalogueOf) : []),
  selectSeries: pickLegs,
  required: true,
  // The service's own answer has columns of its own dates.
  rowsNeeded: ({ start_date }, ref) => (isOwn(ref) ? undefined : { since: start_date }),
  vouches: vouchingSeries,
  build: buildDifferential,
};

/** The service's rows are those of its default tenors, as they stand now. */
function usesOwn({ as_of: asOf, rate_type: type, start_tenor_years: start, end_tenor_years: end }: DifferentialArgs) {
  return asOf === undefined && (type === 'spot' || (start === START_TENOR && end === END_TENOR));
}

/**
 * The service's own answer vouches for itself. Legs do so where nothing but them can be meant: both yields of a forward,
 * an asked measure, or the one that `auto` prefers to all others.
 */
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
  const { measure, lacks: undecided } =
    args.rate_type === 'forward'
      ? { measure: args.curve_family, lacks: [] }
      : chooseMeasure(args, loaded, usesOwn(args));
  const legs = legsOf(args, rates, { ...momentOf(context), measure });
  const points = pointsOf(args, legs, own);
  const page = points.slice(args.offset, args.offset + args.limit);
  const today = dateOf((args.as_of ?? context.now) * 1000);
  const to = earlier(args.end_date, today);
  const lacksFrom = (from: string) => [
    ...undecided,
    ...lacksOfDifferential({ args, own, rates, measure }, { from, to }),
  ];
  const isNewestKnown = lacksFrom(points[0]?.date ?? args.start_date).length === 0;
  return {
    envelope: differentialEnvelope({ args, own, legs, measure, points, isNewestKnown, now: context.now }),
    rows: page.map(differentialRow),
    total: points.length,
    lacks: lacksFrom(args.start_date),
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
