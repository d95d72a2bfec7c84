/** Observations of SDMX-CSV, as the ECB and Eurostat write it: a number counts with its status, its unit and its multiplier. */
import type { ImportedFile } from '../format.ts';
import { refuse } from './cells.ts';
import { headed, requireWidth } from './dated-lines.ts';

export interface Observation {
  readonly line: number;
  /** As the file spells it: `2026-10`, `2026-Q3`, or a day in it. */
  readonly period: string;
  /** Undefined where it is missing. */
  readonly text: string | undefined;
  /** With the multiplier, `EUR mn`; undefined where the file has none. */
  readonly unit: string | undefined;
  cell(title: string): string;
}

/** Spellings of a missing value. */
export const NO_OBSERVATION: ReadonlySet<string> = new Set(['', 'NaN', '-', ':']);

/** By the code list CL_OBS_STATUS: a holiday, not collected, not existing, suppressed. */
const MISSING = /[HLMOQ]/;
const FORECAST = /F/;

/** Observations but for forecasts, which nobody observed. @throws MacroError of kind `usage`. */
export function* sdmxObservations(file: ImportedFile, needed: readonly string[]): Generator<Observation> {
  const { header, records } = headed(file);
  const places = new Map(header.cells.map((title, place) => [title, place]));
  const lacking = ['TIME_PERIOD', 'OBS_VALUE', ...needed].find((title) => !places.has(title));
  if (lacking !== undefined) throw refuse(`its header has no column '${lacking}'.`, { line: header.line });
  for (const record of records) {
    requireWidth(record, header.cells.length);
    const { cells, line } = record;
    const cell = (title: string) => cells[places.get(title) ?? -1] ?? '';
    // Eurostat has flags in small letters, and several of them.
    const status = `${cell('OBS_STATUS')}${cell('OBS_FLAG')}`.toUpperCase();
    if (FORECAST.test(status)) continue;
    const text = cell('OBS_VALUE');
    const isMissing = NO_OBSERVATION.has(text);
    if (!isMissing && MISSING.test(status))
      throw refuse(`${text} stands beside the status ${status}, which is that of a missing value.`, { line });
    const unit = unitOf(cell('UNIT'), cell('UNIT_MULT'), line);
    yield { line, period: cell('TIME_PERIOD'), text: isMissing ? undefined : text, unit, cell };
  }
}

const MULTIPLIERS: Readonly<Record<string, string>> = { '': '', 0: '', 3: ' k', 6: ' mn', 9: ' bn', 12: ' tn' };
const PERCENT: ReadonlySet<string> = new Set(['PC', 'PCPA', 'PCCH']);

/** The unit of a number with its multiplier. @throws MacroError of kind `usage`. */
export function unitOf(unit: string, multiplier: string, line: number): string | undefined {
  const times = MULTIPLIERS[multiplier];
  const isPercent = PERCENT.has(unit);
  if (times === undefined || (isPercent && times !== ''))
    throw refuse(`its UNIT_MULT is '${multiplier}' for '${unit}', and 0, 3, 6, 9 or 12 of a unit are known.`, { line });
  return `${isPercent ? '%' : unit}${times}`.trim() || undefined;
}
