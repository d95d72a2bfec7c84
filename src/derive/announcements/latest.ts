import { KEYLESS_DAYS, releaseCutoff } from '../../contract/access.ts';
import type {
  Compose,
  Composed,
  Envelope,
  HookContext,
  KeptValue,
  Lack,
  LoadedRow,
  LoadedSeries,
} from '../../contract/hooks.ts';
import type { JsonText } from '../../contract/json/json.ts';
import { addDays, BEGINNING, dateOf } from '../../contract/time/time.ts';
import { perObject } from '../memory.ts';
import { catalogueOf, lacksOfIndicators } from './all-indicators.ts';
import { FIRST_HEAD, isKnownToEnd, lacksOfEnd, moreForTails, readTail } from './history-tail.ts';
import { buildEntry, readEntry, type StoredEntry, unrevised } from './latest-entry.ts';
import { byOrigin, commonSource, historyByIndicator, isBaseSeries } from './series-choice.ts';

const OWN = 'announcements_latest';
const HISTORY = 'announcements';

export interface LatestArgs {
  readonly currency: string;
}

/**
 * The newest print of every indicator of a currency. Walk: collect the entries that the service sent and the histories
 * that are stored; per indicator the newer of the two speaks, and a print inside the keyless delay gives way to the one
 * before it. Without a key, entries dated before the window are left out. See docs/interface.md#latest-announcements.
 */
export const composeLatest: Compose<LatestArgs> = {
  version: 2,
  reads: ({ currency }) => [
    { endpoint: 'announcements_latest', scope: { currency } },
    { endpoint: 'announcements', scope: { currency } },
  ],
  lists: ({ currency }) => [catalogueOf(currency)],
  selectSeries: (_, stored) => stored.filter(isBaseSeries),
  // Only the service knows which indicators there are.
  vouches: (_, picked) => ({ series: picked.filter(({ endpoint }) => endpoint === 'announcements_latest') }),
  rowsNeeded: (_, { endpoint }) => (endpoint === HISTORY ? FIRST_HEAD : undefined),
  moreNeeded: (loaded, context) =>
    moreForTails(historyByIndicator(historiesOf(loaded)).values(), cutoffOf(context), context.now),
  build: buildLatest,
};

function historiesOf(loaded: readonly LoadedSeries[]): readonly LoadedSeries[] {
  return loaded.filter(({ ref, rows }) => ref.endpoint === HISTORY && rows.length > 0);
}

function cutoffOf({ caller, now }: HookContext<LatestArgs>): number | undefined {
  return caller.kind === 'keyless' ? releaseCutoff(now) : undefined;
}

function buildLatest(loaded: readonly LoadedSeries[], context: HookContext<LatestArgs>): Composed | undefined {
  const documents = loaded.filter(({ ref }) => ref.endpoint === 'announcements_latest').sort(byOrigin);
  const histories = historiesOf(loaded);
  if (documents.length === 0 && histories.length === 0) return undefined;
  const cutoff = cutoffOf(context);
  const visibleFrom = cutoff === undefined ? undefined : addDays(dateOf(context.now * 1000), -KEYLESS_DAYS);
  const entries = entriesOf(documents, cutoff);
  const chosen = [...historyByIndicator(histories)];
  const isTold = ([indicator, stored]: (typeof chosen)[number]) =>
    entries.has(indicator) || isKnownToEnd(stored, context.now);
  const tails = new Map(
    chosen.filter(isTold).map(([indicator, stored]) => [indicator, readTail(stored, cutoff, context.now)]),
  );
  const unknown = chosen.flatMap((one) => (isTold(one) ? [] : lacksOfEnd(one[1], context.now)));
  const rows: JsonText[] = [];
  const withheld: number[] = [];
  const cut: Lack[] = [];
  const { currency } = context.args;
  let asOf: string | undefined;
  for (const indicator of [...new Set([...entries.keys(), ...tails.keys()])].sort()) {
    const sources = { indicator, stored: entries.get(indicator), tail: tails.get(indicator), cutoff };
    const entry = buildEntry(sources);
    if (entry.isCut) cut.push({ series: { endpoint: 'announcements', scope: { currency, indicator }, exact: true } });
    if (entry.withheld !== undefined) withheld.push(entry.withheld);
    if (entry.text === undefined) continue;
    if (visibleFrom !== undefined && entry.date !== undefined && entry.date < visibleFrom) continue;
    rows.push(entry.text);
    if (entry.date !== undefined && (asOf === undefined || entry.date > asOf)) asOf = entry.date;
  }
  return {
    envelope: membersOf(context, documents[0], { source: commonSource(histories), asOf, count: rows.length }),
    rows,
    total: rows.length,
    withheld,
    lacks: [...besides(lacksOf(documents, loaded, context), unknown), ...unknown, ...cut],
  };
}

/** The service's own list is the whole answer; without it, every indicator of the catalogue has to be known to its newest. */
function lacksOf(
  documents: readonly LoadedSeries[],
  loaded: readonly LoadedSeries[],
  { args: { currency }, now }: HookContext<LatestArgs>,
): readonly Lack[] {
  if (documents.some(({ coverage }) => coverage.ranges.length > 0)) return [];
  const today = dateOf(now * 1000);
  const lacks = lacksOfIndicators(loaded, {
    currency,
    neededOf: ({ rows }) => ({ from: String(rows[0]?.columns.date ?? BEGINNING), to: today }),
  });
  const isListed = loaded.some(({ ref }) => ref.endpoint === 'data_catalogue');
  // The list of newest prints is nearer at hand than the catalogue and all histories.
  return isListed || lacks.length === 0 ? lacks : [{ series: { endpoint: OWN, scope: { currency }, exact: true } }];
}

/** Lacks of other series than these are of. */
function besides(lacks: readonly Lack[], these: readonly Lack[]): readonly Lack[] {
  const named = new Set(these.map(({ series }) => series.scope.indicator));
  return lacks.filter(({ series }) => series.endpoint !== HISTORY || !named.has(series.scope.indicator));
}

function entriesOf(documents: readonly LoadedSeries[], cutoff: number | undefined): ReadonlyMap<string, StoredEntry> {
  const entries = new Map<string, StoredEntry>();
  for (const { rows, kept } of documents)
    for (const row of rows) {
      const entry = entryOf(row);
      const known = cutoff === undefined ? undefined : kept?.get(entry.indicator)?.findLast(seenBy(cutoff));
      const shown = known ? unrevised(entry, readEntry(known.text)) : entry;
      if (!entries.has(entry.indicator)) entries.set(entry.indicator, shown);
    }
  return entries;
}

const entryOf = perObject(({ text }: LoadedRow) => readEntry(text));

function seenBy(cutoff: number) {
  return ({ seenAt }: KeptValue): boolean => seenAt <= cutoff;
}

function membersOf(
  { args, labels }: HookContext<LatestArgs>,
  document: LoadedSeries | undefined,
  facts: { readonly source: string | undefined; readonly asOf: string | undefined; readonly count: number },
): Envelope {
  const kept = document?.envelope ?? {};
  return {
    source: facts.source ?? labels.storage,
    provenance: {
      publisher: null,
      storage: labels.storage,
      served_by: '/v1/announcements/{currency}/latest',
      timestamp_field: 'announcement_datetime',
      value_field: 'val',
    },
    ...kept,
    currency: args.currency,
    as_of: facts.asOf,
    count: facts.count,
  };
}
