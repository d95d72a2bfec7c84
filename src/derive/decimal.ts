/** An exact decimal number: `units` divided by ten to the power of `scale`. */
export interface Decimal {
  readonly units: bigint;
  /** Digits after the decimal point; never negative. */
  readonly scale: number;
}

const SPELLING = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Reads a decimal from its spelling: `1.10` keeps both decimals. Undefined for anything that is no decimal number. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = SPELLING.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const units = BigInt(sign + whole + fraction);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

/** The decimal that a double stands for: its shortest text. Undefined for NaN and the infinities. */
export function decimalOf(value: number): Decimal | undefined {
  return parseDecimal(String(value));
}

/** The exact product. */
export function multiply(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, scale: a.scale + b.scale };
}

/** The exact difference. */
export function subtract(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: unitsAt(a, scale) - unitsAt(b, scale), scale };
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. */
export function compare(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const difference = unitsAt(a, scale) - unitsAt(b, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The quotient with so many decimals, ties to even. The divisor must not be zero. */
export function divide(a: Decimal, b: Decimal, digits: number): Decimal {
  const shift = digits + b.scale - a.scale;
  const top = shift >= 0 ? a.units * 10n ** BigInt(shift) : a.units;
  const bottom = shift >= 0 ? b.units : b.units * 10n ** BigInt(-shift);
  return { units: quotientHalfEven(top, bottom), scale: digits };
}

/** The double nearest to the decimal. */
export function toNumber({ units, scale }: Decimal): number {
  return Number(`${units}e-${scale}`);
}

function unitsAt(value: Decimal, scale: number): bigint {
  return value.units * 10n ** BigInt(scale - value.scale);
}

function quotientHalfEven(top: bigint, bottom: bigint): bigint {
  // BigInt division cuts towards zero, so the signs are taken off first and the tie is judged on magnitudes.
  const negative = top < 0n !== bottom < 0n;
  const dividend = top < 0n ? -top : top;
  const divisor = bottom < 0n ? -bottom : bottom;
  const cut = dividend / divisor;
  const twice = (dividend - cut * divisor) * 2n;
  const up = twice > divisor || (twice === divisor && cut % 2n === 1n);
  const magnitude = up ? cut + 1n : cut;
  return negative ? -magnitude : magnitude;
}
