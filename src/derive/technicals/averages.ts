/** Means of the last `size` values from `firstShown` on, NaN before; Knuth's TwoSum keeps their precision. */
export function rollingMeans(values: Float64Array, size: number, firstShown: number): Float64Array {
  const out = new Float64Array(values.length - firstShown);
  const first = Math.max(0, firstShown - size + 1);
  const firstFull = Math.max(firstShown, size - 1);
  let sum = 0;
  let lost = 0;
  for (let i = first; i < values.length; i += 1) {
    // Before the window is full it is a zero that leaves.
    const leaving = i - size < first ? -0 : -(values[i - size] ?? 0);
    const without = sum + leaving;
    const left = without - sum;
    const coming = values[i] ?? 0;
    const next = without + coming;
    const came = next - without;
    lost += sum - (without - left) + (leaving - left) + (without - (next - came) + (coming - came));
    sum = next;
    if (i >= firstShown) out[i - firstShown] = i < firstFull ? Number.NaN : (sum + lost) / size;
  }
  return out;
}

/** How an average that remembers follows its values. */
export interface Smoothing {
  /** Values whose plain mean it starts with. */
  readonly size: number;
  /** The share of the distance to each further value by which it moves. */
  readonly share: number;
}

/** An average seeded with the mean of `size` values; passes NaN by. `out` may be `values`. */
export function seededAverage(
  values: Float64Array,
  { size, share }: Smoothing,
  out: Float64Array = new Float64Array(values.length),
): Float64Array {
  let count = 0;
  let sum = 0;
  let i = 0;
  for (; i < values.length && count < size; i += 1) {
    const value = values[i] ?? Number.NaN;
    out[i] = Number.NaN;
    if (Number.isNaN(value)) continue;
    count += 1;
    sum += value;
  }
  if (count < size) return out;
  const seed = sum / size;
  out[i - 1] = seed;
  followValues(values, { from: i, average: seed, share }, out);
  return out;
}

/** Moves an average over values. Apart from the seed, since a plain loop is compiled sooner. */
function followValues(
  values: Float64Array,
  { from, average: seed, share }: { readonly from: number; readonly average: number; readonly share: number },
  out: Float64Array,
): void {
  let average = seed;
  for (let i = from; i < values.length; i += 1) {
    const value = values[i] ?? Number.NaN;
    // False for NaN, and cheaper than asking: this runs a hundred thousand times before it is compiled well.
    if (value <= LARGEST) {
      average += (value - average) * share;
      out[i] = average;
    } else out[i] = Number.NaN;
  }
}

const LARGEST = Number.POSITIVE_INFINITY;

/**
 * Wilder's smoothing: average + (value - average) / n, seeded with the mean of the first n values (warm-up). Source: J.
 * Welles Wilder, New Concepts in Technical Trading Systems, 1978.
 */
export function wilderSmoothing(size: number): Smoothing {
  return { size, share: 1 / size };
}

/** The smoothing of an exponential average of n days: a share of 2 / (n + 1). */
export function exponentialSmoothing(size: number): Smoothing {
  return { size, share: 2 / (size + 1) };
}
