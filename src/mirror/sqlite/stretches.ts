/** Rows that one statement takes: a call of it costs as much as a row. Few sizes, so that few statements are prepared. */
const SIZES: readonly number[] = [25, 5, 1];

/** The rows in their order, in stretches of a few sizes, of which the last is one. */
export function* stretchesOf<Row>(rows: readonly Row[], sizes = SIZES): Generator<readonly Row[]> {
  let at = 0;
  for (const size of sizes)
    for (; at + size <= rows.length; at += size) yield size === rows.length ? rows : rows.slice(at, at + size);
}
