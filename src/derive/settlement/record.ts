import type { Envelope, LoadedSeries } from '../../contract/hooks.ts';
import { float, type Json, type JsonText, objectIn, toJsonText } from '../../contract/json/json.ts';
import { instantOf, isoSeconds } from '../../contract/time/time.ts';
import type { Print } from '../announcements/print.ts';
import { decimalOf, toNumber } from '../decimal.ts';
import {
  type ContractSubject,
  type FirstPrint,
  historiesOf,
  provenFirstPrint,
  type SettlementRelease,
  valueOn,
} from './release.ts';
import {
  isPolicy,
  type OutcomeComparison,
  type OutcomeOptions,
  precisionOf,
  printedDigits,
  roundAwayFromZero,
  settlementOutcome,
  type TargetRange,
  type Template,
} from './templates.ts';

export interface RecordOptions extends ContractSubject {
  /** The template that is settled; the plain route settles none. */
  readonly contract: Template | undefined;
  /** A published template of the indicator: it states the printed decimals. */
  readonly template: Template | undefined;
  readonly strike: number | undefined;
  readonly comparison: OutcomeComparison;
}

/** The record of one release, unsigned; void without an established first print. See docs/interface-events.md#settlement. */
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

/** The name, unit and publisher of a record: by the template, then the series, then the row. */
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

/** Due, published and captured times. See docs/interface-events.md#settlement. */
function releaseTiming({ row }: Print, first: FirstPrint | undefined): Envelope {
  const timing = objectIn(row.release_timing);
  const scheduled = textOf(timing.scheduled_at) ?? isoOf(instantOf(row.official_planned_release_datetime));
  const ingested = textOf(timing.picked_up_at) ?? isoMs(first?.capturedAt);
  const publishedBy = textOf(timing.published_by);
  const latency = millisecondsBetween(publishedBy, ingested);
  return {
    scheduled_at: scheduled,
    published_after: textOf(timing.published_after),
    published_by: publishedBy,
    ingested_at: ingested,
    latency_ms: latency ?? null,
    latency_status: latency === undefined ? 'not_measured' : 'measured',
  };
}

/** Undefined when one end is unknown, and when the capture is said to precede the publication: that measures nothing. */
function millisecondsBetween(from: string | undefined, to: string | undefined): number | undefined {
  const ms = from === undefined || to === undefined ? Number.NaN : Date.parse(to) - Date.parse(from);
  return ms >= 0 ? ms : undefined;
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

function isoOf(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : isoSeconds(seconds);
}

function isoMs(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString().replace('.000Z', 'Z');
}
