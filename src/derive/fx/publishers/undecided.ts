import type { Lack, LoadedSeries } from '../../../contract/hooks.ts';
import { type Bound, type Coverage, commonTo, holesIn, type Range, unionOf } from '../../../contract/time/coverage.ts';
import { FX_PUBLISHERS, type FxPublisher, fxPublisherOf } from '../../../contract/words/fx-publishers.ts';
import { lacksOfEach, lacksOfSeriesList } from '../../lacks.ts';
import { isTimedFile } from './imported.ts';

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

const FX_SOURCE_IDS: ReadonlySet<string> = new Set(Object.values<FxPublisher>(FX_PUBLISHERS).map(({ id }) => id));

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
  { range, source }: { readonly range: Range; readonly source: string | undefined },
): PublisherLacks {
  const files = loaded.filter(({ ref }) => isTimedFile(ref));
  if (own || files.length === 0) return { lacks: lacksAround(own, loaded, range), absent: [] };
  const others = lacksOfEach(
    loaded.filter(({ ref }) => !isTimedFile(ref)),
    range,
  );
  if (source !== undefined) {
    const ofSource = files.filter(({ ref }) => fxPublisherOf(ref.origin)?.id === source);
    if (ofSource.length > 0) return { lacks: lacksOfEach(ofSource, range), absent: [] };
    // No file of any publisher has rates of an id that is none of theirs.
    return { lacks: FX_SOURCE_IDS.has(source) ? lacksOfEach(loaded, range) : others, absent: [] };
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
