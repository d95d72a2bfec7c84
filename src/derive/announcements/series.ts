import type {
  CommonVintages,
  Envelope,
  LoadedRow,
  LoadedSeries,
  MissingPart,
  MissingRange,
  PageView,
  SeriesRef,
  StoredRef,
  WantedSeries,
} from '../../contract/hooks.ts';
import {
  asJsonText,
  isJsonObject,
  type JsonObject,
  type JsonText,
  objectIn,
  toJsonText,
} from '../../contract/json/json.ts';
import { isCovered, type Range } from '../../contract/time/coverage.ts';
import type { Availability } from '../../contract/time/moments.ts';
import { dateOf, dateToMs } from '../../contract/time/time.ts';
import { AMBIGUOUS } from '../../contract/time/vintages.ts';
import { isTimedByRule } from '../../coverage/data-quality.ts';
import { missingIn } from '../../coverage/missing-parts.ts';
import { monthsBefore } from '../cadence.ts';
import { valuesOf } from '../places.ts';
import { type Patch, type Print, patched } from './print.ts';
import {
  firstVintage,
  newestVintage,
  type PrintVintage,
  printVintages,
  publicAt,
  releasedBy,
  secondsToNs,
  unknownSince,
  vintageKnownAt,
} from './vintages.ts';

/** Names that tell a series of an indicator from its canonical one. */
const BASE_SCOPE: ReadonlySet<string> = new Set(['currency', 'indicator']);

export const CATALOGUE = 'data_catalogue';

/** The columns of the list of indicators that are read. */
export const LIST_COLUMNS: WantedSeries = { columns: ['slug'] };
export const HISTORY = 'announcements';

/** Which vintage of each period a question wants, and who asks. It never gets facts that were unknown at its moment. */
export interface VintageQuestion {
  readonly revisions: string;
  /** Known to whom: orders vintages in time. */
  readonly availability: Availability;
  /** Newest release (Unix seconds) that the caller may read; undefined for callers without a delay. */
  readonly cutoff: number | undefined;
  /** Unix seconds. */
  readonly now: number;
  /** The facts of other sources of the series. */
  readonly merged?: CommonVintages | undefined;
}

/** The selectors that answers echo. */
const SELECTORS = ['seasonality', 'frequency', 'annualization', 'period_aggregation', 'basis', 'revisions'] as const;

export type SelectorArgs = { readonly [Name in (typeof SELECTORS)[number]]?: string | undefined };

export interface SeriesName extends SelectorArgs {
  readonly currency: string;
  readonly indicator: string;
}

/** True for the series of an indicator that nobody narrowed by a selector. */
export function isBaseSeries(ref: StoredRef): boolean {
  return Object.keys(ref.scope).every((name) => BASE_SCOPE.has(name));
}

/** The service's series before files; files in one order, whatever was imported or asked when. */
export function byOrigin(a: LoadedSeries, b: LoadedSeries): number {
  const rank = originRankOf(a.ref) - originRankOf(b.ref);
  if (rank !== 0 || a.ref.origin === b.ref.origin || originRankOf(a.ref) === 0) return rank;
  return a.ref.origin < b.ref.origin ? -1 : 1;
}

/** 0 for a service, 1 for files. */
export function originRankOf(ref: StoredRef): number {
  return ref.origin.startsWith('import:') ? 1 : 0;
}

/** The publisher that all of these series name; undefined when they name several, or none. */
export function commonSource(series: readonly LoadedSeries[]): string | undefined {
  const [first, ...others] = new Set(series.map(({ envelope }) => envelope.source));
  return typeof first === 'string' && others.length === 0 ? first : undefined;
}

/** Date of the newest row, be it loaded or only its columns. */
export function newestDateOf({ rows, columns }: LoadedSeries): LoadedRow['columns'][string] | undefined {
  return rows[0]?.columns.date ?? columns?.date?.[0];
}

/** The list that tells which indicators a currency has. */
export const catalogueOf = (currency: string): SeriesRef => ({ endpoint: CATALOGUE, scope: { currency } });

/** The indicators of a currency, by its list; undefined if no list of them is stored. */
export function listedIndicators(loaded: readonly LoadedSeries[], currency: string): readonly string[] | undefined {
  const list = loaded.find(
    ({ ref: { endpoint, scope }, coverage }) =>
      endpoint === CATALOGUE && scope.currency === currency && coverage.ranges.length > 0,
  );
  return list && valuesOf(list, 'slug').map(String);
}

/** Missing parts of an answer about all indicators of a currency: the list of them, indicators on it, and parts of those. */
export function missingOfIndicators(
  loaded: readonly LoadedSeries[],
  { currency, neededOf }: { readonly currency: string; readonly neededOf: (history: LoadedSeries) => Range },
): readonly MissingPart[] {
  const slugs = listedIndicators(loaded, currency);
  if (!slugs) return [missingOfOneList(currency)];
  const histories = loaded.filter(({ ref }) => ref.endpoint === HISTORY && isBaseSeries(ref));
  return slugs.flatMap((indicator) => {
    const stored = histories.filter(({ ref }) => ref.scope.indicator === indicator);
    const series = { endpoint: HISTORY, scope: { currency, indicator }, exact: true };
    if (stored.length === 0) return [{ series }];
    if (stored.some((history) => isCovered(history.coverage, neededOf(history)))) return [];
    return stored.slice(0, 1).flatMap((history) => missingOfHistory(history.ref, history.coverage, neededOf(history)));
  });
}

/** The list of indicators itself. */
export function missingOfOneList(currency: string): MissingPart {
  return { series: { ...catalogueOf(currency), exact: true } };
}

export function missingOfHistory(
  { endpoint, scope }: StoredRef,
  coverage: LoadedSeries['coverage'],
  range: MissingRange,
): readonly MissingPart[] {
  return missingIn(coverage, range).map((missingRange) => ({
    series: { endpoint, scope, exact: true },
    range: missingRange,
  }));
}

/** True when the answer needs the values that the mirror saw replaced: not every revision stands in a list. */
export function needsKept(question: VintageQuestion): boolean {
  return choosesVintages(question) || question.revisions === 'all' || question.cutoff !== undefined;
}

/** True when the answer may have other values, or fewer periods, than the rows. */
export function choosesVintages({ revisions }: VintageQuestion): boolean {
  return revisions === 'first' || revisions === 'final';
}

/** The period with the requested value, after hiding later vintages from the caller; undefined when it has none. */
export function selectVintage(print: Print, question: VintageQuestion): Print | undefined {
  const { cutoff, availability, revisions } = question;
  if (revisions === 'latest' && cutoff === undefined) return print;
  const all = printVintages(print);
  const known = cutoff === undefined ? all : releasedBy(all, secondsToNs(cutoff) ?? 0n);
  if (revisions === 'final' && !isSettled(print, all, question)) return undefined;
  const whole = known.length === all.length;
  // The row's value is the service's own choice of the newest: it stands where nothing is hidden.
  const stored = whole ? all.findLast(({ val }) => Object.is(val, print.val)) : undefined;
  const shown = revisions === 'first' ? firstVintage(known) : stored;
  const chosen = shown ?? newestKnown(all, known, question);
  if (!chosen) return undefined;
  const isListed = whole && !(revisions === 'all' && print.kept);
  // Only who asks for vintages is shown more of them than the row listed.
  const visible = revisions === 'latest' ? known.filter(({ remembered }) => !remembered) : known;
  const since = vintageKnownAt(chosen, availability);
  const shownPrint = show(print, chosen, isListed ? undefined : visible);
  const list = question.merged?.listOf(print.date);
  return {
    ...(revisions === 'all' && list ? patched(shownPrint, { revisions: list }) : shownPrint),
    ...(since !== undefined && { since: { ns: String(since), isConfirmed: chosen.confirmed } }),
  };
}

/** The period as a question without a vintage shows it: without what the caller may not see yet. */
export function latestShown(print: Print, cutoff: number | undefined, now: number): Print {
  return selectVintage(print, { revisions: 'latest', availability: 'public', cutoff, now }) ?? print;
}

/** Hides a first print that nobody proves: a revised series without all vintages has later values. */
export function hidesFirst(
  view: Partial<Pick<PageView<unknown>, 'isFromFile' | 'merged'>> & {
    readonly stored: JsonObject;
    readonly args: { readonly revisions: string };
  },
  print: Print,
): boolean {
  const { revisions } = view.args;
  const asksPrints = revisions === 'first' || revisions === 'final';
  if (asksPrints && view.merged) return view.merged.firstAt(print.date) === null;
  if (!view.isFromFile || !asksPrints || isTimedByRule(view.stored)) return false;
  const vintages = printVintages(print);
  const { source_type: type } = objectIn(view.stored.data_quality);
  return type === 'private'
    ? vintages.every(({ isUnlisted }) => isUnlisted)
    : !vintages.some(({ isFirst }) => isFirst === true);
}

/** The newest that the caller may know; where only the mirror's list orders the values, the last of them. */
function newestKnown(
  all: readonly PrintVintage[],
  known: readonly PrintVintage[],
  { cutoff, availability }: VintageQuestion,
): PrintVintage | undefined {
  const at = secondsToNs(cutoff);
  const step = at === undefined ? undefined : publicAt(all, at);
  if (step?.state === 'ambiguous') return unknownSince(step.at);
  return step?.known ?? newestVintage(known, availability);
}

/** Members of a row that speak of the vintage that it shows. */
export const CAPTURE_MEMBERS = [
  'vintage_status',
  'observed_at_ns',
  'observed_at_ns_string',
  'collected_at',
  'collected_at_ns_string',
  'collected_at_iso',
  'capture_time_basis',
  'publication_time_status',
  'publication_time_precision',
] as const;

function show(print: Print, chosen: PrintVintage, left: readonly PrintVintage[] | undefined): Print {
  const altered = !Object.is(chosen.val, print.val);
  return {
    ...print,
    val: chosen.val,
    valText: chosen.valText,
    altered: print.altered || altered,
    patch: {
      ...print.patch,
      ...(altered && { val: chosen.valText, ...captureMembers(chosen) }),
      ...reasonMember(print, chosen),
      ...(left && { revisions: listText(left) }),
    },
  };
}

/** Why there is no value; the row may state it already. */
function reasonMember({ row }: Print, { isAmbiguous }: PrintVintage): Patch {
  if (isAmbiguous) return { reason: toJsonText(AMBIGUOUS) };
  return row.reason === AMBIGUOUS ? { reason: undefined } : {};
}

/** The capture members of the chosen vintage; the row's own members belong to another value. */
function captureMembers({ entry }: PrintVintage): Patch {
  const value = entry?.value ?? {};
  const said = (name: string): JsonText | undefined => {
    // The number has lost its last digits in parsing; its twin has them.
    if (name === 'observed_at_ns' && typeof value.observed_at_ns_string === 'string')
      return asJsonText(value.observed_at_ns_string);
    return value[name] === undefined ? undefined : toJsonText(value[name]);
  };
  return { val_mom: undefined, ...Object.fromEntries(CAPTURE_MEMBERS.map((name) => [name, said(name)])) };
}

function listText(vintages: readonly PrintVintage[]): JsonText | undefined {
  const texts = vintages.flatMap(({ entry }) => (entry ? [entry.text] : []));
  return texts.length === 0 ? undefined : asJsonText(`[${texts.join(',')}]`);
}

/** True when the period was first released at least 12 months before the moment of the question. */
function isSettled(print: Print, vintages: readonly PrintVintage[], { now, merged }: VintageQuestion): boolean {
  const yearAgo = monthsBefore(dateOf(now * 1000), 12, false);
  const listed = vintages.flatMap(({ known }) =>
    known.public === undefined ? [] : [Number(known.public / 1_000_000_000n)],
  );
  const first = merged?.firstAt(print.date);
  const proven = typeof first === 'bigint' ? Number(first / 1_000_000_000n) : undefined;
  const released = proven ?? print.release ?? (listed.length > 0 ? Math.min(...listed) : undefined);
  const from = released ?? dateToMs(print.date) / 1000;
  return dateOf(from * 1000) <= yearAgo;
}

/** Stored members of a series; without them, members that follow from unit and selectors. Sections 8 and 9.19. */
export function seriesMembers(args: SeriesName, stored: JsonObject): Envelope {
  const selected = selectedSeries(args, stored);
  const { unit } = stored;
  return {
    currency: args.currency,
    indicator: args.indicator,
    is_proxy: stored.is_proxy ?? false,
    remap: stored.remap ?? {
      applied: false,
      rule_id: null,
      transform: 'raw',
      canonical_indicator: args.indicator,
    },
    filters: Object.fromEntries(SELECTORS.map((name) => [name, args[name] ?? null])),
    selected_series_id: selected.series_id,
    selected_series: selected,
    supported_options: stored.supported_options ?? supportedBy(selected),
    value_metadata:
      stored.value_metadata ??
      (typeof unit === 'string' ? { source_unit: unit, normalization_applied: false } : undefined),
  };
}

/** The stored description with the asked vintage, or one made by the service's own rule for series ids. */
function selectedSeries(args: SeriesName, stored: JsonObject): JsonObject {
  const revisions = args.revisions ?? 'latest';
  if (isJsonObject(stored.selected_series)) return { ...stored.selected_series, revisions };
  const frequency = args.frequency ?? transformationOf(stored.unit);
  const seasonality = args.seasonality ?? seasonalityOf(stored.seasonal_adjustment);
  const { annualization = null, period_aggregation = null, basis = null } = args;
  const period = [annualization, period_aggregation].filter((word) => word !== null);
  const tail = period.length > 0 ? period.join('_') : 'standard_period';
  const made = `${args.currency.toLowerCase()}_${args.indicator}_canonical_${frequency}_${seasonality ?? 'default'}_${tail}`;
  const label = [stored.name ?? args.indicator, frequency.toUpperCase(), seasonality?.toUpperCase()];
  return {
    series_id: typeof stored.selected_series_id === 'string' ? stored.selected_series_id : made,
    label: label.filter((part) => part !== undefined).join(', '),
    source_series_id: stored.source_series_id ?? null,
    seasonality: seasonality ?? null,
    frequency,
    annualization,
    period_aggregation,
    basis,
    revisions,
  };
}

function transformationOf(unit: unknown): string {
  const match = typeof unit === 'string' ? /%\s?(yoy|qoq|mom)/i.exec(unit) : null;
  return match?.[1]?.toLowerCase() ?? 'level';
}

function seasonalityOf(adjustment: unknown): string | undefined {
  return adjustment === 'SA' || adjustment === 'NSA' ? adjustment.toLowerCase() : undefined;
}

/** Only what the series is, and every choice of vintages: those are computed here. */
function supportedBy(selected: JsonObject): Envelope {
  const only = (name: string) => (typeof selected[name] === 'string' ? [selected[name]] : []);
  return {
    ...Object.fromEntries(SELECTORS.map((name) => [name, only(name)])),
    revisions: ['latest', 'first', 'final', 'all'],
  };
}

/** The print with the identifiers of its row, where it came without them. */
export function withIdentity(print: Print, args: SeriesName, seriesId: unknown): Print {
  const { row, date } = print;
  return patched(print, {
    ...(row.announcement_id === undefined && {
      announcement_id: toJsonText(`${args.currency.toLowerCase()}_${args.indicator}_${date}`),
    }),
    ...(row.observation_id === undefined && { observation_id: toJsonText(`${seriesId}_${date}`) }),
  });
}
