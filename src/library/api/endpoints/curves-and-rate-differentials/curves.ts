// Made from the endpoints by npm run gen. Do not edit.
import type { DataQuality } from '../shared-members.ts';

/** Government bond curve: nodes, slopes or forwards: what is asked. */
export interface CurvesQuery {
  /** currency of the curve */ readonly currency: string;
  /** family of bonds */ readonly curve_family?: 'government_nominal';
  /** kind of rate */ readonly metric?: 'spot';
  /** nodes, or what follows from them */ readonly view?: 'nodes' | 'slopes' | 'forwards';
  /** how forwards are made */ readonly method?: 'derived_from_spot_nodes';
  /** newest date of a node; default today; several dates with commas are compared */ readonly date?: string;
  /** only what was known at this moment; wins over date */ readonly as_of?: string | number | Date;
  /** known to whom */ readonly availability?: 'public' | 'captured';
  /** days that a node may lie back; default 60, with as_of 7 */ readonly max_staleness_days?: number;
  /** all nodes from one date; default true with as_of */ readonly require_common_date?: boolean;
}

/** Government bond curve: nodes, slopes or forwards: one row. */
export interface CurvesRow {
  /** of a pair of nodes, the older one */ readonly date: string;
  /** per cent; of a slope, percentage points */ readonly val: number | null;
  /** basis points */ readonly val_bps?: number;
  /** nodes: the yield */ readonly indicator?: string;
  /** nodes: such as 10Y */ readonly maturity?: string;
  readonly maturity_years?: number;
  /** release time, Unix seconds */ readonly announcement_datetime?: number | null;
  readonly source?: string;
  /** nodes: days before the requested date */ readonly staleness_days?: number;
  /** slopes: such as 2Y10Y */ readonly slope?: string;
  readonly short_maturity?: string;
  readonly long_maturity?: string;
  readonly short_val?: number;
  readonly long_val?: number;
  /** the slope is below zero */ readonly is_inverted?: boolean;
  /** forwards: such as 2Y5Y */ readonly segment?: string;
  readonly start_maturity?: string;
  readonly end_maturity?: string;
  readonly start_tenor_years?: number;
  readonly end_tenor_years?: number;
  readonly start_val?: number;
  readonly end_val?: number;
  /** release time, Unix seconds */ readonly start_announcement_datetime?: number | null;
  /** release time, Unix seconds */ readonly end_announcement_datetime?: number | null;
}

/** Government bond curve: nodes, slopes or forwards: the whole answer. */
export interface CurvesBody {
  readonly currency: string;
  readonly curve_family: string;
  readonly view: string;
  readonly metric: string;
  /** forwards only */ readonly method?: string;
  readonly requested_date?: string;
  readonly as_of?: string;
  readonly availability?: string;
  readonly node_count?: number;
  readonly slope_count?: number;
  readonly inverted_count?: number;
  readonly segment_count?: number;
  readonly sources?: readonly string[];
  readonly official_forward_source_support?: { readonly source_type?: string; readonly source_note?: string; };
  readonly data_quality?: DataQuality;
  readonly data: readonly CurvesRow[];
}
