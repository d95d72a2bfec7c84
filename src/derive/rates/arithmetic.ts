import { type Decimal, decimalOf, divide, multiply, subtract, toNumber } from '../decimal.ts';
import { roundHalfEven } from '../round.ts';

/** Decimals of computed spreads, slopes and forwards, and of their basis points. See docs/interface.md#numbers. */
const DIGITS = 6;
const DIGITS_OF_BASIS_POINTS = 4;

const ONE: Decimal = { units: 1n, scale: 0 };
const HUNDRED: Decimal = { units: 100n, scale: 0 };

/** A difference of two rates. */
export interface Spread {
  /** Percentage points, 6 decimals. */
  readonly points: number;
  /** Basis points, 4 decimals. */
  readonly bps: number;
}

/** The exact difference of two rates in per cent, each rounded once, half to even. */
export function spreadOf(value: number, less: number): Spread {
  const [a, b] = [decimalOf(value), decimalOf(less)];
  if (!a || !b) return { points: Number.NaN, bps: Number.NaN };
  const exact = subtract(a, b);
  return {
    points: plain(divide(exact, ONE, DIGITS)),
    bps: plain(divide(multiply(exact, HUNDRED), ONE, DIGITS_OF_BASIS_POINTS)),
  };
}

/** A rate in per cent as basis points. */
export function basisPoints(rate: number): number {
  return spreadOf(rate, 0).bps;
}

/** A spot rate of a tenor. */
export interface SpotRate {
  /** Per cent. */
  readonly val: number;
  readonly years: number;
}

/**
 * The rate from the shorter to the longer tenor that makes both ways of investing equal, per cent, 6 decimals. Undefined
 * where a rate of -100 % or less leaves nothing to grow. See docs/interface.md#curves.
 */
export function forwardRate(start: SpotRate, end: SpotRate): number | undefined {
  const [from, to] = [1 + start.val / 100, 1 + end.val / 100];
  if (!(from > 0) || !(to > 0) || !(end.years > start.years)) return undefined;
  const growth = to ** end.years / from ** start.years;
  return roundHalfEven((growth ** (1 / (end.years - start.years)) - 1) * 100, DIGITS);
}

function plain(value: Decimal): number {
  return toNumber(value) + 0;
}
