// Made from the endpoints by npm run gen. Do not edit.

/** Members that the answers of many endpoints share. */
export interface Provenance {
  readonly publisher?: string | null;
  readonly publisher_url?: string | null;
  /** label of the store */ readonly storage?: string | null;
  /** path template */ readonly served_by?: string | null;
  /** member of a row that dates it */ readonly timestamp_field?: string | null;
  /** member of a row that is its value */ readonly value_field?: string | null;
  readonly source_series_id?: string | null;
  readonly source_series_name?: string | null;
  readonly source_local_name?: string | null;
  readonly seasonal_adjustment?: string | null;
  readonly price_basis?: string | null;
  readonly is_proxy?: boolean | null;
  readonly proxy_note?: string | null;
}

/** Members that the answers of many endpoints share. */
export interface DataQuality {
  readonly is_official?: boolean;
  readonly is_proxy?: boolean;
  readonly is_fallback?: boolean;
  /** older than stale_after_days */ readonly is_stale?: boolean;
  readonly is_derived?: boolean;
  readonly has_announcement_datetime?: boolean;
  /** every row has a release time that is confirmed */ readonly point_in_time_safe?: boolean;
  readonly has_assumed_release_times?: boolean;
  readonly requested_window_has_data?: boolean;
  readonly page_includes_latest_available?: boolean;
  readonly unverified_vintage_count?: number;
  readonly unknown_publication_time_count?: number;
  readonly row_count?: number;
  readonly announcement_datetime_count?: number;
  readonly missing_announcement_datetime_count?: number;
  readonly assumed_release_time_count?: number;
  readonly bounded_release_time_count?: number;
  readonly unbounded_release_time_count?: number;
  /** from the newest date to the day of the request */ readonly data_lag_days?: number;
  /** left out where a series has no fixed cadence */ readonly stale_after_days?: number;
  readonly latest_available_date?: string | null;
  readonly source_name?: string;
  readonly source_type?: string;
  /** full_result or scheduled_releases */ readonly quality_scope?: string;
  readonly datetime_field?: string;
  readonly datetime_precision?: string;
  readonly source_legs?: readonly unknown[];
  /** why rows may be missing, or how they came about */ readonly reason?: string;
}

/** Members that the answers of many endpoints share. */
export interface FreemiumWindow {
  readonly applied?: boolean;
  readonly max_days?: number;
  /** first date that can be read without a key */ readonly cutoff_date?: string;
  readonly message?: string;
}

/** Members that the answers of many endpoints share. */
export interface FreemiumDelay {
  readonly applied: boolean;
  readonly delay_seconds?: number;
  readonly delay_minutes?: number;
  /** newest release that can be read, Unix seconds */ readonly cutoff: number;
  readonly cutoff_iso: string;
  /** releases withheld from this answer */ readonly withheld_count: number;
  /** when the next withheld one can be read, Unix seconds */ readonly next_available_at?: number | null;
  readonly next_available_at_iso?: string | null;
  readonly message?: string;
  readonly subscribe_url?: string;
}
