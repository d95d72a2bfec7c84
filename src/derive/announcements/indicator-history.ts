import { KEYLESS_DAYS, releaseCutoff } from '../../contract/access.ts';
import type { WindowArgs } from '../../contract/endpoint.ts';
import type { Derived, Envelope, MissingRange, PageView, ViewRow, WholeRows } from '../../contract/hooks.ts';
import { asJsonText, isJsonObject, type JsonObject, parseObject, toJsonText } from '../../contract/json/json.ts';
import { isCovered, missingRangesIn, type Range } from '../../contract/time/coverage.ts';
import type { Availability } from '../../contract/time/moments.ts';
import { addDays, BEGINNING, dateOf, daysBetween, isoSeconds } from '../../contract/time/time.ts';
import { AMBIGUOUS } from '../../contract/time/vintages.ts';
import { WITHOUT_CADENCE } from '../../contract/words/words.ts';
import {
  ageLimit,
  marksOf,
  releaseCounts,
  sourceQuality,
  windowCounts,
  withAssumed,
} from '../../coverage/data-quality.ts';
import { MacroError } from '../../errors.ts';
import { type Cadence, cadenceOf, RHYTHMS, SAMPLE } from '../cadence.ts';
import { madeOf } from '../places.ts';
import { kindOf, type SeriesKind } from './change-members.ts';
import { indicatorRows, type PrintSource, storedPrints } from './indicator-rows.ts';
import { type Print, patched, printOfRow, printText, readPrint } from './print.ts';
import {
  choosesVintages,
  hidesFirst,
  needsKept,
  type SeriesName,
  selectVintage,
  seriesMembers,
  type VintageQuestion,
  withIdentity,
} from './series.ts';

export interface HistoryArgs extends SeriesName, WindowArgs {
  readonly revisions: string;
  readonly as_of?: number | undefined;
  readonly availability: string;
  readonly value_mode: string;
}

interface HistoryOptions {
  readonly kind: SeriesKind;
  /** The print as the question wants it; undefined when the question knows none of the period. */
  readonly select: (print: Print) => Print | undefined;
  /** `select` can leave out periods: then the pages are cut here. */
  readonly chooses: boolean;
}

type HistoryView = PageView<{ readonly limit: number; readonly offset: number }>;

/** The history of one indicator. See docs/interface-endpoints.md#announcements. */
export async function deriveHistory(view: PageView<HistoryArgs>): Promise<Derived> {
  const { args, now, stored } = view;
  refuseOption(args, stored);
  const question = questionOf(view);
  const kind = kindOf(stored, () => view.rows.slice(0, 2).map(({ text }) => parseObject(text)));
  const seen = question.revisions === 'latest' && args.as_of === undefined && question.cutoff === undefined;
  if (seen && view.whole) {
    const window = await view.window();
    if (window.length > 0) return sliceHistory(view, { whole: view.whole, window }, kind);
  }
  const kept = needsKept(question) ? await view.kept?.() : undefined;
  const unproven: string[] = [];
  const select = (print: Print) => {
    if (!hidesFirst(view, print))
      return selectVintage(kept ? { ...print, kept: kept.get(print.date) } : print, question);
    unproven.push(print.date);
    return undefined;
  };
  const reading = await readHistory(view, {
    kind,
    select,
    chooses: choosesVintages(question),
  });
  const visibleFrom = view.caller.kind === 'keyless' ? addDays(dateOf(now * 1000), -KEYLESS_DAYS) : undefined;
  const left = new Set(unproven.filter((date) => date >= args.start_date && date <= args.end_date));
  const before = reading.window.length === 0 && left.size === 0 ? visibleOf(reading.older[0], visibleFrom) : undefined;
  // That the window is empty, and that nothing newer lies before it, has to be covered.
  const fallback = before && isKnownTo(view, before.date, args.end_date) ? before : undefined;
  const shown = fallback ? { page: [fallback], older: reading.older.slice(1) } : reading;
  const prints = [...shown.page, ...shown.older].map((print, place) => ({ ...print, place }));
  const isEmpty = reading.window.length === 0 && !fallback && isKnownTo(view, args.start_date, args.end_date);
  const missingRanges: MissingRange[] =
    left.size > 0
      ? runsOf(left, reading.window)
      : isEmpty
        ? [...missingBefore(view, before?.date ?? visibleFrom ?? BEGINNING)]
        : [];
  const members = seriesMembers(args, stored);
  const source: PrintSource = {
    dates: prints.map(({ date }) => date),
    print(place) {
      const print = prints[place] ?? readPrint(asJsonText('{}'));
      return args.as_of === undefined ? print : withReplay(print, view);
    },
    older: (place) => prints.slice(place),
    ...(prints[0]?.commit !== undefined && { commit: (place: number) => prints[place]?.commit }),
  };
  const rows = indicatorRows(source, {
    kind,
    visibleFrom,
    // A row describes its neighbours as of its capture.
    asReceived: !choosesVintages(question) && args.as_of === undefined,
    coverage: view.coverage,
    finish(print) {
      const named = withIdentity(print, args, members.selected_series_id);
      return fallback ? markFallback(named, args.start_date) : named;
    },
  });
  const places = [...shown.page.keys()];
  missingRanges.push(...places.flatMap(rows.missingRanges));
  const edges = await edgesOf(view, select);
  const shownRows = (fallback ? [fallback] : reading.window).map((print) =>
    print.altered ? parseObject(printText(print)) : print.row,
  );
  const first = fallback ?? reading.page[0];
  const [oldest, count] = [reading.window.at(-1)?.date, reading.window.length];
  const counts = withAssumed(view.stored, releaseCounts(shownRows));
  const described = describe(view, {
    oldest,
    count,
    counts,
    edges,
    first: first?.date,
    cadence: rows.cadence(0),
    fallback,
  });
  return {
    envelope: { ...members, ...provenanceOf(view), ...described, ...replayOf(view) },
    rows: fallback && args.offset > 0 ? [] : places.map(rows.text),
    total: fallback ? 1 : reading.total,
    ...(described.page_includes_latest_available !== undefined && {
      includesLatest: described.page_includes_latest_available === true,
    }),
    missingParts: missingRanges,
    unproven: left.size,
  };
}

/** The same of rows that are shown as they are stored to whoever sees all of them: a part of what follows from the series. */
async function sliceHistory(
  view: PageView<HistoryArgs>,
  { whole, window }: { readonly whole: WholeRows; readonly window: readonly ViewRow[] },
  kind: SeriesKind,
): Promise<Derived> {
  const { args, stored, coverage } = view;
  const members = seriesMembers(args, stored);
  const { selected_series_id: id } = members;
  const name = JSON.stringify([kind, coverage, args.currency, args.indicator, id]);
  const finish = (print: Print) => withIdentity(print, args, id);
  const showing = { kind, coverage, visibleFrom: undefined, asReceived: true, finish };
  const rows = madeOf(view, `history ${name}`, () => indicatorRows(storedPrints(whole), showing));
  const page = view.rows.map(({ place = 0 }) => place);
  const [first = -1] = page;
  const described = describe(view, {
    oldest: rows.dates[window.at(-1)?.place ?? -1],
    count: window.length,
    counts: await windowCounts(view),
    edges: await edgesOf(view, (print) => print),
    first: rows.dates[first],
    cadence: first < 0 ? undefined : rows.cadence(first),
    fallback: undefined,
  });
  return {
    envelope: { ...members, ...provenanceOf(view), ...described },
    rows: page.map(rows.text),
    rowsName: () => rows.sumOf({ start: window[0]?.place ?? 0, end: (window.at(-1)?.place ?? -1) + 1 }),
    total: view.total,
    ...(described.page_includes_latest_available !== undefined && {
      includesLatest: described.page_includes_latest_available,
    }),
    missingParts: page.flatMap(rows.missingRanges),
  };
}

function questionOf({ args, now, caller, merged }: PageView<HistoryArgs>): VintageQuestion {
  return {
    merged,
    revisions: args.revisions,
    availability: args.availability as Availability, // one of the parameter's two choices
    cutoff: caller.kind === 'keyless' ? releaseCutoff(now) : undefined,
    now,
  };
}

/** A vintage that the series does not offer is the service's 400. */
function refuseOption({ revisions }: HistoryArgs, stored: JsonObject): void {
  const offered = isJsonObject(stored.supported_options) ? stored.supported_options.revisions : undefined;
  if (!Array.isArray(offered) || offered.length === 0 || offered.includes(revisions)) return;
  throw new MacroError('usage', `'revisions=${revisions}' is not offered for this series.`, {
    status: 400,
    code: 'unsupported_series_option',
    hint: `It offers: ${offered.join(', ')}.`,
    extra: {
      option: 'revisions',
      value: revisions,
      supported_values: offered,
      supported_options: stored.supported_options,
    },
  });
}

/** The range of the row that an empty window shows instead. With a missing range there, the row may exist. */
function missingBefore({ coverage, args }: PageView<HistoryArgs>, from: string): readonly Range[] {
  return from < args.start_date ? missingRangesIn(coverage, { from, to: addDays(args.start_date, -1) }) : [];
}

function visibleOf(print: Print | undefined, visibleFrom: string | undefined): Print | undefined {
  return print && (visibleFrom === undefined || print.date >= visibleFrom) ? print : undefined;
}

/** A row from outside of the window says so; a mirror must never take it for a part of the window. */
function markFallback(print: Print, start: string): Print {
  return patched(print, {
    outside_requested_window: toJsonText(true),
    returned_reason: toJsonText('latest_before_window'),
    staleness_days: toJsonText(daysBetween(print.date, start)),
  });
}

interface Edges {
  readonly newest: string | undefined;
  readonly oldest: string | undefined;
}

interface Shown {
  /** Date of the oldest print of the window, and how many it has. */
  readonly oldest: string | undefined;
  readonly count: number;
  /** Counts of release times over the prints of the window, as they are shown. */
  readonly counts: Envelope;
  readonly edges: Edges;
  /** Date of the first print of the page. */
  readonly first: string | undefined;
  readonly cadence: Cadence | undefined;
  readonly fallback: Print | undefined;
}

type Select = (print: Print) => Print | undefined;

/** The members that describe the window and what there is beyond it. */
function describe(
  view: PageView<HistoryArgs>,
  { oldest: first, count, counts, edges, first: top, cadence, fallback }: Shown,
): Envelope & { readonly page_includes_latest_available: boolean | undefined } {
  const { args, now, stored } = view;
  const { newest, oldest } = edges;
  const ages = !WITHOUT_CADENCE.has(args.indicator) && stored.policy_role === undefined;
  const isEmptyKnown = isKnownTo(view, args.start_date, args.end_date);
  const hasData = !fallback && count > 0 ? true : isEmptyKnown || fallback ? false : undefined;
  const includesLatest = newest === undefined ? undefined : top === newest;
  return {
    requested_start_date: args.start_date,
    requested_end_date: args.end_date,
    requested_window_has_data: hasData,
    page_includes_latest_available: includesLatest,
    start_date: hasData && first !== undefined && isKnownTo(view, args.start_date, first) ? first : undefined,
    end_date: args.end_date,
    earliest_available_date: oldest,
    latest_available_date: newest,
    value_mode: args.value_mode,
    data_quality: marksOf({
      about: sourceQuality(stored),
      counts,
      latest: newest,
      today: dateOf(now * 1000),
      staleAfter: ageLimit(stored, cadence && RHYTHMS[cadence].staleAfter, ages),
      hasData,
      includesLatest,
    }),
  };
}

/** True when every row between two dates is stored, as far as the caller may see and as rows can exist by now. */
function isKnownTo({ coverage, now, caller }: PageView<HistoryArgs>, from: string, to: string): boolean {
  const today = dateOf(now * 1000);
  const first = caller.kind === 'keyless' ? addDays(today, -KEYLESS_DAYS) : from;
  return isCovered(coverage, { from: from > first ? from : first, to: to < today ? to : today });
}

/** The oldest and newest known date; a question that leaves out periods walks inwards until it knows one. */
async function edgesOf(view: PageView<HistoryArgs>, select: Select): Promise<Edges> {
  const chooses = choosesVintages(questionOf(view));
  const all = chooses ? await view.everything?.() : undefined;
  const dateAt = async (which: 'newest' | 'oldest') => {
    const row = await view.edge(which);
    if (all && row) return firstDate(which === 'newest' ? all : all.toReversed(), (one) => select(printOfRow(one)));
    return row && select(printOfRow(row))?.date;
  };
  return { newest: await dateAt('newest'), oldest: await dateAt('oldest') };
}

/** Ranges of unproven periods, none of them over a period that is answered. */
function runsOf(unproven: ReadonlySet<string>, answered: readonly Print[]): MissingRange[] {
  const runs: { from: string; to: string; reason: 'unproven' }[] = [];
  let isOpen = false;
  for (const date of [...unproven, ...answered.map((print) => print.date)].sort()) {
    const last = runs.at(-1);
    if (unproven.has(date) && last && isOpen) last.to = date;
    else if (unproven.has(date)) runs.push({ from: date, to: date, reason: 'unproven' });
    isOpen = unproven.has(date);
  }
  return runs;
}

function firstDate(rows: readonly ViewRow[], select: (row: ViewRow) => Print | undefined): string | undefined {
  for (const row of rows) {
    const print = select(row);
    if (print) return print.date;
  }
  return undefined;
}

function provenanceOf({ stored, labels }: PageView<HistoryArgs>): Envelope {
  if (stored.provenance !== undefined) return {};
  return {
    provenance: {
      publisher: stored.source ?? null,
      publisher_url: stored.source_url ?? null,
      storage: labels.storage,
      served_by: '/v1/announcements/{currency}/{indicator}',
      timestamp_field: 'announcement_datetime',
      value_field: 'val',
    },
  };
}

/** Since when the shown value was known, and whose word that is. */
function withReplay(print: Print, { args }: PageView<HistoryArgs>): Print {
  const { known: knowledge } = print;
  const isPublic = args.availability === 'public';
  if (print.since) return patched(print, replayMembers(print, print.since, isPublic));
  if (!knowledge) return print;
  const since = { ns: knowledge.ns, isConfirmed: parseObject(knowledge.text).publication_time_status === 'confirmed' };
  return patched(print, replayMembers(print, since, isPublic));
}

function replayMembers({ row }: Print, { ns, isConfirmed: isTheirs }: NonNullable<Print['since']>, isPublic: boolean) {
  return {
    selected_vintage_known_at_ns: toJsonText(ns),
    // The clock of the service, or ours, vouches for captures; a publication time needs the publisher's confirmation.
    replay_vintage_verified: toJsonText(row.reason !== AMBIGUOUS && (!isPublic || isTheirs)),
  };
}

function replayOf({ args }: PageView<HistoryArgs>): Envelope {
  if (args.as_of === undefined) return {};
  const { as_of, availability } = args;
  return { replay: { as_of: isoSeconds(as_of), availability } };
}

/** Reads a page with the prints before it, as many as its rows are compared with. */
async function readHistory(view: HistoryView, options: HistoryOptions) {
  const read = (rows: readonly ViewRow[]) => rows.flatMap((row) => options.select(printOfRow(row)) ?? []);
  const stored = await view.window();
  const window = read(stored);
  if (!options.chooses) {
    const page = read(view.rows);
    const older = await lookBack(view, { page, kind: options.kind, read, skip: 0 });
    return { page, window, older, total: view.total };
  }
  const { limit, offset } = view.args;
  const page = window.slice(offset, offset + limit);
  const end = stored.at(-1);
  const last = end && readPrint(end.text).date;
  const isBeyond = ({ text }: ViewRow) => last === undefined || readPrint(text).date < last;
  const readBeyond: typeof read = (rows) => read(rows.filter(isBeyond));
  const beyond = await lookBack(view, { page: window, kind: options.kind, read: readBeyond, skip: stored.length });
  return { page, window, older: [...window.slice(offset + limit), ...beyond], total: window.length };
}

interface LookBack {
  readonly page: readonly Print[];
  readonly kind: SeriesKind;
  readonly read: (rows: readonly ViewRow[]) => readonly Print[];
  /** Rows of the window that may stand between the page and what lies beyond the window. */
  readonly skip: number;
}

/** The prints after the page. Percentages over a year need a year of them; the cadence tells how many that is. */
async function lookBack(view: HistoryView, { page, kind, read, skip }: LookBack): Promise<readonly Print[]> {
  // One more than the neighbour: an empty window shows the first of them and compares it with the second.
  const least = Math.max(SAMPLE, 2 * SAMPLE - page.length);
  const sample = read(await view.following(skip + least));
  const cadence = kind === 'percent' ? undefined : cadenceOf([...page, ...sample].map((print) => print.date));
  const perYear = cadence ? RHYTHMS[cadence].rowsPerYear : 0;
  return perYear < least ? sample : read(await view.following(skip + perYear));
}
