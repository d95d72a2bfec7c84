/** Finds out that a part of a series comes on another base than the mirror has, where the file does not name its base. */
import { parseObject } from '../contract/json/json.ts';
import { MacroError } from '../errors.ts';
import { nameOfFileSeries } from './format.ts';
import { commonFactor, type ValuePair } from './read/common-factor.ts';
import { heldSeriesOf, type MirrorReads, reachesBeyond } from './stored-series.ts';
import type { Survey, SurveyedSeries } from './survey.ts';

/** A part of a series, and what stands elsewhere of the same dates. */
interface Window {
  readonly one: SurveyedSeries;
  /** Values by date, or so many of them. */
  held(limit?: number): Promise<ReadonlyMap<string, unknown>>;
}

interface Rescaled extends Window {
  readonly factor: number;
  readonly count: number;
}

/** Rows of each series that are looked at first: enough to tell a revision from another base. */
const SAMPLE_ROWS = 24;

/**
 * Refuses a file with a part of a series whose values are all those of the mirror times one factor. Publishers rebase like
 * this; the rows that stay would be on the old base. A file of all that the mirror has replaces it as a whole. `before`
 * are the files that the same command writes before it.
 * @throws MacroError of kind `usage`.
 */
export async function requireSameScale(
  survey: Survey,
  { mirror, before }: { readonly mirror: MirrorReads; readonly before: readonly Survey[] },
): Promise<void> {
  const windows = [...(await windowsOfMirror(survey, mirror)), ...before.flatMap((one) => windowsOfFile(survey, one))];
  const suspects = await rescaledAmong(survey, windows, SAMPLE_ROWS);
  const [found] = await rescaledAmong(survey, suspects);
  if (found) throw rescaled(survey, found);
}

async function windowsOfMirror({ format, series }: Survey, mirror: MirrorReads): Promise<readonly Window[]> {
  const windows: Window[] = [];
  for (const one of series.values()) {
    const stored = one.isUndated ? await heldSeriesOf(one, format, mirror) : undefined;
    if (!stored || !(await reachesBeyond(stored, one, mirror))) continue;
    const within = { from: one.oldest, to: one.newest };
    const held = async (limit?: number) => {
      const rows = await mirror.rows(stored, within, limit === undefined ? undefined : { limit, offset: 0 });
      return new Map(rows.map(({ key, text }) => [String(key[0]), parseObject(text).val]));
    };
    windows.push({ one, held });
  }
  return windows;
}

/** Of another file those dates are kept that both have. */
function windowsOfFile({ format, series }: Survey, other: Survey): readonly Window[] {
  if (other.format.publisher !== format.publisher) return [];
  const found = new Map<string, Window & { readonly values: Map<string, unknown> }>();
  for (const [name, one] of series) {
    const theirs = other.series.get(name);
    if (!theirs || !one.isUndated || theirs.newest < one.oldest || theirs.oldest > one.newest) continue;
    if (theirs.oldest >= one.oldest && theirs.newest <= one.newest) continue;
    const values = new Map<string, unknown>();
    found.set(name, { one, values, held: async () => values });
  }
  if (found.size === 0) return [];
  for (const { date, rows } of other.format.read(other.file))
    for (const { series: of, row } of rows) {
      const window = found.get(nameOfFileSeries(of));
      if (window && date >= window.one.oldest && date <= window.one.newest) window.values.set(date, row.value.val);
    }
  return [...found.values()];
}

/** The windows of which every value, or every one of so many, differs from the one held by the same factor. */
async function rescaledAmong(
  { format, file }: Survey,
  windows: readonly Window[],
  limit?: number,
): Promise<readonly Rescaled[]> {
  const compared = await Promise.all(
    windows.map(async (window) => ({ window, held: await window.held(limit), shared: [] as ValuePair[] })),
  );
  const bySeries = Map.groupBy(compared, ({ window }) => nameOfFileSeries(window.one.series));
  if (bySeries.size === 0) return [];
  for (const { date, rows } of format.read(file))
    for (const { series, row } of rows)
      for (const { held, shared } of bySeries.get(nameOfFileSeries(series)) ?? []) {
        const [before, val] = [held.get(date), row.value.val];
        if (typeof before === 'number' && typeof val === 'number') shared.push({ held: before, val });
      }
  return compared.flatMap(({ window, shared }) => {
    const factor = commonFactor(shared);
    return factor === undefined ? [] : [{ ...window, factor, count: shared.length }];
  });
}

function rescaled({ file }: Survey, { one: { series, oldest, newest }, factor, count }: Rescaled): MacroError {
  const name = series.envelope.source_series_id ?? Object.values(series.scope).join('/');
  const times = Number(factor.toPrecision(5));
  return new MacroError(
    'usage',
    `${file.name} cannot be imported: it seems to have ${name} on another base. ` +
      `All ${count} values that are there already would become ${times} times as large. ` +
      `Those outside of ${oldest} to ${newest} would stay.`,
    {
      code: 'other_base',
      hint:
        'Nothing was written. Import a file with the whole series. ' +
        'If the publisher corrected these values and kept the base, add --newer.',
    },
  );
}
