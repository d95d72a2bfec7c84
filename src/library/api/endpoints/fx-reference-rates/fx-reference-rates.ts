// Made from the endpoints by npm run gen. Do not edit.
import type { DataQuality } from '../shared-members.ts';

/** Every published reference rate of a pair, with its time, its source and rates derived from it: what is asked. */
export interface FxReferenceRatesQuery {
  /** currency that is priced */ readonly base: string;
  /** currency of the price */ readonly quote: string;
  /** one date instead of a window */ readonly date?: string;
  /** first date of the window; default 365 days ago */ readonly start_date?: string;
  /** last date of the window; default today */ readonly end_date?: string;
  /** id of a source */ readonly source?: string;
  /** what the time of a rate stands for */ readonly timestamp_type?: 'fixing' | 'published';
  /** leaves out derived rates */ readonly native_only?: boolean;
  /** shows the rates that a derived one was made of */ readonly include_source_legs?: boolean;
  /** order of the rows */ readonly order?: 'timestamp_asc' | 'timestamp_desc' | 'date_asc' | 'date_desc';
  /** rows a page */ readonly limit?: number;
  /** rows to skip, newest first */ readonly offset?: number;
  /** page number from 1; beats offset */ readonly page?: number;
  /** pin of an earlier answer, 64 hex digits */ readonly dataset_version?: string;
}

/** Every published reference rate of a pair, with its time, its source and rates derived from it: one row. */
export interface FxReferenceRatesRow {
  /** reference date */ readonly date: string;
  /** when the source made or published the rate */ readonly timestamp_utc: string;
  /** fixing or published */ readonly timestamp_type: string;
  /** the time is the usual one of the publisher, not a stated one */ readonly timestamp_assumed?: boolean;
  /** the rate: quote units for one unit of base */ readonly price: number;
  /** the same */ readonly val?: number;
  /** publisher of the rate */ readonly source: { readonly id: string; readonly name?: string; readonly is_official?: boolean; };
  /** the pair that was published; of a cross both */ readonly source_pair?: string;
  readonly is_derived?: boolean;
  /** direct_original_pair, inverse_of_direct_pair or cross_via_anchor */ readonly derivation_method?: string;
  /** currency that both legs of a cross share */ readonly anchor_currency?: string;
  /** passed, failed or not_applicable */ readonly pair_consistency_check?: string;
  readonly source_legs?: readonly ({ readonly pair?: string; readonly source?: unknown; readonly timestamp_utc?: string; readonly price?: number; })[];
}

/** Every published reference rate of a pair, with its time, its source and rates derived from it: the whole answer. */
export interface FxReferenceRatesBody {
  readonly base: string;
  readonly quote: string;
  /** BASE/QUOTE */ readonly pair: string;
  readonly start_date?: string;
  readonly end_date?: string;
  readonly source_policy?: { readonly public_data_policy?: string; readonly request_time_upstream_fetches?: boolean; readonly value_field?: string; readonly legacy_daily_forex_value_field?: string; };
  /** who contributes to the window */ readonly coverage?: { readonly sources?: readonly ({ readonly source: string; readonly name?: string; readonly row_count: number; readonly start_date: string; readonly end_date: string; readonly usual_fix_times_utc: readonly string[]; })[]; };
  readonly data_quality?: DataQuality;
  readonly data: readonly FxReferenceRatesRow[];
}
