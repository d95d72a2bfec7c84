import type { PageView } from '../../contract/hooks.ts';
import { isJsonObject, type JsonObject, type JsonText, readJson } from '../../contract/json/json.ts';

export type Schedule = Pick<PageView<unknown>, 'rows' | 'commitOf' | 'everything'>;

/**
 * The rows of a schedule without releases that a later answer lists at another time. An answer about some days says nothing
 * of the others, so that the time before the move stays stored until its day is asked about again. What one answer lists
 * twice are two releases. See docs/interface.md#calendar: the id holds the time, a release is known by its period.
 */
export async function withoutMoved({ rows, commitOf, everything }: Schedule): Promise<readonly JsonText[]> {
  const newest = new Map<string, number>();
  for (const text of (await everything?.()) ?? rows) {
    const name = releaseName(text);
    const commit = commitOf?.(text);
    if (name === undefined || commit === undefined) continue;
    newest.set(name, Math.max(commit, newest.get(name) ?? commit));
  }
  return rows.filter((text) => {
    const name = releaseName(text);
    const commit = commitOf?.(text);
    return name === undefined || commit === undefined || commit >= (newest.get(name) ?? commit);
  });
}

/** What a release stays across its reschedulings; undefined where a row does not tell its period. */
function releaseName(text: JsonText): string | undefined {
  const row: unknown = readJson(text);
  if (!isJsonObject(row)) return undefined;
  const { release, name, release_stage: stage }: JsonObject = row;
  const period = row.date ?? row.reference_period;
  return typeof period === 'string' ? JSON.stringify([release, period, name, stage]) : undefined;
}
