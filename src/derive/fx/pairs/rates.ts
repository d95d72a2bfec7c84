import { compare, type Decimal, decimalOf, divide, multiply, toNumber } from '../../decimal.ts';
import { type FxPoint, isRate, type LegValues } from './legs.ts';
import type { Path } from './paths.ts';

/** A date of the asked pair with its rate. */
export interface RatedPoint extends FxPoint {
  readonly rate: number | null;
}

/** Decimals of a derived rate: 6, and 8 below 0.01. See docs/interface.md#daily-rates. */
export const DIGITS = 6;
export const DIGITS_BELOW_SMALL = 8;
export const SMALL = 0.01;

/** Far more than three roundings of doubles can add up to, relative to the result. */
const DOUBT = 1e-14;

const ONE: Decimal = { units: 1n, scale: 0 };
const EXACT_SMALL: Decimal = { units: 1n, scale: 2 };

/**
 * The rate of the asked pair on one date. A direct one is the stored value; a derived one is the exact ratio of the legs,
 * rounded once, half to even: 6 decimals, 8 when the ratio is below 0.01.
 */
export function rateAt(path: Path, { parts }: LegValues): number | null {
  return rateOf(
    path,
    parts.map(({ val }) => val),
  );
}

/** The same from the values of the legs, in their order. */
export function rateOf(path: Path, vals: readonly (number | null)[]): number | null {
  if (path.method === 'direct_original_pair') return vals[0] ?? null;
  const times: number[] = [];
  const over: number[] = [];
  for (const [place, leg] of path.legs.entries()) {
    const val = vals[place] ?? null;
    if (!isRate(val)) return null;
    (leg.side === 'times' ? times : over).push(val);
  }
  return ratioOf(times, over);
}

/** The exact product of some rates over that of others, rounded once as a derived rate is; null when it is no number. */
export function ratioOf(times: readonly number[], over: readonly number[]): number | null {
  return quickRatio(times, over) ?? exactRatio(times, over);
}

/**
 * The ratio by doubles, ten times as fast, wherever they cannot be wrong: undefined when the result lies so near to a tie,
 * or to the bound between 6 and 8 decimals, that their noise could decide.
 */
function quickRatio(times: readonly number[], over: readonly number[]): number | undefined {
  const ratio = times.reduce(product, 1) / over.reduce(product, 1);
  if (Math.abs(ratio - SMALL) <= SMALL * DOUBT) return undefined;
  const unit = ratio < SMALL ? 10 ** DIGITS_BELOW_SMALL : 10 ** DIGITS;
  const units = ratio * unit;
  const fromTie = Math.abs(units - Math.floor(units) - 0.5);
  if (!(units < Number.MAX_SAFE_INTEGER) || fromTie <= units * DOUBT) return undefined;
  return Math.round(units) / unit;
}

function exactRatio(times: readonly number[], over: readonly number[]): number | null {
  const top = exactProduct(times);
  const bottom = exactProduct(over);
  if (!top || !bottom) return null;
  const small = compare(top, multiply(bottom, EXACT_SMALL)) < 0;
  return toNumber(divide(top, bottom, small ? DIGITS_BELOW_SMALL : DIGITS));
}

function exactProduct(factors: readonly number[]): Decimal | undefined {
  const decimals = factors.map(decimalOf).filter((factor) => factor !== undefined);
  return decimals.length === factors.length ? decimals.reduce(multiply, ONE) : undefined;
}

const product = (a: number, b: number): number => a * b;
