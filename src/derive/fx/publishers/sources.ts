import type { Compose, Composed, LoadedSeries, SeriesRef, StoredRef, WantedSeries } from '../../../contract/hooks.ts';
import { type JsonObject, type JsonText, parseObject, toJsonText } from '../../../contract/json/json.ts';
import { rankOf } from '../pairs/paths.ts';
import { importedSources } from './imported.ts';
import { DAILY } from './observations.ts';
import { SOURCE_POLICY } from './policy.ts';

export const SOURCES = 'fx_sources';

/** The series that tell of sources: the service's list, and the rates of imported files. */
export const SOURCE_SERIES: readonly SeriesRef[] = [SOURCES, DAILY].map((endpoint) => ({ endpoint, scope: {} }));

/** Those that do: of daily rates, the imported ones. */
export function namesSources({ endpoint, origin }: StoredRef): boolean {
  return endpoint === SOURCES || (endpoint === DAILY && rankOf(origin) > 0);
}

/** An imported pair tells its name; its rates are not needed. */
export function wantsOf(_: unknown, { endpoint }: SeriesRef): WantedSeries | undefined {
  return endpoint === DAILY ? { newest: 1 } : undefined;
}

/** The service's list of sources as it came; the publishers of imported files that it does not name stand after them. */
export const composeSources: Compose<unknown> = {
  version: 1,
  reads: () => SOURCE_SERIES,
  selectSeries: (_, stored) => stored.filter(namesSources),
  rowsNeeded: wantsOf,
  vouches: (_, picked) => {
    const series = picked.filter(({ endpoint }) => endpoint === SOURCES);
    return series.length > 0 ? { series } : undefined;
  },
  build: buildSources,
};

function buildSources(loaded: readonly LoadedSeries[]): Composed {
  const rows = sourceRows(loaded);
  const kept: JsonObject = loaded.find(({ ref }) => ref.endpoint === SOURCES)?.envelope ?? {};
  return {
    envelope: { source_policy: SOURCE_POLICY, ...kept },
    rows,
    total: rows.length,
    ...lacksOfList(loaded, SOURCES),
  };
}

/**
 * What a list of sources lacks, unless the service's own list stands for it. It asks for no dates: which publishers' files
 * are held is known, however long ago a file ended.
 */
export function lacksOfList(loaded: readonly LoadedSeries[], list: string): Pick<Composed, 'lacks'> {
  return loaded.some(({ ref }) => ref.endpoint === list) ? {} : { lacks: [] };
}

/** Every source that the loaded series tell of, once. */
export function sourceRows(loaded: readonly LoadedSeries[]): readonly JsonText[] {
  const listed = loaded.flatMap(({ ref, rows }) => (ref.endpoint === SOURCES ? rows.map(({ text }) => text) : []));
  const known = new Set(listed.map((text) => parseObject(text).id));
  const files = importedSources(loaded.filter(({ ref }) => ref.endpoint === DAILY));
  return [...listed, ...files.filter(({ id }) => !known.has(id)).map((source) => toJsonText(source))];
}
