/** Texts of the whole numbers below a thousand, three digits wide, and the same without zeros at their end. */
const THREE_DIGITS = Array.from({ length: 1000 }, (_, i) => String(i).padStart(3, '0'));
const TRIMMED = THREE_DIGITS.map((digits) => digits.replace(/0+$/, ''));

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
  const digits = low === 0 ? (high === 0 ? '0' : TRIMMED[high]) : `${THREE_DIGITS[high]}${TRIMMED[low]}`;
  return value < 0 ? `-${whole}.${digits}` : `${whole}.${digits}`;
}

function textOf(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e16 ? `${value}.0` : String(value);
}
