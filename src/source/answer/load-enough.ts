import type { HookContext, LoadedSeries } from '../../contract/hooks.ts';
import type { Args } from '../../contract/params/params.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import type { MirrorQuestion } from './answer.ts';
import { loadMore, loadSeries } from './load.ts';

/** How often a hook is asked which more rows it needs, before it gets all. */
const MAX_ROUNDS = 4;

export function loadAll(ask: MirrorQuestion, picked: readonly StoredSeries[]): Promise<readonly LoadedSeries[]> {
  return Promise.all(picked.map((series) => loadSeries(ask, series)));
}

/** The picked series with as many of their rows as the hook needs. `known` are the first of them, loaded before. */
export async function loadEnough(
  ask: MirrorQuestion,
  picked: readonly StoredSeries[],
  { known, context }: { readonly known: readonly LoadedSeries[]; readonly context: HookContext<Args> },
): Promise<readonly LoadedSeries[]> {
  const { compose } = ask.question.endpoint;
  let loaded: readonly LoadedSeries[] = [...known, ...(await loadAll(ask, picked.slice(known.length)))];
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const more = compose?.moreNeeded?.(loaded, context);
    if (!more || more.size === 0) return loaded;
    loaded = await eachAgain(picked, loaded, async (series, before) => {
      const needed = more.get(before);
      return needed ? loadMore(ask, { series, before, needed }) : before;
    });
  }
  return eachAgain(picked, loaded, async (series, before) =>
    before.isHead ? loadMore(ask, { series, before, needed: undefined }) : before,
  );
}

function eachAgain(
  picked: readonly StoredSeries[],
  loaded: readonly LoadedSeries[],
  load: (series: StoredSeries, before: LoadedSeries) => Promise<LoadedSeries>,
): Promise<readonly LoadedSeries[]> {
  return Promise.all(
    loaded.map(async (before, i) => {
      const series = picked[i];
      return series ? load(series, before) : before;
    }),
  );
}
