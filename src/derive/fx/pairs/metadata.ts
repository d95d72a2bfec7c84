import type { Envelope, ServiceLabels as ServerLabels } from '../../../contract/hooks.ts';
import { type Json, type JsonObject, objectIn } from '../../../contract/json/json.ts';
import { daysBetween } from '../../../contract/time/time.ts';
import { TECHNICAL_BASIS } from '../../technicals/technicals.ts';
import type { Consistency } from './consistency.ts';
import { labelsOf, legsOfHistories } from './labels.ts';
import type { History } from './legs.ts';
import type { Pair, Path, PathMethod } from './paths.ts';
import { sourcePair } from './rows.ts';

/** Days after which a daily series counts as stale. See docs/interface.md#data-quality. */
export const STALE_AFTER_DAYS = 7;

/** Everything that the members beside the rows are made of. */
export interface AnswerFacts {
  readonly pair: Pair;
  /** The path of the newest row of the window. */
  readonly path: Path;
  /** How the rows of the window were derived. */
  readonly methods: ReadonlySet<PathMethod>;
  /** The pair itself is stored. */
  readonly directHeld: boolean;
  /** The histories of the legs, narrowed to the series that the window's rows come from. */
  readonly histories: readonly History[];
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

/**
 * The members beside the rows. For a direct pair they are laid over what the service last said about it, so that members
 * that are not computed here survive; a derived pair has no such envelope, because nobody published it.
 */
export function forexEnvelope(facts: AnswerFacts): Envelope {
  const { pair, path, histories, window } = facts;
  const direct = path.method === 'direct_original_pair';
  const stored = direct ? storedEnvelope(histories) : {};
  const labels = labelsOf(histories);
  const legs = legsOfHistories(histories);
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

/** What was last received or imported for the pair, without the members that belonged to that one question. */
function storedEnvelope(histories: readonly History[]): JsonObject {
  const { pagination, dataset_version, indicators, data, ...kept } = histories[0]?.series[0]?.envelope ?? {};
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
  const { histories, window, latest, today } = facts;
  const derived = isDerived(facts);
  const { sourceName, sourceType } = labelsOf(histories);
  const staleAfter = typeof stored.stale_after_days === 'number' ? stored.stale_after_days : STALE_AFTER_DAYS;
  const lag = latest === undefined ? undefined : daysBetween(latest, today);
  return {
    is_derived: derived,
    datetime_field: 'date',
    datetime_precision: 'date',
    ...stored,
    ...(derived && { is_derived: derived }),
    source_name: sourceName,
    source_type: sourceType,
    source_legs: legs,
    row_count: window.rows,
    requested_window_has_data: window.rows > 0 || (window.isWhole ? false : undefined),
    latest_available_date: latest,
    data_lag_days: lag,
    stale_after_days: staleAfter,
    // For a window that is still to come no rate is read, and how old the newest one is stays open.
    is_stale: lag === undefined && window.from > today ? undefined : lag !== undefined && lag > staleAfter,
  };
}

/** True when any row of the window is computed. */
function isDerived({ methods }: AnswerFacts): boolean {
  return [...methods].some((method) => method !== 'direct_original_pair');
}
