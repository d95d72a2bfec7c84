// Made from the endpoints by npm run gen. Do not edit.
import type { DataQuality } from '../shared-members.ts';

/** Forecasts of the releases of one indicator: what is asked. */
export interface PredictionsQuery {
  /** currency of the indicator */ readonly currency: string;
  /** indicator */ readonly indicator: string;
  /** kind of forecast */ readonly prediction_class?: 'compiled_consensus' | 'forecaster_survey' | 'market_implied' | 'model_nowcast' | 'central_bank_projection' | 'institutional_projection' | 'fxmacrodata';
  /** kind of forecast, older division */ readonly prediction_type?: 'market_consensus' | 'market_prediction' | 'model_nowcast' | 'survey' | 'central_bank_forecast' | 'central_bank_projection' | 'imf_weo' | 'oecd_eo' | 'fxmacrodata';
  /** one source */ readonly prediction_source?: string;
  /** official forecasts at most */ readonly official_limit?: number;
  /** only forecasts made before the release */ readonly pre_release_only?: boolean;
  /** seasonal adjustment */ readonly seasonality?: 'sa' | 'nsa';
  /** transformation */ readonly frequency?: 'level' | 'yoy' | 'qoq' | 'mom';
  /** annualization */ readonly annualization?: 'not_annualized' | 'saar';
  /** aggregation of periods */ readonly period_aggregation?: 'monthly' | 'quarterly_average';
  /** price basis */ readonly basis?: 'real' | 'nominal';
  /** first reference period; default 180 days ago */ readonly start_date?: string;
  /** last reference period; default 90 days ahead */ readonly end_date?: string;
  /** only periods before this date: next_cursor of the last answer */ readonly before_date?: string;
  /** only forecasts made by this moment */ readonly as_of?: string | number | Date;
  /** only forecasts of what the release will print */ readonly event_compatible_only?: boolean;
  /** rows a page */ readonly limit?: number;
  /** rows to skip, newest first */ readonly offset?: number;
  /** page number from 1; beats offset */ readonly page?: number;
}

/** Forecasts of the releases of one indicator: one row. */
export interface PredictionsRow {
  /** the release that is forecast */ readonly announcement_id: string;
  /** end of the reference period */ readonly date: string;
  readonly observation_id?: string;
  /** lower case */ readonly currency?: string;
  readonly indicator?: string;
  /** release time, Unix seconds; absent until then */ readonly announcement_datetime?: number | null;
  readonly announcement_timing?: unknown;
  readonly predictions: readonly ({ readonly predicted_value: number | null; readonly prediction_class?: string; readonly prediction_class_label?: string; /** the older division */ readonly prediction_type?: string; readonly prediction_source?: string; readonly prediction_source_label?: string; /** when the forecast was made */ readonly generated_at?: string | null; /** it was made before the release */ readonly is_pre_release?: boolean; readonly confidence?: unknown; /** it forecasts what the release will print */ readonly event_compatible?: boolean; readonly event_compatibility_reason?: string | null; readonly source_url?: string; readonly unit?: string; readonly provenance?: unknown; })[];
}

/** Forecasts of the releases of one indicator: the whole answer. */
export interface PredictionsBody {
  readonly currency: string;
  readonly indicator: string;
  readonly as_of?: string | null;
  readonly event_compatible_only?: boolean;
  readonly pre_release_only?: boolean;
  readonly filters?: Readonly<Record<string, string | null>>;
  readonly selected_series_id?: string;
  readonly selected_series?: Readonly<Record<string, unknown>>;
  readonly supported_options?: Readonly<Record<string, readonly string[]>>;
  readonly start_date?: string;
  readonly end_date?: string;
  /** targets of this page */ readonly count: number;
  /** forecasts of this page */ readonly prediction_count?: number;
  /** oldest date of the page; ask with it as `before_date` */ readonly next_cursor?: string | null;
  readonly has_more?: boolean;
  readonly data_quality?: DataQuality;
  /** with periods of their own, never part of `data` */ readonly official_forecasts?: readonly ({ readonly forecast_observation_id: string; readonly predicted_value: number | null; readonly variable?: string; /** the period as its publisher names it */ readonly target_period?: string; readonly period_basis?: string; readonly unit?: string; readonly statistic?: string; readonly publication_date?: string; readonly publication_datetime?: string | null; /** exact, date or unknown */ readonly publication_precision?: string; readonly prediction_source?: string; readonly prediction_class?: string; readonly source_url?: string; readonly geography?: string; })[];
  readonly data: readonly PredictionsRow[];
}
