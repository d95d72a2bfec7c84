// Made from the endpoints by npm run gen. Do not edit.
import type { DataQuality, FreemiumWindow, Provenance } from '../shared-members.ts';

/** Weekly futures positions of traders: what is asked. */
export interface CotQuery {
  /** currency, or XAU, of the futures */ readonly currency: string;
  /** which breakdown of traders */ readonly report?: 'legacy_futures' | 'tff_futures';
  /** first date of the window; default 365 days ago */ readonly start_date?: string;
  /** last date of the window; default today */ readonly end_date?: string;
  /** rows a page */ readonly limit?: number;
  /** rows to skip, newest first */ readonly offset?: number;
  /** page number from 1; beats offset */ readonly page?: number;
}

/** Weekly futures positions of traders: one row. */
export interface CotRow {
  /** the Tuesday that the positions are of */ readonly date: string;
  /** release time, Unix seconds */ readonly announcement_datetime?: number | null;
  readonly release_datetime?: string;
  readonly release_time_assumed?: boolean;
  readonly holiday_adjusted_release?: boolean;
  /** contracts */ readonly open_interest?: number | null;
  /** distance from the usual, in deviations */ readonly open_interest_zscore?: number | null;
  /** contracts */ readonly noncommercial_long?: number | null;
  /** distance from the usual, in deviations */ readonly noncommercial_long_zscore?: number | null;
  /** contracts */ readonly noncommercial_short?: number | null;
  /** distance from the usual, in deviations */ readonly noncommercial_short_zscore?: number | null;
  /** contracts */ readonly noncommercial_net?: number | null;
  /** distance from the usual, in deviations */ readonly noncommercial_net_zscore?: number | null;
  /** contracts */ readonly noncommercial_spread?: number | null;
  /** distance from the usual, in deviations */ readonly noncommercial_spread_zscore?: number | null;
  /** contracts */ readonly commercial_long?: number | null;
  /** distance from the usual, in deviations */ readonly commercial_long_zscore?: number | null;
  /** contracts */ readonly commercial_short?: number | null;
  /** distance from the usual, in deviations */ readonly commercial_short_zscore?: number | null;
  /** contracts */ readonly commercial_net?: number | null;
  /** distance from the usual, in deviations */ readonly commercial_net_zscore?: number | null;
  /** contracts */ readonly total_reportable_long?: number | null;
  /** distance from the usual, in deviations */ readonly total_reportable_long_zscore?: number | null;
  /** contracts */ readonly total_reportable_short?: number | null;
  /** distance from the usual, in deviations */ readonly total_reportable_short_zscore?: number | null;
  /** contracts */ readonly dealer_long?: number | null;
  /** distance from the usual, in deviations */ readonly dealer_long_zscore?: number | null;
  /** contracts */ readonly dealer_short?: number | null;
  /** distance from the usual, in deviations */ readonly dealer_short_zscore?: number | null;
  /** contracts */ readonly dealer_net?: number | null;
  /** distance from the usual, in deviations */ readonly dealer_net_zscore?: number | null;
  /** contracts */ readonly dealer_spread?: number | null;
  /** distance from the usual, in deviations */ readonly dealer_spread_zscore?: number | null;
  /** contracts */ readonly asset_manager_long?: number | null;
  /** distance from the usual, in deviations */ readonly asset_manager_long_zscore?: number | null;
  /** contracts */ readonly asset_manager_short?: number | null;
  /** distance from the usual, in deviations */ readonly asset_manager_short_zscore?: number | null;
  /** contracts */ readonly asset_manager_net?: number | null;
  /** distance from the usual, in deviations */ readonly asset_manager_net_zscore?: number | null;
  /** contracts */ readonly asset_manager_spread?: number | null;
  /** distance from the usual, in deviations */ readonly asset_manager_spread_zscore?: number | null;
  /** contracts */ readonly leveraged_funds_long?: number | null;
  /** distance from the usual, in deviations */ readonly leveraged_funds_long_zscore?: number | null;
  /** contracts */ readonly leveraged_funds_short?: number | null;
  /** distance from the usual, in deviations */ readonly leveraged_funds_short_zscore?: number | null;
  /** contracts */ readonly leveraged_funds_net?: number | null;
  /** distance from the usual, in deviations */ readonly leveraged_funds_net_zscore?: number | null;
  /** contracts */ readonly leveraged_funds_spread?: number | null;
  /** distance from the usual, in deviations */ readonly leveraged_funds_spread_zscore?: number | null;
  /** contracts */ readonly other_reportable_long?: number | null;
  /** distance from the usual, in deviations */ readonly other_reportable_long_zscore?: number | null;
  /** contracts */ readonly other_reportable_short?: number | null;
  /** distance from the usual, in deviations */ readonly other_reportable_short_zscore?: number | null;
  /** contracts */ readonly other_reportable_net?: number | null;
  /** distance from the usual, in deviations */ readonly other_reportable_net_zscore?: number | null;
  /** contracts */ readonly other_reportable_spread?: number | null;
  /** distance from the usual, in deviations */ readonly other_reportable_spread_zscore?: number | null;
  /** contracts */ readonly nonreportable_long?: number | null;
  /** distance from the usual, in deviations */ readonly nonreportable_long_zscore?: number | null;
  /** contracts */ readonly nonreportable_short?: number | null;
  /** distance from the usual, in deviations */ readonly nonreportable_short_zscore?: number | null;
}

/** Weekly futures positions of traders: the whole answer. */
export interface CotBody {
  readonly currency: string;
  readonly report: string;
  readonly instrument?: string;
  readonly report_name?: string;
  readonly report_dataset_id?: string;
  readonly available_reports?: readonly string[];
  readonly source?: string;
  readonly source_url?: string;
  readonly provenance?: Provenance;
  readonly fx_overlay?: { readonly pair: string; };
  readonly start_date?: string;
  readonly end_date?: string;
  readonly latest_available_date?: string;
  readonly latest_available_announcement_datetime?: number | null;
  readonly expected_next_release?: string;
  /** Unix seconds */ readonly expected_next_release_epoch?: number;
  readonly expected_next_release_holiday_adjusted?: boolean;
  readonly expected_next_release_source?: string;
  readonly data_lag_days?: number;
  readonly last_updated?: string;
  readonly page_includes_latest_available?: boolean;
  readonly data_quality?: DataQuality;
  readonly freemium_window?: FreemiumWindow;
  readonly data: readonly CotRow[];
}
