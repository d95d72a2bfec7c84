// Made from the endpoints by npm run gen. Do not edit.
/** Reference rates of a pair by the moment at which they were made: what is asked. */
export interface FxIntradayReferenceRatesQuery {
  /** currency that is priced */ readonly base: string;
  /** currency of the price */ readonly quote: string;
  /** last moment of the window; default now */ readonly end_time?: string | number | Date;
  /** first moment of the window; default 24 hours before its end */ readonly start_time?: string | number | Date;
}

/** Reference rates of a pair by the moment at which they were made: one row. */
export interface FxIntradayReferenceRatesRow {
  /** when the source made the observation */ readonly timestamp: string;
  /** the rate: quote units for one unit of base */ readonly price: number;
  /** the same */ readonly val?: number;
  readonly reference_date?: string;
  /** official_fixing or official_published */ readonly timestamp_type: string;
  /** publisher of the rate */ readonly source: { readonly id: string; readonly name?: string; readonly is_official?: boolean; };
  /** the pair that was published */ readonly source_pair?: string;
  readonly is_derived?: boolean;
  /** direct_original_pair, inverse_of_direct_pair or cross_via_anchor */ readonly derivation_method?: string;
  /** currency that both legs of a cross share */ readonly anchor_currency?: string;
}

/** Reference rates of a pair by the moment at which they were made: the whole answer. */
export interface FxIntradayReferenceRatesBody {
  /** BASE/QUOTE */ readonly pair: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly count?: number;
  readonly data: readonly FxIntradayReferenceRatesRow[];
}
