import type { LoadedRow, LoadedSeries } from '../../contract/hooks.ts';
import { isJsonObject, type JsonObject } from '../../contract/json/json.ts';
import { instantOf } from '../../contract/time/time.ts';
import { isFirstPrint } from '../../contract/time/vintages.ts';
import type { Print } from '../announcements/print.ts';
import { fileVintages, vintageStates } from '../file-vintages.ts';
import { perObject } from '../per-object.ts';
import { type FirstPrint, firstPrintOf } from './first-print.ts';

/** The first print of a period; undefined where nothing establishes it. */
export function provenFirstPrint(print: Print, series: LoadedSeries): FirstPrint | undefined {
  return isReleaseProven(print, series) ? firstPrintOf(print) : undefined;
}

/**
 * False where the first value of a period in a file of vintages need not be its first print: a vintage may be left out of
 * the file between the one before it and this one. What a service says of its releases stands.
 */
function isReleaseProven({ row, date }: Print, { ref, rows }: LoadedSeries): boolean {
  if (!ref.origin.startsWith('import:')) return true;
  const [first] = vintagesOf(row);
  const at = first && instantOf(first.epoch);
  // A row without a list states no release. Of a vintage of a month nobody knows the day.
  if (!first || at === undefined) return true;
  if (first.is_first_release !== true || first.publication_time_precision !== 'day') return false;
  const { states, rhythm } = historyOf(rows);
  const place = states.findIndex((state) => state.at === at);
  const state = states[place];
  return state !== undefined && isFirstPrint(states[place - 1], state, { date, rhythm });
}

const historyOf = perObject((rows: readonly LoadedRow[]) => vintageStates(fileVintages(rows.map(({ text }) => text))));

function vintagesOf({ revisions }: JsonObject): readonly JsonObject[] {
  return Array.isArray(revisions) ? revisions.filter(isJsonObject) : [];
}
