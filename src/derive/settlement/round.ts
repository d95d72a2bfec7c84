import type { Decimal } from '../decimal.ts';

/**
 * Rounds an exact decimal to so many digits behind the point, halves away from zero. See docs/interface.md#settlement.
 */
export function roundAwayFromZero({ units, scale }: Decimal, digits: number): Decimal {
  if (scale <= digits) return { units: units * 10n ** BigInt(digits - scale), scale: digits };
  const unit = 10n ** BigInt(scale - digits);
  // BigInt division cuts towards zero, so the sign is taken off and put back.
  const size = units < 0n ? -units : units;
  const rounded = (size * 2n + unit) / (unit * 2n);
  return { units: units < 0n ? -rounded : rounded, scale: digits };
}

/** The exact difference. */
export function subtractDecimal(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: at(a, scale) - at(b, scale), scale };
}

/** Digits behind the point that a value is printed with, trailing zeros not counted. */
export function printedDigits({ units, scale }: Decimal): number {
  let digits = scale;
  let rest = units;
  while (digits > 0 && rest % 10n === 0n) {
    rest /= 10n;
    digits -= 1;
  }
  return digits;
}

function at({ units, scale }: Decimal, target: number): bigint {
  return units * 10n ** BigInt(target - scale);
}
