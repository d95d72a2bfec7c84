import { roundHalfEven } from '../decimal.ts';

/** A part of the score: its weight, and the sign by which it counts for the appetite for risk. */
export interface Component {
  readonly name: string;
  readonly weight: number;
  readonly sign: 1 | -1;
}

/** The construction of the specification: stress and gold count against the appetite for risk. Section 9.16. */
export const COMPONENTS: readonly Component[] = [
  { name: 'ofr_fsi', weight: 0.4, sign: -1 },
  { name: 'gold', weight: 0.2, sign: -1 },
  { name: 'aud_usd', weight: 0.2, sign: 1 },
  { name: 'usd_jpy', weight: 0.2, sign: 1 },
];

/** Observations that a z-score looks back on, the newest included. */
export const LOOKBACK = 252;

/** A deviation below this part of the mean is what rounding leaves of a series that does not move. */
const NOISE = 1e-12;

/** Decimals of everything that the score is made of. */
const DIGITS = 4;

/** From here on the score is a regime of its own, on either side. */
const REGIME_BOUND = 0.25;

export type Regime = 'risk_on' | 'neutral' | 'risk_off';

export function regimeOf(val: number): Regime {
  if (val >= REGIME_BOUND) return 'risk_on';
  return val <= -REGIME_BOUND ? 'risk_off' : 'neutral';
}

/** Distances of values (oldest first) from the mean of the last 252, in sample deviations; null before. */
export function rollingScores(observed: readonly number[]): readonly (number | null)[] {
  return observed.map((value, i) => {
    if (i + 1 < LOOKBACK) return null;
    const recent = observed.slice(i + 1 - LOOKBACK, i + 1);
    const mean = recent.reduce((sum, one) => sum + one, 0) / LOOKBACK;
    const squares = recent.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
    const deviation = Math.sqrt(squares / (LOOKBACK - 1));
    return deviation <= Math.abs(mean) * NOISE ? 0 : (value - mean) / deviation;
  });
}

/** A day's score and what it is made of. */
export interface Score {
  readonly val: number;
  readonly regime: Regime;
  /** Signed, weighted contributions by name; null where the component has no score that day. */
  readonly components: Readonly<Record<string, number | null>>;
}

/** The tanh of the summed contributions, missing weights spread over the rest. Undefined with none. */
export function scoreOf(zScores: readonly (number | null)[]): Score | undefined {
  const stored = COMPONENTS.filter((_, i) => typeof zScores[i] === 'number');
  const weight = stored.reduce((sum, component) => sum + component.weight, 0);
  if (stored.length === 0) return undefined;
  const parts = COMPONENTS.map((component, i) => {
    const score = zScores[i] ?? null;
    const part = score === null ? null : roundHalfEven((component.weight / weight) * component.sign * score, DIGITS);
    return [component.name, part] as const;
  });
  const val = roundHalfEven(Math.tanh(parts.reduce((sum, [, part]) => sum + (part ?? 0), 0)), DIGITS);
  return { val, regime: regimeOf(val), components: Object.fromEntries(parts) };
}
