import { patchRow } from '../../contract/json/body.ts';
import { asJsonText, float, type JsonText, parseObject, toJsonText } from '../../contract/json/json.ts';
import { daysBetween } from '../../contract/time/time.ts';
import { type Maturity, slugOfMaturity } from '../rates/maturity.ts';
import type { NodeLine, NodeObservation } from '../rates/nodes.ts';
import { marketSource } from '../rates/observations.ts';
import type { CoveredLine, CurveLines } from './coverage.ts';

/** One point of the curve that a question shows. */
export interface CurveNode {
  readonly maturity: Maturity;
  readonly at: NodeObservation;
}

/** Points of a curve, and maturities of which the point cannot be told from what is stored. */
export interface ChosenNodes {
  readonly nodes: readonly CurveNode[];
  readonly withheld: readonly Maturity[];
  /** Maturities may be missing whose names nobody knows: no two points are known to be neighbours. */
  readonly isUnlisted: boolean;
}

/**
 * The newest observation of each maturity; with `common`, all of them from the newest date that every maturity has. Where
 * a newer one may exist there is none, and no common date either.
 */
export function chooseNodes({ lines, lacks: unlisted }: CurveLines, common: boolean): ChosenNodes {
  const isUnknown = ({ lacks }: CoveredLine) => lacks.length > 0;
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
  return marketSource({ row: at.listed ?? at.row, series: at.series });
}

/** The row of a node: the service's own where it listed the same value, else what the yield's row tells. */
export function nodeText({ maturity, at }: CurveNode, upTo: string): JsonText {
  const staleness = daysBetween(at.date, upTo);
  if (at.listed) {
    if (parseObject(at.listed.text).staleness_days === staleness) return at.listed.text;
    return patchRow(at.listed.text, { staleness_days: asJsonText(String(staleness)) });
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
