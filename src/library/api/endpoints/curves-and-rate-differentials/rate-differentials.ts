// Made from the endpoints by npm run gen. Do not edit.
import type { DataQuality } from '../shared-members.ts';

/** Spread of two currencies on a shared rate: what is asked. */
export interface RateDifferentialsQuery {
  /** currency whose rate counts positive */ readonly base: string;
  /** currency whose rate is taken off */ readonly quote: string;
  /** rate that is compared; auto takes the first shared one */ readonly measure?: 'auto' | 'risk_free_rate' | 'gov_bond_2y' | 'gov_bond_10y' | 'policy_rate';
  /** spot rates, or forwards from curve nodes */ readonly rate_type?: 'spot' | 'forward';
  /** forward: family of bonds */ readonly curve_family?: 'government_nominal';
  /** forward: from this tenor */ readonly start_tenor_years?: number;
  /** forward: to this tenor */ readonly end_tenor_years?: number;
  /** first date of the window; default 365 days ago */ readonly start_date?: string;
  /** last date of the window; default today */ readonly end_date?: string;
  /** only what was known at this moment */ readonly as_of?: string | number | Date;
  /** known to whom */ readonly availability?: 'public' | 'captured';
  /** rows a page */ readonly limit?: number;
  /** rows to skip, newest first */ readonly offset?: number;
}

/** Spread of two currencies on a shared rate: one row. */
export interface RateDifferentialsRow {
  /** a date that both currencies have */ readonly date: string;
  /** per cent */ readonly base_val: number | null;
  /** per cent */ readonly quote_val: number | null;
  /** percentage points, base minus quote */ readonly spread?: number;
  /** basis points */ readonly spread_bps?: number;
  /** percentage points, base minus quote */ readonly differential?: number;
  /** basis points */ readonly differential_bps?: number;
  /** per cent */ readonly base_forward_val?: number;
  readonly base_start_val?: number;
  readonly base_end_val?: number;
  /** per cent */ readonly quote_forward_val?: number;
  readonly quote_start_val?: number;
  readonly quote_end_val?: number;
}

/** Spread of two currencies on a shared rate: the whole answer. */
export interface RateDifferentialsBody {
  readonly base: string;
  readonly quote: string;
  readonly rate_type?: string;
  readonly measure_requested?: string;
  /** left out when the currencies share no measure or no date */ readonly measure_used?: string;
  readonly base_indicator?: string;
  readonly quote_indicator?: string;
  readonly curve_family?: string;
  /** such as 2Y */ readonly start_tenor?: string;
  readonly end_tenor?: string;
  /** such as 2Y5Y */ readonly forward_label?: string;
  readonly start_date?: string;
  readonly end_date?: string;
  readonly as_of?: string;
  readonly availability?: string;
  /** common dates of the window */ readonly matched_points?: number;
  readonly unit?: string;
  /** percentage points, base minus quote */ readonly latest_spread?: number;
  /** basis points */ readonly latest_spread_bps?: number;
  /** percentage points, base minus quote */ readonly latest_differential?: number;
  /** basis points */ readonly latest_differential_bps?: number;
  /** newest value of the side */ readonly base_latest?: { readonly date?: string; /** per cent */ readonly val?: number; /** release time, Unix seconds */ readonly announcement_datetime?: number; };
  /** newest value of the side */ readonly quote_latest?: { readonly date?: string; /** per cent */ readonly val?: number; /** release time, Unix seconds */ readonly announcement_datetime?: number; };
  /** of each side */ readonly sources?: { readonly base: readonly string[] | string; readonly quote: readonly string[] | string; };
  readonly official_forward_source_support?: { readonly source_type?: string; readonly source_note?: string; };
  readonly data_quality?: DataQuality;
  readonly data: readonly RateDifferentialsRow[];
}
