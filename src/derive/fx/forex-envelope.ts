import type { Envelope, LoadedSeries, ServiceLabels as ServerLabels } from '../../contract/hooks.ts';
import { isJsonObject, type Json, type JsonObject, objectIn, readJson } from '../../contract/json/json.ts';
import { daysBetween } from '../../contract/time/time.ts';
import { TECHNICAL_BASIS } from '../technicals/technicals.ts';
import type { FxObservation, PairRates } from './legs.ts';
import { type Pair, type Path, type PathMethod, pairText, sourcePair } from './paths.ts';
import type { Consistency } from './rates.ts';

/** Days after which a daily series counts as stale. See docs/interface.md#data-quality. */
export const STALE_AFTER_DAYS = 7;

/** Everything that the members beside the rows are made of. */
interface AnswerFacts {
  readonly pair: Pair;
  /** The path of the newest row of the window. */
  readonly path: Path;
  /** How the rows of the window were derived. */
  readonly methods: ReadonlySet<PathMethod>;
  /** The pair itself is stored. */
  readonly directHeld: boolean;
  /** The rates of the legs, narrowed to the series that the window's rows come from. */
  readonly legRates: readonly PairRates[];
  /** The reverse pair is stored, whether or not it was used. */
  readonly reverseHeld: boolean;
  readonly check: Consistency;
  /** `isWhole`: every date of it is covered, so that no row in it says that there is none. */
  readonly window: { readonly from: string; readonly to: string; readonly rows: number; readonly isWhole: boolean };
  /** Newest date of the whole history; undefined when it is empty. */
  readonly latest: string | undefined;
  readonly today: string;
  readonly labels: ServerLabels;
}

/** The publishers behind the rates of an answer. Several publishers are named one after the other. */
interface ForexLabels {
  readonly source: string;
  readonly publisher: string | undefined;
  readonly publisherUrl: string | undefined;
  readonly sourceName: string;
  readonly sourceType: string;
}

/** Members beside the rows. Those of a direct pair lie over the service's own; a derived pair has no publisher. */
export function forexEnvelope(facts: AnswerFacts): Envelope {
  const { pair, path, legRates, window } = facts;
  const direct = path.method === 'direct_original_pair';
  const stored = direct ? storedEnvelope(legRates) : {};
  const labels = labelsOf(legRates);
  const legs = legsOfRates(legRates);
  return {
    ...stored,
    ...pair,
    source: labels.source,
    provenance: {
      storage: facts.labels.storage,
      served_by: '/v1/forex/{base}/{quote}',
      timestamp_field: 'date',
      value_field: 'val',
      ...objectIn(stored.provenance),
      publisher: labels.publisher,
      publisher_url: labels.publisherUrl,
    },
    pair_metadata: pairMetadata(facts, objectIn(stored.pair_metadata), legs),
    data_quality: dataQuality(facts, objectIn(stored.data_quality), legs),
    start_date: window.from,
    end_date: window.to,
    coverage: stored.coverage ?? { scope: 'requested_range' },
    daily_ohlc_basis:
      stored.daily_ohlc_basis ??
      'Bars of timestamped reference observations, on dates with at least four of them; not executable-market candles.',
    technical_indicator_basis: stored.technical_indicator_basis ?? TECHNICAL_BASIS,
  };
}

/** The members of an answer with other rows of the same paths and series: what counts or dates the window is of this one. */
export function windowed(envelope: Envelope, { from, to, rows, isWhole }: AnswerFacts['window']): Envelope {
  const quality = { row_count: rows, requested_window_has_data: hasData(rows, isWhole) };
  const data_quality = { ...objectIn(envelope.data_quality), ...quality };
  return { ...envelope, data_quality, start_date: from, end_date: to };
}

const hasData = (rows: number, isWhole: boolean) => rows > 0 || (isWhole ? false : undefined);

/** The envelope last received or imported for the pair, without the members of that one question. */
function storedEnvelope(legRates: readonly PairRates[]): JsonObject {
  const { pagination, dataset_version, indicators, data, ...kept } = legRates[0]?.series[0]?.envelope ?? {};
  return kept;
}

function pairMetadata(facts: AnswerFacts, stored: JsonObject, legs: readonly Json[]): Envelope {
  const { path, methods, check } = facts;
  const derived = isDerived(facts);
  const flags = {
    derived_from_inverse: methods.has('inverse_of_direct_pair'),
    derived_from_cross: methods.has('cross_via_anchor'),
    derived_from_source_legs: derived,
    is_derived: derived,
  };
  return {
    direct_available: facts.directHeld,
    ...flags,
    derivation_method: path.method,
    source_pair: sourcePair(path),
    anchor_currency: path.anchor,
    ...stored,
    inverse_available: facts.reverseHeld || stored.inverse_available === true,
    ...(derived && flags),
    source_legs: legs,
    // The service's own failure is never covered up by a check that sees less than it did.
    pair_consistency_check: stored.pair_consistency_check === 'failed' ? 'failed' : check,
  };
}

function dataQuality(facts: AnswerFacts, stored: JsonObject, legs: readonly Json[]): Envelope {
  const { legRates, window, latest, today } = facts;
  const derived = isDerived(facts);
  const { sourceName, sourceType } = labelsOf(legRates);
  const qualities = legRates.flatMap(({ series }) => series.map(({ envelope }) => objectIn(envelope.data_quality)));
  const official = qualities.map(({ is_official }) => is_official).filter((one) => typeof one === 'boolean');
  const isAssumed = qualities.some(({ has_assumed_release_times: assumed }) => assumed === true);
  const staleAfter = typeof stored.stale_after_days === 'number' ? stored.stale_after_days : STALE_AFTER_DAYS;
  const lag = latest === undefined ? undefined : daysBetween(latest, today);
  return {
    is_derived: derived,
    datetime_field: 'date',
    datetime_precision: 'date',
    ...stored,
    ...(derived && { is_derived: derived }),
    ...(official.length > 0 && { is_official: !official.includes(false) }),
    ...(isAssumed && { has_assumed_release_times: true }),
    source_name: sourceName,
    source_type: sourceType,
    source_legs: legs,
    row_count: window.rows,
    requested_window_has_data: hasData(window.rows, window.isWhole),
    latest_available_date: latest,
    data_lag_days: lag,
    stale_after_days: staleAfter,
    is_stale: lag === undefined ? undefined : lag > staleAfter,
  };
}

/** True when any row of the window is computed. */
function isDerived({ methods }: AnswerFacts): boolean {
  return [...methods].some((method) => method !== 'direct_original_pair');
}

/** The labels of all series that stand behind the rates. */
function labelsOf(legRates: readonly PairRates[]): ForexLabels {
  const envelopes = legRates.flatMap(({ series }) => series.map(({ envelope }) => envelope));
  const named = (read: (envelope: JsonObject) => string | undefined) => listed(envelopes.map(read));
  const source = named(sourceOf) ?? 'unknown';
  return {
    source,
    publisher: named(publisherOf),
    publisherUrl: named((envelope) => textIn(envelope.provenance, 'publisher_url')),
    sourceName: named(sourceNameOf) ?? source,
    sourceType: typeOf(envelopes.map(({ data_quality: quality }) => textIn(quality, 'source_type') ?? 'official')),
  };
}

function typeOf(types: readonly string[]): string {
  const [first = 'official', ...others] = new Set(types);
  return others.length > 0 ? 'mixed' : first;
}

/** `source_legs` of a whole answer: those of every series behind it, each once. */
function legsOfRates(legRates: readonly PairRates[]): readonly Json[] {
  return distinct(legRates.flatMap(({ pair, series }) => series.flatMap((one) => legsOfSeries(pair, one))));
}

/** `source_legs` of one row: labels of its stored rows (pegs, monthly averages), else of their series. */
export function legsOfParts(pairs: readonly Pair[], parts: readonly FxObservation[]): readonly Json[] {
  return distinct(
    parts.flatMap((part, place) => {
      const pair = pairs[place];
      return ownLegs(part) ?? (pair ? legsOfSeries(pair, part.series) : []);
    }),
  );
}

/** True where a stored row may say of itself where it comes from. */
export function isLabelled({ text }: FxObservation): boolean {
  return text.includes('"source_legs"');
}

function ownLegs(part: FxObservation): readonly Json[] | undefined {
  // Stored rows are JSON objects; most imported ones carry no label, and parsing them would be for nothing.
  if (!isLabelled(part)) return undefined;
  const { source }: JsonObject = readJson(part.text);
  return isJsonObject(source) ? listIn(source.source_legs) : undefined;
}

function legsOfSeries(pair: Pair, { envelope }: LoadedSeries): readonly Json[] {
  const stored = isJsonObject(envelope.pair_metadata) ? listIn(envelope.pair_metadata.source_legs) : undefined;
  if (stored) return stored;
  const url = textIn(envelope.provenance, 'publisher_url');
  return [
    {
      pair: pairText(pair),
      source_provider: sourceOf(envelope) ?? 'unknown',
      source_name: sourceNameOf(envelope) ?? 'unknown',
      ...(url !== undefined && { source_url: url }),
      source_frequency: 'daily',
    },
  ];
}

function sourceOf(envelope: JsonObject): string | undefined {
  return typeof envelope.source === 'string' ? envelope.source : textIn(envelope.provenance, 'publisher');
}

function publisherOf(envelope: JsonObject): string | undefined {
  return textIn(envelope.provenance, 'publisher') ?? sourceOf(envelope);
}

function sourceNameOf(envelope: JsonObject): string | undefined {
  return textIn(envelope.data_quality, 'source_name') ?? sourceOf(envelope);
}

function textIn(value: Json | undefined, member: string): string | undefined {
  const found = isJsonObject(value) ? value[member] : undefined;
  return typeof found === 'string' ? found : undefined;
}

function listIn(value: Json | undefined): readonly Json[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}

function listed(texts: readonly (string | undefined)[]): string | undefined {
  const known = texts.filter((text) => text !== undefined);
  return known.length > 0 ? [...new Set(known)].join(', ') : undefined;
}

function distinct(values: readonly Json[]): readonly Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
