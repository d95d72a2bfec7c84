import type { LoadedRow, LoadedSeries } from '../../../contract/hooks.ts';
import { isJsonObject } from '../../../contract/json/json.ts';
import { isOfPair, type Pair, pairText } from '../pairs/paths.ts';
import { importedObservations } from './imported.ts';
import type { PublishedRate } from './published-rate.ts';

/** Ids of the endpoints whose series hold timed observations. */
export const REFERENCE = 'fx_reference_rates';
export const INTRADAY = 'fx_intraday_reference_rates';
export const DAILY = 'forex';

/** What the key of a row says where the row names no pair: it is the pair of the question. */
export const UNSTATED = 'unstated';

/**
 * The native observations of a pair, oldest first: what a source published of exactly this pair. A source's observation
 * that came over the wire is preferred to the one of a bulk file, whose time is assumed.
 */
export function nativeOf(pair: Pair, loaded: readonly LoadedSeries[]): readonly PublishedRate[] {
  const own = loaded.filter(({ ref }) => isOfPair(ref, pair));
  const published = own.flatMap((series) => (series.ref.endpoint === DAILY ? [] : nativeRows(pair, series)));
  const files = own.flatMap((series) => (series.ref.endpoint === DAILY ? importedObservations(series, published) : []));
  return distinct([...published, ...files]);
}

/** Observations of dates of which another list has none of the same source. */
export function withoutDays<T extends { readonly sourceId: string; readonly date: string }>(
  observations: readonly T[],
  others: readonly { readonly sourceId: string; readonly date: string }[],
): readonly T[] {
  if (observations.length === 0 || others.length === 0) return observations;
  const sources = new Map<string, string[]>();
  for (const { date, sourceId } of others) {
    const known = sources.get(date);
    if (!known) sources.set(date, [sourceId]);
    else if (!known.includes(sourceId)) known.push(sourceId);
  }
  return observations.filter(({ date, sourceId }) => !sources.get(date)?.includes(sourceId));
}

function nativeRows(pair: Pair, series: LoadedSeries): readonly PublishedRate[] {
  const name = pairText(pair);
  const isNative = ({ columns }: LoadedRow) =>
    columns.is_derived !== 1 &&
    (columns.source_pair === name || columns.source_pair === UNSTATED) &&
    (columns.derivation_method ?? 'direct_original_pair') === 'direct_original_pair' &&
    (columns.is_official !== 0 || isSynthetic(series));
  return series.rows.flatMap((row) => (isNative(row) ? (observeRate(row, series) ?? []) : []));
}

/** In a made-up data set nobody is official, and its observations stand for those that are. */
function isSynthetic({ envelope }: LoadedSeries): boolean {
  return isJsonObject(envelope.data_quality) && envelope.data_quality.source_type === 'synthetic';
}

/** A stored row of a timed series as an observation; undefined when it lacks the rate, the time or the date. */
export function observeRate(row: LoadedRow, series: LoadedSeries): PublishedRate | undefined {
  const { columns } = row;
  const val = columns.price ?? columns.val;
  const at = columns.timestamp_utc ?? columns.timestamp;
  const date = columns.date ?? columns.reference_date;
  if (typeof val !== 'number' || typeof at !== 'number' || typeof date !== 'string') return undefined;
  return {
    date,
    val,
    at,
    type: plainType(String(columns.timestamp_type ?? 'published')),
    sourceId: String(columns.source_id),
    assumed: false,
    text: row.text,
    origin: series.ref.origin,
  };
}

/** `official_fixing` and `fixing` are one. */
export function plainType(type: string): string {
  return type.replace(/^official_/, '');
}

type Timed = Pick<PublishedRate, 'at' | 'sourceId' | 'type' | 'date'>;

/** Oldest first; at one moment by source, type and date: rates of a whole week may be published together. */
function byTime(a: Timed, b: Timed): number {
  const order = a.at - b.at || compareTexts(a.sourceId, b.sourceId) || compareTexts(a.type, b.type);
  return order || compareTexts(a.date, b.date);
}

export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** In order, each observation once: two series can hold the same one. */
function distinct(observations: readonly PublishedRate[]): readonly PublishedRate[] {
  const follows = (one: PublishedRate, i: number, all: readonly PublishedRate[]) => {
    const before = all[i - 1];
    return before === undefined || byTime(before, one) < 0;
  };
  if (observations.every(follows)) return observations;
  return [...observations].sort(byTime).filter(follows);
}
