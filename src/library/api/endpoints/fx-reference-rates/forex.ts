// Made from the endpoints by npm run gen. Do not edit.
import type { DataQuality, Provenance } from '../shared-members.ts';

/** Daily FX reference rates of a pair, with technical indicators: what is asked. */
export interface ForexQuery {
  /** currency that is priced */ readonly base: string;
  /** currency of the price */ readonly quote: string;
  /** first date of the window; default 365 days ago */ readonly start_date?: string;
  /** last date of the window; default today */ readonly end_date?: string;
  /** technical indicators, or all */ readonly indicators?: readonly string[] | string;
  /** rows a page */ readonly limit?: number;
  /** rows to skip, newest first */ readonly offset?: number;
  /** page number from 1; beats offset */ readonly page?: number;
  /** pin of an earlier answer, 64 hex digits */ readonly dataset_version?: string;
}

/** Daily FX reference rates of a pair, with technical indicators: one row. */
export interface ForexRow {
  /** reference date */ readonly date: string;
  /** the rate: quote units for one unit of base */ readonly val: number | null;
  /** midnight UTC of the date, Unix seconds: a marker, not a publication time */ readonly observation_datetime?: number;
  readonly observation_datetime_iso?: string;
  /** date */ readonly observation_datetime_precision?: string;
  /** where this value comes from */ readonly source?: { /** the pair itself is published */ readonly direct_available?: boolean; /** the reverse pair is published */ readonly inverse_available?: boolean; readonly derived_from_inverse?: boolean; readonly derived_from_cross?: boolean; readonly derived_from_source_legs?: boolean; readonly is_derived?: boolean; /** direct_original_pair where nothing was computed */ readonly derivation_method?: string; readonly source_pair?: string; readonly source_legs?: readonly ({ readonly pair?: string; readonly source_provider?: string; readonly source_name?: string; readonly source_url?: string; /** monthly and annual figures are labelled, not presented as daily ones */ readonly source_frequency?: string; })[]; /** passed, failed or not_applicable */ readonly pair_consistency_check?: string; /** currency that both legs of a cross share */ readonly anchor_currency?: string | null; };
  /** quote units for one unit of base */ readonly open?: number;
  /** quote units for one unit of base */ readonly high?: number;
  /** quote units for one unit of base */ readonly low?: number;
  /** quote units for one unit of base */ readonly close?: number;
  readonly ohlc_point_count?: number;
  readonly ohlc_source_count?: number;
  readonly ohlc_timestamp_start_utc?: string;
  readonly ohlc_timestamp_end_utc?: string;
  readonly ohlc_type?: string;
  readonly sma_20?: number | null;
  readonly sma_50?: number | null;
  readonly sma_200?: number | null;
  readonly ema_12?: number | null;
  readonly ema_20?: number | null;
  readonly ema_26?: number | null;
  readonly ema_50?: number | null;
  readonly ema_200?: number | null;
  readonly rsi_14?: number | null;
  readonly atr_14?: number | null;
  readonly adx_14?: number | null;
  readonly stoch_k_14?: number | null;
  readonly stoch_d_3?: number | null;
  readonly williams_r_14?: number | null;
  readonly cci_20?: number | null;
  readonly donchian_upper_20?: number | null;
  readonly donchian_middle_20?: number | null;
  readonly donchian_lower_20?: number | null;
  readonly macd?: number | null;
  readonly macd_signal?: number | null;
  readonly macd_histogram?: number | null;
  readonly bb_upper?: number | null;
  readonly bb_middle?: number | null;
  readonly bb_lower?: number | null;
}

/** Daily FX reference rates of a pair, with technical indicators: the whole answer. */
export interface ForexBody {
  readonly base: string;
  readonly quote: string;
  /** publisher */ readonly source: string;
  readonly provenance: Provenance;
  readonly pair_metadata: { /** the pair itself is published */ readonly direct_available?: boolean; /** the reverse pair is published */ readonly inverse_available?: boolean; readonly derived_from_inverse?: boolean; readonly derived_from_cross?: boolean; readonly derived_from_source_legs?: boolean; readonly is_derived?: boolean; /** direct_original_pair where nothing was computed */ readonly derivation_method?: string; readonly source_pair?: string; readonly source_legs?: readonly ({ readonly pair?: string; readonly source_provider?: string; readonly source_name?: string; readonly source_url?: string; /** monthly and annual figures are labelled, not presented as daily ones */ readonly source_frequency?: string; })[]; /** passed, failed or not_applicable */ readonly pair_consistency_check?: string; /** currency that both legs of a cross share */ readonly anchor_currency?: string | null; };
  readonly data_quality?: DataQuality;
  readonly start_date: string;
  readonly end_date: string;
  readonly coverage?: Readonly<Record<string, unknown>>;
  readonly daily_ohlc_basis?: string;
  readonly technical_indicator_basis?: string;
  /** values at the newest row of the window, by name */ readonly indicators?: Readonly<Record<string, unknown>>;
  readonly data: readonly ForexRow[];
}
