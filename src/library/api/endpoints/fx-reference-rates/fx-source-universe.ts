// Made from the endpoints by npm run gen. Do not edit.
/** Pairs that each source of reference rates publishes or leads to: what is asked. */
export interface FxSourceUniverseQuery {
  /** only pairs of this currency */ readonly currency?: string;
  /** id of a source */ readonly source?: string;
}

/** Pairs that each source of reference rates publishes or leads to: one row. */
export interface FxSourceUniverseRow {
  /** publisher of the rate */ readonly source: { readonly id: string; readonly name?: string; readonly is_official?: boolean; };
  readonly pair_count: number;
  readonly pairs: readonly ({ /** BASE/QUOTE */ readonly pair: string; /** native or derived */ readonly availability?: string; /** currency that the rate goes by */ readonly anchor?: string | null; })[];
}

/** Pairs that each source of reference rates publishes or leads to: the whole answer. */
export interface FxSourceUniverseBody {
  readonly source_policy: { readonly public_data_policy?: string; readonly request_time_upstream_fetches?: boolean; readonly value_field?: string; readonly legacy_daily_forex_value_field?: string; };
  readonly currency?: string | null;
  readonly source?: string | null;
  readonly data: readonly FxSourceUniverseRow[];
}
