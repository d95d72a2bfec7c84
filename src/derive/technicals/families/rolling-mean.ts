/**
 * Means of the last `size` values, from the value `wanted` on: one addition and one subtraction a value. What each of them
 * rounds away is kept beside the sum (Knuth's TwoSum), so that the mean is as good as one of a fresh sum after any number
 * of rows, and wherever the sum began. NaN until the window is full.
 */
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
