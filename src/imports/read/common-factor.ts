/** The factor between two states of some values, as far as rounded numbers can tell it. */

export interface ValuePair {
  readonly held: number;
  readonly val: number;
}

/** Fewer values may differ by one factor by chance. */
const MIN_PAIRS = 6;

/** The factor, other than 1, by which every value differs within its rounding; undefined where there is none. */
export function commonFactor(pairs: readonly ValuePair[]): number | undefined {
  const halfHeld = halfOfLastDigit(pairs.map(({ held }) => held));
  const halfVal = halfOfLastDigit(pairs.map(({ val }) => val));
  let [lowest, highest, counted] = [0, Number.POSITIVE_INFINITY, 0];
  for (const { held, val } of pairs) {
    const [from, size] = [Math.abs(held), Math.abs(val)];
    // What may be nothing at all says nothing of a factor.
    if (from <= halfHeld && size <= halfVal) continue;
    if (held * val <= 0) return undefined;
    lowest = Math.max(lowest, (size - halfVal) / (from + halfHeld));
    highest = Math.min(highest, from > halfHeld ? (size + halfVal) / (from - halfHeld) : Number.POSITIVE_INFINITY);
    counted += 1;
  }
  const includesOne = lowest <= 1 && highest >= 1;
  return counted < MIN_PAIRS || lowest > highest || includesOne ? undefined : (lowest + highest) / 2;
}

/** Publishers round all values of a series to as many decimals: those of the longest one. */
function halfOfLastDigit(values: readonly number[]): number {
  const decimals = Math.max(0, ...values.map((value) => String(value).split('.')[1]?.length ?? 0));
  return 0.5 * 10 ** -decimals;
}
