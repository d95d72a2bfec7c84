import type { SeriesRef, StoredRef } from '../../contract/hooks.ts';
import { isJsonObject, parseObject } from '../../contract/json/json.ts';
import { FX_ANCHORS, fxPlaceOf, placeOfPublisher } from '../../contract/words/publishers.ts';

/** A currency pair: quote units for one unit of base. */
export interface Pair {
  readonly base: string;
  readonly quote: string;
}

export const pairText = ({ base, quote }: Pair): string => `${base}/${quote}`;

/** A pair that takes part in a path. The rate is the product of the `times` legs over the product of the `over` legs. */
export interface PathLeg {
  readonly pair: Pair;
  readonly side: 'times' | 'over';
}

export type PathMethod = 'direct_original_pair' | 'inverse_of_direct_pair' | 'cross_via_anchor';

/** How the rate of the target pair follows from stored ones. */
export interface Path {
  readonly method: PathMethod;
  readonly legs: readonly PathLeg[];
  /** The currency that both legs of a cross share. */
  readonly anchor?: string;
  /** Every leg is taken from this origin alone; left out when any origin may speak. */
  readonly origin?: string;
}

/** The pairs that were published, in the order of the legs. */
export function sourcePair(path: Path): string {
  return path.legs.map(({ pair }) => pairText(pair)).join(',');
}

/** Anchors of crosses, the better one first: the specification's source priority begins with the daily USD-rate dataset. */
const ANCHORS = ['USD', 'EUR'];

/** Anchors that the service does not use: a cross by one of them takes both legs from the file of one publisher. */
const FILE_ANCHORS = FX_ANCHORS.filter((anchor) => !ANCHORS.includes(anchor));

/** The market's order of quoting: of two currencies the earlier one is the base of the pair that is published. */
const BASES = ['EUR', 'GBP', 'AUD', 'NZD', 'USD'];

/** The pair read the other way round. */
export const reversed = ({ base, quote }: Pair): Pair => ({ base: quote, quote: base });

/** All pairs from which the target one could follow: itself, its reverse, and its legs by an anchor in both directions. */
export function candidatePairs(target: Pair): readonly Pair[] {
  const legs = [...anchorsOf(target), ...fileAnchorsOf(target)].flatMap((anchor) => [
    { base: anchor, quote: target.base },
    { base: anchor, quote: target.quote },
  ]);
  return [target, ...legs].flatMap((pair) => [pair, reversed(pair)]);
}

export function seriesOfPair({ base, quote }: Pair): SeriesRef {
  return { endpoint: 'forex', scope: { base, quote } };
}

export function isOfPair(ref: SeriesRef, pair: Pair): boolean {
  return ref.scope.base === pair.base && ref.scope.quote === pair.quote;
}

/** True for a series that gives a path one of its legs. */
export function isOfPath(ref: StoredRef, { legs, origin }: Path): boolean {
  return (origin === undefined || ref.origin === origin) && legs.some(({ pair }) => isOfPair(ref, pair));
}

/** Place of an origin in source priority: the service, which chose its sources, official files, private tables. */
export function rankOf(origin: string): number {
  if (!isImported(origin)) return 0;
  return placeOfPublisher(origin.slice('import:'.length)) === undefined ? PRIVATE : 1;
}

const PRIVATE = 2;

const isImported = (origin: string) => origin.startsWith('import:');

/** The paths that decide what an answer shows: each without a row in the window, down to the first that has one. */
export function decidingPaths(target: Pair, stored: readonly StoredRef[]): readonly Path[] {
  const all = pathsOf(target, stored);
  const filled = all.findIndex((path) => maxDatesOf(path, stored) > 0);
  return filled < 0 ? all : all.slice(0, filled + 1);
}

/**
 * All paths, best first: the pair, its reverse, then crosses. Crosses are ranked by worse leg, better leg, one
 * publisher (one moment), publisher, anchor and market quote. Paths by private tables come last. Rounded rates that the
 * service derived are not used again.
 */
export function pathsOf(target: Pair, stored: readonly StoredRef[]): readonly Path[] {
  const published = stored.filter((ref) => !isDerived(ref));
  const byPair = originsByPair(published);
  const reverse = reversed(target);
  const files = [...new Set(published.map(({ origin }) => origin).filter(isImported))];
  const crosses =
    published.length < 2
      ? []
      : [
          ...anchorsOf(target).flatMap((anchor) => crossesVia(anchor, target, { byPair })),
          ...fileAnchorsOf(target).flatMap((anchor) =>
            files.flatMap((file) => crossesVia(anchor, target, { byPair, origin: file })),
          ),
        ];
  const direct = { method: 'direct_original_pair', legs: [{ pair: target, side: 'times' }] } as const;
  const inverse = { method: 'inverse_of_direct_pair', legs: [{ pair: reverse, side: 'over' }] } as const;
  const ranked = [
    { path: direct, worst: bestRank(originsByPair(stored).get(pairText(target)) ?? []) },
    { path: inverse, worst: bestRank(byPair.get(pairText(reverse)) ?? []) },
    ...crosses.sort(byRank),
  ].filter(({ worst }) => Number.isFinite(worst));
  // A private table speaks where nothing else covers the date.
  return [false, true].flatMap((isPrivate) =>
    ranked.flatMap(({ path, worst }) => (worst >= PRIVATE === isPrivate ? [path] : [])),
  );
}

/** Origins of pairs, by the text of the pair; one of them alone where it is named. */
interface Offers {
  readonly byPair: ReadonlyMap<string, readonly string[]>;
  readonly origin?: string;
}

function originsByPair(stored: readonly StoredRef[]): Offers['byPair'] {
  const origins = new Map<string, string[]>();
  for (const { origin, scope } of stored) {
    const name = `${scope.base}/${scope.quote}`;
    const known = origins.get(name);
    if (known) known.push(origin);
    else origins.set(name, [origin]);
  }
  return origins;
}

const bestRank = (origins: readonly string[]): number => Math.min(...origins.map(rankOf));

/** Does the service say of its rates of a pair that it made them of other ones? */
function isDerived({ envelope }: StoredRef): boolean {
  // Few say so, and each of many questions asks.
  if (!envelope || !/"is_derived"\s*:\s*true/.test(envelope.text)) return false;
  const { pair_metadata: metadata } = parseObject(envelope.text);
  return isJsonObject(metadata) && metadata.is_derived === true;
}

/** Anchors that a cross of the pair can go by, the better one first. */
export function anchorsOf(pair: Pair): readonly string[] {
  return ANCHORS.filter((anchor) => anchor !== pair.base && anchor !== pair.quote);
}

/** Anchors that a cross of the pair can go by in the file of one publisher. */
export function fileAnchorsOf(pair: Pair): readonly string[] {
  return FILE_ANCHORS.filter((anchor) => anchor !== pair.base && anchor !== pair.quote);
}

interface RankedCross {
  readonly path: Path;
  readonly worst: number;
  readonly sum: number;
  /** Legs of several publishers, whose rates are of different hours. */
  readonly isMixed: boolean;
  /** Rank of the worse leg's publisher, see `fxPlaceOf`. */
  readonly publisher: number;
}

function byRank(a: RankedCross, b: RankedCross): number {
  return a.worst - b.worst || a.sum - b.sum || Number(a.isMixed) - Number(b.isMixed) || a.publisher - b.publisher;
}

function crossesVia(anchor: string, pair: Pair, offers: Offers): readonly RankedCross[] {
  const firsts = legsBetween(pair.base, anchor, offers);
  const seconds = firsts.length > 0 ? legsBetween(anchor, pair.quote, offers) : [];
  const { origin } = offers;
  return firsts.flatMap((first) =>
    seconds.map((second) => ({
      path: {
        ...{ method: 'cross_via_anchor', anchor, legs: [first.leg, second.leg] },
        ...(origin !== undefined && { origin }),
      },
      worst: Math.max(first.rank, second.rank),
      sum: first.rank + second.rank,
      ...publishersOf(first.origins, second.origins),
    })),
  );
}

function publishersOf(first: readonly string[], second: readonly string[]): Pick<RankedCross, 'isMixed' | 'publisher'> {
  const shared = first.filter((origin) => second.includes(origin));
  const best = (origins: readonly string[]) => Math.min(...origins.map(fxPlaceOf));
  if (shared.length > 0) return { isMixed: false, publisher: best(shared) };
  return { isMixed: true, publisher: Math.max(best(first), best(second)) };
}

/** The legs that turn `from` into `to`, in both directions, market quote first. */
function legsBetween(from: string, to: string, { byPair, origin: only }: Offers) {
  const forward: PathLeg = { pair: { base: from, quote: to }, side: 'times' };
  const backward: PathLeg = { pair: { base: to, quote: from }, side: 'over' };
  const ordered = marketPlace(from) <= marketPlace(to) ? [forward, backward] : [backward, forward];
  return ordered.flatMap((leg) => {
    const all = byPair.get(pairText(leg.pair)) ?? [];
    const origins = only === undefined ? all : all.filter((origin) => origin === only);
    return origins.length > 0 ? [{ leg, rank: bestRank(origins), origins }] : [];
  });
}

function marketPlace(currency: string): number {
  const place = BASES.indexOf(currency);
  return place < 0 ? BASES.length : place;
}

/** Every origin of the legs of the paths, and the reverse of a direct pair for its consistency check. */
export function selectPathSeries<Ref extends StoredRef>(target: Pair, stored: readonly Ref[]): readonly Ref[] {
  const paths = neededPaths(target, stored);
  const isDirect = paths.some(({ method }) => method === 'direct_original_pair');
  return stored.filter(
    (ref) => paths.some((path) => isOfPath(ref, path)) || (isDirect && isOfPair(ref, reversed(target))),
  );
}

/** Paths that may add dates to better ones, and every file with a row; without counts the best, without rows all. */
function neededPaths(target: Pair, stored: readonly StoredRef[]): readonly Path[] {
  const all = pathsOf(target, stored);
  if (!all.some((path) => maxDatesOf(path, stored) > 0)) return all;
  const isOfFiles = (path: Path) =>
    stored.every((ref) => !isOfPath(ref, path) || (isImported(ref.origin) && ref.rows !== undefined));
  let count = 0;
  let offered = 0;
  for (const [place, path] of all.entries()) {
    const dates = maxDatesOf(path, stored);
    if (dates <= (isOfFiles(path) ? 0 : offered)) continue;
    count = place + 1;
    offered = Math.max(offered, dates);
  }
  // A better path without a row in the window may miss some there: it has to be looked at before a worse one speaks.
  return all.slice(0, count);
}

/** Dates that a path can have: no leg's fullest series has more. */
function maxDatesOf(path: Path, stored: readonly StoredRef[]): number {
  return Math.min(
    ...path.legs.map((leg) => {
      const ofLeg = stored.filter((ref) => isOfPath(ref, { ...path, legs: [leg] }));
      return Math.max(0, ...ofLeg.map(({ rows = Number.POSITIVE_INFINITY }) => rows));
    }),
  );
}
