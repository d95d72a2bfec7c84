import { compare, type Decimal, decimalOf, divide, multiply, toNumber } from '../decimal.ts';
import { isRate, type Point } from './legs.ts';
import type { Path } from './paths.ts';

const ONE: Decimal = { units: 1n, scale: 0 };
const SMALL: Decimal = { units: 1n, scale: 2 };

/** Decimals of a derived rate. Wire facts, section 9.2. */
export const DIGITS = 6;
export const DIGITS_BELOW_SMALL = 8;

/**
 * The rate of the asked pair on one date. A direct one is the stored value; a derived one is the exact ratio of the legs,
 * rounded once, half to even: 6 decimals, 8 when the ratio is below 0.01.
 */
export function rateAt(path: Path, { parts }: Point): number | null {
  if (path.method === 'direct_original_pair') return parts[0]?.val ?? null;
  let top = ONE;
  let bottom = ONE;
  for (const [place, leg] of path.legs.entries()) {
    const val = parts[place]?.val ?? null;
    const factor = isRate(val) ? decimalOf(val) : undefined;
    if (!factor) return null;
    if (leg.side === 'times') top = multiply(top, factor);
    else bottom = multiply(bottom, factor);
  }
  const small = compare(top, multiply(bottom, SMALL)) < 0;
  return toNumber(divide(top, bottom, small ? DIGITS_BELOW_SMALL : DIGITS));
}
