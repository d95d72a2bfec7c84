import { float, type JsonText, toJsonText } from '../../contract/json/json.ts';
import { basisPoints, forwardRate } from '../rates/arithmetic.ts';
import type { Maturity } from '../rates/maturity.ts';
import type { ChosenNodes, CurveNode } from './nodes.ts';
import { olderDate } from './slopes.ts';

/** What is said of forwards where the service has said nothing. */
export const FORWARD_SUPPORT = {
  source_type: 'derived',
  source_note: 'Forward rates are derived from spot nodes; no official forward curve is stored.',
} as const;

/**
 * Forward rates between neighbouring nodes of a year or more. Nodes are no neighbours when one that cannot be told lies
 * between them. See docs/interface.md#curves.
 */
export function forwardsOf({ nodes, withheld, isUnlisted }: ChosenNodes): readonly JsonText[] {
  if (isUnlisted) return [];
  const long = nodes.filter(({ maturity }) => maturity.years >= 1);
  return long.flatMap((end, i) => {
    const start = long[i - 1];
    const isBetween = ({ years }: Maturity) => start && years > start.maturity.years && years < end.maturity.years;
    const text = start && !withheld.some(isBetween) ? segmentText(start, end) : undefined;
    return text === undefined ? [] : [text];
  });
}

function segmentText(start: CurveNode, end: CurveNode): JsonText | undefined {
  const val = forwardRate(
    { val: start.at.val, years: start.maturity.years },
    { val: end.at.val, years: end.maturity.years },
  );
  if (val === undefined) return undefined;
  return toJsonText({
    segment: `${start.maturity.label}${end.maturity.label}`,
    start_maturity: start.maturity.label,
    end_maturity: end.maturity.label,
    start_tenor_years: float(start.maturity.years),
    end_tenor_years: float(end.maturity.years),
    start_val: float(start.at.val),
    end_val: float(end.at.val),
    val: float(val),
    val_bps: float(basisPoints(val)),
    start_announcement_datetime: start.at.release,
    end_announcement_datetime: end.at.release,
    date: olderDate(start, end),
  });
}
