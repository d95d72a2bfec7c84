/**
 * Highest of the last `size` values, from the value `wanted` on, with constant work a row whatever the order (van Herk, Gil
 * and Werman): values come in groups of `size`, and a window is the tail of one group and the head of the next. The
 * highest of the head grows with each value; the highest of every tail is worked out once, when its group is complete.
 * NaN until the window is full. With a sign of -1 all of it is done on the negatives, which makes it the lowest.
 */
function extremes(values: Float64Array, size: number, { firstShown, sign }: { firstShown: number; sign: 1 | -1 }) {
  const out = new Float64Array(values.length - firstShown);
  const first = Math.max(0, firstShown - size + 1);
  // Before `slot` the values of this group; from there on the tails of the group before.
  const group = new Float64Array(size).fill(Number.NaN);
  let slot = 0;
  let head = Number.NEGATIVE_INFINITY;
  for (let i = first; i < values.length; i += 1) {
    const value = sign * (values[i] ?? 0);
    head = Math.max(head, value);
    group[slot] = value;
    slot += 1;
    const tail = slot === size ? head : Math.max(head, group[slot] ?? head);
    if (i >= firstShown) out[i - firstShown] = sign * tail;
    if (slot < size) continue;
    closeGroup(group);
    slot = 0;
    head = Number.NEGATIVE_INFINITY;
  }
  return out;
}

/** Makes each value of a complete group the highest from there to its end. */
function closeGroup(group: Float64Array): void {
  let tail = Number.NEGATIVE_INFINITY;
  for (let i = group.length - 1; i >= 0; i -= 1) {
    tail = Math.max(tail, group[i] ?? tail);
    group[i] = tail;
  }
}

/** Highest of the last `size` values, from the value `wanted` on. */
export function highest(values: Float64Array, size: number, firstShown: number): Float64Array {
  return extremes(values, size, { firstShown, sign: 1 });
}

/** Lowest of the last `size` values, from the value `wanted` on. */
export function lowest(values: Float64Array, size: number, firstShown: number): Float64Array {
  return extremes(values, size, { firstShown, sign: -1 });
}
