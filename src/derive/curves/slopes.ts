import { float, type JsonText, toJsonText } from '../../contract/json/json.ts';
import { spreadOf } from '../rates/arithmetic.ts';
import type { CurveNode } from './nodes.ts';

/** The slopes that are emitted where both nodes exist, in this order. See docs/interface.md#curves. */
const SLOPES = [
  ['3M', '10Y'],
  ['2Y', '5Y'],
  ['2Y', '10Y'],
  ['5Y', '10Y'],
  ['5Y', '30Y'],
  ['10Y', '30Y'],
] as const;

export interface SlopeRow {
  readonly text: JsonText;
  readonly inverted: boolean;
}

/** Differences between two maturities, the long one minus the short one. */
export function slopesOf(nodes: readonly CurveNode[]): readonly SlopeRow[] {
  const byLabel = new Map(nodes.map((node) => [node.maturity.label, node]));
  return SLOPES.flatMap(([from, to]) => {
    const [short, long] = [byLabel.get(from), byLabel.get(to)];
    return short && long ? [slopeOf(short, long)] : [];
  });
}

function slopeOf(short: CurveNode, long: CurveNode): SlopeRow {
  const { points, bps } = spreadOf(long.at.val, short.at.val);
  const inverted = points < 0;
  const text = toJsonText({
    slope: `${short.maturity.label}${long.maturity.label}`,
    short_maturity: short.maturity.label,
    long_maturity: long.maturity.label,
    short_val: float(short.at.val),
    long_val: float(long.at.val),
    val: float(points),
    val_bps: float(bps),
    is_inverted: inverted,
    date: olderDate(short, long),
  });
  return { text, inverted };
}

/** A pair is as old as its older leg. */
export function olderDate(a: CurveNode, b: CurveNode): string {
  return a.at.date < b.at.date ? a.at.date : b.at.date;
}
