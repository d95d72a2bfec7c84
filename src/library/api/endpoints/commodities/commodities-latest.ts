// Made from the endpoints by npm run gen. Do not edit.
/** Latest value of every commodity: what is asked. */
export interface CommoditiesLatestQuery {
}

/** Latest value of every commodity: one row. */
export interface CommoditiesLatestRow {
  readonly indicator: string;
  readonly name?: string;
  readonly unit?: string;
  readonly frequency?: string;
  readonly source?: string;
  readonly source_url?: string;
  readonly seasonal_adjustment?: string;
  readonly has_official_forecast?: boolean;
  readonly latest: { readonly date: string; readonly val: number | null; /** Unix seconds */ readonly announcement_datetime?: number | null; readonly source?: string; readonly source_url?: string; };
  readonly previous?: { readonly date: string; readonly val: number | null; /** Unix seconds */ readonly announcement_datetime?: number | null; readonly source?: string; readonly source_url?: string; } | null;
  /** per cent, two decimals */ readonly pct_diff_prev?: number | null;
  /** per cent, two decimals */ readonly pct_change_mom?: number | null;
  /** per cent, two decimals */ readonly pct_change_qoq?: number | null;
  /** per cent, two decimals */ readonly pct_change_yoy?: number | null;
}

/** Latest value of every commodity: the whole answer. */
export interface CommoditiesLatestBody {
  readonly currency?: string;
  readonly source?: string;
  /** newest date of any commodity */ readonly as_of?: string;
  readonly count?: number;
  readonly data: readonly CommoditiesLatestRow[] | Readonly<Record<string, CommoditiesLatestRow>>;
}
