/** One side of a comparison. */
interface Side {
  readonly name: string;
  readonly values: ReadonlyMap<string, string>;
  /** Period of its newest value anywhere; null where nobody tells. */
  readonly newest: string | null;
}

/** Says which sides have no value in the periods of a table: an empty column alone would pass for a fault. */
export function emptySides(sides: readonly Side[], shown: readonly string[]): readonly string[] {
  return sides
    .filter(({ values }) => shown.every((period) => !values.has(period)))
    .map(({ name, newest }) => {
      const known = newest === null ? '' : ` Its newest is that of ${newest}.`;
      return `${name} has no value in the rows shown.${known}`;
    });
}
