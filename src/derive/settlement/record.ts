import type { Envelope, LoadedSeries } from '../../contract/hooks.ts';
import { float, type Json, type JsonText, objectIn, toJsonText } from '../../contract/json/json.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { decimalOf, toNumber } from '../decimal.ts';
import { type OutcomeComparison, type OutcomeOptions, settlementOutcome, type TargetRange } from './outcome.ts';
import { provenFirstPrint } from './proven-release.ts';
import { historiesOf, type SettlementRelease, valueOn } from './release.ts';
import { printedDigits, roundAwayFromZero } from './round.ts';
import { type ContractSubject, isPolicy, precisionOf, type Template } from './templates.ts';
import { releaseTiming } from './timing.ts';

/** What a record is about. */
export interface RecordOptions extends ContractSubject {
  /** The template that is settled; the plain route settles none. */
  readonly contract: Template | undefined;
  /** A published template of the indicator: it states the printed decimals. */
  readonly template: Template | undefined;
  readonly strike: number | undefined;
  readonly comparison: OutcomeComparison;
}

/**
 * The settlement record of one release, without its attestation. Void when the first print is not established: then
 * there is nothing to round and nothing to decide. See docs/interface.md#settlement.
 */
export function recordText(
  options: RecordOptions,
  release: SettlementRelease,
  loaded: readonly LoadedSeries[],
): JsonText {
  const { print, series, latest } = release;
  const first = provenFirstPrint(print, series);
  const exact = first && decimalOf(first.val);
  const printed = Math.max(exact ? printedDigits(exact) : 0, precisionOf(series.rows.map(({ text }) => text)));
  const precision = options.template?.precision ?? printed;
  const settled = exact && roundAwayFromZero(exact, precision);
  const record: Envelope = {
    record_version: '1',
    contract_id: options.contract?.row.contract_id,
    currency: options.currency,
    indicator: options.indicator,
    ...describe(options, release),
    period: print.date,
    status: settled ? 'settled' : 'void',
    precision,
    first_print: first && { val: float(first.val), announcement_datetime: isoSeconds(first.release) },
    settlement_value: settled && float(toNumber(settled)),
    latest_value: latest === null ? undefined : float(latest),
    revised: first && latest !== null ? !Object.is(latest, first.val) : undefined,
    release_timing: releaseTiming(print, first),
    outcome: settled && settlementOutcome(settled, outcomeWish(options, release, loaded)),
  };
  return toJsonText(record);
}

/** What is measured and who publishes it: the template's word, then the series', then the row's. */
function describe({ template }: RecordOptions, { series, print }: SettlementRelease): Envelope {
  const { envelope } = series;
  const provenance = objectIn(envelope.provenance);
  const metadata = objectIn(envelope.value_metadata);
  const own = template?.row ?? {};
  return {
    name: firstText(envelope.name),
    unit: firstText(own.unit, envelope.unit, metadata.source_unit),
    publisher: firstText(own.publisher, print.row.publisher, provenance.publisher, envelope.source, print.row.source),
    source_url: firstText(print.row.announcement_source_url, print.row.source_url, own.source_url, envelope.source_url),
  };
}

function firstText(...values: readonly (Json | undefined)[]): Json | undefined {
  return values.find((value) => typeof value === 'string' && value !== '');
}

function outcomeWish(
  options: RecordOptions,
  { print, series, previous }: SettlementRelease,
  loaded: readonly LoadedSeries[],
): OutcomeOptions {
  const { strike, comparison, indicator } = options;
  const decides = options.contract ? options.contract.type === 'decision' : isPolicy(indicator, series.envelope);
  if (!decides) return { strike, comparison };
  return { strike, comparison, decision: { previous, range: targetRange(options, print.date, loaded) } };
}

/** Series that state the bounds of a target range. */
export const RANGE_BOUNDS = { upper: 'policy_rate', lower: 'policy_rate_target_lower' } as const;

/** The range that the rate is part of, where both of its bounds are stored. */
function targetRange(
  { currency }: ContractSubject,
  date: string,
  loaded: readonly LoadedSeries[],
): TargetRange | undefined {
  const bound = (indicator: string) => valueOn(historiesOf(loaded, { currency, indicator }), date);
  const lower = bound(RANGE_BOUNDS.lower);
  const upper = bound(RANGE_BOUNDS.upper);
  return lower !== null && upper !== null && lower <= upper ? { lower, upper } : undefined;
}
