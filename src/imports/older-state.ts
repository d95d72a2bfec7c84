/** Finds out that a file is an older state of what the mirror has, where the file itself does not say how old it is. */
import { parseObject } from '../contract/json/json.ts';
import { MacroError } from '../errors.ts';
import { type ImportFormat, nameOfFileSeries } from './format.ts';
import { heldSeriesOf, type MirrorReads } from './stored-series.ts';
import type { Survey, SurveyedSeries } from './survey.ts';

/** What the mirror has of a series that a file ends earlier for. */
interface LaterState {
  /** Values by date. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Newest date. */
  readonly newest: string;
}

/**
 * Refuses a file that ends before what the mirror has of a series and differs from it: its values would replace newer ones.
 * Values that nobody revises are corrected all the same. A file is taken at its word where it says since when they are known.
 */
export async function requireNewerState({ format, file, series }: Survey, mirror: MirrorReads): Promise<void> {
  const later = new Map<string, LaterState>();
  for (const [name, one] of series) {
    const state = one.isUndated ? await laterStateOf(one, format, mirror) : undefined;
    if (state) later.set(name, state);
  }
  if (later.size === 0) return;
  for (const { number, date, rows } of format.read(file))
    for (const { series: of, row } of rows) {
      const state = later.get(nameOfFileSeries(of));
      const stored = state?.values.get(date);
      if (state && stored !== undefined && stored !== row.value.val)
        throw olderState(
          `Line ${number} of ${file.name}`,
          `${date} is ${row.value.val} here and ${String(stored)} in the mirror`,
          state.newest,
        );
    }
}

async function laterStateOf(
  one: SurveyedSeries,
  format: ImportFormat,
  mirror: MirrorReads,
): Promise<LaterState | undefined> {
  const { newest } = one;
  const stored = await heldSeriesOf(one, format, mirror);
  if (!stored) return undefined;
  const [last] = await mirror.rows(stored, {}, { limit: 1, offset: 0 });
  const end = String(last?.key[0] ?? '');
  if (end <= newest) return undefined;
  const rows = await mirror.rows(stored, { to: newest });
  return { newest: end, values: new Map(rows.map(({ key, text }) => [String(key[0]), parseObject(text).val])) };
}

function olderState(place: string, difference: string, newest: string): MacroError {
  return new MacroError(
    'usage',
    `${place} cannot be imported: ${difference}, which has the series until ${newest}. The file ends earlier, so it may be older.`,
    {
      code: 'bad_import',
      hint: 'Nothing was written. If the file is the newer one although it ends earlier, add --newer.',
    },
  );
}
