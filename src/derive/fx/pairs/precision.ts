/** How well a computed rate is known: no better than its legs, of which a file may have two digits. */
import type { RoutedPoint } from './fx-route.ts';
import { type Pair, pairText } from './paths.ts';

/** Share of the rate. Reference rates of four digits are not better than this, those of five and more are. */
const WORTH_TELLING = 0.0002;

/** Says which leg of the computed rates of a window has so few digits that those of the result are not all known. */
export function precisionNotes(pair: Pair, computed: readonly RoutedPoint[]): readonly string[] {
  const legs = new Map<string, number[]>();
  for (const { path, parts } of computed)
    for (const [leg, { pair: own }] of path.legs.entries()) {
      const val = parts[leg]?.val;
      const name = pairText(own);
      if (val) legs.set(name, [...(legs.get(name) ?? []), val]);
    }
  return [...legs].flatMap(([name, vals]) => {
    const share = roundingShare(vals);
    if (share < WORTH_TELLING) return [];
    return [`${name} is published with so few digits that ${pairText(pair)} is known to about ${percent(share)} only.`];
  });
}

/** Half a unit of the last published digit, as a share of the smallest rate. */
function roundingShare(vals: readonly number[]): number {
  const decimals = Math.max(...vals.map(decimalsOf));
  return (0.5 * 10 ** -decimals) / Math.min(...vals.map(Math.abs));
}

function decimalsOf(val: number): number {
  const [digits = '', exponent = '0'] = String(val).split('e');
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent));
}

const percent = (share: number): string => `${Number((share * 100).toPrecision(1))} %`;
