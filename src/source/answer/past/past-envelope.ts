import { isJsonObject, type JsonObject } from '../../../contract/json/json.ts';

/**
 * Members that say what a series is: names, units, publishers, and the choices that it offers. They are those of now, for
 * nobody keeps what they were.
 */
const DESCRIBING: ReadonlySet<string> = new Set([
  'currency',
  'indicator',
  'base',
  'quote',
  'pair',
  'factor',
  'session',
  'session_timezone',
  'session_close_local',
  'timezone',
  'curve_family',
  'metric',
  'name',
  'unit',
  'frequency',
  'methodology',
  'instrument',
  'report',
  'report_name',
  'report_dataset_id',
  'available_reports',
  'fx_overlay',
  'source',
  'source_url',
  'source_series_id',
  'source_series_name',
  'source_local_name',
  'source_policy',
  'provenance',
  'is_proxy',
  'has_official_forecast',
  'seasonal_adjustment',
  'price_basis',
  'value_name',
  'value_mode',
  'value_metadata',
  'remap',
  'component_metadata',
  'filters',
  'selected_series_id',
  'selected_series',
  'supported_options',
  'policy_role',
  'policy_structure',
  'comparison_compatible',
  'policy_family',
]);

/** What a quality says of the publisher; the rest of it counts rows and days as of its capture. */
const DESCRIBING_QUALITY: ReadonlySet<string> = new Set([
  'is_official',
  'is_proxy',
  'is_fallback',
  'source_name',
  'source_type',
]);

/** What the metadata of a pair say of how its rates are made; what was checked of them is of now. */
const DESCRIBING_PAIR: ReadonlySet<string> = new Set(['is_derived', 'derivation_method']);

/**
 * Stored members beside the rows, for a question that is put at a moment of the past: only those that say what a series is,
 * never one that counts, dates or scores what came until its capture. A member that nobody here knows is left out.
 */
export function describingMembers(stored: JsonObject): JsonObject {
  const described = only(stored, DESCRIBING);
  const { data_quality: quality, pair_metadata: pair } = stored;
  return {
    ...described,
    ...(isJsonObject(quality) && { data_quality: only(quality, DESCRIBING_QUALITY) }),
    ...(isJsonObject(pair) && { pair_metadata: only(pair, DESCRIBING_PAIR) }),
  };
}

function only(members: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([name]) => names.has(name)));
}
