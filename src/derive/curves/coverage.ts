import type { Lack, LoadedSeries } from '../../contract/hooks.ts';
import { addDays } from '../../contract/time/time.ts';
import { lackOfList, listedIndicators } from '../announcements/all-indicators.ts';
import { lackOfAll, lacksOfSeriesList } from '../lacks.ts';
import { byYears, type Maturity, maturityOfSlug, slugOfMaturity } from '../rates/maturity.ts';
import { givesNodes, type NodeLine } from '../rates/nodes.ts';
import type { ObservedMoment } from '../rates/observations.ts';

/** The lines of a curve, and what is lacking to tell which maturities it has. */
export interface CurveLines {
  readonly lines: readonly CoveredLine[];
  readonly lacks: readonly Lack[];
}

/** A maturity, its values, and what is not known of the days behind the newest of them: a newer value may exist there. */
export interface CoveredLine extends NodeLine {
  readonly lacks: readonly Lack[];
}

export interface CurveMoment extends ObservedMoment {
  readonly currency: string;
  /** The service's list of nodes has every maturity of this moment. */
  readonly isOfList: boolean;
}

/**
 * The maturities with what is lacking of each. Which ones there are is told by the service's list of nodes of today, else
 * by the catalogue: one of which nothing is held is a line without a value.
 */
export function coveredLines(
  lines: readonly NodeLine[],
  loaded: readonly LoadedSeries[],
  moment: CurveMoment,
): CurveLines {
  const { currency, isOfList } = moment;
  const list = loaded.find(({ ref, coverage }) => ref.endpoint === 'curves' && coverage.ranges.length > 0);
  if (isOfList && list) return { lines: linesWithLacks(lines, loaded, moment), lacks: [] };
  const slugs = listedIndicators(loaded, currency);
  // The list of nodes is nearer at hand than the catalogue and all yields.
  const unlisted = isOfList ? lackOfAll('curves', { currency }) : lackOfList(currency);
  const known = new Set(lines.map(({ maturity }) => maturity.label));
  const silent = (slugs ?? []).flatMap((slug) => maturityOfSlug(slug) ?? []).filter(({ label }) => !known.has(label));
  const all = [...lines, ...silent.map((maturity) => ({ maturity, observations: [] }))];
  const isListKnown = slugs !== undefined || isOfFilesAlone(loaded);
  return {
    lines: linesWithLacks(
      all.sort((a, b) => byYears(a.maturity, b.maturity)),
      loaded,
      moment,
    ),
    lacks: isListKnown ? [] : [unlisted],
  };
}

/** A publisher's file has every maturity of its curve: where no service has any, the files are the list. */
function isOfFilesAlone(loaded: readonly LoadedSeries[]): boolean {
  const given = loaded.filter(({ ref }) => givesNodes(ref));
  return given.length > 0 && given.every(({ ref }) => ref.origin.startsWith('import:'));
}

function linesWithLacks(
  lines: readonly NodeLine[],
  loaded: readonly LoadedSeries[],
  { currency, from, to }: CurveMoment,
): readonly CoveredLine[] {
  const yieldsOf = Map.groupBy(
    loaded.filter(({ ref }) => ref.endpoint === 'announcements'),
    ({ ref: { scope } }) => maturityOfSlug(scope.indicator ?? '')?.label,
  );
  return lines.map((line) => {
    const { maturity, observations } = line;
    const newest = observations[0]?.date;
    // What came after the service's newest list is a matter of age, and nothing is newer than the last day.
    if (newest === to || isListed(maturity, loaded, to)) return { ...line, lacks: [] };
    const yields = yieldsOf.get(maturity.label) ?? [];
    const range = { from: newest === undefined ? from : addDays(newest, 1), to };
    const lacks =
      yields.length > 0
        ? lacksOfSeriesList(yields, range)
        : [lackOfAll('announcements', { currency, indicator: slugOfMaturity(maturity) })];
    return { ...line, lacks };
  });
}

/** True when the service's newest list of a maturity tells which value was the newest one at the moment of the question. */
function isListed({ label }: Maturity, loaded: readonly LoadedSeries[], to: string): boolean {
  return loaded.some(({ ref, coverage, rows }) => {
    if (ref.endpoint !== 'curves' || coverage.ranges.length === 0) return false;
    const dates = rows.flatMap(({ columns }) => (columns.maturity === label ? [String(columns.date)] : []));
    return dates.length > 0 && dates.every((date) => date <= to);
  });
}
