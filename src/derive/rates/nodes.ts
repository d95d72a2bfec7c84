import type { LoadedSeries, MissingPart } from '../../contract/hooks.ts';
import { patchRow } from '../../contract/json/body.ts';
import { asJsonText, float, type JsonText, parseObject, toJsonText } from '../../contract/json/json.ts';
import { addDays, dateOf, daysBetween } from '../../contract/time/time.ts';
import { missingAll, missingOfSeriesList } from '../../coverage/missing-parts.ts';
import { listedIndicators, missingOfOneList } from '../announcements/series.ts';
import {
  byYears,
  givesNodes,
  type Maturity,
  marketSource,
  maturityOfSlug,
  type NodeLine,
  type NodeObservation,
  type ObservedMoment,
  slugOfMaturity,
} from './rates.ts';

/** One point of the curve that a question shows. */
export interface CurveNode {
  readonly maturity: Maturity;
  readonly at: NodeObservation;
}

/** Points of a curve, and maturities with a point that the stored data cannot decide. */
export interface ChosenNodes {
  readonly nodes: readonly CurveNode[];
  readonly withheld: readonly Maturity[];
  /** Maturities may be missing whose names nobody knows: no two points are known to be neighbours. */
  readonly isUnlisted: boolean;
}

/** The lines of a curve, and the missing parts that may name more maturities. */
interface CurveLines {
  readonly lines: readonly CoveredLine[];
  readonly missingParts: readonly MissingPart[];
}

/** A maturity, its values, and the uncovered days after the newest of them: a newer value may exist there. */
interface CoveredLine extends NodeLine {
  readonly missingParts: readonly MissingPart[];
}

interface CurveMoment extends ObservedMoment {
  readonly currency: string;
  /** The service's list of nodes has every maturity of this moment. */
  readonly isOfList: boolean;
  /** The last day that a list can tell of: that of the moment, or today. */
  readonly until: string;
}

/** The newest node of each maturity, with `common` of one date; none where a newer one may be missing. */
export function chooseNodes({ lines, missingParts: unlisted }: CurveLines, common: boolean): ChosenNodes {
  const isUnknown = ({ missingParts }: CoveredLine) => missingParts.length > 0;
  const isUnlisted = unlisted.length > 0;
  const isAny = isUnlisted || lines.some(isUnknown);
  const withheld = (common && isAny ? lines : lines.filter(isUnknown)).map(({ maturity }) => maturity);
  return {
    nodes: nodesOf(
      lines.filter(({ maturity }) => !withheld.includes(maturity)),
      common,
    ),
    withheld,
    isUnlisted,
  };
}

function nodesOf(lines: readonly NodeLine[], common: boolean): readonly CurveNode[] {
  const known = lines.filter(({ observations }) => observations.length > 0);
  const date = common ? commonDate(known) : undefined;
  if (common && date === undefined) return [];
  return known.flatMap(({ maturity, observations }) => {
    const at = date === undefined ? observations[0] : observations.find((one) => one.date === date);
    return at ? [{ maturity, at }] : [];
  });
}

function commonDate([first, ...others]: readonly NodeLine[]): string | undefined {
  const dates = others.map(({ observations }) => new Set(observations.map(({ date }) => date)));
  return first?.observations.find(({ date }) => dates.every((stored) => stored.has(date)))?.date;
}

/** Who published a node, in the words of the row that is shown. */
export function sourceOfNode({ at }: CurveNode): string | undefined {
  return marketSource(at, at.listed);
}

/** The row of a node: the service's own where it listed the same value, else what the yield's row tells. */
export function nodeText({ maturity, at }: CurveNode, upTo: string): JsonText {
  const staleness = daysBetween(at.date, upTo);
  if (at.listed) {
    if (parseObject(at.listed).staleness_days === staleness) return at.listed;
    return patchRow(at.listed, { staleness_days: asJsonText(String(staleness)) });
  }
  return toJsonText({
    indicator: slugOfMaturity(maturity),
    maturity: maturity.label,
    maturity_years: float(maturity.years),
    val: float(at.val),
    date: at.date,
    announcement_datetime: at.release,
    source: marketSource(at),
    staleness_days: staleness,
  });
}

/** Maturities with their missing parts; today's list, else the catalogue, says which there are. */
export function coveredLines(
  lines: readonly NodeLine[],
  loaded: readonly LoadedSeries[],
  moment: CurveMoment,
): CurveLines {
  const { currency, isOfList } = moment;
  const list = loaded.find(({ ref, coverage }) => ref.endpoint === 'curves' && coverage.ranges.length > 0);
  if (isOfList && list) return { lines: linesWithMissing(lines, loaded, moment), missingParts: [] };
  const slugs = listedIndicators(loaded, currency);
  // The list of nodes is nearer at hand than the catalogue and all yields.
  const unlisted = isOfList ? missingAll('curves', { currency }) : missingOfOneList(currency);
  const known = new Set(lines.map(({ maturity }) => maturity.label));
  const silent = (slugs ?? []).flatMap((slug) => maturityOfSlug(slug) ?? []).filter(({ label }) => !known.has(label));
  const all = [...lines, ...silent.map((maturity) => ({ maturity, observations: [] }))];
  const isListKnown = slugs !== undefined || isOfFilesAlone(loaded);
  return {
    lines: linesWithMissing(
      all.sort((a, b) => byYears(a.maturity, b.maturity)),
      loaded,
      moment,
    ),
    missingParts: isListKnown ? [] : [unlisted],
  };
}

/** A publisher's file has every maturity of its curve: where no service has any, the files are the list. */
function isOfFilesAlone(loaded: readonly LoadedSeries[]): boolean {
  const given = loaded.filter(({ ref }) => givesNodes(ref));
  return given.length > 0 && given.every(({ ref }) => ref.origin.startsWith('import:'));
}

function linesWithMissing(
  lines: readonly NodeLine[],
  loaded: readonly LoadedSeries[],
  moment: CurveMoment,
): readonly CoveredLine[] {
  const { currency, from, to } = moment;
  const yieldsOf = Map.groupBy(
    loaded.filter(({ ref }) => ref.endpoint === 'announcements'),
    ({ ref: { scope } }) => maturityOfSlug(scope.indicator ?? '')?.label,
  );
  return lines.map((line) => {
    const { maturity, observations } = line;
    const newest = observations[0]?.date;
    // Values after the service's newest list are a matter of age, and no value is newer than the last day.
    if (newest === to || isListed(maturity, loaded, moment)) return { ...line, missingParts: [] };
    const yields = yieldsOf.get(maturity.label) ?? [];
    const range = { from: newest === undefined ? from : addDays(newest, 1), to };
    const missingParts =
      yields.length > 0
        ? missingOfSeriesList(yields, range)
        : [missingAll('announcements', { currency, indicator: slugOfMaturity(maturity) })];
    return { ...line, missingParts };
  });
}

/** True when the service's newest list decides the newest value of a maturity, as of a day that it was checked for. */
function isListed({ label }: Maturity, loaded: readonly LoadedSeries[], { to, until, isOfList }: CurveMoment): boolean {
  return loaded.some(({ ref, coverage, rows }) => {
    if (ref.endpoint !== 'curves' || coverage.ranges.length === 0) return false;
    if (!isOfList && ref.checkedAt !== undefined && until > dateOf(ref.checkedAt)) return false;
    const dates = rows.flatMap(({ columns }) => (columns.maturity === label ? [String(columns.date)] : []));
    return dates.length > 0 && dates.every((date) => date <= to);
  });
}
