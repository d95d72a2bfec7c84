/** An exact decimal number: `units` divided by ten to the power of `scale`. */
export interface Decimal {
  readonly units: bigint;
  /** Digits after the decimal point; never negative. */
  readonly scale: number;
}

const SPELLING = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Ten to the power of the index, as far as the fast path goes: the odd part of 10^11 still has 26 bits. */
const POWERS = Array.from({ length: 12 }, (_, digits) => 10 ** digits);

/** Cuts a double into halves of 26 bits (Veltkamp), so that their products with a power of ten are exact. */
const SPLITTER = 2 ** 27 + 1;

/** From here on a double has no half left, so that the comparison with one half would mean nothing. */
const LARGEST = 2 ** 52;

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

/**
 * Rounds the exact value of a double half to even; zero is never negative. The product is a double and its error, so a
 * tie is exact; below 2^53 the quotient is the nearest double.
 */
export function roundHalfEven(value: number, digits: number): number {
  const power = POWERS[digits];
  const size = Math.abs(value);
  const scaled = power === undefined ? Number.NaN : size * power;
  if (power === undefined || !(scaled < LARGEST)) return roundByText(value, digits);
  const carry = size * SPLITTER;
  const high = carry - (carry - size);
  const lost = high * power - scaled + (size - high) * power;
  const whole = Math.floor(scaled);
  // The fraction is a multiple of the last place of `scaled`; the rounding error is at most half of that place.
  const part = scaled - whole;
  const above = part > 0.5 || (part === 0.5 && (lost > 0 || (lost === 0 && whole % 2 === 1)));
  const rounded = (above ? whole + 1 : whole) / power;
  return value < 0 && rounded !== 0 ? -rounded : rounded;
}

/** The same through decimal digits. `toFixed` is exact except that it sends ties away from zero. */
function roundByText(value: number, digits: number): number {
  // Beyond 2^52 a double is a whole number, and from 1e21 on `toFixed` would answer in exponential form.
  if (!Number.isFinite(value) || Math.abs(value) >= LARGEST) return value;
  const fixed = value.toFixed(digits);
  const exact = value.toFixed(Math.min(100, digits + 40));
  const tail = exact.slice(exact.indexOf('.') + 1 + digits);
  if (!/^50*$/.test(tail)) return Number(fixed) + 0;
  // Cut instead of rounding, then step away from zero only when the last digit is odd.
  const cut = exact.slice(0, exact.length - tail.length).replace(/\.$/, '');
  const odd = Number(cut.at(-1)) % 2 === 1;
  return Number(odd ? fixed : cut) + 0;
}
