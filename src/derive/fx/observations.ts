import type { CoveringSeries, LoadedRow, LoadedSeries, SeriesRef, StoredRef } from '../../contract/hooks.ts';
import { isJsonObject, type JsonObject } from '../../contract/json/json.ts';
import { zonedInstants } from '../../contract/time/moments.ts';
import { dateToMs } from '../../contract/time/time.ts';
import { type FxPublisher, fxPublisherOf, publicationLag } from '../../contract/words/fx-publishers.ts';
import { seriesColumn } from '../memory.ts';
import { type FxObservation as DailyObservation, isImportedSeries } from './legs.ts';
import {
  candidatePairs,
  choosePath,
  fileAnchorsOf,
  isOfPair,
  isOfPath,
  type Pair,
  pairText,
  pathsOf,
} from './paths.ts';

/** Ids of the endpoints whose series hold timed observations. */
export const REFERENCE = 'fx_reference_rates';
export const INTRADAY = 'fx_intraday_reference_rates';
export const DAILY = 'forex';

/** What the key of a row says where the row names no pair: it is the pair of the question. */
export const UNSTATED = 'unstated';

/** A rate of one pair as its source published it, and when. It outlives the question that it was first read for. */
export interface PublishedRate extends Omit<DailyObservation, 'series'> {
  readonly val: number;
  /** Of its series. */
  readonly origin: string;
  /** Unix seconds. */
  readonly at: number;
  /** `fixing`, `published` or a word of the service's, without `official_`. */
  readonly type: string;
  readonly sourceId: string;
  /** The time is the publisher's usual one: nobody stated that of this observation. */
  readonly assumed: boolean;
}

const DAY = 86_400_000;

/** The orders that reference and session rates can be asked in. */
export const ORDERS = ['timestamp_asc', 'timestamp_desc', 'date_asc', 'date_desc'] as const;

interface Dated {
  readonly date: string;
  /** Unix seconds. */
  readonly at: number;
}

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

/** True for a series of a bulk file whose rates have a known usual time of publication. */
export function isTimedFile({ origin }: Pick<StoredRef, 'origin'>): boolean {
  return fxPublisherOf(origin) !== undefined;
}

/** The `source` member of rows that come from a bulk file. */
export function fileSource({ origin }: Pick<StoredRef, 'origin'>) {
  const publisher = fxPublisherOf(origin);
  return { id: publisher?.id ?? origin, name: publisher?.name ?? origin, is_official: publisher !== undefined };
}

/** What an imported file tells of its publisher: the pairs that it holds, as an entry in the list of sources. */
export function importedSources(loaded: readonly LoadedSeries[]): readonly JsonObject[] {
  // The rows of a file that was taken back are gone, and its publisher with them.
  const filled = loaded.filter((series) => isImportedSeries(series) && series.rows.length > 0);
  const files = Map.groupBy(filled, ({ ref }) => ref.origin);
  return [...files.values()].flatMap((series) => {
    const [first] = series;
    if (!first) return [];
    const { provenance, source } = first.envelope;
    const { id, ...named } = fileSource(first.ref);
    const native = series.map(({ ref }) => `${ref.scope.base}/${ref.scope.quote}`).sort();
    const url = isJsonObject(provenance) ? provenance.publisher_url : undefined;
    const publisher = fxPublisherOf(first.ref.origin);
    return [
      {
        id,
        ...named,
        ...(publisher && {
          authority_type: 'central_bank',
          country_or_area: publisher.area,
          tier: 1,
          default_timezone: publisher.zone,
        }),
        ...(typeof url === 'string' && { url }),
        ...(typeof source === 'string' && { attribution_text: source }),
        is_aggregator: false,
        native_pairs: native,
        publication_frequency: 'daily',
        native_pair_count: native.length,
        source_universe_endpoint: `/v1/fx/source-universe?source=${encodeURIComponent(id)}`,
      },
    ];
  });
}

/**
 * Each date of an imported daily series as one observation at the publisher's usual time, oldest first; but for dates of
 * which another observation of the same publisher is known.
 */
function importedObservations(series: LoadedSeries, known: readonly PublishedRate[]): readonly PublishedRate[] {
  const source = fxPublisherOf(series.ref.origin);
  if (!source) return [];
  const observations = seriesColumn(series, source.id, () => observed(series, source));
  const dates = new Set(known.flatMap(({ sourceId, date }) => (sourceId === source.id ? [date] : [])));
  return dates.size === 0 ? observations : observations.filter(({ date }) => !dates.has(date));
}

function observed({ rows, ref: { origin } }: LoadedSeries, source: FxPublisher): readonly PublishedRate[] {
  const published = zonedInstants(source.zone, source.hour);
  const observations: PublishedRate[] = [];
  for (let place = rows.length - 1; place >= 0; place -= 1) {
    const row = rows[place];
    const { date, val } = row?.columns ?? {};
    if (!row || typeof date !== 'string' || typeof val !== 'number') continue;
    const day = dateToMs(date);
    const at = published(day + publicationLag(source, day) * DAY);
    observations.push({ date, val, at, type: 'published', sourceId: source.id, assumed: true, text: row.text, origin });
  }
  return observations;
}

/**
 * Sorts by time or by date. Ties are broken by the other one and then as `natural` says, so that the order is total and
 * a descending one is exactly the reverse of its twin.
 */
export function sortedRates<T extends Dated>(rows: readonly T[], order: string, natural: (a: T, b: T) => number) {
  const ascending = order.startsWith('date_')
    ? (a: T, b: T) => compareTexts(a.date, b.date) || a.at - b.at || natural(a, b)
    : (a: T, b: T) => a.at - b.at || compareTexts(a.date, b.date) || natural(a, b);
  const sorted = [...rows].sort(ascending);
  return order.endsWith('_desc') ? sorted.reverse() : sorted;
}

/** Every series of these endpoints that a rate of the pair could follow from. */
export function seriesAround(pair: Pair, endpoints: readonly string[]): readonly SeriesRef[] {
  return candidatePairs(pair).flatMap(({ base, quote }) =>
    endpoints.map((endpoint) => ({ endpoint, scope: { base, quote } })),
  );
}

/** Leaves out daily series without times: rows of the daily route, and files whose publisher's hours nobody knows. */
export function timed(stored: readonly StoredRef[]): readonly StoredRef[] {
  return stored.filter((ref) => ref.endpoint !== DAILY || isTimedFile(ref));
}

/** The series that a rate of the pair may follow from. By an anchor that the service does not use only files lead. */
function selectRateSeries(pair: Pair, stored: readonly StoredRef[]): readonly StoredRef[] {
  const paths = pathsOf(pair, stored);
  const isOfFileAnchor = ({ scope }: StoredRef) =>
    fileAnchorsOf(pair).some((anchor) => anchor === scope.base || anchor === scope.quote);
  return stored.filter((ref) => !isOfFileAnchor(ref) || paths.some((path) => isOfPath(ref, path)));
}

/** The series of an endpoint for exactly this pair. */
function isOwn(ref: SeriesRef, endpoint: string, pair: Pair): boolean {
  return ref.endpoint === endpoint && isOfPair(ref, pair);
}

/** The series that answer for a pair. */
interface Around {
  reads(pair: Pair): readonly SeriesRef[];
  selectSeries(pair: Pair, stored: readonly StoredRef[]): readonly StoredRef[];
  follow(pair: Pair, loaded: readonly LoadedSeries[]): readonly SeriesRef[];
  vouches(pair: Pair, picked: readonly StoredRef[]): CoveringSeries | undefined;
}

/**
 * What an answer of an endpoint about a pair is made of. The service's own series alone, where it is proven to be all: the
 * service computes inverse and cross rates itself. Else everything that the pair could follow from; nothing when it follows
 * from none. Only the service's own series can tell that an answer is complete.
 */
export function around(endpoint: string, others: readonly string[]): Around {
  const ownOf = (pair: Pair, stored: readonly StoredRef[]) => stored.filter((ref) => isOwn(ref, endpoint, pair));
  const reads = (pair: Pair) => seriesAround(pair, [endpoint, ...others]);
  return {
    reads,
    selectSeries(pair, stored) {
      const own = ownOf(pair, stored);
      if (own.length > 0) return own;
      return choosePath(pair, timed(stored)) ? selectRateSeries(pair, timed(stored)) : [];
    },
    follow(pair, loaded) {
      const own = ownAmong(loaded, endpoint, pair);
      return own && !own.proven ? reads(pair) : [];
    },
    vouches(pair, picked) {
      const series = ownOf(pair, picked);
      return series.length > 0 ? { series } : undefined;
    },
  };
}

/** The service's own series among the loaded ones. */
export function ownAmong(loaded: readonly LoadedSeries[], endpoint: string, pair: Pair): LoadedSeries | undefined {
  return loaded.find(({ ref }) => isOwn(ref, endpoint, pair));
}
