import type { ComposeRules, SeriesRef } from '../../contract/hooks.ts';
import type { Args } from '../../contract/params/param.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';

/** The stored series of a composed answer: the same for the answer and for its coverage. */
export async function selectStored(
  reader: MirrorReader,
  compose: ComposeRules<Args>,
  args: Args,
): Promise<readonly StoredSeries[]> {
  const found = await findAll(reader, compose.reads(args));
  return selectAmong(compose, args, await countFound(reader, compose, { args, found }));
}

/** Series with the counts that a choice among them weighs. */
export async function countFound(
  reader: MirrorReader,
  compose: ComposeRules<Args>,
  { args, found }: { readonly args: Args; readonly found: readonly StoredSeries[] },
): Promise<readonly StoredSeries[]> {
  const bounds = compose.selectSeries && found.length > 1 ? compose.counts?.(args, found) : undefined;
  if (!bounds) return found;
  return Promise.all(found.map(async (series) => ({ ...series, rows: await reader.count(series, bounds) })));
}

export function selectAmong(
  compose: ComposeRules<Args>,
  args: Args,
  counted: readonly StoredSeries[],
): readonly StoredSeries[] {
  const selected = new Set(compose.selectSeries?.(args, counted) ?? counted);
  return counted.filter((series) => selected.has(series));
}

/** Every stored series of these references, each once, in a fixed order. */
export async function findAll(reader: MirrorReader, refs: readonly SeriesRef[]): Promise<readonly StoredSeries[]> {
  const found = (await Promise.all(refs.map((ref) => reader.find(ref)))).flat();
  return [...new Map(found.map((series) => [series.id, series])).values()].sort((a, b) => a.id - b.id);
}

/** The references that nothing is stored for. */
export async function absentOf(reader: MirrorReader, refs: readonly SeriesRef[]): Promise<readonly SeriesRef[]> {
  const found = await Promise.all(refs.map((ref) => reader.find(ref)));
  return refs.filter((_, i) => found[i]?.length === 0);
}
