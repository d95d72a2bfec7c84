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
import { type JsonObject, type JsonText, objectIn, parseObject } from '../../contract/json/json.ts';
import { BEGINNING, dateOf, instantOf } from '../../contract/time/time.ts';
import { nearest } from '../../contract/words/nearest.ts';
import { MacroError } from '../../errors.ts';
import { isBaseSeries } from '../announcements/series.ts';
import { missingOfRecord, missingOfSearch, missingSinceCheck } from './missing.ts';
import { RANGE_BOUNDS, type RecordOptions, recordText } from './record.ts';
import {
  type ContractSubject,
  findRelease,
  historiesOf,
  type SettlementRelease,
  type Sight,
  sightOf,
} from './release.ts';
import {
  generateTemplate,
  isPolicy,
  type OutcomeComparison,
  publishedTemplates,
  subjectOfId,
  type Template,
  templatesOf,
} from './templates.ts';
import { attest } from './verify.ts';

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

/** The subject of a contract: as its template says, as a record of it says, or as a generated id says. */
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

interface SettleOptions extends RecordOptions {
  /** A date, or `latest`. */
  readonly period: string;
}

/** A record as a service sent it. */
interface ReceivedRecord {
  readonly text: JsonText;
  readonly row: JsonObject;
  readonly period: string;
  /** When the mirror first saw it with these values, in milliseconds. */
  readonly seenAt: number;
}

/** The received records that a caller may see, and the release times of the records hidden by the delay. */
interface ReceivedRecords {
  readonly best: ReceivedRecord | undefined;
  readonly withheld: readonly number[];
  /** The service named the best one as its newest. */
  readonly isNewest: boolean;
  /** Some record of the asked period is stored, visible or not. */
  readonly isAsked: boolean;
  /** Some record is stored, visible or not. */
  readonly any: boolean;
}

/**
 * The stored record of a release, unless newer rows contradict it, else one computed and signed here. Undefined when
 * nothing is stored. See docs/interface-events.md#settlement.
 * @throws MacroError of kind `notFound`.
 */
function settleContract(
  options: SettleOptions,
  stored: { readonly own: readonly LoadedSeries[]; readonly loaded: readonly LoadedSeries[] },
  context: HookContext<unknown>,
): Composed | undefined {
  const sight = sightOf(context.caller, context.now);
  const histories = historiesOf(stored.loaded, options);
  const received = findReceived(stored.own, options.period, sight);
  if (histories.length === 0 && !received.any) return undefined;
  const { release, withheld = [] } = findRelease(histories, options.period, sight);
  const today = dateOf(context.now * 1000);
  const search = { options, histories, loaded: stored.loaded, today, visibleFrom: sight.cutoffDate ?? BEGINNING };
  if (received.best && speaksFirst(received.best, release)) {
    // A question about a period needs only the record of that period.
    const missingParts =
      options.period !== 'latest'
        ? []
        : received.isNewest
          ? missingSinceCheck(stored.own, today)
          : missingOfSearch(search, release);
    return answer(received.best.text, { missingParts });
  }
  if (release) {
    const missingParts = missingOfRecord(search, release);
    if (missingParts.length > 0) return { ...NOTHING, missingParts };
    const text = attest(recordText(options, release, stored.loaded), context.signing, context.now);
    const computed = 'This record was computed from the mirror: the service has not vouched for it.';
    return answer(text, { missingParts, notes: context.signing ? [] : [computed] });
  }
  const hidden = [...withheld, ...received.withheld];
  // A record or a release that this caller may not read yet is there: nothing is missing.
  const missingParts = missingOfSearch(search, undefined);
  if (hidden.length === 0 && !received.isAsked && missingParts.length > 0) return { ...NOTHING, missingParts };
  const clipped = sight.cutoffDate !== undefined && options.period < sight.cutoffDate;
  throw notAvailable(options, { withheld: hidden, clipped }, context);
}

/** Nothing is computed or signed over a missing range: whoever answers refuses what misses anything. */
const NOTHING: Composed = { envelope: {}, rows: [], total: 0 };

function answer(text: JsonText, parts: Pick<Composed, 'missingParts' | 'notes'>): Composed {
  return { envelope: {}, rows: [text], total: 1, notes: [], ...parts };
}

function notAvailable(
  { currency, indicator, period }: SettleOptions,
  kept: { readonly withheld: readonly number[]; readonly clipped: boolean },
  context: HookContext<unknown>,
): MacroError {
  const which = period === 'latest' ? '' : ` for ${period}`;
  return new MacroError('notFound', `No release of ${indicator} of ${currency}${which} is available.`, {
    status: 404,
    code: 'release_not_available',
    hint: `Periods are named by their last day: macro announcements ${currency.toLowerCase()} ${indicator} lists them.`,
    ...(context.keyless && { extra: context.keyless(kept) }),
  });
}

/** Picks the record of a period, or of the newest one. If several cover one period, the last that was seen counts. */
export function findReceived(own: readonly LoadedSeries[], period: string, sight: Sight): ReceivedRecords {
  const all = own.flatMap(({ rows }) => rows.map(({ text, seenAt = 0 }) => readRecord(text, seenAt)));
  const newest = own
    .filter(({ ref }) => ref.scope.period === 'latest')
    .flatMap(({ rows }) => rows.map(({ text }) => text));
  const matching = all.filter((record) => period === 'latest' || record.period === period);
  const inWindow = matching.filter((record) => sight.cutoffDate === undefined || record.period >= sight.cutoffDate);
  const withheld = inWindow.flatMap((record) => hiddenRelease(record, sight) ?? []);
  const [best] = inWindow
    .filter((record) => hiddenRelease(record, sight) === undefined && !mayTellTooMuch(record, sight))
    .sort((a, b) => (a.period === b.period ? b.seenAt - a.seenAt : a.period < b.period ? 1 : -1));
  return {
    best,
    withheld,
    isNewest: best !== undefined && newest.includes(best.text),
    isAsked: matching.length > 0,
    any: all.length > 0,
  };
}

function readRecord(text: JsonText, seenAt: number): ReceivedRecord {
  const row = parseObject(text);
  return { text, row, period: String(row.period), seenAt };
}

function hiddenRelease({ row }: ReceivedRecord, { cutoff }: Sight): number | undefined {
  const first = objectIn(row.first_print);
  const release = instantOf(first.announcement_datetime);
  return cutoff !== undefined && release !== undefined && release > cutoff ? release : undefined;
}

/** A revision inside of the delay: what came in after the cutoff and differs from the first print may be one. */
function mayTellTooMuch({ row, seenAt }: ReceivedRecord, { cutoff }: Sight): boolean {
  return cutoff !== undefined && seenAt > cutoff * 1000 && row.revised !== false;
}

/** True unless a newer record is stored or a later value disagrees. */
export function speaksFirst(record: ReceivedRecord, release: SettlementRelease | undefined): boolean {
  if (!release || release.print.date !== record.period) return !release || release.print.date < record.period;
  const isLater = release.seenAt !== undefined && release.seenAt > record.seenAt;
  return !isLater || Object.is(release.latest, record.row.latest_value);
}
