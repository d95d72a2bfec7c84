// Made from the endpoints by npm run gen. Do not edit.
import type { DataQuality, FreemiumDelay, FreemiumWindow, Provenance } from '../shared-members.ts';

/** Newest values of one indicator: what is asked. */
export interface AnnouncementsRecentSeriesQuery {
  /** currency of the indicator */ readonly currency: string;
  /** indicator */ readonly indicator: string;
  /** first date of the window; default 365 days ago */ readonly start_date?: string;
  /** last date of the window; default today */ readonly end_date?: string;
  /** seasonal adjustment */ readonly seasonality?: 'sa' | 'nsa';
  /** transformation */ readonly frequency?: 'level' | 'yoy' | 'qoq' | 'mom';
  /** annualization */ readonly annualization?: 'not_annualized' | 'saar';
  /** aggregation of periods */ readonly period_aggregation?: 'monthly' | 'quarterly_average';
  /** price basis */ readonly basis?: 'real' | 'nominal';
  /** which vintage of each period */ readonly revisions?: 'latest' | 'first' | 'final' | 'all';
  /** stored rows or the canonical series */ readonly series_mode?: 'raw' | 'canonical';
  /** normalized values or the publisher’s */ readonly value_mode?: 'normalized' | 'source';
  /** leaves out proxies */ readonly official_only?: boolean;
  /** only what was known at this moment */ readonly as_of?: string | number | Date;
  /** known to whom */ readonly availability?: 'public' | 'captured';
  /** rows a page */ readonly limit?: number;
  /** rows to skip, newest first */ readonly offset?: number;
  /** page number from 1; beats offset */ readonly page?: number;
  /** pin of an earlier answer, 64 hex digits */ readonly dataset_version?: string;
}

/** Newest values of one indicator: one row. */
export interface AnnouncementsRecentSeriesRow {
  /** end of the reference period */ readonly date: string;
  /** the value, in the unit of the series */ readonly val: number | null;
  readonly announcement_id?: string;
  readonly observation_id?: string;
  /** release time, Unix seconds */ readonly announcement_datetime?: number | null;
  readonly announcement_datetime_local?: string;
  /** when the service collected the row, Unix seconds */ readonly collected_at?: number;
  readonly collected_at_ns_string?: string;
  readonly collected_at_iso?: string;
  /** percent-type series: value of the period before */ readonly previous_value?: number | null;
  readonly previous_date?: string | null;
  /** release time of the row before, Unix seconds */ readonly previous_announcement_datetime?: number | null;
  /** not rounded */ readonly change_from_previous?: number | null;
  /** per cent, two decimals */ readonly pct_change_from_previous?: number | null;
  /** the publisher’s monthly change */ readonly val_mom?: number | null;
  /** level series: difference to the period before, not rounded */ readonly change?: number | null;
  /** per cent, two decimals */ readonly pct_change_mom?: number | null;
  /** per cent, two decimals */ readonly pct_change_yoy?: number | null;
  readonly source?: string;
  readonly source_url?: string;
  readonly vintage_status?: string;
  readonly revisions?: readonly ({ readonly val: number | null; /** publication time, Unix seconds */ readonly epoch?: number; readonly change?: number | null; /** when the service captured it */ readonly observed_at_ns?: number; readonly observed_at_ns_string?: string; readonly is_first_release?: boolean; readonly vintage_status?: string; })[];
  /** an empty window shows the newest row before it */ readonly outside_requested_window?: boolean;
  readonly returned_reason?: string;
  /** days from the row to the start of the window */ readonly staleness_days?: number;
  /** with as_of: when the value became known */ readonly selected_vintage_known_at_ns?: string;
  /** why val is null: ambiguous, when several values claim the same moment */ readonly reason?: string;
  /** with as_of: the time is the publisher’s own or the service’s capture */ readonly replay_vintage_verified?: boolean;
}

/** Newest values of one indicator: the whole answer. */
export interface AnnouncementsRecentSeriesBody {
  readonly currency: string;
  readonly indicator: string;
  readonly name?: string;
  readonly unit?: string;
  readonly source?: string;
  readonly requested_start_date?: string;
  readonly requested_end_date?: string;
  readonly requested_window_has_data?: boolean;
  readonly start_date?: string;
  readonly end_date?: string;
  readonly earliest_available_date?: string;
  readonly latest_available_date?: string;
  readonly page_includes_latest_available?: boolean;
  /** the asked selectors; null when not asked */ readonly filters?: Readonly<Record<string, string | null>>;
  readonly selected_series_id?: string;
  readonly selected_series?: { readonly series_id: string; };
  readonly supported_options?: Readonly<Record<string, readonly string[]>>;
  readonly value_mode?: string;
  readonly replay?: { readonly as_of: string; readonly availability: string; };
  readonly provenance?: Provenance;
  readonly data_quality?: DataQuality;
  readonly freemium_window?: FreemiumWindow;
  readonly freemium_delay?: FreemiumDelay;
  readonly data: readonly AnnouncementsRecentSeriesRow[];
}
