// Which of several histories of an indicator answers alone.
import type { LoadedSeries } from '../../contract/hooks.ts';
import { placeOfPublisher } from '../../contract/words/publishers.ts';
import { newestWitness, sharedNameOf, type Witness } from '../../coverage/choice.ts';
import { textAt } from '../places.ts';
import { readPrint } from './print.ts';
import { byOrigin, newestDateOf, originRankOf } from './series.ts';
import { newestVintage, printVintages } from './vintages.ts';

/** The service's own series first, then the file that reaches furthest, then by the order of publishers. */
export function byReach(a: LoadedSeries, b: LoadedSeries): number {
  const rank = originRankOf(a.ref) - originRankOf(b.ref);
  if (rank !== 0 || originRankOf(a.ref) === 0) return rank;
  const [reachOfA, reachOfB] = [reachOf(a), reachOf(b)];
  if (reachOfA !== reachOfB) return reachOfA > reachOfB ? -1 : 1;
  return placeOf(a) - placeOf(b) || byOrigin(a, b);
}

/** In the order of `byReach`, but of sources of one series that end together the one with the newest vintage comes first. */
export function newestFirst(histories: readonly LoadedSeries[]): readonly LoadedSeries[] {
  const sorted = [...histories].sort(byReach);
  const [first] = sorted;
  const date = first && reachOf(first);
  if (!first || !date || originRankOf(first.ref) === 0) return sorted;
  const tied = sorted.filter((one) => reachOf(one) === date && nameOfSources(one) === nameOfSources(first));
  if (tied.length === 1) return sorted;
  const witnesses = tied.map((source) => ({ source, place: placeOf(source), periods: newestPeriod(source) }));
  const newest = newestWitness(witnesses)(date)?.source ?? first;
  return [newest, ...sorted.filter((one) => one !== newest)];
}

const publisherOf = ({ ref: { origin } }: LoadedSeries) => origin.replace(/^import:/, '');
const placeOf = (series: LoadedSeries) => placeOfPublisher(publisherOf(series)) ?? Number.MAX_SAFE_INTEGER;

/** One name for all sources of a series. */
export function nameOfSources(series: LoadedSeries): string {
  const { source_series_id: id } = series.envelope;
  const isOfficial = placeOfPublisher(publisherOf(series)) !== undefined;
  return isOfficial && typeof id === 'string' ? sharedNameOf(publisherOf(series), id) : series.ref.origin;
}

/** What a source tells of its newest period. */
function newestPeriod(series: LoadedSeries): Witness<LoadedSeries>['periods'] {
  const print = readPrint(textAt(series, 0));
  const newest = newestVintage(printVintages(print), 'public');
  const period = {
    value: newest?.value ?? 'null',
    since: newest?.entry && newest.known.public,
    seenAt: BigInt(series.rows[0]?.seenAt ?? 0) * 1_000_000n,
    earliest: undefined,
    first: undefined,
  };
  return new Map([[print.date, period]]);
}

function reachOf(series: LoadedSeries): string {
  return String(newestDateOf(series) ?? '');
}

/** One history an indicator: the one that reaches further, the service's own when they end together. */
export function historyByIndicator(histories: readonly LoadedSeries[]): ReadonlyMap<string, LoadedSeries> {
  const chosen = new Map<string, LoadedSeries>();
  const byIndicator = Map.groupBy(histories, ({ ref }) => ref.scope.indicator ?? '');
  for (const series of [...byIndicator.values()].flatMap(newestFirst)) {
    const indicator = series.ref.scope.indicator ?? '';
    const before = chosen.get(indicator);
    if (reachOf(series) > (before ? reachOf(before) : '')) chosen.set(indicator, series);
  }
  return chosen;
}
