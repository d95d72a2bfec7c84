import type { Lack, LoadedSeries } from '../../contract/hooks.ts';
import { holesIn, type Range } from '../../contract/time/coverage.ts';
import { addDays } from '../../contract/time/time.ts';
import { earlier, lacksOfSeriesList } from '../lacks.ts';
import { AHEAD } from './fill.ts';
import type { PeriodWindow } from './periods.ts';

/** Parts of the window of periods that are not stored, and which of them decisions met. */
export interface PanelHoles {
  /** True when a period that is not stored may have been the newest one known at a decision: one behind the one found. */
  mayHide(found: string | undefined, decisionDay: string): boolean;
  /** Notes the holes that may hide one; false where none may. */
  meet(found: string | undefined, decisionDay: string): boolean;
  /** All that was met. */
  lacks(): readonly Lack[];
}

/** Nothing is missing of the days that are yet to come. */
export function panelHoles(series: LoadedSeries | undefined, window: PeriodWindow, today: string): PanelHoles {
  const range = { from: window.start_date, to: earlier(window.end_date, today) };
  const holes = series ? holesIn(series.coverage, range) : [];
  const met = new Set<Range>();
  const hiding = (found: string | undefined, decisionDay: string): readonly Range[] => {
    if (holes.length === 0) return [];
    const from = found === undefined ? window.start_date : addDays(found, 1);
    // A value may be published before its period ends.
    const to = addDays(decisionDay, AHEAD);
    return holes.filter((hole) => String(hole.to) >= from && String(hole.from) <= to);
  };
  return {
    mayHide: (found, decisionDay) => hiding(found, decisionDay).length > 0,
    meet(found, decisionDay) {
      const holes = hiding(found, decisionDay);
      for (const hole of holes) met.add(hole);
      return holes.length > 0;
    },
    lacks: () => (series ? [...met].flatMap((hole) => lacksOfSeriesList([series], hole)) : []),
  };
}
