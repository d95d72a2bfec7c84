import type { Envelope } from '../../contract/hooks.ts';
import { float } from '../../contract/json/json.ts';
import { compare, type Decimal, decimalOf, multiply, toNumber } from '../decimal.ts';
import { roundHalfEven } from '../round.ts';
import { subtractDecimal } from './round.ts';

export type OutcomeComparison = 'gt' | 'gte' | 'lt' | 'lte' | 'eq';

/** What a question adds to a settled value. */
export interface OutcomeOptions {
  readonly strike: number | undefined;
  readonly comparison: OutcomeComparison;
  /** For a policy decision: what was in force before, and the range that the rate is part of. */
  readonly decision?: { readonly previous: number | null; readonly range: TargetRange | undefined } | undefined;
}

export interface TargetRange {
  readonly lower: number;
  readonly upper: number;
}

/**
 * The outcome of a settlement value; undefined when neither a strike nor a decision makes one. See
 * docs/interface.md#settlement.
 */
export function settlementOutcome(
  settled: Decimal,
  { strike, comparison, decision }: OutcomeOptions,
): Envelope | undefined {
  const members = {
    ...(strike !== undefined && {
      strike: float(strike),
      comparison,
      resolves_yes: holds(settled, comparison, strike),
    }),
    ...(decision && decisionOf(settled, decision)),
  };
  return Object.keys(members).length > 0 ? members : undefined;
}

/** Compares exact decimals, so that no rounding of doubles can decide a contract. */
function holds(settled: Decimal, comparison: OutcomeComparison, strike: number): boolean {
  const limit = decimalOf(strike);
  const order = limit ? compare(settled, limit) : Number.NaN;
  switch (comparison) {
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
    case 'eq':
      return order === 0;
  }
}

const HUNDRED: Decimal = { units: 100n, scale: 0 };

function decisionOf(settled: Decimal, { previous, range }: NonNullable<OutcomeOptions['decision']>): Envelope {
  const before = previous === null ? undefined : decimalOf(previous);
  if (!before || previous === null) return targetOf(range);
  const change = subtractDecimal(settled, before);
  return {
    decision: change.units > 0n ? 'hike' : change.units < 0n ? 'cut' : 'hold',
    change_bps: float(roundHalfEven(toNumber(multiply(change, HUNDRED)), 4)),
    previous_value: float(previous),
    ...targetOf(range),
  };
}

function targetOf(range: TargetRange | undefined): Envelope {
  return range ? { target_range: { lower: float(range.lower), upper: float(range.upper) } } : {};
}
