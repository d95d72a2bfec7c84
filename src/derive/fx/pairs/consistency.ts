import { decimalOf } from '../../decimal.ts';
import { type FxObservation, isRate, type LegValues } from './legs.ts';
import type { Path } from './paths.ts';
import { DIGITS, DIGITS_BELOW_SMALL, SMALL } from './rates.ts';

export type Consistency = 'passed' | 'failed' | 'not_applicable';

/** Slack for the doubles that the check itself is made of, far below any published digit. */
const NOISE = 1e-12;

/**
 * Does a rate agree with what it follows from? This is the definition of `pair_consistency_check`:
 *
 * - inverse and cross: the derived rate, multiplied back by the legs that it was divided by, gives the published leg (the
 *   product of the legs it was multiplied by, 1 for an inverse) within half a unit of the derived rate's last decimal;
 * - direct, the reverse pair stored on the same date: the two rates multiply to 1 within half a unit of the last decimal
 *   of each;
 * - direct, no reverse: the rate is finite and above zero;
 * - a date without a rate: not applicable.
 *
 * It is computed in doubles on purpose, so that it does not share its arithmetic with the derivation.
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

/** One word for two: a failure fails both, and what has nothing to check says nothing. */
export function bothChecks(a: Consistency, b: Consistency): Consistency {
  if (a === 'failed' || b === 'failed') return 'failed';
  return a === 'not_applicable' ? b : a;
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
