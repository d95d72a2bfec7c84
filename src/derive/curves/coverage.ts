import type { Lack, LoadedSeries } from '../../contract/hooks.ts';
import { addDays } from '../../contract/time/time.ts';
import { lackOfAll, lacksOfSeriesList } from '../lacks.ts';
import { type Maturity, maturityOfSlug, slugOfMaturity } from '../rates/maturity.ts';
import type { NodeLine } from '../rates/nodes.ts';
import type { ObservedMoment } from '../rates/observations.ts';

/** A maturity, its values, and what is not known of the days behind the newest of them: a newer value may exist there. */
export interface CoveredLine extends NodeLine {
  readonly lacks: readonly Lack[];
}

/** The maturities with what is lacking of each. `currency` is that of the curve. */
export function coveredLines(
  lines: readonly NodeLine[],
  loaded: readonly LoadedSeries[],
  { currency, from, to }: ObservedMoment & { readonly currency: string },
): readonly CoveredLine[] {
  return lines.map((line) => {
    const { maturity, observations } = line;
    const newest = observations[0]?.date;
    // What came after the service's newest list is a matter of age, and nothing is newer than the last day.
    if (newest === to || isListed(maturity, loaded, to)) return { ...line, lacks: [] };
    const yields = loaded.filter(
      ({ ref: { endpoint, scope } }) =>
        endpoint === 'announcements' && maturityOfSlug(scope.indicator ?? '')?.label === maturity.label,
    );
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
