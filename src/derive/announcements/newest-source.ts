// Which of several histories of an indicator answers alone.
import type { LoadedSeries } from '../../contract/hooks.ts';
import { isCovered } from '../../contract/time/coverage.ts';
import { placeOfPublisher } from '../../contract/words/publishers.ts';
import { newestWitness, type PeriodValues, sharedNameOf, type Witness } from '../../coverage/period-source.ts';
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
  const newest = newestWitness(tied.map(newestPeriodOf))(date)?.source ?? first;
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

/** The facts of a source about its loaded periods. */
export function sourcePeriodsOf(source: LoadedSeries): Witness<LoadedSeries> {
  const periods = source.rows.map(({ text, seenAt = 0 }): [string, PeriodValues] => {
    const print = readPrint(text);
    const newest = newestVintage(printVintages(print), 'public');
    return [
      print.date,
      {
        value: newest?.value ?? 'null',
        since: newest?.entry && newest.known.public,
        seenAt: BigInt(seenAt) * 1_000_000n,
        earliest: undefined,
        first: undefined,
      },
    ];
  });
  return { source, place: placeOf(source), periods: new Map(periods) };
}

/** The same of its newest period alone. */
function newestPeriodOf(source: LoadedSeries): Witness<LoadedSeries> {
  return sourcePeriodsOf({
    ...source,
    rows: [{ columns: {}, text: textAt(source, 0), ...(source.rows[0] && { seenAt: source.rows[0].seenAt ?? 0 }) }],
  });
}

function reachOf(series: LoadedSeries): string {
  return String(newestDateOf(series) ?? '');
}

/** One source of each series, in the order in which these speak: the service, official publishers, private tables. */
function inOrder(histories: readonly LoadedSeries[]): readonly LoadedSeries[] {
  const groups = [...Map.groupBy([...histories].sort(byReach), nameOfSources).values()].map((group) => ({
    newest: newestFirst(group).slice(0, 1),
    place: Math.min(...group.map((one) => (originRankOf(one.ref) === 0 ? -1 : placeOf(one)))),
  }));
  return groups.sort((a, b) => a.place - b.place).flatMap(({ newest }) => newest);
}

/** Says of a date which of some histories of an indicator speaks for it: the first that covers it. */
export function speakersIn(histories: readonly LoadedSeries[]): (date: string) => LoadedSeries | undefined {
  const ordered = inOrder(histories);
  const [only, further] = ordered;
  if (!further) return () => only;
  return (date) =>
    ordered.find(({ coverage, checked: { ranges } = coverage }) =>
      isCovered({ ranges, isOpen: false }, { from: date, to: date }),
    );
}

/** Histories of an indicator that speak for some date, each with whether it speaks for one. */
export function spokenBy(histories: readonly LoadedSeries[]): readonly SpokenHistory[] {
  const ordered = inOrder(histories);
  const [only, further] = ordered;
  if (!further) return only ? [{ series: only }] : [];
  const speaker = speakersIn(histories);
  const furthest = [...ordered].sort(byReach)[0];
  return ordered.map((series) => ({ series, speaks: (date) => (speaker(date) ?? furthest) === series }));
}

export interface SpokenHistory {
  readonly series: LoadedSeries;
  /** Left out where it speaks for every date. */
  speaks?(date: string): boolean;
}

/** One history for each indicator: among histories chosen for their own newest date, the newest. */
export function historyByIndicator(histories: readonly LoadedSeries[]): ReadonlyMap<string, LoadedSeries> {
  const chosen = new Map<string, LoadedSeries>();
  for (const [indicator, all] of Map.groupBy(histories, ({ ref }) => ref.scope.indicator ?? '')) {
    const stored = spokenBy(all).filter(({ series }) => reachOf(series) !== '');
    const spoken = stored.filter(({ series, speaks }) => speaks?.(reachOf(series)) ?? true);
    const [newest] = (spoken.length > 0 ? spoken : stored.slice(0, 1))
      .map(({ series }) => series)
      .sort((a, b) => (reachOf(a) > reachOf(b) ? -1 : 1));
    if (newest) chosen.set(indicator, newest);
  }
  return chosen;
}
