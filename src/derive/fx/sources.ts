import type {
  Compose,
  Composed,
  HookContext,
  LoadedSeries,
  SeriesRef,
  StoredRef,
  WantedSeries,
} from '../../contract/hooks.ts';
import { patchRow } from '../../contract/json/body.ts';
import {
  asJsonText,
  isJsonObject,
  type JsonObject,
  type JsonText,
  parseObject,
  toJsonText,
} from '../../contract/json/json.ts';
import { memberSpans } from '../../contract/json/scan.ts';
import { DAILY, importedSources } from './observations.ts';
import { rankOf } from './paths.ts';
import { unknownSourceNotes } from './publisher-coverage.ts';

export const SOURCES = 'fx_sources';

/** The series that tell of sources: the service's list, and the rates of imported files. */
const SOURCE_SERIES: readonly SeriesRef[] = [SOURCES, DAILY].map((endpoint) => ({ endpoint, scope: {} }));

/** How values are named and where they come from, for whoever reads one of the fx routes. */
export const SOURCE_POLICY = {
  public_data_policy: 'Public reference rates, each row with its source, its time and what it was derived from.',
  request_time_upstream_fetches: false,
  value_field: 'price',
  legacy_daily_forex_value_field: 'val',
};

/** True for the list of sources and for imported daily rates. */
function namesSources({ endpoint, origin }: StoredRef): boolean {
  return endpoint === SOURCES || (endpoint === DAILY && rankOf(origin) > 0);
}

/** An imported pair tells its name; its rates are not needed. */
function wantsOf(_: unknown, { endpoint }: SeriesRef): WantedSeries | undefined {
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
    ...missingOfList(loaded, SOURCES),
  };
}

/** Missing parts of a list of sources, unless the service's own is stored; ended files are known. */
function missingOfList(loaded: readonly LoadedSeries[], list: string): Pick<Composed, 'missingParts'> {
  return loaded.some(({ ref }) => ref.endpoint === list) ? {} : { missingParts: [] };
}

/** Every source that the loaded series tell of, once. */
function sourceRows(loaded: readonly LoadedSeries[]): readonly JsonText[] {
  const listed = loaded.flatMap(({ ref, rows }) => (ref.endpoint === SOURCES ? rows.map(({ text }) => text) : []));
  const known = new Set(listed.map((text) => parseObject(text).id));
  const files = importedSources(loaded.filter(({ ref }) => ref.endpoint === DAILY));
  return [...listed, ...files.filter(({ id }) => !known.has(id)).map((source) => toJsonText(source))];
}

/** The arguments of the source-universe route. */
export interface UniverseArgs {
  readonly currency: string | undefined;
  readonly source: string | undefined;
}

export const UNIVERSE = 'fx_source_universe';

/** The pairs of each source: as the service listed them, else as the list of sources tells them. */
export const composeUniverse: Compose<UniverseArgs> = {
  version: 2,
  reads: () => [{ endpoint: UNIVERSE, scope: {} }, ...SOURCE_SERIES],
  selectSeries(_, stored) {
    const own = stored.filter(({ endpoint }) => endpoint === UNIVERSE);
    return own.length > 0 ? own : stored.filter(namesSources);
  },
  rowsNeeded: wantsOf,
  vouches(_, picked) {
    const series = picked.filter(({ endpoint }) => endpoint === UNIVERSE);
    return series.length > 0 ? { series } : undefined;
  },
  build: buildUniverse,
};

function buildUniverse(loaded: readonly LoadedSeries[], { args }: HookContext<UniverseArgs>): Composed {
  const currency = args.currency?.trim().toUpperCase();
  const own = loaded.filter(({ ref }) => ref.endpoint === UNIVERSE);
  const listed = own.length > 0 ? own.flatMap((series) => series.rows.map(({ text }) => text)) : undefined;
  const all = listed ?? sourceRows(loaded).map(universeRow);
  const rows = all.flatMap((text) => narrowed(text, args));
  const envelope = loaded.find(({ ref }) => ref.endpoint !== DAILY)?.envelope ?? {};
  const { currency: _, source: __, ...kept }: JsonObject = envelope;
  return {
    envelope: { source_policy: SOURCE_POLICY, ...kept, currency, source: args.source },
    rows,
    total: rows.length,
    ...(args.source !== undefined && {
      notes: unknownSourceNotes(args.source, { known: all.flatMap(idsIn), what: 'reference rates' }),
    }),
    ...missingOfList(loaded, own.length > 0 ? UNIVERSE : SOURCES),
  };
}

/** A source as the universe lists it, made of its entry in the list of sources. */
function universeRow(text: JsonText): JsonText {
  const source = parseObject(text);
  const native = textsIn(source.native_pairs);
  const anchor = anchorOf(native);
  const pairs = [...new Set([...native, ...textsIn(source.served_pairs)])].map((pair) => {
    const isNative = native.includes(pair);
    // A native pair without the source's main currency is quoted in units of its own quote.
    const through = pair.split('/').includes(anchor ?? '') || !isNative ? anchor : pair.split('/')[0];
    return { pair, availability: isNative ? 'native' : 'derived', anchor: through };
  });
  const { id, name, is_official } = source;
  return toJsonText({ source: { id, name, is_official }, pair_count: pairs.length, pairs });
}

/** The currency that most pairs of a source share; of a single pair its base. */
function anchorOf(pairs: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const code of pairs.flatMap((pair) => pair.split('/'))) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

function idsIn(text: JsonText): readonly string[] {
  const { source } = parseObject(text);
  return isJsonObject(source) && typeof source.id === 'string' ? [source.id] : [];
}

/** The row with the pairs of a currency; none when it is another source or has no such pair. */
function narrowed(text: JsonText, { currency, source }: UniverseArgs): readonly JsonText[] {
  if (currency === undefined && source === undefined) return [text];
  const row = parseObject(text);
  if (source !== undefined && !(isJsonObject(row.source) && row.source.id === source)) return [];
  if (currency === undefined) return [text];
  const code = currency.trim().toUpperCase();
  const pairs = pairTexts(text).filter((entry) => String(parseObject(entry).pair).split('/').includes(code));
  if (pairs.length === 0) return [];
  return [patchRow(text, { pair_count: toJsonText(pairs.length), pairs: asJsonText(`[${pairs.join(',')}]`) })];
}

/** The entries of a row's `pairs` as they were spelled. */
function pairTexts(text: JsonText): readonly JsonText[] {
  const list = memberSpans(text).find(({ name }) => name === 'pairs');
  if (!list || text[list.start] !== '[') return [];
  return memberSpans(text, list.start).map(({ start, end }) => asJsonText(text.slice(start, end)));
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
