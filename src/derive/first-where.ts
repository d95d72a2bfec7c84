/** Index of the first item from which on a condition holds of all; their count when it never does. */
export function firstWhere<T>(list: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    // Within the list there is an item, whatever its type says.
    if (holds(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
