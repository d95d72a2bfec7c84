import type { Compose, Composed, HookContext, Lack, LoadedSeries } from '../../contract/hooks.ts';
import { COMMODITIES } from '../../contract/words/words.ts';
import { FIRST_HEAD, isKnownToEnd, lacksOfEnd, moreForTails, readTail } from '../announcements/history-tail.ts';
import { buildEntry, readEntry, type StoredEntry } from '../announcements/latest-entry.ts';
import { byOrigin, commonSource, historyByIndicator } from '../announcements/series-choice.ts';

/** The service's own name of the currency, which older answers call `COMM`. */
const CURRENCY = 'USD';

/**
 * The newest price or report of every commodity. Walk: collect the entries that the service sent and the histories that
 * are stored; per commodity the newer of the two speaks. There is no delay and no window: nobody asks without a key.
 * See docs/interface.md#latest-announcements and docs/interface.md#commodities.
 */
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
  moreNeeded: (loaded, { now }) => moreForTails(historyByIndicator(historiesOf(loaded)).values(), undefined, now),
  build: buildCommoditiesLatest,
};

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
    const tail = history && readTail(history, undefined, now);
    return buildEntry({ indicator, stored: stored.get(indicator), tail, cutoff: undefined });
  });
  const cut = indicators
    .filter((_, i) => entries[i]?.isCut)
    .map((indicator) => ({ series: { endpoint: 'commodities', scope: { indicator }, exact: true } }));
  // A history that may go on does not tell the newest price.
  const unknown = [...tails].flatMap(([indicator, history]) => (stored.has(indicator) ? [] : lacksOfEnd(history, now)));
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
    lacks: [...lacksOf(documents, histories, now), ...unknown, ...cut],
    ...(documents.length === 0 && { notes: [`Made of the ${tails.size} commodities that the mirror holds.`] }),
  };
}

/** The service's own list is the whole answer; without it, every commodity has to be known to its newest price. */
function lacksOf(documents: readonly LoadedSeries[], histories: readonly LoadedSeries[], now: number): readonly Lack[] {
  if (documents.some(({ coverage }) => coverage.ranges.length > 0)) return [];
  const isKnown = (slug: string) =>
    histories.some((history) => history.ref.scope.indicator === slug && isKnownToEnd(history, now));
  return COMMODITIES.every(isKnown) ? [] : [{ series: { endpoint: 'commodities_latest', scope: {}, exact: true } }];
}

function storedEntries(documents: readonly LoadedSeries[]): ReadonlyMap<string, StoredEntry> {
  const entries = documents.flatMap(({ rows }) => rows.map(({ text }) => readEntry(text))).reverse();
  return new Map(entries.map((entry) => [entry.indicator, entry]));
}
