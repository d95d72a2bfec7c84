/** Texts of the whole numbers below a thousand, as the digits behind a point. */
interface Digits {
  /** Three digits wide. */
  readonly wide: readonly string[];
  /** Without zeros at their end, but for nought itself. */
  readonly trimmed: readonly string[];
}

/** Made by the first number that is spelled from its millionths: most commands spell none. */
let digits: Digits | undefined;

const MILLION = 1_000_000;

/** So many millionths have ten digits at most, and fit the engine's small whole numbers. */
const MOST_UNITS = 2_000_000_000;

/**
 * JSON text of a float as the service spells it: shortest round-trip form with a decimal point (`3.0`), so that a
 * measured value is never taken for a count. See docs/interface.md#numbers.
 *
 * A rounded value is spelled from its millionths, three times as fast: a decimal of at most 15 digits is the shortest text of
 * the double nearest to it.
 */
export function floatText(value: number): string {
  const size = Math.abs(value);
  const units = Math.round(size * MILLION);
  if (!(units < MOST_UNITS) || units / MILLION !== size) return textOf(value);
  const whole = Math.floor(units / MILLION);
  const part = units - whole * MILLION;
  const high = Math.floor(part / 1000);
  const low = part - high * 1000;
  digits ??= makeDigits();
  const { wide, trimmed } = digits;
  const fraction = low === 0 ? trimmed[high] : `${wide[high]}${trimmed[low]}`;
  return value < 0 ? `-${whole}.${fraction}` : `${whole}.${fraction}`;
}

function makeDigits(): Digits {
  const wide = Array.from({ length: 1000 }, (_, i) => String(1000 + i).slice(1));
  const trimmed = wide.map((text, i) => text.slice(0, i % 100 === 0 ? 1 : i % 10 === 0 ? 2 : 3));
  return { wide, trimmed };
}

function textOf(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e16 ? `${value}.0` : String(value);
}
