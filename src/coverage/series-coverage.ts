import { KEYLESS_DAYS, releaseCutoff } from '../contract/access.ts';
import type { StoredRef } from '../contract/hooks.ts';
import { parseObject } from '../contract/json/json.ts';
import type { Mapping } from '../contract/mapping.ts';
import {
  type Bound,
  type Coverage,
  coverageFrom,
  FIRST_DATE,
  FULL_COVERAGE,
  isCovered,
  NO_COVERAGE,
  type Range,
} from '../contract/time/coverage.ts';
import { addDays, BEGINNING, dateOf } from '../contract/time/time.ts';
import {
  type CheckedRange,
  coveredReleases,
  covers,
  coversSpan,
  dateRangesOf,
  listSpan,
  OPEN_END,
  timeRangesOf,
} from './intervals.ts';
import { boundsOf, closedBehind, type WindowQuestion, windowNamed } from './windows.ts';

/** A question that needs coverage. */
export interface CoverageAsk extends WindowQuestion {
  /** All checked ranges count, whatever window the question names: no open end is closed for it. */
  readonly isOfAllWindows?: boolean;
}

/** A stored series, and the checks of it that count. */
export interface CheckedSeries {
  readonly stored: StoredRef;
  readonly mapping: Mapping;
  readonly coveredRanges: readonly SeenRange[];
  /** Nobody has seen anything of it from before the days that are open without a key, and nobody here can. */
  readonly isClipped: boolean;
}

/** A checked range. If it ended near its check, its newest row, null for none. */
interface SeenRange extends CheckedRange {
  readonly newest?: Bound | null;
}

/** How far the mirror covers what a question needs of one series. */
export interface SeriesCoverage {
  readonly coverage: Coverage;
  /** The coverage of days that were over when they were checked. */
  readonly overDays?: Coverage;
  /** The coverage by reads alone, where `coverage` also includes dates that nobody can see without a key. */
  readonly checked?: Coverage;
  /** The range that the question needs of it, as far as it can exist by now; an empty range has no missing dates. */
  readonly needed: Range;
  /** The last check of its newest part (milliseconds); undefined when a part is missing. */
  readonly checkedAt: number | undefined;
}

/** Needed of series that are one document: there is no part of it. */
const WHOLE: Range = { from: '', to: '' };

/** The range needed of series whose hooks list their missing parts. */
const NOTHING: Range = { from: 1, to: 0 };

/** How far checks cover what a question needs of a series. An answer says PARTIAL for the uncovered rest. */
export function coverageIn(ask: CoverageAsk, checked: CheckedSeries): SeriesCoverage {
  const { stored, mapping, coveredRanges, isClipped } = checked;
  switch (mapping.sync.kind) {
    case 'document':
    case 'snapshot': {
      const coverage = coveredRanges.length > 0 ? FULL_COVERAGE : NO_COVERAGE;
      return { coverage, needed: WHOLE, checkedAt: newest(coveredRanges) };
    }
    case 'pages': {
      const needed = listSpan(ask.now);
      const coverage = dateCoverage(coveredRanges, 0);
      return { coverage, needed, checkedAt: isCovered(coverage, needed) ? newest(coveredRanges) : undefined };
    }
    case 'window':
    case 'spans':
      return spanCoverage(ask, mapping, [...coveredRanges, ...rangesOfFile(ask, stored)]);
    case 'history': {
      const covered = historyCoverage(ask, checked);
      return isClipped ? clippedCoverage(covered, addDays(dateOf(ask.now), -KEYLESS_DAYS)) : covered;
    }
    case 'cursor':
      return feedCoverage(coveredRanges);
    case 'sequence':
      return { coverage: coverageFrom(timeRangesOf(coveredRanges), true), needed: NOTHING, checkedAt: undefined };
  }
}

/** Watched times of a feed, never fresh, since it may have gone on; keyless ones end at the delay. */
function feedCoverage(coveredRanges: readonly SeenRange[]): SeriesCoverage {
  const spans = timeRangesOf(coveredRanges);
  const last = spans.at(-1);
  const isOpen = last !== undefined && last.to >= releaseCutoff(Math.floor(last.checkedAt / 1000));
  return { coverage: coverageFrom(spans, isOpen), needed: NOTHING, checkedAt: undefined };
}

/** A covered range up to a day that was not over reached the newest row that there was. */
function dateCoverage(coveredRanges: readonly SeenRange[], aheadDays: number): Coverage {
  const stretches = dateRangesOf(coveredRanges);
  const last = stretches.at(-1);
  // A range from before any series began is covered from the first date.
  const ranges = stretches.map(({ from, to }) => ({ from: from <= BEGINNING ? FIRST_DATE : from, to }));
  const isOpen = last !== undefined && last.to >= addDays(dateOf(last.checkedAt), aheadDays);
  const newest = coveredRanges
    .filter(({ to, newest: row }) => to === last?.to && row !== undefined)
    .map(({ from, newest: row }) => row ?? from)
    .reduce<Bound | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined);
  return coverageFrom(ranges, isOpen, isOpen ? newest : undefined);
}

/** The coverage by calendar files of the requested indicator: they say nothing about others. */
function rangesOfFile(
  { visible: { args } }: CoverageAsk,
  { envelope, origin, checkedAt = 0 }: StoredRef,
): readonly SeenRange[] {
  if (!origin.startsWith('import:') || !envelope || args.indicator === undefined) return [];
  const own = coveredReleases(parseObject(envelope.text)).filter(({ indicator }) => indicator === args.indicator);
  return own.map(({ from, to }) => ({ from, to, checkedAt, rows: 0 }));
}

function spanCoverage(
  { visible, now }: CoverageAsk,
  mapping: Mapping,
  coveredRanges: readonly SeenRange[],
): SeriesCoverage {
  const bounds = mapping.window ? boundsOf(mapping.window, visible.args, now) : {};
  const today = Math.floor(now / 1000);
  const from = Number(bounds.from ?? 0);
  const end = Number(bounds.to ?? OPEN_END);
  // A history ends today, because it has no future rows; a schedule has them.
  const isHistory = mapping.sync.kind === 'spans';
  const needed = { from, to: isHistory ? Math.min(end, today) : end };
  const spans = timeRangesOf(coveredRanges);
  const last = spans.at(-1);
  // Nothing is known of a time after the last check, not even that it is empty.
  const isOpen = isHistory && last !== undefined && last.to >= Math.floor(last.checkedAt / 1000) && from < last.to;
  const coverage = coverageFrom(spans, isOpen);
  if (!isCovered(coverage, needed)) return { coverage, needed, checkedAt: undefined };
  const whole = coveredRanges.filter((covered) => coversSpan([covered], { ...needed, isOpen: isHistory }));
  return { coverage, needed, checkedAt: newest(whole) ?? oldest(coveredRanges) };
}

function historyCoverage(
  { question, visible, now, clock = now, isOfAllWindows }: CoverageAsk,
  { stored, mapping, coveredRanges }: CheckedSeries,
): SeriesCoverage {
  const { revisionDays, aheadDays = 0 } =
    mapping.sync.kind === 'history' ? mapping.sync : { revisionDays: 0, aheadDays: 0 };
  const today = dateOf(now);
  const horizon = addDays(today, aheadDays);
  const bounds = mapping.window ? boundsOf(mapping.window, visible.args, now) : {};
  const isOwn = stored.endpoint === question.endpoint.id;
  const end = String(bounds.to ?? horizon);
  const to = end < horizon ? end : horizon;
  // A question without a window wants the newest rows of other endpoints' series.
  const from = String(bounds.from ?? (isOwn ? BEGINNING : to));
  const needed = { from, to };
  const checkedDates = dateCoverage(coveredRanges, aheadDays);
  const named = windowNamed({ question, visible, now, clock }, question.endpoint, mapping);
  const overDays = aheadDays > 0 ? checkedDates : withoutCheckDay(checkedDates, coveredRanges, today);
  const over = overDays === checkedDates ? {} : { overDays };
  const coverage = isOfAllWindows ? checkedDates : closedBehind(checkedDates, named, overDays);
  const shown = question.endpoint.compose?.judgesEnds
    ? closedBehind(checkedDates, { ...named, to: undefined })
    : coverage;
  if (!isCovered(coverage, needed)) return { coverage: shown, ...over, needed, checkedAt: undefined };
  const recent = addDays(to < today ? to : today, -revisionDays);
  const part = { from: from > recent ? from : recent, to, isOpen: true };
  return {
    coverage: shown,
    ...over,
    needed,
    checkedAt: newest(coveredRanges.filter((covered) => covers([covered], part))) ?? oldest(coveredRanges),
  };
}

/** Days that a daily series pauses at most, as at Easter. */
const LONGEST_PAUSE = 5;

/**
 * Without the day of the last check if it is over by now and has no row: one may have come later that day. Only a daily
 * series has rows on their date.
 */
function withoutCheckDay(coverage: Coverage, coveredRanges: readonly SeenRange[], today: string): Coverage {
  const { ranges, isOpen, newest: row } = coverage;
  const [last, day] = [ranges.at(-1), dateOf(dateRangesOf(coveredRanges).at(-1)?.checkedAt ?? 0)];
  // A file reaches the end of its last day.
  if (!isOpen || !last || row === undefined || day >= today || last.to < day || row >= day) return coverage;
  if (row < addDays(day, -LONGEST_PAUSE)) return coverage;
  const to = addDays(day, -1);
  return { ranges: [...ranges.slice(0, -1), ...(last.from <= to ? [{ from: last.from, to }] : [])], isOpen };
}

/** Without a key, nothing before the first visible day exists: coverage from that day counts as complete. */
function clippedCoverage(covered: SeriesCoverage, first: string): SeriesCoverage {
  const reached = ({ ranges, isOpen }: Coverage) =>
    coverageFrom(
      ranges.map(({ from, to }) => ({ from: from <= first ? FIRST_DATE : from, to })),
      isOpen,
    );
  const { coverage, overDays } = covered;
  return {
    ...covered,
    coverage: reached(coverage),
    ...(overDays && { overDays: reached(overDays) }),
    checked: coverage,
  };
}

function newest(coveredRanges: readonly SeenRange[]): number | undefined {
  return coveredRanges.length === 0 ? undefined : Math.max(...coveredRanges.map((covered) => covered.checkedAt));
}

function oldest(coveredRanges: readonly SeenRange[]): number | undefined {
  return coveredRanges.length === 0 ? undefined : Math.min(...coveredRanges.map((covered) => covered.checkedAt));
}
