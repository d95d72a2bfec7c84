// Made from the endpoints by npm run gen. Do not edit.
/** Which indicators exist for a currency: what is asked. */
export interface DataCatalogueQuery {
  /** currency of the catalogue */ readonly currency: string;
  /** adds what the endpoints of this currency ask for */ readonly include_capabilities?: boolean;
  /** adds the older top-level coverage list */ readonly include_coverage?: boolean;
  /** one slug of the coverage list */ readonly indicator?: string;
}

/** Which indicators exist for a currency: one row. */
export interface DataCatalogueRow {
  /** descriptive name */ readonly name: string;
  /** unit of measurement */ readonly unit: string;
  /** Daily, Weekly, Monthly, Quarterly or Annual */ readonly frequency: string;
  /** publisher */ readonly source?: string;
  readonly source_url?: string;
  /** release, series or dataset */ readonly source_url_scope?: string;
  readonly source_series_id?: string;
  readonly source_series_name?: string;
  readonly source_local_name?: string;
  readonly source_history_start?: string;
  readonly seasonal_adjustment?: 'SA' | 'NSA' | 'UNKNOWN' | 'NOT_APPLICABLE';
  readonly price_basis?: 'REAL' | 'NOMINAL' | 'UNKNOWN';
  readonly annualization?: string;
  readonly period_aggregation?: string;
  readonly aliases?: readonly string[];
  readonly related_indicators?: readonly string[];
  readonly standardization_note?: string;
  readonly has_official_forecast?: boolean;
  readonly is_proxy?: boolean;
  readonly proxy_note?: string;
  readonly series_variants?: readonly ({ readonly series_id: string; })[];
  readonly supported_options?: Readonly<Record<string, readonly string[]>>;
  readonly maturity_months?: number;
  readonly yield_type?: string;
  readonly coverage: { readonly available?: boolean; readonly has_recent_data?: boolean; readonly value_available?: boolean; readonly requires_api_key?: boolean; readonly usable_for_signal?: boolean; readonly usable_for_context?: boolean; readonly source_monitoring_complete?: boolean; readonly known_source_gap?: boolean; readonly has_mom_transform?: boolean | null; readonly has_qoq_transform?: boolean | null; readonly has_yoy_transform?: boolean | null; readonly row_count?: number; readonly data_lag_days?: number; readonly stale_after_days?: number; readonly recent_observation_count?: number; readonly latest_release_date?: string; readonly latest_available_date?: string; readonly earliest_available_date?: string; readonly coverage_quality?: string; readonly history_coverage_quality?: string; readonly freshness_quality?: string; readonly source_freshness?: string; };
}

/** Which indicators exist for a currency: the whole answer. Its rows stand under their names. */
export type DataCatalogueBody = { /** with include_coverage */ readonly coverage?: readonly ({ readonly indicator: string; })[]; /** with include_capabilities */ readonly capabilities?: { readonly currency: string; readonly endpoints: readonly ({ readonly path: string; readonly method: string; readonly requires_api_key: boolean; })[]; readonly auth: { readonly header: string; readonly bearer: string; readonly keyless_scope: string; }; }; } & Readonly<Record<string, DataCatalogueRow>>;
