/**
 * Rounds the exact value of a double to so many decimals, ties to even, as the service does. `toFixed` is exact except
 * that it sends ties away from zero, so only a true tie (a 5 and then nothing) needs care.
 */
export function roundHalfEven(value: number, digits: number): number {
  if (!Number.isFinite(value)) return value;
  const fixed = value.toFixed(digits);
  const exact = value.toFixed(Math.min(100, digits + 40));
  const tail = exact.slice(exact.indexOf('.') + 1 + digits);
  if (!/^50*$/.test(tail)) return Number(fixed);
  // Cut instead of rounding, then step away from zero only when the last digit is odd.
  const cut = exact.slice(0, exact.length - tail.length).replace(/\.$/, '');
  const odd = Number(cut.at(-1)) % 2 === 1;
  return odd ? Number(fixed) : Number(cut);
}
