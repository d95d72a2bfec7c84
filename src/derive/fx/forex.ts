import { MAX_LISTED } from '../../contract/answer-members.ts';
import type { PageArgs } from '../../contract/endpoint.ts';
import type {
  Composed,
  CoveringSeries,
  HookContext,
  JoinedCompose,
  MissingPart,
  PlaceRange,
  SeenSeries,
  StoredRef,
} from '../../contract/hooks.ts';
import { madeRows } from '../../contract/json/body.ts';
import { floats } from '../../contract/json/json.ts';
import { memberTexts } from '../../contract/json/scan.ts';
import { isCovered } from '../../contract/time/coverage.ts';
import { addDays, BEGINNING, dateOf, daysBetween } from '../../contract/time/time.ts';
import { fxPublisherOf } from '../../contract/words/publishers.ts';
import { datesOf, datesWithin, dayRangeWithin, numbersOf } from '../places.ts';
import type { WindowFacts } from './derivations.ts';
import { forexEnvelope, STALE_AFTER_DAYS, windowed } from './forex-envelope.ts';
import { forexRow, madeRow, madeText, namesWith } from './forex-rows.ts';
import type { FxObservation, PairRates } from './legs.ts';
import { BAR_PRICES, joinPair, type PairSeries } from './pair.ts';
import { beginningsOf, type PathPoint, type PathRates } from './path-rates.ts';
import {
  candidatePairs,
  decidingPaths,
  isOfPath,
  type Pair,
  pairText,
  pathsOf,
  rankOf,
  selectPathSeries,
  seriesOfPair,
  sourcePair,
} from './paths.ts';

/** The arguments of the forex route. */
export interface ForexArgs extends PageArgs {
  readonly base: string;
  readonly quote: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly indicators: readonly string[] | undefined;
}

/** Daily rates: each date by its best path, technicals over all dates up to `end_date`, then window and page. */
export const composeForex: JoinedCompose<ForexArgs> = {
  version: 3,
  reads: (args) => candidatePairs(args).map(seriesOfPair),
  selectSeries: (args, stored) => selectPathSeries(args, stored),
  // Each file with rates takes part, whatever the window: the first file that covers a date decides it.
  counts: ({ start_date, end_date, indicators }, stored) =>
    areOfFiles(stored) ? {} : { ...(!indicators && { from: start_date }), to: end_date },
  rowsNeeded: ({ start_date: from, end_date: to }) => ({ from, to, columns: ['date', 'val', ...BAR_PRICES] }),
  vouches: vouchersFor,
  joinedBy: pairText,
  join: (loaded, { base, quote }, column) => joinPair({ base, quote }, loaded, column),
  slice: sliceForex,
};

/** The legs of every path down to the first with a rate, and the service's own word. Indicators need all history. */
function vouchersFor(args: ForexArgs, picked: readonly StoredRef[]): CoveringSeries | undefined {
  const paths = decidingPaths(args, picked);
  if (paths.length === 0) return undefined;
  const series = picked.filter((ref) =>
    paths.some((path) => {
      const isOwnWord = (other: StoredRef) =>
        rankOf(other.origin) === 0 && isSameSeries(other, ref) && isOfPath(other, path);
      return isOfPath(ref, path) && (rankOf(ref.origin) === 0 || !picked.some(isOwnWord));
    }),
  );
  const { start_date, end_date, indicators } = args;
  // If the service misses a rate on its best path, no other path replaces it. Each file that has rates stands for itself.
  // A file says nothing about the time before its first rate.
  const filled = picked.filter(({ rows }) => rows !== 0);
  const anyOf = areOfFiles(picked)
    ? pathsOf(args, filled.length > 0 ? filled : picked).map((path) => picked.filter((ref) => isOfPath(ref, path)))
    : undefined;
  return { series, window: { start_date: indicators ? BEGINNING : start_date, end_date }, ...(anyOf && { anyOf }) };
}

const areOfFiles = (refs: readonly StoredRef[]): boolean => refs.every(({ origin }) => rankOf(origin) > 0);

function isSameSeries(a: StoredRef, b: StoredRef): boolean {
  return a.scope.base === b.scope.base && a.scope.quote === b.scope.quote;
}

/** One page of a window of the pair. */
function sliceForex(series: PairSeries, context: HookContext<ForexArgs>, seen: SeenSeries): Composed {
  const { start_date: from, end_date: to, indicators: names, limit, offset } = context.args;
  const { pair, candidates, best, dates, vals, pointAt } = series;
  const view = series.seenBy(seen);
  const { coverage, latest } = view;
  const today = dateOf(context.now * 1000);
  const { start, end } = dayRangeWithin(dates, from, to);
  const window = series.factsOf({ start, end });
  const used = () => usedCandidates(candidates, window);
  const { check, rows: total } = window;
  const past = to < today ? to : today;
  const last = Math.min(offset + limit, total);
  const technicals = series.indicators(names ?? [], start + last);
  const count = Math.max(0, last - offset);
  const place = (i: number) => start + offset + i;
  const rateAt = (at: number) => ({ date: dates[at] ?? '', rate: vals[at] ?? Number.NaN });
  const rowNames = namesWith(technicals.fields);
  const rowOf = (i: number) =>
    window.areMade
      ? madeRow(rateAt(place(i)), technicals.ofRow(place(i)), {
          source: window.tailAt(place(i)),
          names: rowNames,
        })
      : forexRow(pointAt(place(i)), technicals.ofRow(place(i)));
  const textOf = (i: number) => madeText(rateAt(place(i)), technicals.ofRow(place(i)), window.endAt(place(i)));
  const made = window.areMade ? madeRows(count, rowOf, rowNames, textOf) : madeRows(count, rowOf);
  // Indicators of a window are those of its newest row: of an older one they would be other numbers.
  const hasNewest = total > 0 && isCovered(coverage, { from: dates[start] ?? past, to: past });
  const missingParts = view.missingIn({ from, to: past });
  const isWhole = missingParts.length === 0;
  const about = series.column(`about ${seen.name} ${window.name} ${isWhole} ${today} ${context.labels.storage}`, () =>
    forexEnvelope({
      pair,
      path: used()[0]?.path ?? best.path,
      methods: new Set(used().map(({ path }) => path.method)),
      directHeld: best.path.method === 'direct_original_pair',
      legRates: contributing(used(), window),
      reverseHeld: series.hasReverse,
      check,
      window: { from, to, rows: total, isWhole },
      latest,
      today,
      labels: context.labels,
    }),
  );
  const envelope = windowed(about, { from, to, rows: total, isWhole });
  const sources = series.sourcesOf({ start, end });
  const before = view.missingIn({ from: BEGINNING, to: addDays(from, -1) });
  const withheld = before.length === 0 || last === 0 ? [] : technicals.withheld({ start, end: start + last });
  return {
    envelope: {
      ...envelope,
      ...(names && { indicators: floats(technicals.newestAt(hasNewest ? start : undefined)) }),
    },
    made,
    ...(sources.length > 1 && { sources: sources.slice(0, MAX_LISTED) }),
    rowsName: () => {
      const counts = [...window.paths].map(([path, count]) => [sourcePair(path), path.origin ?? '', count]);
      // Indicators rest on all rows before theirs, as far as these are covered.
      const before = coverage.ranges.filter((range) => range.from <= to);
      const covered = before.map((range) => [range.from, range.to < to ? range.to : to]);
      const rows = series.sumOf({ start, end: names ? dates.length : end });
      return JSON.stringify([rows, total, counts, check, names && covered]);
    },
    get rows() {
      return [...made];
    },
    total,
    ...(latest !== undefined && { includesLatest: offset < total && dates[start + offset] === latest }),
    // Rows before the window are computed with the page, and no part of it.
    missingParts: [...missingParts, ...withheld.flatMap((member) => before.map((part) => partFor(part, member)))],
    get notes() {
      return forexNotes({
        ...{ pair, candidates: used(), all: candidates, window, from, to, today },
        derived: series.derivedIn({ start, end }),
        ...{ failed: check === 'failed', isPast: context.isPast === true },
        isMixed: names !== undefined && sources.length > 1,
        ...(names && { pause: pauseBefore(dates, { start, end: start + last }) }),
      });
    },
  };
}

/** The candidates that gave rows of the window, that of the newest row first; the best one when the window is empty. */
function usedCandidates(candidates: readonly PathRates[], { paths }: WindowFacts): readonly PathRates[] {
  if (paths.size === 0) return candidates.slice(0, 1);
  return [...paths.keys()].flatMap((path) => candidates.find((candidate) => candidate.path === path) ?? []);
}

/** Rates of the legs, each pair once, without the series that give no row of the window. */
function contributing(candidates: readonly PathRates[], window: WindowFacts): readonly PairRates[] {
  const byPair = Map.groupBy(
    candidates.flatMap(({ legRates }) => legRates),
    ({ pair }) => pairText(pair),
  );
  const legRates = [...byPair.values()].flatMap(([first, ...others]) => {
    const series = new Set([first, ...others].flatMap((one) => one?.series ?? []));
    return first ? [{ ...first, series: [...series] }] : [];
  });
  if (window.rows === 0) return legRates;
  const { series: used } = window;
  return legRates.map((rates) => ({ ...rates, series: rates.series.filter((one) => used.has(one)) }));
}

interface NoteFacts {
  readonly pair: Pair;
  /** The candidates that gave rows of the window. */
  readonly candidates: readonly PathRates[];
  /** All candidates. */
  readonly all: readonly PathRates[];
  readonly window: WindowFacts;
  readonly derived: readonly PathPoint[];
  readonly from: string;
  readonly to: string;
  readonly today: string;
  readonly failed: boolean;
  /** `today` is a moment of the past. */
  readonly isPast: boolean;
  /** Dates around a range without rates behind which the indicators begin anew. */
  readonly pause?: readonly [string, string] | undefined;
  /** Indicators are asked for, and the rows come from several sources. */
  readonly isMixed: boolean;
}

/** Newest bars that most indicators rest on: farther back a pause is not worth telling. */
const BARS_TOLD = 200;

/** The dates on both sides of a long time without rates that lies in some rows, or closely before them. */
function pauseBefore(dates: readonly string[], { start, end }: PlaceRange): readonly [string, string] | undefined {
  const place = beginningsOf(dates).find((beginning) => beginning >= start && beginning < end + BARS_TOLD);
  const [after, before] = place === undefined ? [] : [dates[place], dates[place + 1]];
  return before === undefined || after === undefined ? undefined : [before, after];
}

/** Share of the rate. Reference rates of four digits are not better than this, those of five and more are. */
const WORTH_TELLING = 0.0002;

/** Sentences that keep a person from taking a part for the whole, or an old rate for a new one. */
function forexNotes(facts: NoteFacts): readonly string[] {
  const { pair, candidates, failed, pause, isMixed } = facts;
  const notes = [...derivationNotes(facts), ...precisionNotes(pair, facts.derived)];
  notes.push(...edgeNotes(facts), ...missingNotes(facts));
  const [path, further] = candidates.map((candidate) => candidate.path);
  const isDirect = path === undefined || path.method === 'direct_original_pair';
  const other = further ? 'what it is checked against' : isDirect ? 'its reverse' : sourcePair(path);
  if (isMixed) notes.push('The indicators of each row are those of its source alone.');
  if (pause)
    notes.push(
      `No rate of ${pairText(pair)} lies between ${pause[0]} and ${pause[1]}: indicators begin anew behind it.`,
    );
  if (failed) notes.push(`A rate of ${pairText(pair)} in this window does not agree with ${other}.`);
  return notes;
}

/** The computed value, and its inputs. */
function derivationNotes({ pair, candidates, window }: NoteFacts): readonly string[] {
  const name = pairText(pair);
  return candidates.flatMap(({ path }) => {
    if (path.method === 'direct_original_pair') return [];
    const from = `computed from ${sourcePair(path)}${publisherNamed(path.origin)}`;
    if (candidates.length === 1) return [`${name} is ${from}.`];
    const count = window.paths.get(path) ?? 0;
    return [`${count} of ${window.rows} rates of ${name} ${count === 1 ? 'is' : 'are'} ${from}.`];
  });
}

/** Whose file both legs of a cross come from, where it has to be one. */
function publisherNamed(origin: string | undefined): string {
  return origin === undefined ? '' : ` of ${fxPublisherOf(origin)?.name ?? origin}`;
}

/** How late the history begins; of its end the quality tells. */
function edgeNotes({ pair, all, from, isPast }: NoteFacts): readonly string[] {
  const ends = all.flatMap(({ points: { dates } }) => [dates[0], dates.at(-1)]);
  const [oldest] = ends.filter((date) => date !== undefined).toSorted();
  if (oldest === undefined)
    return [`No rate of ${pairText(pair)} ${isPast ? 'was known at that moment' : 'is stored'}.`];
  return daysBetween(from, oldest) > STALE_AFTER_DAYS
    ? [`Rates of ${pairText(pair)} are stored from ${oldest} on.`]
    : [];
}

/** Dates that are left out because one leg of a cross has no rate there. */
function missingNotes({ candidates, from, to }: NoteFacts): readonly string[] {
  const [only, further] = candidates;
  if (!only || further || only.legRates.length < 2) return [];
  const { legRates, points } = only;
  const stored = new Set(legRates.flatMap(({ dates }) => datesWithin(dates, from, to)));
  const missing = stored.size - datesWithin(points.dates, from, to).length;
  if (missing === 0) return [];
  const legs = legRates.map(({ pair }) => pairText(pair)).join(' and ');
  return [`${missing} ${missing === 1 ? 'date is' : 'dates are'} left out: ${legs} do not both have a rate there.`];
}

/** Says which leg of the computed rates of a window has so few digits that those of the result are not all known. */
function precisionNotes(pair: Pair, computed: readonly PathPoint[]): readonly string[] {
  const legs = new Map<string, FxObservation[]>();
  for (const { path, parts } of computed)
    for (const [leg, { pair: own }] of path.legs.entries()) {
      const part = parts[leg];
      const name = pairText(own);
      if (part?.val) legs.set(name, [...(legs.get(name) ?? []), part]);
    }
  return [...legs].flatMap(([name, observed]) => {
    const share = roundingShare(observed);
    if (share < WORTH_TELLING) return [];
    return [`${name} is published with so few digits that ${pairText(pair)} is known to about ${percent(share)} only.`];
  });
}

/** Half a unit of the last published digit, as a share of the smallest rate. */
function roundingShare(observed: readonly FxObservation[]): number {
  const smallest = Math.min(...observed.map(({ val }) => Math.abs(val ?? Number.POSITIVE_INFINITY)));
  const shareOf = (decimals: number) => (0.5 * 10 ** -decimals) / smallest;
  const own = Math.max(...observed.map(({ text }) => decimalsOf(memberTexts(text, ['val'])[0] ?? '')));
  if (shareOf(own) < WORTH_TELLING) return shareOf(own);
  return shareOf(Math.max(own, ...observed.map(decimalsAround)));
}

/** Rows to either side whose digits count for a rate: some files write 1.15 for 1.1500, and never for 60 days in a row. */
const NEIGHBOURS = 30;

function decimalsAround({ series, date }: FxObservation): number {
  const { start } = dayRangeWithin(datesOf(series), date, date);
  const around = numbersOf(series, 'val')?.subarray(Math.max(0, start - NEIGHBOURS), start + NEIGHBOURS + 1) ?? [];
  return Math.max(0, ...[...around].map((val) => (Number.isNaN(val) ? 0 : decimalsOf(String(val)))));
}

function decimalsOf(number: string): number {
  const [digits = '', exponent = '0'] = number.split('e');
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent));
}

const percent = (share: number): string => `${Number((share * 100).toPrecision(1))} %`;

/** A part that one member alone needs. */
function partFor({ range, ...part }: MissingPart, member: string): MissingPart {
  return { ...part, ...(range && { range: { ...range, for: member } }) };
}
