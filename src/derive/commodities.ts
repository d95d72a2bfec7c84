import type { WindowArgs } from '../contract/endpoint.ts';
import type {
  Compose,
  Composed,
  Derived,
  Envelope,
  HookContext,
  LoadedSeries,
  MissingPart,
  MissingRange,
  PageView,
} from '../contract/hooks.ts';
import { patchRow } from '../contract/json/body.ts';
import { asJsonText, floatText, type JsonObject, type JsonText, parseObject } from '../contract/json/json.ts';
import { runEnds } from '../contract/time/coverage.ts';
import { addDays, BEGINNING, dateOf } from '../contract/time/time.ts';
import { COMMODITIES } from '../contract/words/words.ts';
import { ageLimit, marksOf, sourceQuality, windowCounts } from '../coverage/data-quality.ts';
import { hasRows, missingIn } from '../coverage/missing-parts.ts';
import { buildEntry, readEntry, type StoredEntry } from './announcements/latest.ts';
import { historyByIndicator } from './announcements/newest-source.ts';
import {
  FIRST_HEAD,
  isKnownToEnd,
  missingOfEnd,
  moreForNewestYears,
  readNewestYear,
} from './announcements/newest-year.ts';
import { type Print, printText, readPrint } from './announcements/print.ts';
import { byOrigin, commonSource } from './announcements/series.ts';
import {
  type Cadence,
  cadenceOf,
  monthsBefore,
  newestUpTo,
  percentChange,
  RHYTHMS,
  SAMPLE,
  standsForMonths,
} from './cadence.ts';

/** The service's own name of the currency, which older answers call `COMM`. */
const CURRENCY = 'USD';

/** The newest price of every commodity, by entry or history. See docs/interface-endpoints.md#commodities. */
export const composeCommoditiesLatest: Compose<unknown> = {
  version: 1,
  reads: () => [
    { endpoint: 'commodities_latest', scope: {} },
    { endpoint: 'commodities', scope: {} },
  ],
  // Histories alone cannot tell which other commodities the service has.
  vouches: (_, picked) => {
    const series = picked.filter(({ endpoint }) => endpoint === 'commodities_latest');
    return series.length > 0 ? { series } : undefined;
  },
  rowsNeeded: (_, { endpoint }) => (endpoint === 'commodities' ? FIRST_HEAD : undefined),
  moreNeeded: (loaded, { now }) => moreForNewestYears(historyByIndicator(historiesOf(loaded)).values(), undefined, now),
  build: buildCommoditiesLatest,
};

export interface CommodityArgs extends WindowArgs {
  readonly indicator: string;
}

function historiesOf(loaded: readonly LoadedSeries[]): readonly LoadedSeries[] {
  return loaded.filter(({ ref, rows }) => ref.endpoint === 'commodities' && rows.length > 0);
}

function buildCommoditiesLatest(
  loaded: readonly LoadedSeries[],
  { labels, now }: HookContext<unknown>,
): Composed | undefined {
  const documents = loaded.filter(({ ref }) => ref.endpoint === 'commodities_latest').sort(byOrigin);
  const histories = historiesOf(loaded);
  if (documents.length === 0 && histories.length === 0) return undefined;
  const stored = storedEntries(documents);
  const tails = historyByIndicator(histories);
  const indicators = [...new Set([...stored.keys(), ...tails.keys()])].sort();
  const entries = indicators.map((indicator) => {
    const newest = tails.get(indicator);
    const history = newest && (stored.has(indicator) || isKnownToEnd(newest, now)) ? newest : undefined;
    const tail = history && readNewestYear(history, undefined, now);
    return buildEntry({ indicator, stored: stored.get(indicator), tail, cutoff: undefined });
  });
  const cut = indicators
    .filter((_, i) => entries[i]?.isCut)
    .map((indicator) => ({ series: { endpoint: 'commodities', scope: { indicator }, exact: true } }));
  // A history that may go on does not tell the newest price.
  const unknown = [...tails].flatMap(([indicator, history]) =>
    stored.has(indicator) ? [] : missingOfEnd(history, now),
  );
  const rows = entries.flatMap(({ text }) => text ?? []);
  const dates = entries.flatMap(({ date }) => date ?? []).sort();
  return {
    envelope: {
      currency: CURRENCY,
      source: commonSource(histories) ?? labels.storage,
      ...documents[0]?.envelope,
      as_of: dates.at(-1),
      count: rows.length,
    },
    rows,
    total: rows.length,
    missingParts: [...lacksOf(documents, histories, now), ...unknown, ...cut],
    ...(documents.length === 0 && { notes: [`Made of the ${tails.size} commodities in the mirror.`] }),
  };
}

/** The service's own list is the whole answer; without it, every commodity has to be known to its newest price. */
function lacksOf(
  documents: readonly LoadedSeries[],
  histories: readonly LoadedSeries[],
  now: number,
): readonly MissingPart[] {
  if (documents.some(({ coverage }) => coverage.ranges.length > 0)) return [];
  const isKnown = (slug: string) =>
    histories.some((history) => history.ref.scope.indicator === slug && isKnownToEnd(history, now));
  return COMMODITIES.every(isKnown) ? [] : [{ series: { endpoint: 'commodities_latest', scope: {}, exact: true } }];
}

function storedEntries(documents: readonly LoadedSeries[]): ReadonlyMap<string, StoredEntry> {
  const entries = documents.flatMap(({ rows }) => rows.map(({ text }) => readEntry(text))).reverse();
  return new Map(entries.map((entry) => [entry.indicator, entry]));
}

/** The history of one commodity: its rows with their percentages, and what the answer says of it. Section 9.28. */
export async function deriveCommodity(view: PageView<CommodityArgs>): Promise<Derived> {
  const page = view.rows.map(({ text }) => readPrint(text));
  const prints = [...page, ...(await lookBack(view, page))];
  const dates = prints.map(({ date }) => date);
  const cadence = cadenceOf(dates.slice(0, runEnds(view.coverage, dates)[0]));
  const missingRanges: MissingRange[] = [];
  const isKnown = (range: MissingRange) => {
    const found = missingIn(view.coverage, range);
    missingRanges.push(...found);
    return found.length === 0;
  };
  const rows = page.map((print, i) => withPercentages(print, { older: prints.slice(i + 1), cadence, isKnown }));
  return { envelope: await membersOf(view, page, cadence), rows, missingParts: missingRanges };
}

/** The rows before the page, as far as the percentage over twelve months looks back. */
async function lookBack(view: PageView<CommodityArgs>, page: readonly Print[]): Promise<readonly Print[]> {
  const sample = (await view.following(SAMPLE)).map(({ text }) => readPrint(text));
  const cadence = cadenceOf([...page, ...sample].map(({ date }) => date));
  const perYear = cadence ? RHYTHMS[cadence].rowsPerYear : 0;
  return perYear < SAMPLE ? sample : (await view.following(perYear)).map(({ text }) => readPrint(text));
}

interface Comparison {
  /** Newest first. */
  readonly older: readonly Print[];
  readonly cadence: Cadence | undefined;
  /** True if every price of a range is stored. If not, the range is noted as missing. */
  readonly isKnown: (range: MissingRange) => boolean;
}

/** The publisher's percentages stay; missing ones are computed against the row before and the one twelve months before. */
function withPercentages(print: Print, { older, cadence, isKnown }: Comparison): JsonText {
  const before = monthsBefore(print.date, 12, standsForMonths(cadence));
  const tolerance = cadence && RHYTHMS[cadence].tolerance;
  const changes: Record<string, JsonText> = {};
  const add = (name: string, input: Print | undefined, otherwise: string) => {
    if (print.row[name] !== undefined || !isKnown({ from: input?.date ?? otherwise, to: print.date, for: name }))
      return;
    const change = percentChange(print.val, input?.val);
    if (change !== undefined) changes[name] = asJsonText(floatText(change));
  };
  add('pct_change', older[0], BEGINNING);
  add('pct_change_12m', newestUpTo(older, before, tolerance), addDays(before, -(tolerance ?? 0)));
  return Object.keys(changes).length === 0 ? printText(print) : patchRow(print.text, changes);
}

async function membersOf(
  view: PageView<CommodityArgs>,
  page: readonly Print[],
  cadence: Cadence | undefined,
): Promise<Envelope> {
  const { stored, labels, now } = view;
  const newest = await view.edge('newest');
  const latest = newest && parseObject(newest.text);
  const latestDate = typeof latest?.date === 'string' ? latest.date : undefined;
  const includesLatest = latestDate === undefined ? undefined : page[0]?.date === latestDate;
  const hasData = await hasRows(view);
  return {
    currency: 'USD',
    has_official_forecast: stored.has_official_forecast ?? false,
    source: stored.source ?? labels.storage,
    provenance: stored.provenance ?? {
      publisher: stored.source ?? null,
      storage: labels.storage,
      served_by: '/v1/commodities/{indicator}',
      timestamp_field: 'announcement_datetime',
      value_field: 'val',
      source_store: labels.storage,
    },
    last_updated: lastUpdated(latest),
    latest_available_date: latestDate,
    data_quality: marksOf({
      about: sourceQuality(stored),
      counts: await windowCounts(view),
      latest: latestDate,
      today: dateOf(now * 1000),
      staleAfter: ageLimit(stored, cadence && RHYTHMS[cadence].staleAfter),
      hasData,
      includesLatest,
    }),
  };
}

/** When the newest row was published, in the service's spelling of instants; its date where nobody said. */
function lastUpdated(newest: JsonObject | undefined): string | undefined {
  const release = newest?.announcement_datetime;
  if (typeof release === 'number') return `${new Date(release * 1000).toISOString().slice(0, 19)}Z`;
  return typeof newest?.date === 'string' ? newest.date : undefined;
}
