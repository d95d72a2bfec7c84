import type { LoadedRow, LoadedSeries, StoredRef } from '../../contract/hooks.ts';

/** Names that tell a series of an indicator from its canonical one. */
const BASE_SCOPE: ReadonlySet<string> = new Set(['currency', 'indicator']);

/** True for the series of an indicator that nobody narrowed by a selector. */
export function isBaseSeries(ref: StoredRef): boolean {
  return Object.keys(ref.scope).every((name) => BASE_SCOPE.has(name));
}

/** The service's own series before an importer's: where both hold a value, the service's is shown. */
export function byOrigin(a: { readonly ref: StoredRef }, b: { readonly ref: StoredRef }): number {
  return rankOf(a.ref) - rankOf(b.ref);
}

function rankOf(ref: StoredRef): number {
  return ref.origin.startsWith('import:') ? 1 : 0;
}

/** The publisher that all of these series name; undefined when they name several, or none. */
export function commonSource(series: readonly LoadedSeries[]): string | undefined {
  const [first, ...others] = new Set(series.map(({ envelope }) => envelope.source));
  return typeof first === 'string' && others.length === 0 ? first : undefined;
}

/** One history an indicator: the one that reaches further, the service's own when they end together. */
export function historyByIndicator(histories: readonly LoadedSeries[]): ReadonlyMap<string, LoadedSeries> {
  const chosen = new Map<string, LoadedSeries>();
  const newest = (series: LoadedSeries | undefined) => String(series ? (newestDateOf(series) ?? '') : '');
  for (const series of [...histories].sort(byOrigin)) {
    const indicator = series.ref.scope.indicator ?? '';
    if (newest(series) > newest(chosen.get(indicator))) chosen.set(indicator, series);
  }
  return chosen;
}

/** Date of the newest row, be it loaded or only its columns. */
export function newestDateOf({ rows, columns }: LoadedSeries): LoadedRow['columns'][string] | undefined {
  return rows[0]?.columns.date ?? columns?.date?.[0];
}
