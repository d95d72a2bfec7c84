import type { Lack, LoadedSeries } from '../../contract/hooks.ts';
import { type Coverage, commonTo, holesIn, type Range, unionOf } from '../../contract/time/coverage.ts';
import { lackOfAll, lacksOfEach, lacksOfSeriesList } from '../lacks.ts';
import { type Comparison, nodeSlugs } from './measures.ts';

/** The series that each part of both legs rests on: one list a part, with the part's name. */
interface Part {
  readonly currency: string;
  readonly indicator: string;
  readonly origins: readonly LoadedSeries[];
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

/** What an answer lacks of a range: the dates that neither the service's own answer covers nor all parts of both legs. */
export function lacksOfDifferential(
  facts: {
    readonly args: Comparison;
    readonly own: LoadedSeries | undefined;
    readonly rates: readonly LoadedSeries[];
    readonly measure: string | undefined;
  },
  range: Range,
): readonly Lack[] {
  const { args, own, rates, measure } = facts;
  const parts = partsOf(args, rates, measure);
  if (!own)
    return parts.flatMap(({ currency, indicator, origins }) =>
      origins.length > 0 ? lacksOfSeriesList(origins, range) : [lackOfAll('announcements', { currency, indicator })],
    );
  const legs = parts.length > 0 ? [commonTo(parts.map(({ origins }) => coverageOf(origins)))] : [];
  const holes = holesIn(unionOf([own.coverage, ...legs]), range);
  return holes.flatMap((hole) => lacksOfEach([own], hole));
}

function coverageOf(origins: readonly LoadedSeries[]): Coverage {
  return unionOf(origins.map(({ coverage }) => coverage));
}
