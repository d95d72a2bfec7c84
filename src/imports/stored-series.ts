/** What the mirror has of a series of a file, from files of the same publisher. */
import { addDays } from '../contract/time/time.ts';
import type { Mirror, StoredSeries } from '../mirror/api/mirror.ts';
import { originOf } from './commits.ts';
import type { ImportFormat } from './format.ts';
import type { SurveyedSeries } from './survey.ts';

export type MirrorReads = Pick<Mirror, 'find' | 'rows'>;

/** The series of the same publisher in the mirror; undefined where it has none. */
export async function heldSeriesOf(
  { series }: SurveyedSeries,
  format: ImportFormat,
  mirror: MirrorReads,
): Promise<StoredSeries | undefined> {
  const found = await mirror.find({ endpoint: series.endpoint, scope: series.scope, exact: true });
  return found.find(({ origin }) => origin === originOf(format));
}

/** Does the mirror have rows of the series before the first or behind the last value of the file? They would stay. */
export async function reachesBeyond(
  stored: StoredSeries,
  { oldest, newest }: SurveyedSeries,
  mirror: MirrorReads,
): Promise<boolean> {
  for (const outside of [{ to: addDays(oldest, -1) }, { from: addDays(newest, 1) }])
    if ((await mirror.rows(stored, outside, { limit: 1, offset: 0 })).length > 0) return true;
  return false;
}
