import { isSameForAll, KEYLESS_DAYS, releaseCutoff } from '../../contract/access.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { parseObject } from '../../contract/json/json.ts';
import type { Mapping } from '../../contract/mapping.ts';
import {
  type Bound,
  type Coverage,
  coverageFrom,
  FIRST_DATE,
  FULL_COVERAGE,
  missingRangesIn,
  NO_COVERAGE,
  type Range,
} from '../../contract/time/coverage.ts';
import type { AsOf } from '../../contract/time/moments.ts';
import { addDays, BEGINNING, dateOf } from '../../contract/time/time.ts';
import {
  coveredReleases,
  covers,
  coversSpan,
  dateRangesOf,
  listSpan,
  OPEN_END,
  timeRangesOf,
} from '../../coverage/intervals.ts';
import { earlier } from '../../coverage/missing-parts.ts';
import { loadedEndpoint } from '../../endpoints/find.ts';
import type { AccessTag, CoverageInterval, StoredSeries } from '../../mirror/api/series.ts';
import type { MirrorQuestion } from '../answer/answer.ts';
import { boundsOf } from '../selection.ts';
import type { Question } from '../source.ts';
import { type EventAsk, proofsAfterEvents } from './newer-events.ts';

export interface CoverageQuestion extends Pick<MirrorQuestion, 'question' | 'visible' | 'now'> {
  /** The moment (milliseconds) that it is put at; `now` when left out. */
  readonly clock?: number;
  /** The moment of the past that it is put at. */
  readonly asOf?: AsOf | undefined;
  readonly reader: EventAsk['reader'];
  /** Somebody asks who has no key: of a mirror that was filled without one nothing more can be had. */
  readonly isKeyless?: boolean;
  /** All checked ranges count, whatever window the question names: no open end is closed for it. */
  readonly isOfAllWindows?: boolean;
}

/** How far the mirror covers what a question needs of one series. */
export interface SeriesEvidence {
  readonly coverage: Coverage;
  /** The coverage by reads alone, where `coverage` also includes dates that nobody can see without a key. */
  readonly checked?: Coverage;
  /** The range that the question needs of it, as far as it can exist by now; an empty range has no missing dates. */
  readonly needed: Range;
  /**
   * The last check of its newest part (milliseconds); undefined when a part is missing. Older parts are rarely
   * corrected.
   */
  readonly provenAt: number | undefined;
}

/** Needed of series that are one document: there is no part of it. */
const WHOLE: Range = { from: '', to: '' };

/** The range needed of series whose hooks list their missing parts. */
const NOTHING: Range = { from: 1, to: 0 };

/** Undefined for endpoints that are not stored. */
export async function evidenceOf(
  ask: CoverageQuestion,
  stored: StoredSeries,
  access: AccessTag | 'keyed',
): Promise<SeriesEvidence | undefined> {
  const endpoint = loadedEndpoint(stored.endpoint);
  const mapping = endpoint?.mirror;
  if (!endpoint || !mapping) return undefined;
  // A file, and a series that is the same with and without a key, have one coverage for everybody.
  const isForAll = isSameForAll(endpoint.access) || stored.origin.startsWith('import:');
  const of = isForAll ? 'keyless' : access;
  const events = { reader: ask.reader, access: of, cutoff: ask.visible.cutoff, asOf: ask.asOf };
  const proofs = await proofsAfterEvents(stored, events);
  switch (mapping.sync.kind) {
    case 'document':
    case 'snapshot': {
      const coverage = proofs.length > 0 ? FULL_COVERAGE : NO_COVERAGE;
      return { coverage, needed: WHOLE, provenAt: newest(proofs) };
    }
    case 'pages': {
      const needed = listSpan(ask.now);
      const coverage = dateCoverage(proofs, 0);
      return { coverage, needed, provenAt: isWhole(coverage, needed) ? newest(proofs) : undefined };
    }
    case 'window':
    case 'spans':
      return spanEvidence(ask, mapping, [...proofs, ...proofsOfFile(ask, stored)]);
    case 'history': {
      const evidence = historyEvidence(ask, { stored, mapping, proofs });
      const isClipped = ask.isKeyless && endpoint.access.window === true;
      if (!isClipped || (await ask.reader.proofs(stored, 'keyed')).length > 0) return evidence;
      return clippedEvidence(evidence, addDays(dateOf(ask.now), -KEYLESS_DAYS));
    }
    case 'cursor':
      return feedEvidence(proofs);
    case 'sequence':
      return { coverage: coverageFrom(timeRangesOf(proofs), true), needed: NOTHING, provenAt: undefined };
  }
}

/** Watched times of a feed, never fresh, since it may have gone on; keyless ones end at the delay. */
function feedEvidence(proofs: readonly CoverageInterval[]): SeriesEvidence {
  const spans = timeRangesOf(proofs);
  const last = spans.at(-1);
  const isOpen = last !== undefined && last.to >= releaseCutoff(Math.floor(last.provenAt / 1000));
  return { coverage: coverageFrom(spans, isOpen), needed: NOTHING, provenAt: undefined };
}

/** A proof of a day that was not over reached the newest row that there was. */
function dateCoverage(proofs: readonly CoverageInterval[], aheadDays: number): Coverage {
  const stretches = dateRangesOf(proofs);
  const last = stretches.at(-1);
  // A range from before any series began is covered from the first date.
  const ranges = stretches.map(({ from, to }) => ({ from: from <= BEGINNING ? FIRST_DATE : from, to }));
  const isOpen = last !== undefined && last.to >= addDays(dateOf(last.provenAt), aheadDays);
  const newest = proofs
    .filter(({ to, newest: row }) => to === last?.to && row !== undefined)
    .map(({ from, newest: row }) => row ?? from)
    .reduce<Bound | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined);
  return coverageFrom(ranges, isOpen, isOpen ? newest : undefined);
}

function isWhole(coverage: Coverage, needed: Range): boolean {
  return missingRangesIn(coverage, needed).length === 0;
}

/** The coverage by calendar files of the requested indicator: they say nothing about others. */
function proofsOfFile(
  { visible: { args } }: CoverageQuestion,
  { envelope, origin, checkedAt }: StoredSeries,
): readonly CoverageInterval[] {
  if (!origin.startsWith('import:') || !envelope || args.indicator === undefined) return [];
  const own = coveredReleases(parseObject(envelope.text)).filter(({ indicator }) => indicator === args.indicator);
  return own.map(({ from, to }) => ({ from, to, provenAt: checkedAt, rows: 0 }));
}

function spanEvidence(
  { visible, now }: CoverageQuestion,
  mapping: Mapping,
  proofs: readonly CoverageInterval[],
): SeriesEvidence {
  const bounds = mapping.window ? boundsOf(mapping.window, visible.args, now) : {};
  const today = Math.floor(now / 1000);
  const from = Number(bounds.from ?? 0);
  const end = Number(bounds.to ?? OPEN_END);
  // A history ends today, because it has no future rows; a schedule has them.
  const isHistory = mapping.sync.kind === 'spans';
  const needed = { from, to: isHistory ? Math.min(end, today) : end };
  const spans = timeRangesOf(proofs);
  const last = spans.at(-1);
  // Nothing is known of a time after the last check, not even that it is empty.
  const isOpen = isHistory && last !== undefined && last.to >= Math.floor(last.provenAt / 1000) && from < last.to;
  const coverage = coverageFrom(spans, isOpen);
  if (!isWhole(coverage, needed)) return { coverage, needed, provenAt: undefined };
  const whole = proofs.filter((proof) => coversSpan([proof], { ...needed, isOpen: isHistory }));
  return { coverage, needed, provenAt: newest(whole) ?? oldest(proofs) };
}

function historyEvidence(
  { question, visible, now, clock = now, isOfAllWindows }: CoverageQuestion,
  { stored, mapping, proofs }: { stored: StoredSeries; mapping: Mapping; proofs: readonly CoverageInterval[] },
): SeriesEvidence {
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
  const checkedDates = dateCoverage(proofs, aheadDays);
  const named = windowNamed({ question, visible, now, clock }, question.endpoint, mapping);
  const coverage = isOfAllWindows ? checkedDates : closedBehind(checkedDates, named);
  const shown = question.endpoint.compose?.judgesEnds
    ? closedBehind(checkedDates, { ...named, to: undefined })
    : coverage;
  if (!isWhole(coverage, needed)) return { coverage: shown, needed, provenAt: undefined };
  const recent = addDays(to < today ? to : today, -revisionDays);
  const part = { from: from > recent ? from : recent, to, isOpen: true };
  return {
    coverage: shown,
    needed,
    provenAt: newest(proofs.filter((proof) => covers([proof], part))) ?? oldest(proofs),
  };
}

/** The window that a question names for series of a mapping, those of its own endpoint when left out. */
export function windowNamed(
  { question, visible, now, clock = now }: Omit<CoverageQuestion, 'reader'>,
  { mirror, compose }: Endpoint,
  mapping: Mapping | undefined = mirror,
): NamedWindow {
  const present = dateOf(clock);
  const bounds = mapping?.window ? boundsOf(mapping.window, visible.args, now) : {};
  const aheadDays = mapping?.sync.kind === 'history' ? (mapping.sync.aheadDays ?? 0) : 0;
  const end = String(bounds.to ?? addDays(dateOf(now), aheadDays));
  // A window without bounds ends on the day of the question: counted from today, days behind the last row would be missing.
  return {
    from: mapping && startAsked(question, mapping, present),
    to: earlier(end, compose?.lastDayNamed?.(visible.args) ?? end),
    today: present,
  };
}

/** Where somebody wants a window to begin; undefined where nobody said it. */
function startAsked({ endpoint, args }: Question, { window }: Mapping, today: string): string | undefined {
  const start = window && args[window.from];
  const usual = window && endpoint.query[window.from]?.fallback?.(today);
  return typeof start === 'string' && start !== usual ? start : undefined;
}

/** The window that a question names, in the terms of its column, and the day or the second of now. */
interface NamedWindow {
  readonly from: Bound | undefined;
  readonly to: Bound | undefined;
  readonly today: Bound;
}

/**
 * Closes the open end of coverage if the window begins after the last checked date, or ends after it on a past day.
 * Nothing is known about those days, so an answer without their rows would seem complete. A window up to now without a
 * start is only a matter of age.
 */
export function closedBehind(coverage: Coverage, { from, to, today }: NamedWindow): Coverage {
  return isBehind(coverage.ranges.at(-1)?.to, { from, to, today }) ? { ...coverage, isOpen: false } : coverage;
}

/** Does a window begin behind the last bound that was checked, or end there on a day that is over? */
export function isBehind(last: Bound | undefined, { from, to, today }: NamedWindow): boolean {
  if (last === undefined) return false;
  return (from !== undefined && from > last) || (to !== undefined && to < today && to > last);
}

/** Without a key, nothing before the first visible day exists: coverage from that day counts as complete. */
function clippedEvidence(evidence: SeriesEvidence, first: string): SeriesEvidence {
  const { ranges, isOpen } = evidence.coverage;
  const reached = ranges.map(({ from, to }) => ({ from: from <= first ? FIRST_DATE : from, to }));
  return { ...evidence, coverage: coverageFrom(reached, isOpen), checked: evidence.coverage };
}

function newest(proofs: readonly CoverageInterval[]): number | undefined {
  return proofs.length === 0 ? undefined : Math.max(...proofs.map((proof) => proof.provenAt));
}

function oldest(proofs: readonly CoverageInterval[]): number | undefined {
  return proofs.length === 0 ? undefined : Math.min(...proofs.map((proof) => proof.provenAt));
}
