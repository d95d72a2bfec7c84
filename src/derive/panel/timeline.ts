import type { KeptValue, LoadedSeries, MissingPart } from '../../contract/hooks.ts';
import { asJsonText, type JsonObject, type JsonText, parseObject } from '../../contract/json/json.ts';
import { memberTexts } from '../../contract/json/scan.ts';
import { boundAfter, firstPlace, missingRangesIn, type Range } from '../../contract/time/coverage.ts';
import { addDays } from '../../contract/time/time.ts';
import { type KnownStep, stepsOf, type TimedValue } from '../../contract/time/vintages.ts';
import { earlier, later, missingOfSeriesList } from '../../coverage/missing-parts.ts';
import { readPrint, releaseOfPrint } from '../announcements/print.ts';
import { seriesMembers } from '../announcements/series.ts';
import { printVintages } from '../announcements/vintages.ts';
import { datesOf, placesOf, textsOf } from '../places.ts';

/** A value of a period and since when it was known. */
export interface Said extends TimedValue {
  readonly valText: () => JsonText;
}

/** One reference period with the values that it had. */
export interface PanelPeriod {
  readonly date: string;
  readonly said: readonly Said[];
  readonly about: () => { readonly release: number | undefined; readonly observationId: string };
}

/** The state of a series: its newest known period, and its newest value. */
export interface Known {
  readonly period: PanelPeriod;
  /** Undefined when nobody can tell which of several values it was. */
  readonly value: Said | undefined;
  /** Unix seconds. */
  readonly knownAt: number;
}

/** From the second after `from` on, and until the next step, this was known. */
interface Step {
  /** Unix seconds. */
  readonly from: number;
  readonly known: Known | undefined;
}

/** The states of a series at any moment: steps in order of time. */
export type Timeline = readonly Step[];

const NANO = 1_000_000_000n;

export interface PeriodWindow {
  readonly start_date: string;
  readonly end_date: string;
}

const NULL = asJsonText('null');

/** Parts of the window of periods that are not stored, and which of them decisions met. */
export interface PanelMissing {
  /** True when a period that is not stored may have been the newest one known at a decision: one behind the one found. */
  mayHide(found: string | undefined, decisionDay: string): boolean;
  /** Notes the missing ranges that may hide one. */
  meet(found: string | undefined, decisionDay: string): void;
  /** All that was met. */
  missingParts(): readonly MissingPart[];
}

/** Replays a series once, the state after each second with changes, so that a question is a binary search. */
export function timelineOf(periods: readonly PanelPeriod[], availability: 'public' | 'captured'): Timeline {
  const ordered = [...periods].sort((a, b) => (a.date < b.date ? -1 : 1));
  const stored = new Array<KnownStep<Said> | undefined>(ordered.length);
  const steps: Step[] = [];
  let newest = -1;
  const apply = ({ place, step }: { readonly place: number; readonly step: KnownStep<Said> }) => {
    stored[place] = step.state === 'gone' ? undefined : step;
    if (step.state !== 'gone' && place > newest) newest = place;
    while (newest >= 0 && !stored[newest]) newest -= 1;
  };
  const placed = ordered.flatMap(({ said }, place) => stepsOf(said, availability).map((step) => ({ place, step })));
  placed.sort((a, b) => (a.step.at < b.step.at ? -1 : a.step.at > b.step.at ? 1 : 0));
  for (const [i, one] of placed.entries()) {
    apply(one);
    const from = secondOf(one.step.at);
    const following = placed[i + 1];
    if (following && secondOf(following.step.at) === from) continue;
    steps.push({ from, known: knownOf(ordered[newest], stored[newest]) });
  }
  return steps;
}

function knownOf(period: PanelPeriod | undefined, stored: KnownStep<Said> | undefined): Known | undefined {
  if (!period || !stored) return undefined;
  return { period, value: stored.known, knownAt: secondOf(stored.at) };
}

/** The whole second that a moment lies in, before 1970 too. */
function secondOf(ns: bigint): number {
  const second = ns / NANO;
  return Number(ns < 0n && second * NANO !== ns ? second - 1n : second);
}

/** The state strictly before a decision (whole Unix seconds), so all of the second before counts. */
export function knownBefore(timeline: Timeline, decision: number): Known | undefined {
  return timeline[firstPlace(timeline.length, (place) => (timeline[place]?.from ?? 0) >= decision) - 1]?.known;
}

/** Periods of a history in a window with listed and remembered values; times stand beside texts, read when needed. */
export function periodsOf(series: LoadedSeries, window: PeriodWindow): readonly PanelPeriod[] {
  const { ref, envelope, kept } = series;
  const { currency = '', indicator = '' } = ref.scope;
  const seriesId = memoized(() => seriesMembers({ currency, indicator }, envelope).selected_series_id);
  const isInside = (date: string) => date >= window.start_date && date <= window.end_date;
  const periodOf = (date: string, said: readonly Said[], row: () => JsonObject): PanelPeriod => ({
    date,
    said,
    about: memoized(() => {
      const { observation_id: id } = row();
      return { release: releaseOfPrint(row()), observationId: typeof id === 'string' ? id : `${seriesId()}_${date}` };
    }),
  });
  const dates = new Set<string>();
  const [{ start, end }, textOf] = [placesOf(series), textsOf(series)];
  const listed = datesOf(series)
    .slice(start, end)
    .flatMap((date, i): readonly PanelPeriod[] => {
      if (!isInside(date)) return [];
      dates.add(date);
      const text = textOf(start + i);
      const values = kept?.get(date) ?? [];
      return [
        periodOf(
          date,
          saidOfRow(text, values),
          memoized(() => parseObject(text)),
        ),
      ];
    });
  const vanished = [...(kept ?? [])].flatMap(([date, values]): readonly PanelPeriod[] => {
    if (!isInside(date) || dates.has(date)) return [];
    return [
      periodOf(
        date,
        values.map(saidOf),
        memoized(() => newestRow(values)),
      ),
    ];
  });
  return [...listed, ...vanished];
}

/** The vintages of a row: the remembered values if any, since they include its list, with dates. */
function saidOfRow(text: JsonText, values: readonly KeptValue[]): readonly Said[] {
  if (values.length > 0) return values.map(saidOf);
  return printVintages(readPrint(text)).map(({ valText, ...vintage }) => ({ ...vintage, valText: () => valText }));
}

function saidOf({ text, times }: KeptValue): Said {
  return { ...times, valText: memoized(() => memberTexts(text, ['val'])[0] ?? NULL) };
}

/** The last whole row among values of a period; entries of its list have no date. */
function newestRow(values: readonly KeptValue[]): JsonObject {
  return values.map(({ text }) => parseObject(text)).findLast((row) => row.date !== undefined) ?? {};
}

/** The value of a pure function, worked out when it is first asked for. */
function memoized<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Missing ranges of each decision, up to as far ahead as the series was ever known, and none in the future. */
export function panelMissing(
  series: LoadedSeries | undefined,
  { window, lead, today }: { readonly window: PeriodWindow; readonly lead: number; readonly today: string },
): PanelMissing {
  const start = window.start_date;
  const end = earlier(window.end_date, today);
  const missingRanges = series ? missingRangesIn(series.coverage, { from: start, to: end }) : [];
  const openEnd = series && openEndOf(series);
  const met = new Map<Range['from'], Range>();

  /** The time after the last check and before a day that is over by now. */
  const behind = (day: string): readonly Range[] => {
    if (openEnd === undefined || day <= openEnd || day >= today) return [];
    const missingRange = { from: later(String(boundAfter(openEnd)), start), to: earlier(day, end) };
    return missingRange.from <= missingRange.to ? [missingRange] : [];
  };
  const hiding = (found: string | undefined, decisionDay: string): readonly Range[] => {
    const after = behind(decisionDay);
    if (missingRanges.length === 0 && after.length === 0) return after;
    const from = found === undefined ? start : addDays(found, 1);
    const to = addDays(decisionDay, lead);
    const before = missingRanges.filter((missingRange) => String(missingRange.from) <= to);
    return [...before, ...after].filter((missingRange) => String(missingRange.to) >= from);
  };
  return {
    mayHide: (found, decisionDay) => hiding(found, decisionDay).length > 0,
    meet(found, decisionDay) {
      for (const missingRange of hiding(found, decisionDay)) {
        const known = met.get(missingRange.from);
        if (!known || known.to < missingRange.to) met.set(missingRange.from, missingRange);
      }
    },
    missingParts: () =>
      series ? [...met.values()].flatMap((missingRange) => missingOfRange(series, missingRange)) : [],
  };
}

/** The last checked day of a series. A file is known until the publisher's next row or its last vintage. */
function openEndOf({ ref, coverage, knownSpans }: LoadedSeries): string | undefined {
  if (!coverage.isOpen || (knownSpans && ref.origin.startsWith('import:'))) return undefined;
  const last = coverage.ranges.at(-1);
  return last && String(last.to);
}

/** A missing range behind an open end is none of the series: nothing existed there when it was looked at. */
function missingOfRange(series: LoadedSeries, missingRange: Range): readonly MissingPart[] {
  const { coverage } = series;
  return missingOfSeriesList([{ ...series, coverage: { ...coverage, isOpen: false } }], missingRange);
}
