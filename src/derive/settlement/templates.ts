import type { Envelope, LoadedSeries } from '../../contract/hooks.ts';
import {
  asJsonText,
  float,
  type JsonObject,
  type JsonText,
  objectIn,
  parseObject,
  toJsonText,
} from '../../contract/json/json.ts';
import { readPrint } from '../announcements/print.ts';
import { byOrigin } from '../announcements/series.ts';
import { compare, type Decimal, decimalOf, multiply, roundHalfEven, subtract, toNumber } from '../decimal.ts';
import { type ContractSubject, firstPrintOf } from './release.ts';

/** The rules of an event contract: which series, how it is rounded, how it is decided. */
export interface Template {
  readonly contractId: string;
  readonly currency: string;
  readonly indicator: string;
  readonly precision: number;
  readonly type: string;
  readonly comparison: OutcomeComparison | undefined;
  /** As published, or as generated here. */
  readonly row: JsonObject;
  readonly text: JsonText;
}

/** The newest rows tell with how many decimals a publisher prints. */
export const ROWS_OF_PRECISION = 24;

export type OutcomeComparison = 'gt' | 'gte' | 'lt' | 'lte' | 'eq';

/** The part that a question adds to a settled value. */
export interface OutcomeOptions {
  readonly strike: number | undefined;
  readonly comparison: OutcomeComparison;
  /** For a policy decision: the rate before it, and the target range that the rate is part of. */
  readonly decision?: { readonly previous: number | null; readonly range: TargetRange | undefined } | undefined;
}

export interface TargetRange {
  readonly lower: number;
  readonly upper: number;
}

/** Series of these indicators are decisions, not measurements. */
export function isPolicy(indicator: string, envelope: JsonObject = {}): boolean {
  return indicator.startsWith('policy_rate') || typeof envelope.policy_role === 'string';
}

export function publishedTemplates(loaded: readonly LoadedSeries[]): readonly Template[] {
  const byId = new Map<string, Template>();
  for (const { ref, rows } of [...loaded].sort(byOrigin)) {
    if (ref.endpoint !== 'settlement_contracts') continue;
    for (const { text } of rows) {
      const template = readTemplate(text);
      if (template && !byId.has(template.contractId)) byId.set(template.contractId, template);
    }
  }
  return [...byId.values()];
}

/** Those of one indicator. */
export function templatesOf(loaded: readonly LoadedSeries[], subject: ContractSubject): readonly Template[] {
  return publishedTemplates(loaded).filter((one) => isAbout(one, subject));
}

function isAbout(a: ContractSubject, b: ContractSubject): boolean {
  return a.currency === b.currency && a.indicator === b.indicator;
}

function readTemplate(text: JsonText): Template | undefined {
  const row = parseObject(text);
  const { contract_id: id, currency, indicator, precision, outcome_rule: rule } = row;
  if (typeof id !== 'string' || typeof currency !== 'string' || typeof indicator !== 'string') return undefined;
  if (typeof precision !== 'number' || !Number.isInteger(precision) || precision < 0 || precision > 20)
    return undefined;
  const { type, comparison } = objectIn(rule);
  return {
    contractId: id.toLowerCase(),
    currency: currency.toUpperCase(),
    indicator: indicator.toLowerCase(),
    precision,
    type: typeof type === 'string' ? type : 'threshold',
    comparison: COMPARISONS.find((word) => word === comparison),
    row,
    text,
  };
}

const COMPARISONS: readonly OutcomeComparison[] = ['gt', 'gte', 'lt', 'lte', 'eq'];

/** The subject of an id in the generated form; ids made by a service may have another form. */
export function subjectOfId(contractId: string): ContractSubject | undefined {
  const [, currency, indicator] = /^([a-z]{3})_([a-z0-9_]+)_(?:threshold|decision)$/.exec(contractId) ?? [];
  return currency !== undefined && indicator !== undefined
    ? { currency: currency.toUpperCase(), indicator }
    : undefined;
}

/** A template for a series without one: a decision for a policy rate, else a threshold with the newest decimals. */
export function generateTemplate({ ref, envelope, rows }: LoadedSeries): Template | undefined {
  const { currency = '', indicator = '' } = ref.scope;
  if (rows.length === 0) return undefined;
  const decides = isPolicy(indicator, envelope);
  const type = decides ? 'decision' : 'threshold';
  const contractId = `${currency.toLowerCase()}_${indicator}_${type}`;
  const precision = precisionOf(rows.map(({ text }) => text));
  const name = typeof envelope.name === 'string' ? envelope.name : indicator;
  const metadata = objectIn(envelope.value_metadata);
  const provenance = objectIn(envelope.provenance);
  const row: Record<string, unknown> = {
    contract_id: contractId,
    title: `${currency} ${name} ${decides ? 'decision' : 'above strike'}`,
    currency,
    indicator,
    series_id: envelope.selected_series_id,
    unit: envelope.unit ?? metadata.source_unit,
    publisher: provenance.publisher ?? envelope.source,
    source_url: envelope.source_url,
    precision,
    outcome_rule: decides
      ? { type, outcomes: ['hike', 'hold', 'cut'] }
      : { type, comparison: 'gt', outcomes: ['yes', 'no'] },
    settles_on: 'first_print',
  };
  const text = asJsonText(toJsonText(row));
  const comparison = decides ? undefined : 'gt';
  return { contractId, currency, indicator, precision, type, comparison, row: parseObject(text), text };
}

/** The most decimals among the newest rows, of their values and of their first prints. */
export function precisionOf(texts: readonly JsonText[]): number {
  const values = texts.slice(0, ROWS_OF_PRECISION).flatMap((text) => {
    const print = readPrint(text);
    return [print.val, firstPrintOf(print)?.val];
  });
  const digits = values.map((value) => (typeof value === 'number' ? decimalOf(value) : undefined));
  return Math.max(0, ...digits.map((value) => (value ? printedDigits(value) : 0)));
}

/** The outcome of a settlement value; undefined without strike or decision. See docs/interface-events.md#settlement. */
export function settlementOutcome(
  settled: Decimal,
  { strike, comparison, decision }: OutcomeOptions,
): Envelope | undefined {
  const members = {
    ...(strike !== undefined && {
      strike: float(strike),
      comparison,
      resolves_yes: holds(settled, comparison, strike),
    }),
    ...(decision && decisionOf(settled, decision)),
  };
  return Object.keys(members).length > 0 ? members : undefined;
}

/** Compares exact decimals, so that no rounding of doubles can decide a contract. */
function holds(settled: Decimal, comparison: OutcomeComparison, strike: number): boolean {
  const limit = decimalOf(strike);
  const order = limit ? compare(settled, limit) : Number.NaN;
  switch (comparison) {
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
    case 'eq':
      return order === 0;
  }
}

const HUNDRED: Decimal = { units: 100n, scale: 0 };

function decisionOf(settled: Decimal, { previous, range }: NonNullable<OutcomeOptions['decision']>): Envelope {
  const before = previous === null ? undefined : decimalOf(previous);
  if (!before || previous === null) return targetOf(range);
  const change = subtract(settled, before);
  return {
    decision: change.units > 0n ? 'hike' : change.units < 0n ? 'cut' : 'hold',
    change_bps: float(roundHalfEven(toNumber(multiply(change, HUNDRED)), 4)),
    previous_value: float(previous),
    ...targetOf(range),
  };
}

function targetOf(range: TargetRange | undefined): Envelope {
  return range ? { target_range: { lower: float(range.lower), upper: float(range.upper) } } : {};
}

/** Rounds to so many digits behind the point, halves away from zero. See docs/interface-events.md#settlement. */
export function roundAwayFromZero({ units, scale }: Decimal, digits: number): Decimal {
  if (scale <= digits) return { units: units * 10n ** BigInt(digits - scale), scale: digits };
  const unit = 10n ** BigInt(scale - digits);
  // BigInt division cuts towards zero, so the sign is taken off and put back.
  const size = units < 0n ? -units : units;
  const rounded = (size * 2n + unit) / (unit * 2n);
  return { units: units < 0n ? -rounded : rounded, scale: digits };
}

/** Digits behind the point that a value is printed with, trailing zeros not counted. */
export function printedDigits({ units, scale }: Decimal): number {
  let digits = scale;
  let rest = units;
  while (digits > 0 && rest % 10n === 0n) {
    rest /= 10n;
    digits -= 1;
  }
  return digits;
}
