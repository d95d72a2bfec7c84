import type { Lack, LoadedSeries } from '../../contract/hooks.ts';
import { boundAfter, holesIn, type Range } from '../../contract/time/coverage.ts';
import { addDays } from '../../contract/time/time.ts';
import { earlier, lacksOfSeriesList, later } from '../lacks.ts';
import type { PeriodWindow } from './periods.ts';

/** Parts of the window of periods that are not stored, and which of them decisions met. */
export interface PanelHoles {
  /** True when a period that is not stored may have been the newest one known at a decision: one behind the one found. */
  mayHide(found: string | undefined, decisionDay: string): boolean;
  /** Notes the holes that may hide one. */
  meet(found: string | undefined, decisionDay: string): void;
  /** All that was met. */
  lacks(): readonly Lack[];
}

/** What holes are looked for in. */
export interface HolesAsked {
  readonly window: PeriodWindow;
  /** How many days before its date a period of the series may be known. */
  readonly lead: number;
  readonly today: string;
}

/**
 * Each decision is judged by itself: a hole hides nothing of it that lies further ahead than the series was ever known
 * before. Nothing is missing of the days that are yet to come.
 */
export function panelHoles(series: LoadedSeries | undefined, { window, lead, today }: HolesAsked): PanelHoles {
  const start = window.start_date;
  const end = earlier(window.end_date, today);
  const holes = series ? holesIn(series.coverage, { from: start, to: end }) : [];
  const openEnd = series && openEndOf(series);
  const met = new Map<Range['from'], Range>();

  /** What lies behind the last look and before a day that is over by now. */
  const behind = (day: string): readonly Range[] => {
    if (openEnd === undefined || day <= openEnd || day >= today) return [];
    const hole = { from: later(String(boundAfter(openEnd)), start), to: earlier(day, end) };
    return hole.from <= hole.to ? [hole] : [];
  };
  const hiding = (found: string | undefined, decisionDay: string): readonly Range[] => {
    const after = behind(decisionDay);
    if (holes.length === 0 && after.length === 0) return after;
    const from = found === undefined ? start : addDays(found, 1);
    const to = addDays(decisionDay, lead);
    const before = holes.filter((hole) => String(hole.from) <= to);
    return [...before, ...after].filter((hole) => String(hole.to) >= from);
  };
  return {
    mayHide: (found, decisionDay) => hiding(found, decisionDay).length > 0,
    meet(found, decisionDay) {
      for (const hole of hiding(found, decisionDay)) {
        const known = met.get(hole.from);
        if (!known || known.to < hole.to) met.set(hole.from, hole);
      }
    },
    lacks: () => (series ? [...met.values()].flatMap((hole) => lacksOfHole(series, hole)) : []),
  };
}

/**
 * The last day of a series that was looked at to its end, where a decision behind it may lack rows. A file is known until the
 * next row of its publisher is due, or until its last vintage: whether a decision lies before that its times tell.
 */
function openEndOf({ ref, coverage, knownSpans }: LoadedSeries): string | undefined {
  if (!coverage.isOpen || (knownSpans && ref.origin.startsWith('import:'))) return undefined;
  const last = coverage.ranges.at(-1);
  return last && String(last.to);
}

/** A hole behind an open end is none of the series: nothing existed there when it was looked at. */
function lacksOfHole(series: LoadedSeries, hole: Range): readonly Lack[] {
  const { coverage } = series;
  return lacksOfSeriesList([{ ...series, coverage: { ...coverage, isOpen: false } }], hole);
}
