import { keyRequired, PUBLIC_CURRENCY } from '../../contract/access.ts';
import type {
  Compose,
  Composed,
  CoveringSeries,
  HookContext,
  LoadedSeries,
  SeriesRef,
  StoredRef,
} from '../../contract/hooks.ts';
import { nearest } from '../../contract/words/nearest.ts';
import { MacroError } from '../../errors.ts';
import { isBaseSeries } from '../announcements/series-choice.ts';
import type { OutcomeComparison } from './outcome.ts';
import { RANGE_BOUNDS } from './record.ts';
import { historiesOf } from './release.ts';
import { settleContract } from './settle.ts';
import {
  type ContractSubject,
  generateTemplate,
  isPolicy,
  publishedTemplates,
  subjectOfId,
  type Template,
  templatesOf,
} from './templates.ts';

export interface RecordArgs {
  readonly currency: string;
  readonly indicator: string;
  readonly period: string;
  readonly strike: number | undefined;
  readonly comparison: OutcomeComparison;
}

export interface ContractArgs {
  readonly contract_id: string;
  readonly period: string;
  readonly strike: number | undefined;
  readonly comparison: OutcomeComparison | undefined;
}

/** The record of one release of an indicator: the route without a template. */
export const composeRecord: Compose<RecordArgs> = {
  version: 2,
  signs: true,
  wholeOnly: true,
  reads: (args) => [
    { endpoint: 'settlement', scope: { currency: args.currency, indicator: args.indicator } },
    { endpoint: 'settlement_contracts', scope: {} },
    ...historyRefs(args),
  ],
  selectSeries: (args, stored) => {
    const needed = stored.filter((ref) => isPart(ref, args, 'settlement'));
    // Templates alone settle nothing.
    return needed.some((ref) => ref.endpoint !== 'settlement_contracts') ? needed : [];
  },
  lastDayNamed: dayOfPeriod,
  vouches: (args, picked) => vouchedBy('settlement', args, picked),
  build: buildRecord,
};

/** The record of one release under the rules of a template. */
export const composeContract: Compose<ContractArgs> = {
  version: 2,
  signs: true,
  wholeOnly: true,
  reads: ({ contract_id }) => {
    const subject = subjectOfId(contract_id);
    return [
      { endpoint: 'settlement_contract', scope: { contract_id } },
      { endpoint: 'settlement_contracts', scope: {} },
      ...(subject ? historyRefs(subject) : []),
    ];
  },
  selectSeries: (args, stored) => stored.filter((ref) => isPart(ref, args, 'settlement_contract')),
  follow: (args, loaded) => {
    const subject = subjectOf(args.contract_id, loaded);
    return subject ? historyRefs(subject) : [];
  },
  lastDayNamed: dayOfPeriod,
  vouches: (args, picked) => vouchedBy('settlement_contract', args, picked),
  build: buildContract,
};

function dayOfPeriod({ period }: { readonly period: string }): string | undefined {
  return period === 'latest' ? undefined : period;
}

/** Series that a record can be computed from; a policy rate is also compared with the bounds of its target range. */
function historyRefs({ currency, indicator }: ContractSubject): readonly SeriesRef[] {
  const companions = isPolicy(indicator) ? Object.values(RANGE_BOUNDS) : [];
  return [...new Set([indicator, ...companions])].map((slug) => ({
    endpoint: 'announcements',
    scope: { currency, indicator: slug },
    exact: true,
  }));
}

/** Received records answer the question that they were asked with, in any period; of histories the canonical ones count. */
function isPart(ref: StoredRef, args: RecordArgs | ContractArgs, own: string): boolean {
  if (ref.endpoint !== own) return ref.endpoint !== 'announcements' || isBaseSeries(ref);
  const asText = (value: string | number | undefined) => (value === undefined ? undefined : String(value));
  return ref.scope.strike === asText(args.strike) && ref.scope.comparison === asText(args.comparison);
}

/** Only what the service said to this very question, its period included, is its word; a computed record is a stand-in. */
function vouchedBy(own: string, { period }: { period: string }, picked: readonly StoredRef[]): CoveringSeries {
  return { series: picked.filter((ref) => ref.endpoint === own && ref.scope.period === period) };
}

function buildRecord(loaded: readonly LoadedSeries[], context: HookContext<RecordArgs>): Composed | undefined {
  const { args } = context;
  const own = loaded.filter(({ ref }) => ref.endpoint === 'settlement');
  const [template] = templatesOf(loaded, args);
  return settleContract({ ...args, template, contract: undefined }, { own, loaded }, context);
}

function buildContract(loaded: readonly LoadedSeries[], context: HookContext<ContractArgs>): Composed | undefined {
  const { contract_id: id, period, strike, comparison } = context.args;
  const own = loaded.filter(({ ref }) => ref.endpoint === 'settlement_contract');
  const subject = subjectOf(id, loaded);
  if (!subject) throw unknownContract(id, publishedTemplates(loaded));
  if (context.caller.kind === 'keyless' && subject.currency !== PUBLIC_CURRENCY)
    throw keyRequired(subject.currency, context.labels.subscribeUrl);
  const template = templateOf(id, loaded);
  const request = {
    currency: subject.currency,
    indicator: subject.indicator,
    period,
    strike,
    comparison: comparison ?? template?.comparison ?? 'gte',
    template,
    contract: template,
  } as const;
  // Without the rules of the contract its history settles nothing; what the service has settled stands.
  return settleContract(request, { own, loaded: template ? loaded : own }, context);
}

/** Published templates are the only ones where there are any; else a stored history gives one. */
function templateOf(id: string, loaded: readonly LoadedSeries[]): Template | undefined {
  const published = publishedTemplates(loaded);
  if (published.length > 0) return published.find(({ contractId }) => contractId === id);
  const subject = subjectOfId(id);
  const [history] = subject ? historiesOf(loaded, subject) : [];
  const generated = history && generateTemplate(history);
  return generated?.contractId === id ? generated : undefined;
}

/** What a contract is about: as its template says, as a record of it says, or as a generated id says. */
function subjectOf(id: string, loaded: readonly LoadedSeries[]): ContractSubject | undefined {
  const published = publishedTemplates(loaded);
  const template = published.find(({ contractId }) => contractId === id);
  if (template) return template;
  const record = loaded.find(({ ref, rows }) => ref.endpoint === 'settlement_contract' && rows.length > 0)?.rows[0];
  const { currency, indicator } = record?.columns ?? {};
  if (typeof currency === 'string' && typeof indicator === 'string')
    return { currency: currency.toUpperCase(), indicator: indicator.toLowerCase() };
  return published.length > 0 ? undefined : subjectOfId(id);
}

function unknownContract(id: string, templates: readonly Template[]): MacroError {
  const close = nearest(
    id,
    templates.map(({ contractId }) => contractId),
  );
  return new MacroError('notFound', `Unknown contract '${id}'.${close ? ` Did you mean '${close}'?` : ''}`, {
    status: 404,
    code: 'unknown_resource',
    hint: 'macro settlement contracts lists them.',
    ...(close !== undefined && { extra: { suggestions: [close] } }),
  });
}
