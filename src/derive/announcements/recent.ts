import { KEYLESS_DAYS, releaseCutoff } from '../../contract/access.ts';
import type { PageArgs } from '../../contract/endpoint.ts';
import type {
  Compose,
  Composed,
  HeadOfRows,
  HookContext,
  LoadedColumns,
  LoadedSeries,
  MissingPart,
  MissingRange,
  StoredRef,
} from '../../contract/hooks.ts';
import { toJsonText } from '../../contract/json/json.ts';
import { addDays, BEGINNING, dateOf } from '../../contract/time/time.ts';
import { type Cadence, cadenceOf, RHYTHMS, SAMPLE } from '../cadence.ts';
import { datesOf, madeOf, valuesOf } from '../places.ts';
import { type ComparedPrint, kindOf } from './change-members.ts';
import { type IndicatorRows, indicatorRows } from './indicator-rows.ts';
import { type SpokenHistory, spokenBy } from './newest-source.ts';
import { type Print, patched, readKept, readPrint } from './print.ts';
import {
  CATALOGUE,
  catalogueOf,
  HISTORY,
  isBaseSeries,
  LIST_COLUMNS,
  latestShown,
  missingOfIndicators,
  newestDateOf,
  seriesMembers,
  withIdentity,
} from './series.ts';

/** A row by its place in the history of its indicator: nothing of it is parsed before it is known to stand on the page. */
interface Place {
  /** For an indicator with several sources, with the answering source. */
  readonly indicator: string;
  readonly at: number;
  readonly date: string;
  readonly release: number | undefined;
  /** When it may be seen by the keyless rules, where that is not its release. */
  readonly readable: number | undefined;
}

/** The columns that places are made of. */
const PLACE_COLUMNS = ['date', 'announcement_datetime', 'released', 'val'] as const;

/** Rows of all histories, newest release first, those without a time of release last. */
interface ReleaseOrder {
  readonly total: number;
  /** Date of the newest period. */
  readonly newest: string | undefined;
  /** The first of them: at least so many, where there are. */
  first(count: number): readonly Place[];
  since(date: string): readonly Place[];
  /** How many have a time of release: the others stand last. */
  timed(): number;
}

interface History {
  readonly indicator: string;
  readonly columns: LoadedColumns;
  /** The places of their rows, where not all of them are shown. */
  readonly rows?: readonly number[];
}

/** The order of some histories, which follows from these and what they cover. */
export function orderReleases(
  series: ReadonlyMap<string, SpokenHistory>,
  column: HookContext<unknown>['column'],
): ReleaseOrder {
  const covered = [...series].flatMap(([name, { series: one, speaks }]) =>
    speaks ? [name, (one.checked ?? one.coverage).ranges] : [],
  );
  const make = () => orderOf([...series].map(([indicator, history]) => ({ indicator, ...spokenColumns(history) })));
  return column ? column(`order of releases ${JSON.stringify(covered)}`, make) : make();
}

/** The columns of the dates that a history speaks for. */
function spokenColumns({ series, speaks }: SpokenHistory): Omit<History, 'indicator'> {
  const columns = placeColumnsOf(series);
  if (!speaks) return { columns };
  const rows = [...(columns.date ?? []).keys()].filter((at) => speaks(String(columns.date?.[at])));
  const shown = Object.entries(columns).map(([name, values]) => [name, values && rows.map((at) => values[at] ?? null)]);
  return { columns: Object.fromEntries(shown), rows };
}

/** The columns of a history, be they loaded or those of its rows. */
function placeColumnsOf(history: LoadedSeries): LoadedColumns {
  return history.columns ?? Object.fromEntries(PLACE_COLUMNS.map((name) => [name, valuesOf(history, name)]));
}

/** Min number of places that are read at once. */
const LEAST_PLACES = 256;

function orderOf(histories: readonly History[]): ReleaseOrder {
  const total = histories.reduce((count, { columns }) => count + (columns.date?.length ?? 0), 0);
  const dates = histories.flatMap(({ columns }) => columns.date?.slice(0, 1) ?? []).map(String);
  let known: readonly Place[] = [];
  let timed: number | undefined;
  return {
    total,
    newest: dates.length === 0 ? undefined : dates.reduce((newest, date) => (date > newest ? date : newest)),
    first(count) {
      if (known.length >= Math.min(count, total)) return known;
      const oldest = nthRelease(histories, { total, count: Math.max(count, 2 * known.length, LEAST_PLACES) });
      known = placesWhere(histories, (_, release) => timeOf(release) >= oldest);
      return known;
    },
    since: (date) => placesWhere(histories, (period) => period >= date),
    timed() {
      timed ??= histories
        .flatMap(({ columns }) => columns.announcement_datetime ?? [])
        .filter((time) => typeof time === 'number').length;
      return timed;
    },
  };
}

/** The release time that so many places have or are later than. */
function nthRelease(
  histories: readonly History[],
  { total, count }: { readonly total: number; readonly count: number },
): number {
  if (count >= total) return Number.NEGATIVE_INFINITY;
  const times = new Float64Array(total);
  let at = 0;
  for (const { columns } of histories)
    for (let i = 0; i < (columns.date?.length ?? 0); i += 1) {
      times[at] = timeOf(columns.announcement_datetime?.[i]);
      at += 1;
    }
  return times.sort()[total - count] ?? Number.NEGATIVE_INFINITY;
}

function timeOf(release: string | number | null | undefined): number {
  return typeof release === 'number' ? release : Number.NEGATIVE_INFINITY;
}

function placesWhere(
  histories: readonly History[],
  isWanted: (date: string, release: string | number | null | undefined) => boolean,
): readonly Place[] {
  const places: Place[] = [];
  for (const { indicator, columns, rows } of histories) {
    const { date: dates = [], announcement_datetime: releases, released } = columns;
    for (let at = 0; at < dates.length; at += 1) {
      const date = String(dates[at]);
      const release = releases?.[at];
      if (!isWanted(date, release)) continue;
      const readable = released?.[at];
      places.push({
        ...{ indicator, at: rows?.[at] ?? at, date },
        release: typeof release === 'number' ? release : undefined,
        readable: typeof readable === 'number' ? readable : undefined,
      });
    }
  }
  return places.sort(byRelease);
}

/** Newest release first, ties by indicator; of one release of one indicator the newest period first. */
function byRelease(a: Place, b: Place): number {
  const [left, right] = [timeOf(a.release), timeOf(b.release)];
  if (left !== right) return left > right ? -1 : 1;
  const [one = '', other = ''] = [a, b].map(({ indicator }) => indicator.split(' ')[0]);
  if (one !== other) return one < other ? -1 : 1;
  return a.date > b.date ? -1 : Number(a.date < b.date);
}

interface RecentArgs extends PageArgs {
  readonly currency: string;
}

/** The newest visible releases of all indicators, by release time. See docs/interface-endpoints.md#recent-announcements. */
export const composeRecent: Compose<RecentArgs> = {
  version: 1,
  reads: ({ currency }) => [{ endpoint: HISTORY, scope: { currency } }],
  lists: ({ currency }) => [catalogueOf(currency)],
  selectSeries: (_, stored) => stored.filter(isBaseSeries),
  // Which indicators the service has besides nobody can tell.
  vouches: () => undefined,
  rowsNeeded: (_, { endpoint }) =>
    endpoint === HISTORY ? { head: 0, values: PLACE_COLUMNS } : endpoint === CATALOGUE ? LIST_COLUMNS : undefined,
  moreNeeded: moreForPage,
  build: buildRecent,
};

/** The rows of the page, and the rows to compare them with. */
function moreForPage(
  loaded: readonly LoadedSeries[],
  context: HookContext<RecentArgs>,
): ReadonlyMap<LoadedSeries, HeadOfRows> {
  const histories = historiesOf(loaded);
  const { places } = seenBy(histories, context);
  const { offset, limit } = context.args;
  const depths = new Map<string, number>();
  for (const place of places.slice(offset, offset + limit))
    depths.set(place.indicator, Math.max(depths.get(place.indicator) ?? 0, rowsToShow(place, histories)));
  const more = new Map<LoadedSeries, HeadOfRows>();
  for (const [indicator, { series: history }] of histories) {
    const depth = depths.get(indicator) ?? 0;
    if (history.isHead && history.rows.length < depth)
      more.set(history, { head: roundedUp(depth), values: PLACE_COLUMNS });
  }
  return more;
}

/** The next power of two, so that few different lengths are read and cached. */
function roundedUp(count: number): number {
  return 2 ** Math.ceil(Math.log2(count));
}

function historiesOf(loaded: readonly LoadedSeries[]): ReadonlyMap<string, SpokenHistory> {
  const stored = loaded.filter((series) => series.ref.endpoint === HISTORY && newestDateOf(series) !== undefined);
  const byIndicator = Map.groupBy(stored, ({ ref }) => ref.scope.indicator ?? '');
  const spoken = [...byIndicator].flatMap(([indicator, all]) =>
    spokenBy(all).map((one, i): [string, SpokenHistory] => [
      i === 0 ? indicator : `${indicator} ${one.series.ref.origin}`,
      one,
    ]),
  );
  return new Map(spoken);
}

/** The releases that a caller may see, newest first, and the hidden ones. */
interface SeenReleases {
  /** At least those up to the end of the page. */
  readonly places: readonly Place[];
  readonly total: number;
  /** Date of the newest period. */
  readonly newest: string | undefined;
  readonly withheld: readonly number[];
  readonly clipped: boolean;
}

function seenBy(
  histories: ReadonlyMap<string, SpokenHistory>,
  { args, now, caller, column }: HookContext<RecentArgs>,
): SeenReleases {
  const order = orderReleases(histories, column);
  if (caller.kind !== 'keyless')
    return { ...order, places: order.first(args.offset + args.limit), withheld: [], clipped: false };
  const cutoff = releaseCutoff(now);
  const inWindow = order.since(firstDateSeen(now));
  const isHidden = (place: Place) => (opensWith(place) ?? 0) > cutoff;
  const places = inWindow.filter((place) => !isHidden(place));
  const newest = places.reduce<string | undefined>(
    (latest, { date }) => (latest === undefined || date > latest ? date : latest),
    undefined,
  );
  const withheld = inWindow.filter(isHidden).map((place) => opensWith(place) ?? 0);
  return { places, total: places.length, newest, withheld, clipped: inWindow.length < order.total };
}

/** The first date that may be seen without a key. */
const firstDateSeen = (now: number): string => addDays(dateOf(now * 1000), -KEYLESS_DAYS);

function buildRecent(loaded: readonly LoadedSeries[], context: HookContext<RecentArgs>): Composed | undefined {
  const { args, now, caller } = context;
  const histories = historiesOf(loaded);
  if (histories.size === 0) return undefined;
  const keyless = caller.kind === 'keyless';
  const cutoff = keyless ? releaseCutoff(now) : undefined;
  const visibleFrom = keyless ? firstDateSeen(now) : undefined;
  const { places, total, newest, withheld, clipped } = seenBy(histories, context);
  const page = places.slice(args.offset, args.offset + args.limit);
  const shown = page.map(({ indicator: name, at }) => {
    const { series } = histories.get(name) ?? {};
    if (!series) throw new RangeError(`There is no history of ${name}`);
    const indicator = toJsonText(series.ref.scope.indicator);
    const finish = (print: Print) => patched(print, { indicator });
    const make = () => shownRows(series, { currency: args.currency, now, cutoff, finish });
    const own = keyless ? make() : madeOf(series, `recent rows ${JSON.stringify(series.coverage)}`, make);
    return { text: own.text(at), missingParts: missingOfRow(series.ref, own.missingRanges(at)) };
  });
  const needed = { from: visibleFrom ?? BEGINNING, to: dateOf(now * 1000) };
  return {
    envelope: { currency: args.currency, as_of: newest, count: page.length },
    rows: shown.map(({ text }) => text),
    total,
    includesLatest: args.offset === 0 && page.length > 0,
    withheld,
    clipped,
    missingParts: [
      ...missingOfIndicators(loaded, { currency: args.currency, neededOf: () => needed }),
      ...shown.flatMap(({ missingParts }) => missingParts),
    ],
    notes: [
      `Made of the ${new Set([...histories.values()].map(({ series }) => series.ref.scope.indicator)).size} indicators of ${args.currency} in the mirror.`,
      ...(caller.kind === 'owner' ? untimedNotes(orderReleases(histories, context.column), args) : []),
    ],
  };
}

function opensWith({ release, readable }: Place): number | undefined {
  return release ?? readable;
}

/** Says how many releases stand behind the page because their time is not known: the newest ones may be among them. */
function untimedNotes({ total, timed }: ReleaseOrder, { offset, limit }: PageArgs): readonly string[] {
  const first = timed();
  if (first === total || offset + limit > first) return [];
  const count = total - first;
  const what =
    count === 1 ? '1 release has no time of release and stands' : `${count} releases have no time of release and stand`;
  return [`${what} behind all others: --offset ${first} shows ${count === 1 ? 'it' : 'them'}.`];
}

/** Who is shown the rows of a history, and when. */
interface Showing {
  readonly currency: string;
  readonly now: number;
  /** Newest release time that the caller may see; undefined for callers without a delay. */
  readonly cutoff: number | undefined;
  /** The print of a row before it is compared, and the last change of it. */
  readonly announce?: (print: Print) => Print;
  readonly finish?: (print: Print) => Print;
}

/** Rows of a loaded history as its own route would show them. */
export function shownRows(
  history: LoadedSeries,
  { currency, now, cutoff, announce = asItIs, finish = asItIs }: Showing,
): IndicatorRows {
  const { ref, envelope, coverage, rows, kept } = history;
  const name = { currency, indicator: ref.scope.indicator ?? '' };
  const { selected_series_id: id } = seriesMembers(name, envelope);
  const isStored = showsStoredValues(history);
  const printAt = (place: number) => {
    const text = rows[place]?.text;
    if (text === undefined) throw new RangeError(`There is no row ${place} of ${name.indicator}`);
    return latestShown(readKept(readPrint(text), kept), cutoff, now);
  };
  const source = {
    dates: datesOf(history),
    print: (place: number) => announce(printAt(place)),
    older: (place: number, cadence: Cadence | undefined) =>
      isStored
        ? periodsOf(history).slice(place, place + rowsOfYear(cadence))
        : rows.slice(place, place + rowsOfYear(cadence)).map((_, i) => printAt(place + i)),
  };
  return indicatorRows(source, {
    kind: kindOf(envelope, () => rows.slice(0, 2).map(({ text }) => readPrint(text).row)),
    visibleFrom: cutoff === undefined ? undefined : firstDateSeen(now),
    ...{ coverage, asReceived: true },
    finish: (print) => finish(withIdentity(print, name, id)),
  });
}

const asItIs = (print: Print): Print => print;

/** The missing parts of the comparisons of a row. */
export function missingOfRow({ endpoint, scope }: StoredRef, ranges: readonly MissingRange[]): readonly MissingPart[] {
  return ranges.map((range) => ({ series: { endpoint, scope, exact: true }, range }));
}

/** How many rows of a history it takes to show one. Where nothing is hidden the values of those before are columns. */
function rowsToShow({ indicator, at }: Place, histories: ReadonlyMap<string, SpokenHistory>): number {
  const { series: history } = histories.get(indicator) ?? {};
  if (!history) return 0;
  const { length = 0 } = placeColumnsOf(history).date ?? [];
  return Math.min(length, at + (showsStoredValues(history) ? 2 : rowsOfYear(cadenceAt(history, at)) + 1));
}

/** Neither the delay nor a moment of the past changes a value: those far from a row are read as columns. */
function showsStoredValues({ columns, kept }: LoadedSeries): boolean {
  return columns !== undefined && !kept;
}

function cadenceAt(history: LoadedSeries, at: number): Cadence | undefined {
  return cadenceOf((placeColumnsOf(history).date ?? []).slice(at, at + 2 * SAMPLE).map(String));
}

/** Rows that reach a year back from one. */
function rowsOfYear(cadence: Cadence | undefined): number {
  return cadence ? RHYTHMS[cadence].rowsPerYear : 2;
}

function periodsOf(history: LoadedSeries): readonly ComparedPrint[] {
  const { date: dates = [], val: values } = placeColumnsOf(history);
  return madeOf(history, 'periods', () =>
    dates.map((date, i) => {
      const val = values?.[i];
      return { date: String(date), val: typeof val === 'number' ? val : null, altered: false };
    }),
  );
}
