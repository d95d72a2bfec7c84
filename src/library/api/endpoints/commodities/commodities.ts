// Made from the endpoints by npm run gen. Do not edit.
import type { DataQuality, Provenance } from '../shared-members.ts';

/** History of one commodity: what is asked. */
export interface CommoditiesQuery {
  /** commodity */ readonly indicator: string;
  /** first date of the window; default 365 days ago */ readonly start_date?: string;
  /** last date of the window; default today */ readonly end_date?: string;
  /** rows a page */ readonly limit?: number;
  /** rows to skip, newest first */ readonly offset?: number;
  /** page number from 1; beats offset */ readonly page?: number;
}

/** History of one commodity: one row. */
export interface CommoditiesRow {
  readonly date: string;
  readonly val: number | null;
  /** release time, Unix seconds */ readonly announcement_datetime?: number | null;
  readonly source?: string;
  readonly source_url?: string;
  /** per cent against the row before */ readonly pct_change?: number | null;
  /** per cent against twelve months before */ readonly pct_change_12m?: number | null;
}

/** History of one commodity: the whole answer. */
export interface CommoditiesBody {
  readonly currency?: string;
  readonly indicator: string;
  readonly source?: string;
  readonly source_url?: string;
  readonly has_official_forecast?: boolean;
  readonly last_updated?: string;
  readonly provenance?: Provenance;
  readonly unit?: string;
  readonly latest_available_date?: string;
  readonly start_date?: string;
  readonly end_date?: string;
  readonly data_quality?: DataQuality;
  readonly data: readonly CommoditiesRow[];
}
