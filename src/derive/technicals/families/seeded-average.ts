/** How an average that remembers follows its values. */
export interface Smoothing {
  /** Values whose plain mean it starts with. */
  readonly size: number;
  /** The share of the distance to each further value by which it moves. */
  readonly share: number;
}

const LARGEST = Number.POSITIVE_INFINITY;

/**
 * An average that remembers: seeded with the plain mean of its first `size` values, then moved towards every further value
 * by a fixed share of the distance. Values that are not there yet (NaN) are passed by. One average a value, NaN until the
 * seed is complete; `out` may be `values`.
 *
 * One plain loop over the whole series: a program that has just started has it compiled after the first thousand rows.
 */
export function seededAverage(
  values: Float64Array,
  { size, share }: Smoothing,
  out: Float64Array = new Float64Array(values.length),
): Float64Array {
  let average = Number.NaN;
  let count = 0;
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] ?? Number.NaN;
    // False for NaN, and cheaper than asking: this runs a hundred thousand times before it is compiled well.
    const isThere = value <= LARGEST;
    if (isThere && count === size) {
      average += (value - average) * share;
      out[i] = average;
    } else if (isThere) {
      count += 1;
      sum += value;
      if (count === size) average = sum / size;
      out[i] = average;
    } else out[i] = Number.NaN;
  }
  return out;
}

/**
 * Wilder's smoothing: average + (value - average) / n, which is an exponential average of 2n - 1 days.
 *
 * Seeding: mean of the first n values. Warm-up: n values.
 * Source: J. Welles Wilder, New Concepts in Technical Trading Systems, 1978.
 */
export function wilderSmoothing(size: number): Smoothing {
  return { size, share: 1 / size };
}
