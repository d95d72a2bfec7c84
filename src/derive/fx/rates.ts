import { compare, type Decimal, decimalOf, divide, multiply, toNumber } from '../decimal.ts';
import { type FxObservation, type FxPoint, isRate, type LegValues } from './legs.ts';
import type { Path } from './paths.ts';

/** A date of the asked pair with its rate. */
export interface RatedPoint extends FxPoint {
  readonly rate: number | null;
}

/** Decimals of a derived rate: 6, and 8 below 0.01. See docs/interface-endpoints.md#daily-rates. */
export const DIGITS = 6;
const DIGITS_BELOW_SMALL = 8;
export const SMALL = 0.01;

/** Far more than three roundings of doubles can add up to, relative to the result. */
const DOUBT = 1e-14;

const ONE: Decimal = { units: 1n, scale: 0 };
const EXACT_SMALL: Decimal = { units: 1n, scale: 2 };

export type Consistency = 'passed' | 'failed' | 'not_applicable';

/** Slack for the doubles that the check itself is made of, far below any published digit. */
const NOISE = 1e-12;

/** The stored rate, or the exact ratio of the legs, rounded half to even: 6 decimals, 8 when below 0.01. */
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

/** The ratio by doubles, ten times as fast; undefined near a tie or 0.01, where their noise could decide. */
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

/**
 * `pair_consistency_check`, in doubles, so that it shares no arithmetic with the derivation. A derived rate times its
 * divisors gives the published leg, or 1, within half a unit of its last decimal. A direct rate times its reverse gives
 * 1 within half a unit of each. A single rate is finite and positive. Without a rate the check does not apply.
 */
export function checkRate(path: Path, point: LegValues, rate: number | null, reverse?: FxObservation): Consistency {
  if (rate === null) return 'not_applicable';
  if (!isRate(rate)) return 'failed';
  if (path.method !== 'direct_original_pair') return passes(multipliesBack(path, point, rate));
  const back = reverse?.val ?? null;
  if (back === null) return 'passed';
  if (!isRate(back)) return 'failed';
  const slack = (lastUnit(rate) / 2) * back + (lastUnit(back) / 2) * rate;
  return passes(Math.abs(rate * back - 1) <= slack + NOISE);
}

function multipliesBack(path: Path, { parts }: LegValues, rate: number): boolean {
  let times = 1;
  let over = 1;
  for (const [place, leg] of path.legs.entries()) {
    const val = parts[place]?.val ?? Number.NaN;
    if (leg.side === 'times') times *= val;
    else over *= val;
  }
  const digits = times / over < SMALL ? DIGITS_BELOW_SMALL : DIGITS;
  return Math.abs(rate * over - times) <= (10 ** -digits / 2) * over + NOISE * times;
}

/** One unit of the last decimal that the shortest text of a rate has. */
function lastUnit(rate: number): number {
  return 10 ** -(decimalOf(rate)?.scale ?? 0);
}

const passes = (stored: boolean): Consistency => (stored ? 'passed' : 'failed');
