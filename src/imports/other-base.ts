/** Finds out that a file has another base or area of a series than the mirror: their values are no one series. */
import { isJsonObject, type JsonObject, parseObject } from '../contract/json/json.ts';
import { MacroError } from '../errors.ts';
import { nameOfFileSeries } from './format.ts';
import { heldSeriesOf, type MirrorReads } from './stored-series.ts';
import type { Survey, SurveyedSeries } from './survey.ts';

/**
 * Refuses a file of another base or area, unless its values take the place of all that the mirror has.
 * @throws MacroError of kind `usage`.
 */
export async function requireSameBase(survey: Survey, mirror: MirrorReads): Promise<void> {
  for (const one of survey.series.values()) {
    const stored = one.rows > 0 ? await heldSeriesOf(one, survey.format, mirror) : undefined;
    const members = stored?.envelope && parseObject(stored.envelope.text);
    if (!stored || !members || isSameQuantity(members, one.series.envelope)) continue;
    const rows = (await mirror.rows(stored, {})).map(({ key, text }) => ({ date: String(key[0]), text }));
    const dates = rows.map(({ date }) => date).sort();
    const [from = '', to = ''] = [dates.at(0), dates.at(-1)];
    if (from === '') continue;
    const difference = `it has ${idOf(one.series.envelope)} and the mirror has ${idOf(members)}`;
    if (from < one.oldest || to > one.newest)
      throw otherBase(survey, `${difference} from ${from} to ${to}, of which it would replace a part`, [
        `Give a file of ${idOf(members)}, or one of ${idOf(one.series.envelope)} from ${from} to ${to}.`,
        BEGIN_ANEW,
      ]);
    const heldSince = Math.max(...rows.map(({ text }) => lastVintage(parseObject(text)) ?? Number.NEGATIVE_INFINITY));
    if (oldestVintage(survey, one) < heldSince)
      throw otherBase(survey, `${difference}, which is newer`, [
        'Undo the newer imports, import this file, and then theirs again. This shows them: macro import list',
      ]);
  }
}

/**
 * Refuses files of one command that have several bases or areas of one series.
 * @throws MacroError of kind `usage`.
 */
export function requireOneBase(surveys: readonly Survey[]): void {
  const known = new Map<string, JsonObject>();
  for (const survey of surveys)
    for (const { series } of survey.series.values()) {
      const name = `${survey.format.publisher} ${nameOfFileSeries(series)}`;
      const other = known.get(name);
      if (other && !isSameQuantity(other, series.envelope))
        throw otherBase(survey, `it has ${idOf(series.envelope)} and another file has ${idOf(other)}`, [
          'Import one of them. Then import the other, if it is newer and has every date of the first.',
        ]);
      known.set(name, series.envelope);
    }
}

const BEGIN_ANEW = 'Or undo the imports of the other one, which this shows: macro import list';

/** Two series of a publisher that are described in the same words are the same numbers, whatever it calls them. */
function isSameQuantity(a: JsonObject, b: JsonObject): boolean {
  return a.source_series_id === b.source_series_id || (a.name === b.name && a.unit === b.unit);
}

const idOf = ({ source_series_id, unit }: JsonObject): string => String(source_series_id ?? unit);

/** Unix seconds since when the value of a row is known; undefined where it lists no vintage. */
function lastVintage(row: JsonObject): number | undefined {
  const last = Object.values(row).find(Array.isArray)?.at(-1);
  return isJsonObject(last) && typeof last.epoch === 'number' ? last.epoch : undefined;
}

/** Values without a vintage are those of the import: nothing is newer. */
function oldestVintage({ format, file }: Survey, { series }: SurveyedSeries): number {
  const name = nameOfFileSeries(series);
  let oldest = Number.POSITIVE_INFINITY;
  for (const { rows } of format.read(file))
    for (const { series: of, row } of rows)
      if (nameOfFileSeries(of) === name) oldest = Math.min(oldest, lastVintage(row.value) ?? oldest);
  return oldest;
}

function otherBase({ file }: Survey, difference: string, advice: readonly string[]): MacroError {
  return new MacroError(
    'usage',
    `${file.name} cannot be imported: ${difference}. Another base or area is another series.`,
    { code: 'other_base', hint: ['Nothing was written.', ...advice].join(' ') },
  );
}
