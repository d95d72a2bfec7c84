import type { LoadedRow, LoadedSeries, StoredRef } from '../../contract/hooks.ts';
import { isListingVintages } from '../file-vintages.ts';

/** Names that tell a series of an indicator from its canonical one. */
const BASE_SCOPE: ReadonlySet<string> = new Set(['currency', 'indicator']);

/** True for the series of an indicator that nobody narrowed by a selector. */
export function isBaseSeries(ref: StoredRef): boolean {
  return Object.keys(ref.scope).every((name) => BASE_SCOPE.has(name));
}

/**
 * The service's own series before those of files: where both hold a value, the service's is shown. Of files always the same
 * one, whatever the order of their imports and the moment of the question.
 */
export function byOrigin(a: LoadedSeries, b: LoadedSeries): number {
  const rank = rankOf(a.ref) - rankOf(b.ref);
  if (rank !== 0 || a.ref.origin === b.ref.origin || rankOf(a.ref) === 0) return rank;
  return a.ref.origin < b.ref.origin ? -1 : 1;
}

/** The same where one of them answers alone: of files the one that reaches further, then one that lists its vintages. */
export function byReach(a: LoadedSeries, b: LoadedSeries): number {
  const rank = rankOf(a.ref) - rankOf(b.ref);
  if (rank !== 0 || rankOf(a.ref) === 0) return rank;
  const [reachOfA, reachOfB] = [reachOf(a), reachOf(b)];
  if (reachOfA !== reachOfB) return reachOfA > reachOfB ? -1 : 1;
  return Number(listsVintages(b)) - Number(listsVintages(a)) || byOrigin(a, b);
}

function rankOf(ref: StoredRef): number {
  return ref.origin.startsWith('import:') ? 1 : 0;
}

function reachOf(series: LoadedSeries): string {
  return String(newestDateOf(series) ?? '');
}

function listsVintages({ rows: [newest] }: LoadedSeries): boolean {
  return newest !== undefined && isListingVintages(newest.text);
}

/** The publisher that all of these series name; undefined when they name several, or none. */
export function commonSource(series: readonly LoadedSeries[]): string | undefined {
  const [first, ...others] = new Set(series.map(({ envelope }) => envelope.source));
  return typeof first === 'string' && others.length === 0 ? first : undefined;
}

/** One history an indicator: the one that reaches further, the service's own when they end together. */
export function historyByIndicator(histories: readonly LoadedSeries[]): ReadonlyMap<string, LoadedSeries> {
  const chosen = new Map<string, LoadedSeries>();
  for (const series of [...histories].sort(byReach)) {
    const indicator = series.ref.scope.indicator ?? '';
    const before = chosen.get(indicator);
    if (reachOf(series) > (before ? reachOf(before) : '')) chosen.set(indicator, series);
  }
  return chosen;
}

/** Date of the newest row, be it loaded or only its columns. */
export function newestDateOf({ rows, columns }: LoadedSeries): LoadedRow['columns'][string] | undefined {
  return rows[0]?.columns.date ?? columns?.date?.[0];
}
