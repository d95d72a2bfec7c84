const BARS = '▁▂▃▄▅▆▇█';

/** A line of bars, oldest first; more values than columns are averaged in buckets, a missing value is a gap. */
export function sparkline(values: readonly (number | null)[], columns: number): string {
  const buckets = bucketsOf(values, columns);
  const known = buckets.filter((value) => value !== null);
  if (known.length === 0) return '';
  const low = Math.min(...known);
  const range = Math.max(...known) - low;
  return buckets
    .map((value) => {
      if (value === null) return ' ';
      const step = range === 0 ? 3 : Math.round(((value - low) / range) * (BARS.length - 1));
      return BARS[step];
    })
    .join('');
}

function bucketsOf(values: readonly (number | null)[], columns: number): readonly (number | null)[] {
  if (values.length <= columns) return values;
  return Array.from({ length: columns }, (_, i) => {
    const from = Math.floor((i * values.length) / columns);
    const to = Math.floor(((i + 1) * values.length) / columns);
    const known = values.slice(from, to).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  });
}
