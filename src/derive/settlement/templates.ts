import type { LoadedSeries } from '../../contract/hooks.ts';
import {
  asJsonText,
  type JsonObject,
  type JsonText,
  objectIn,
  parseObject,
  toJsonText,
} from '../../contract/json/json.ts';
import { readPrint } from '../announcements/print.ts';
import { byOrigin } from '../announcements/series-choice.ts';
import { decimalOf } from '../decimal.ts';
import { firstPrintOf } from './first-print.ts';
import type { OutcomeComparison } from './outcome.ts';
import { printedDigits } from './round.ts';

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

/** What settles an indicator, which is all that a record needs of a template. */
export interface ContractSubject {
  readonly currency: string;
  readonly indicator: string;
}

/** The newest rows tell with how many decimals a publisher prints. */
export const ROWS_OF_PRECISION = 24;

/** Series of these indicators are decisions, not measurements. */
export function isPolicy(indicator: string, envelope: JsonObject = {}): boolean {
  return indicator.startsWith('policy_rate') || typeof envelope.policy_role === 'string';
}

/** The templates that a service published, by their ids. */
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

/** What an id of the generated form speaks of; ids that a service made need not have it. */
export function subjectOfId(contractId: string): ContractSubject | undefined {
  const [, currency, indicator] = /^([a-z]{3})_([a-z0-9_]+)_(?:threshold|decision)$/.exec(contractId) ?? [];
  return currency !== undefined && indicator !== undefined
    ? { currency: currency.toUpperCase(), indicator }
    : undefined;
}

/**
 * A template for a stored series, where nobody has published one: a decision for a policy rate, else a threshold, settled
 * with as many decimals as the newest rows are printed with.
 */
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
