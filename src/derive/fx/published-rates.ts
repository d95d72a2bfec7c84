import type { WindowArgs } from '../../contract/endpoint.ts';
import type { LoadedSeries } from '../../contract/hooks.ts';
import { patchRow } from '../../contract/json/body.ts';
import { float, isJsonObject, type JsonObject, type JsonText, readJson, toJsonText } from '../../contract/json/json.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { madeOf, placesOf, valuesOf } from '../places.ts';
import { isImportedSeries } from './legs.ts';
import {
  compareTexts,
  fileSource,
  isTimedFile,
  NATIVE_COLUMNS,
  nativeOf,
  observedRates,
  type PublishedRate,
  textOfRate,
  UNSTATED,
  withoutDays,
} from './observations.ts';
import {
  anchorsOf,
  fileAnchorsOf,
  type Pair,
  type Path,
  type PathLeg,
  pairText,
  reversed,
  sourcePair,
} from './paths.ts';
import { checkRate, rateOf } from './rates.ts';

/** One rate of the asked pair: a row of the answer. */
export interface Rate {
  readonly date: string;
  /** Unix seconds. */
  readonly at: number;
  readonly type: string;
  readonly sourceId: string;
  /** The pair that was published; of a cross both, joined by a comma. */
  readonly sourcePair: string;
  readonly price: number;
  readonly isDerived: boolean;
  readonly assumed: boolean;
  /** The rate is that of a row of the service, the only one of the parts. */
  readonly isStored: boolean;
  readonly path: Path;
  /** The inputs of the rate, in the order of the path's legs. */
  readonly parts: readonly PublishedRate[];
}

/** Dates that an answer is about, both included. */
export interface Dates {
  readonly from: string;
  readonly to: string;
}

/** The asked dates: `date` stands for a window of one day. */
export function datesOfWindow(args: Pick<WindowArgs, 'start_date' | 'end_date'> & { date: string | undefined }): Dates {
  return { from: args.date ?? args.start_date, to: args.date ?? args.end_date };
}

/** Rates with the same name are shown once. */
export const momentName = ({ at, sourceId, type, date }: Pick<Rate, 'at' | 'sourceId' | 'type' | 'date'>) =>
  `${at} ${type} ${sourceId} ${date}`;

/** Natural order of the rows: by time, at one moment by source, pair, type and date. */
export function byNaturalKey(a: Rate, b: Rate): number {
  return (
    a.at - b.at ||
    compareTexts(a.sourceId, b.sourceId) ||
    compareTexts(a.sourcePair, b.sourcePair) ||
    compareTexts(a.type, b.type) ||
    compareTexts(a.date, b.date)
  );
}

/** The rates of the stored rows of a pair by their place, derived ones too; undefined where a row tells none. */
export function rowRates(pair: Pair, series: LoadedSeries): readonly (Rate | undefined)[] {
  return madeOf(series, `rates of ${pairText(pair)}`, () => {
    const { path, sourcePair: own } = directPath(pair);
    const [pairs = [], derived = [], methods = []] = NATIVE_COLUMNS.map((name) => valuesOf(series, name));
    return observedRates(series).map((one, place) => {
      if (!one) return undefined;
      const stated = pairs[place];
      const published = typeof stated === 'string' && stated !== UNSTATED ? stated : own;
      const isDerived = derived[place] === 1 || (methods[place] ?? 'direct_original_pair') !== 'direct_original_pair';
      const { date, at, type, sourceId, val, assumed } = one;
      const told = { date, at, type, sourceId, assumed, sourcePair: published, price: val, isDerived };
      return { ...told, isStored: true, path, parts: [one] };
    });
  });
}

/** The row of a rate as the service spelled it; undefined of a rate that is made here. */
export function storedText({ isStored, parts: [part] }: Rate): JsonText | undefined {
  return isStored && part ? textOfRate(part) : undefined;
}

/** The service's own rates of a pair, in the requested rows. */
export function publishedRates(pair: Pair, series: LoadedSeries): readonly Rate[] {
  const { start, end } = placesOf(series);
  return rowRates(pair, series)
    .slice(start, end)
    .filter((rate) => rate !== undefined);
}

export function directRates(pair: Pair): (observation: PublishedRate) => Rate | undefined {
  const named = directPath(pair);
  return (observation) => rateBy(named, [observation]);
}

/** A path and the pairs that it is made of, as one text: thousands of rates share it. */
interface NamedPath {
  readonly path: Path;
  readonly sourcePair: string;
}

const namedPathOf = (path: Path): NamedPath => ({ path, sourcePair: sourcePair(path) });

const directPath = (pair: Pair) => namedPathOf({ method: 'direct_original_pair', legs: [{ pair, side: 'times' }] });

/**
 * Rates from native observations: the pair, its reverse, crosses of one source and moment; foreign anchors are for
 * files. One rate a source, moment and date, the nearest to a published one.
 */
export function derivedRates(wholePair: Pair, loaded: readonly LoadedSeries[], dates: Dates): readonly Rate[] {
  const nativesOf = (series: readonly LoadedSeries[]) => (pair: Pair) =>
    nativeOf(pair, series).filter(({ date, val }) => date >= dates.from && date <= dates.to && val > 0);
  const natives = nativesOf(loaded);
  const taken = new Map<string, Rate>();
  const add = (named: NamedPath, ...parts: readonly [PublishedRate, PublishedRate?]) => {
    const name = momentName(parts[0]);
    const rate = taken.has(name)
      ? undefined
      : rateBy(
          named,
          parts.filter((part) => part !== undefined),
        );
    if (rate) taken.set(name, rate);
  };
  const direct = directPath(wholePair);
  for (const one of natives(wholePair)) add(direct, one);
  const inverse = namedPathOf({
    method: 'inverse_of_direct_pair',
    legs: [{ pair: reversed(wholePair), side: 'over' }],
  });
  for (const one of natives(reversed(wholePair))) add(inverse, one);
  const addCrosses = (anchor: string, published: typeof natives) => {
    const seconds = new Map<string, { readonly leg: PathLeg; readonly one: PublishedRate }>();
    for (const leg of legsOf({ base: anchor, quote: wholePair.quote }))
      for (const one of published(leg.pair)) {
        const name = momentName(one);
        if (!seconds.has(name)) seconds.set(name, { leg, one });
      }
    const crossed = crossPaths(anchor);
    for (const leg of legsOf({ base: wholePair.base, quote: anchor }))
      for (const one of published(leg.pair)) {
        const second = seconds.get(momentName(one));
        if (second) add(crossed(leg, second.leg), one, second.one);
      }
  };
  for (const anchor of anchorsOf(wholePair)) addCrosses(anchor, natives);
  const ofFiles = nativesOf(loaded.filter(isImportedSeries));
  for (const anchor of fileAnchorsOf(wholePair)) addCrosses(anchor, ofFiles);
  return [...taken.values()];
}

/** The service's own rates of the pair, and stored rates of the same source for days without one. */
export function mergedRates(published: readonly Rate[], derived: readonly Rate[]): readonly Rate[] {
  return [...published, ...withoutDays(derived, published)];
}

/** The pairs whose observations turn the first currency of a pair into the second one. */
function legsOf(pair: Pair): readonly PathLeg[] {
  return [
    { pair, side: 'times' },
    { pair: reversed(pair), side: 'over' },
  ];
}

/** The same two legs make the same path. */
function crossPaths(anchor: string): (first: PathLeg, second: PathLeg) => NamedPath {
  const byName = new Map<string, NamedPath>();
  return (first, second) => {
    const name = `${first.side} ${second.side}`;
    const named = byName.get(name) ?? namedPathOf({ method: 'cross_via_anchor', anchor, legs: [first, second] });
    byName.set(name, named);
    return named;
  };
}

function rateBy({ path, sourcePair: published }: NamedPath, parts: readonly PublishedRate[]): Rate | undefined {
  const [first] = parts;
  if (!first) return undefined;
  const price = rateOf(
    path,
    parts.map(({ val }) => val),
  );
  if (price === null) return undefined;
  const { date, at, type, sourceId } = first;
  return {
    date,
    at,
    type,
    sourceId,
    sourcePair: published,
    price,
    isDerived: path.method !== 'direct_original_pair',
    assumed: parts.some(({ assumed }) => assumed),
    isStored: false,
    path,
    parts,
  };
}

/** The `source` member of a rate: as in the row of its source; for a cross, that of the first leg. */
export function sourceOfRate({ parts, sourceId }: Rate): JsonObject {
  const [part] = parts;
  if (!part) return { id: sourceId };
  if (isTimedFile(part)) return fileSource(part);
  const { source }: JsonObject = readJson(textOfRate(part)); // stored rows are JSON objects
  return isJsonObject(source) ? source : { id: sourceId };
}

/** A row of reference rates: the service's as spelled, a computed one with its legs where asked. */
export function referenceRow(rate: Rate, includeLegs: boolean): JsonText {
  const told = storedText(rate);
  if (told !== undefined)
    return includeLegs || !told.includes('"source_legs"') ? told : patchRow(told, { source_legs: undefined });
  return toJsonText({
    date: rate.date,
    timestamp_utc: isoSeconds(rate.at),
    timestamp_type: rate.type,
    ...(rate.assumed && { timestamp_assumed: true }),
    ...ratePrices(rate),
    ...originOfRate(rate),
    pair_consistency_check: checkRate(rate.path, rate, rate.price),
    ...(includeLegs && { source_legs: legsOfRate(rate) }),
  });
}

/** A row of intraday rates, in the words of that route. */
export function intradayRow(rate: Rate): JsonText {
  return toJsonText({
    timestamp: isoSeconds(rate.at),
    ...ratePrices(rate),
    reference_date: rate.date,
    timestamp_type: `official_${rate.type}`,
    ...originOfRate(rate),
  });
}

/** The rate under both of its names. */
export function ratePrices({ price }: { readonly price: number }) {
  return { price: float(price), val: float(price) };
}

export function originOfRate(rate: Rate) {
  return {
    source: sourceOfRate(rate),
    source_pair: rate.sourcePair,
    is_derived: rate.isDerived,
    derivation_method: rate.path.method,
    ...(rate.path.anchor !== undefined && { anchor_currency: rate.path.anchor }),
  };
}

function legsOfRate({ path, parts, sourceId }: Rate) {
  return path.legs.map(({ pair }, place) => {
    const part = parts[place];
    return {
      pair: pairText(pair),
      source: sourceId,
      ...(part && { timestamp_utc: isoSeconds(part.at), price: float(part.val) }),
    };
  });
}
