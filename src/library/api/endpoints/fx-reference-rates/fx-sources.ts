// Made from the endpoints by npm run gen. Do not edit.
/** Publishers of reference rates: what is asked. */
export interface FxSourcesQuery {
}

/** Publishers of reference rates: one row. */
export interface FxSourcesRow {
  readonly id: string;
  readonly name: string;
  readonly authority_type?: string;
  readonly country_or_area?: string;
  readonly url?: string;
  readonly attribution_text?: string;
  readonly tier?: number;
  readonly is_official?: boolean;
  readonly is_aggregator?: boolean;
  readonly default_timezone?: string;
  readonly native_pairs?: readonly string[];
  readonly publication_frequency?: string;
  readonly native_pair_count?: number;
  readonly source_universe_endpoint?: string;
  readonly served_pairs?: readonly string[];
  readonly served_pair_count?: number;
  readonly coverage_note?: string;
}

/** Publishers of reference rates: the whole answer. */
export interface FxSourcesBody {
  readonly source_policy: { readonly public_data_policy?: string; readonly request_time_upstream_fetches?: boolean; readonly value_field?: string; readonly legacy_daily_forex_value_field?: string; };
  readonly sources: readonly FxSourcesRow[];
}
