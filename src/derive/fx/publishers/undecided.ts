import type { Lack, LoadedSeries } from '../../../contract/hooks.ts';
import { type Bound, type Coverage, commonTo, holesIn, type Range, unionOf } from '../../../contract/time/coverage.ts';
import { fxPublisherOf } from '../../../contract/words/fx-publishers.ts';
import { lackOfAll, lacksOfEach, lacksOfSeriesList } from '../../lacks.ts';
import { isTimedFile } from './imported.ts';
import { REFERENCE } from './observations.ts';

/**
 * Tells of a bound whether the service's own series leaves it open: there, and nowhere else, rates that are made of other
 * pairs may stand. Undefined when it decides the whole range.
 */
export function undecidedBy(own: LoadedSeries | undefined, range: Range): ((bound: Bound) => boolean) | undefined {
  if (!own) return () => true;
  const holes = holesIn(own.coverage, range);
  return holes.length === 0 ? undefined : (bound) => holes.some(({ from, to }) => from <= bound && bound <= to);
}

/**
 * What an answer about a pair lacks of a range: only the service's own series can tell that there is no other rate. Where it
 * is not stored, that of all that the rates are made of.
 */
export function lacksAround(
  own: LoadedSeries | undefined,
  loaded: readonly LoadedSeries[],
  range: Range,
): readonly Lack[] {
  return own ? lacksOfSeriesList([own], range) : lacksOfEach(loaded, range);
}

interface PublisherQuestion {
  readonly range: Range;
  readonly source: string | undefined;
  /** Sources of which something is held. */
  readonly known: ReadonlySet<string>;
  readonly pair: { readonly base: string; readonly quote: string };
}

/** What an answer about the rates of publishers lacks, and which publishers' files do not reach a part of it. */
export interface PublisherLacks {
  readonly lacks: readonly Lack[];
  /** Names of publishers. */
  readonly absent: readonly string[];
}

/**
 * The same where a rate of any publisher is an answer. A publisher whose files end before a date is absent then, and that is
 * no hole: the date is covered by another. It is one where the publisher was asked for, and where no other covers the date.
 */
export function lacksOfPublishers(
  own: LoadedSeries | undefined,
  loaded: readonly LoadedSeries[],
  { range, source, known, pair }: PublisherQuestion,
): PublisherLacks {
  // Of a source of which nothing is held only the service can tell that it has no such rates.
  if (!own && source !== undefined && !known.has(source)) return { lacks: [lackOfAll(REFERENCE, pair)], absent: [] };
  const files = loaded.filter(({ ref }) => isTimedFile(ref));
  if (own || files.length === 0) return { lacks: lacksAround(own, loaded, range), absent: [] };
  const others = lacksOfEach(
    loaded.filter(({ ref }) => !isTimedFile(ref)),
    range,
  );
  if (source !== undefined) {
    const ofSource = files.filter(({ ref }) => fxPublisherOf(ref.origin)?.id === source);
    return { lacks: lacksOfEach(ofSource.length > 0 ? ofSource : loaded, range), absent: [] };
  }
  const publishers = [...Map.groupBy(files, ({ ref }) => ref.origin)];
  const covered = publishers.map(([origin, series]) => ({ origin, coverage: coverageOfAll(series) }));
  const holes = holesIn(unionOf(covered.map(({ coverage }) => coverage)), range);
  return {
    lacks: [...others, ...holes.flatMap((hole) => lacksOfEach(files, hole))],
    absent: covered.flatMap(({ origin, coverage }) =>
      holesIn(coverage, range).length > 0 ? (fxPublisherOf(origin)?.name ?? []) : [],
    ),
  };
}

/** What all series of a publisher cover: a cross needs each of its legs. */
function coverageOfAll(series: readonly LoadedSeries[]): Coverage {
  const bySeries = Map.groupBy(series, ({ ref }) => JSON.stringify([ref.endpoint, ref.scope]));
  return commonTo([...bySeries.values()].map((one) => unionOf(one.map(({ coverage }) => coverage))));
}
