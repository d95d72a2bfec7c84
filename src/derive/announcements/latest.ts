import { KEYLESS_DAYS, readableAt, releaseCutoff } from '../../contract/access.ts';
import type {
  Compose,
  Composed,
  Envelope,
  HookContext,
  KeptValue,
  LoadedSeries,
  MissingPart,
} from '../../contract/hooks.ts';
import { patchRow } from '../../contract/json/body.ts';
import {
  asJsonText,
  floatText,
  isJsonObject,
  type JsonText,
  parseObject,
  toJsonText,
} from '../../contract/json/json.ts';
import { memberTexts } from '../../contract/json/scan.ts';
import { addDays, BEGINNING, dateOf, isoSeconds } from '../../contract/time/time.ts';
import { percentChange } from '../cadence.ts';
import { madeOf } from '../places.ts';
import { historyByIndicator } from './newest-source.ts';
import {
  CHANGES,
  describedBy,
  entryText,
  FIRST_HEAD,
  isKnownToEnd,
  missingOfEnd,
  moreForNewestYears,
  type NewestYear,
  readNewestYear,
  type Value,
  valueOfPrint,
} from './newest-year.ts';
import { type Print, releaseOfPrint } from './print.ts';
import {
  byOrigin,
  CATALOGUE,
  catalogueOf,
  commonSource,
  HISTORY,
  isBaseSeries,
  LIST_COLUMNS,
  missingOfIndicators,
} from './series.ts';

const OWN = 'announcements_latest';

interface LatestArgs {
  readonly currency: string;
}

/** The newest visible print of every indicator, by entry or history. See docs/interface-endpoints.md#latest-announcements. */
export const composeLatest: Compose<LatestArgs> = {
  version: 2,
  reads: ({ currency }) => [
    { endpoint: OWN, scope: { currency } },
    { endpoint: HISTORY, scope: { currency } },
  ],
  lists: ({ currency }) => [catalogueOf(currency)],
  selectSeries: (_, stored) => stored.filter(isBaseSeries),
  // Only the service knows which indicators there are.
  vouches: (_, picked) => ({ series: picked.filter(({ endpoint }) => endpoint === OWN) }),
  rowsNeeded: (_, { endpoint }) =>
    endpoint === HISTORY ? FIRST_HEAD : endpoint === CATALOGUE ? LIST_COLUMNS : undefined,
  moreNeeded: (loaded, context) =>
    moreForNewestYears(historyByIndicator(historiesOf(loaded)).values(), cutoffOf(context), context.now),
  build: buildLatest,
};

function historiesOf(loaded: readonly LoadedSeries[]): readonly LoadedSeries[] {
  return loaded.filter(({ ref, rows }) => ref.endpoint === HISTORY && rows.length > 0);
}

function cutoffOf({ caller, now }: HookContext<LatestArgs>): number | undefined {
  return caller.kind === 'keyless' ? releaseCutoff(now) : undefined;
}

function buildLatest(loaded: readonly LoadedSeries[], context: HookContext<LatestArgs>): Composed | undefined {
  const documents = loaded.filter(({ ref }) => ref.endpoint === OWN).sort(byOrigin);
  const histories = historiesOf(loaded);
  if (documents.length === 0 && histories.length === 0) return undefined;
  const cutoff = cutoffOf(context);
  const visibleFrom = cutoff === undefined ? undefined : addDays(dateOf(context.now * 1000), -KEYLESS_DAYS);
  const entries = entriesOf(documents, cutoff);
  const chosen = [...historyByIndicator(histories)];
  const isTold = ([indicator, stored]: (typeof chosen)[number]) =>
    entries.has(indicator) || isKnownToEnd(stored, context.now);
  const tails = new Map(
    chosen.filter(isTold).map(([indicator, stored]) => [indicator, readNewestYear(stored, cutoff, context.now)]),
  );
  const unknown = chosen.flatMap((one) => (isTold(one) ? [] : missingOfEnd(one[1], context.now)));
  const rows: JsonText[] = [];
  const withheld: number[] = [];
  const cut: MissingPart[] = [];
  const { currency } = context.args;
  let asOf: string | undefined;
  for (const indicator of [...new Set([...entries.keys(), ...tails.keys()])].sort()) {
    const sources = { indicator, stored: entries.get(indicator), tail: tails.get(indicator), cutoff };
    const entry = buildEntry(sources);
    if (entry.isCut) cut.push({ series: { endpoint: HISTORY, scope: { currency, indicator }, exact: true } });
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
    missingParts: [...besides(lacksOf(documents, loaded, context), unknown), ...unknown, ...cut],
  };
}

/** The service's own list is the whole answer; without it, every indicator of the catalogue has to be known to its newest. */
function lacksOf(
  documents: readonly LoadedSeries[],
  loaded: readonly LoadedSeries[],
  { args: { currency }, now }: HookContext<LatestArgs>,
): readonly MissingPart[] {
  if (documents.some(({ coverage }) => coverage.ranges.length > 0)) return [];
  const today = dateOf(now * 1000);
  const missingParts = missingOfIndicators(loaded, {
    currency,
    neededOf: ({ rows }) => ({ from: String(rows[0]?.columns.date ?? BEGINNING), to: today }),
  });
  const isListed = loaded.some(({ ref }) => ref.endpoint === CATALOGUE);
  // The list of newest prints is nearer at hand than the catalogue and all histories.
  return isListed || missingParts.length === 0
    ? missingParts
    : [{ series: { endpoint: OWN, scope: { currency }, exact: true } }];
}

/** Missing parts of other series than these. */
function besides(missingParts: readonly MissingPart[], these: readonly MissingPart[]): readonly MissingPart[] {
  const named = new Set(these.map(({ series }) => series.scope.indicator));
  return missingParts.filter(({ series }) => series.endpoint !== HISTORY || !named.has(series.scope.indicator));
}

function entriesOf(documents: readonly LoadedSeries[], cutoff: number | undefined): ReadonlyMap<string, StoredEntry> {
  const entries = new Map<string, StoredEntry>();
  for (const document of documents)
    for (const entry of madeOf(document, 'entries', () => document.rows.map(({ text }) => readEntry(text)))) {
      const { kept } = document;
      const known = cutoff === undefined ? undefined : kept?.get(entry.indicator)?.findLast(seenBy(cutoff));
      const shown = known ? unrevised(entry, readEntry(known.text)) : entry;
      if (!entries.has(entry.indicator)) entries.set(entry.indicator, shown);
    }
  return entries;
}

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

/** An entry as the service sent it. */
export interface StoredEntry {
  readonly indicator: string;
  readonly text: JsonText;
  readonly latest: Value | undefined;
  readonly previous: Value | undefined;
  /** Release time of a print that the service itself withheld. */
  readonly heldBack: number | undefined;
}

export function readEntry(text: JsonText): StoredEntry {
  const row = parseObject(text);
  const [latest, previous] = memberTexts(text, ['latest', 'previous']);
  const withheld = isJsonObject(row.withheld) ? row.withheld.announcement_datetime : undefined;
  return {
    indicator: String(row.indicator),
    text,
    latest: latest && readValue(latest),
    previous: previous && readValue(previous),
    heldBack: typeof withheld === 'number' ? withheld : undefined,
  };
}

/** The older value of an entry that was revised during the delay; a new period is no revision. */
function unrevised(entry: StoredEntry, before: StoredEntry): StoredEntry {
  const isRevised = (value: Value | undefined, was: Value | undefined) =>
    value !== undefined && was !== undefined && value.date === was.date && !Object.is(value.val, was.val);
  if (isRevised(entry.latest, before.latest) || isRevised(entry.previous, before.previous)) return before;
  if (!before.latest || !isRevised(entry.previous, before.latest)) return entry;
  const change = percentChange(entry.latest?.val ?? null, before.latest.val);
  const others = Object.fromEntries(CHANGES.map((name) => [name, undefined]));
  const text = patchRow(entry.text, {
    ...others,
    previous: before.latest.text,
    pct_diff_prev: change === undefined ? undefined : asJsonText(floatText(change)),
  });
  return { ...entry, previous: before.latest, text };
}

function readValue(text: JsonText): Value | undefined {
  const value = parseObject(text);
  if (typeof value.date !== 'string') return undefined;
  return {
    date: value.date,
    val: typeof value.val === 'number' ? value.val : null,
    release: releaseOfPrint(value),
    text,
  };
}

/** An entry ready to be served; without a text when there is nothing that the caller may see. */
interface LatestEntry {
  readonly text: JsonText | undefined;
  readonly date: string | undefined;
  /** Release time that the delay hides. */
  readonly withheld: number | undefined;
  /** A comparison may be left out, because a missing range lies where its other value would be. */
  readonly isCut?: boolean;
}

interface Sources {
  readonly indicator: string;
  readonly stored: StoredEntry | undefined;
  readonly tail: NewestYear | undefined;
  readonly cutoff: number | undefined;
}

/** The entry of one indicator from its stored rows. See docs/interface-endpoints.md#latest-announcements. */
export function buildEntry(sources: Sources): LatestEntry {
  const { stored, tail, cutoff } = sources;
  const isHidden = (release: number | undefined) =>
    cutoff !== undefined && release !== undefined && release > cutoff ? release : undefined;
  const newest = tail?.shown?.latest;
  const withheld = tail?.hidden ?? isHidden(stored?.latest?.release) ?? isHidden(stored?.heldBack);
  if (withheld !== undefined) {
    const seen = [newest && valueOfPrint(newest), stored?.latest, stored?.previous]
      .filter((value) => value !== undefined && isHidden(value.release) === undefined)
      .reduce<Value | undefined>((best, value) => (isNewer(value, best) ? value : best), undefined);
    if (!seen) return { text: undefined, date: undefined, withheld };
    return { text: withheldEntry(sources, seen, withheld), date: seen.date, withheld };
  }
  if (stored && (!newest || speaksFirst(stored, newest)))
    return { text: stored.text, date: stored.latest?.date, withheld };
  if (!newest || !tail?.shown) return { text: undefined, date: undefined, withheld };
  const text = stored ? entryText(identityText(sources), tail.shown) : tail.text();
  return { text, date: newest.date, withheld, isCut: tail.isCut };
}

/** True when the service's own entry is the newer word, or the same one: then it is served as it came. */
function speaksFirst({ latest, heldBack }: StoredEntry, newest: Print): boolean {
  const value = valueOfPrint(newest);
  if (!latest || isNewer(value, latest)) return false;
  return isNewer(latest, value) || (heldBack === undefined && Object.is(latest.val, value.val));
}

function isNewer(value: Value | undefined, than: Value | undefined): boolean {
  if (!value || !than) return value !== undefined;
  if (value.date !== than.date) return value.date > than.date;
  return (value.release ?? 0) > (than.release ?? 0);
}

function withheldEntry(sources: Sources, seen: Value, release: number): JsonText {
  const available = readableAt(release);
  const withheld = {
    announcement_datetime: release,
    available_at: available,
    available_at_iso: isoSeconds(available),
  };
  return patchRow(identityText(sources), {
    latest: seen.text,
    ...Object.fromEntries(CHANGES.map((name) => [name, asJsonText('null')])),
    withheld: toJsonText(withheld),
  });
}

/** Members of an entry that describe the indicator: as the service sent them, else as its history tells them. */
function identityText({ indicator, stored, tail }: Sources): JsonText {
  const gone = ['latest', 'previous', ...CHANGES, 'withheld'];
  if (stored) return patchRow(stored.text, Object.fromEntries(gone.map((name) => [name, undefined])));
  return describedBy(indicator, tail);
}
