import type { CoveringSeries, LoadedSeries, SeriesRef, StoredRef } from '../../contract/hooks.ts';
import { isJsonObject, type JsonObject, type JsonText } from '../../contract/json/json.ts';
import { zonedInstants } from '../../contract/time/moments.ts';
import { dateToMs } from '../../contract/time/time.ts';
import { type FxPublisher, fxPublisherOf, publicationLag } from '../../contract/words/publishers.ts';
import { datesOf, madeOf, numbersOf, placesOf, textsOf, valuesOf } from '../places.ts';
import { isImportedSeries } from './legs.ts';
import { anchorsOf, candidatePairs, fileAnchorsOf, isOfPair, isOfPath, type Pair, pairText, pathsOf } from './paths.ts';

/** Ids of the endpoints whose series hold timed observations. */
export const REFERENCE = 'fx_reference_rates';
export const INTRADAY = 'fx_intraday_reference_rates';
export const DAILY = 'forex';

/** The key value of a row that names no pair: it belongs to the pair of the question. */
export const UNSTATED = 'unstated';

/** A rate of one pair as its source published it, and when. It outlives the question that it was first read for. */
export interface PublishedRate {
  readonly date: string;
  readonly val: number;
  /** The place of its row among the texts of the series. */
  readonly place: number;
  readonly texts: (place: number) => JsonText;
  readonly origin: string;
  /** Unix seconds. */
  readonly at: number;
  /** `fixing`, `published` or a word of the service's, without `official_`. */
  readonly type: string;
  readonly sourceId: string;
  /** The time is the publisher's scheduled one, not a stated one of this observation. */
  readonly assumed: boolean;
}

/** Whether a source published a row itself. */
export const NATIVE_COLUMNS = ['source_pair', 'is_derived', 'derivation_method', 'is_official'] as const;

/** Columns of rows of rates, of whichever endpoint. */
export const RATE_COLUMNS = [
  ...NATIVE_COLUMNS,
  ...['date', 'reference_date', 'val', 'price', 'timestamp_utc', 'timestamp', 'timestamp_type', 'source_id'],
];

const DAY = 86_400_000;

/** The orders that reference and session rates can be asked in. */
export const ORDERS = ['timestamp_asc', 'timestamp_desc', 'date_asc', 'date_desc'] as const;

interface Dated {
  readonly date: string;
  /** Unix seconds. */
  readonly at: number;
}

/** Native observations of a pair, oldest first. One over the wire is preferred to a file, whose time is assumed. */
export function nativeOf(pair: Pair, loaded: readonly LoadedSeries[]): readonly PublishedRate[] {
  const own = loaded.filter(({ ref }) => isOfPair(ref, pair));
  const published = own.flatMap((series) => (series.ref.endpoint === DAILY ? [] : nativeRows(pair, series)));
  const files = own.flatMap((series) => (series.ref.endpoint === DAILY ? importedObservations(series, published) : []));
  return distinct([...published, ...files]);
}

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
  const [pairs = [], derived = [], methods = [], official = []] = NATIVE_COLUMNS.map((column) =>
    valuesOf(series, column),
  );
  const isOfficial = isSynthetic(series) ? () => true : (place: number) => official[place] !== 0;
  const isNative = (place: number) =>
    derived[place] !== 1 &&
    (pairs[place] === name || pairs[place] === UNSTATED) &&
    (methods[place] ?? 'direct_original_pair') === 'direct_original_pair' &&
    isOfficial(place);
  return within(series, observedRates(series)).filter(({ place }) => isNative(place));
}

/** The observations of rows that were asked for. */
function within(series: LoadedSeries, rates: readonly (PublishedRate | undefined)[]): readonly PublishedRate[] {
  const { start, end } = placesOf(series);
  return rates.slice(start, end).filter((one) => one !== undefined);
}

/** A made-up data set has no official sources, so its observations count as official. */
export function isSynthetic({ envelope }: LoadedSeries): boolean {
  return isJsonObject(envelope.data_quality) && envelope.data_quality.source_type === 'synthetic';
}

/** The rows of a timed series as observations, by their place; undefined if one is without rate, time or date. */
export function observedRates(series: LoadedSeries): readonly (PublishedRate | undefined)[] {
  return madeOf(series, 'observations', () => {
    const either = (name: string, other: string) => {
      const [first, second] = [valuesOf(series, name), valuesOf(series, other)];
      return (place: number) => first[place] ?? second[place];
    };
    const [val, at, date] = [
      either('price', 'val'),
      either('timestamp_utc', 'timestamp'),
      either('date', 'reference_date'),
    ];
    const [types, sources] = [valuesOf(series, 'timestamp_type'), valuesOf(series, 'source_id')];
    const texts = textsOf(series);
    const { origin } = series.ref;
    return sources.map((source, place) => {
      const [price, moment, day] = [val(place), at(place), date(place)];
      if (typeof price !== 'number' || typeof moment !== 'number' || typeof day !== 'string') return undefined;
      const type = plainType(String(types[place] ?? 'published'));
      return {
        date: day,
        val: price,
        at: moment,
        type,
        sourceId: String(source),
        assumed: false,
        place,
        texts,
        origin,
      };
    });
  });
}

/** The row that brought it. */
export function textOfRate({ place, texts }: PublishedRate): JsonText {
  return texts(place);
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

/** In order, each observation once: two series can have the same observation. */
function distinct(observations: readonly PublishedRate[]): readonly PublishedRate[] {
  const follows = (one: PublishedRate, i: number, all: readonly PublishedRate[]) => {
    const before = all[i - 1];
    return before === undefined || byTime(before, one) < 0;
  };
  if (observations.every(follows)) return observations;
  return [...observations].sort(byTime).filter(follows);
}

/** True for a series of a bulk file whose rates have a known time of publication. */
export function isTimedFile({ origin }: Pick<StoredRef, 'origin'>): boolean {
  return fxPublisherOf(origin) !== undefined;
}

/** The `source` member of rows that come from a bulk file. */
export function fileSource({ origin }: Pick<StoredRef, 'origin'>) {
  const publisher = fxPublisherOf(origin);
  return { id: publisher?.id ?? origin, name: publisher?.name ?? origin, is_official: publisher !== undefined };
}

/** Imported publishers as entries in the list of sources, each with the pairs of its file. */
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
    const served = servedPairs(native);
    const newest = series
      .flatMap(({ rows }) => String(rows[0]?.columns.date ?? []))
      .sort()
      .at(-1);
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
        served_pairs: served,
        served_pair_count: served.length,
        coverage_note: `Imported files, up to ${newest}; pairs that are not native follow from native ones.`,
      },
    ];
  });
}

/** Native pairs, both ways, and the crosses that two of them make. */
function servedPairs(native: readonly string[]): readonly string[] {
  const known = new Set(native);
  const codes = [...new Set(native.flatMap((pair) => pair.split('/')))].sort();
  const isJoined = (a: string, b: string) => known.has(`${a}/${b}`) || known.has(`${b}/${a}`);
  return codes.flatMap((base) =>
    codes.flatMap((quote) => {
      const pair = { base, quote };
      const isCross = () =>
        [...anchorsOf(pair), ...fileAnchorsOf(pair)].some((via) => isJoined(base, via) && isJoined(via, quote));
      return base !== quote && (isJoined(base, quote) || isCross()) ? [pairText(pair)] : [];
    }),
  );
}

/** Dates of an imported series at the publisher's scheduled time, unless another of its observations has the date. */
function importedObservations(series: LoadedSeries, known: readonly PublishedRate[]): readonly PublishedRate[] {
  const source = fxPublisherOf(series.ref.origin);
  if (!source) return [];
  const observations = within(
    series,
    madeOf(series, 'observations', () => observed(series, source)),
  ).toReversed();
  const dates = new Set(known.flatMap(({ sourceId, date }) => (sourceId === source.id ? [date] : [])));
  return dates.size === 0 ? observations : observations.filter(({ date }) => !dates.has(date));
}

/** By their place; undefined where a row has no rate. */
function observed(series: LoadedSeries, source: FxPublisher): readonly (PublishedRate | undefined)[] {
  const published = zonedInstants(source.zone, source.hour);
  const [vals, texts] = [numbersOf(series, 'val'), textsOf(series)];
  const told = { type: 'published', sourceId: source.id, assumed: true, texts, origin: series.ref.origin };
  return datesOf(series).map((date, place) => {
    const val = vals?.[place] ?? Number.NaN;
    if (Number.isNaN(val)) return undefined;
    const day = dateToMs(date);
    return { ...told, date, val, at: published(day + publicationLag(source, day) * DAY), place };
  });
}

/** Sorts by time or date, ties by the other and then `natural`, so descending is exactly the reverse. */
export function sortedRates<T extends Dated>(rows: readonly T[], order: string, natural: (a: T, b: T) => number) {
  const ascending = order.startsWith('date_')
    ? (a: T, b: T) => compareTexts(a.date, b.date) || a.at - b.at || natural(a, b)
    : (a: T, b: T) => a.at - b.at || compareTexts(a.date, b.date) || natural(a, b);
  const sorted = [...rows].sort(ascending);
  return order.endsWith('_desc') ? sorted.reverse() : sorted;
}

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
  const anchors = fileAnchorsOf(pair);
  const isOfFileAnchor = ({ scope: { base = '', quote = '' } }: StoredRef) =>
    anchors.includes(base) || anchors.includes(quote);
  if (paths.length === 0) return [];
  return stored.filter((ref) => !isOfFileAnchor(ref) || paths.some((path) => isOfPath(ref, path)));
}

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

/** Series of an answer about a pair: the service's own where covered, else all that the pair could follow from. */
export function around(endpoint: string, others: readonly string[]): Around {
  const ownOf = (pair: Pair, stored: readonly StoredRef[]) => stored.filter((ref) => isOwn(ref, endpoint, pair));
  const reads = (pair: Pair) => seriesAround(pair, [endpoint, ...others]);
  return {
    reads,
    selectSeries(pair, stored) {
      const own = ownOf(pair, stored);
      if (own.length > 0) return own;
      return selectRateSeries(pair, timed(stored));
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

export function ownAmong(loaded: readonly LoadedSeries[], endpoint: string, pair: Pair): LoadedSeries | undefined {
  return loaded.find(({ ref }) => isOwn(ref, endpoint, pair));
}
