// Made from the endpoints by npm run gen. Do not edit.
import type { DataQuality } from '../shared-members.ts';

/** Precomputed factor scores of a currency: what is asked. */
export interface FactorsQuery {
  /** currency of the factor */ readonly currency: string;
  /** factor */ readonly factor?: 'monetary_stance';
  /** first date; without any date only the newest snapshot */ readonly start_date?: string;
  /** last date; default today once start_date is given */ readonly end_date?: string;
  /** adds the scores that the factor is made of */ readonly include_components?: boolean;
  /** adds the observations behind the scores */ readonly include_sources?: boolean;
  /** rows a page */ readonly limit?: number;
  /** rows to skip, newest first */ readonly offset?: number;
}

/** Precomputed factor scores of a currency: one row. */
export interface FactorsRow {
  readonly date: string;
  /** the score, in -1..1 */ readonly val: number | null;
  /** in -1..1 */ readonly score?: number | null;
  /** in -1..1 */ readonly level_score?: number | null;
  /** in -1..1 */ readonly impulse_score?: number | null;
  /** in -1..1 */ readonly rate_repricing_score?: number | null;
  /** in -1..1 */ readonly macro_pressure_score?: number | null;
  /** hawkish, neutral or dovish */ readonly label?: string;
  readonly stance_context?: string;
  /** when it became known, Unix seconds */ readonly announcement_datetime?: number | null;
  /** share of the components that are known, 0..1 */ readonly coverage_ratio?: number;
  readonly component_count?: number;
  readonly point_in_time_safe?: boolean;
  readonly release_time_assumed?: boolean;
  /** with include_components: score by name */ readonly components?: Readonly<Record<string, number | null>>;
  readonly source_observations?: unknown;
  /** with include_sources: where the observations can be asked for */ readonly source_endpoints?: readonly string[];
}

/** Precomputed factor scores of a currency: the whole answer. */
export interface FactorsBody {
  readonly currency: string;
  readonly factor: string;
  readonly methodology?: unknown;
  /** date of the newest row of the window, whose scores stand beside */ readonly as_of?: string;
  /** in -1..1 */ readonly score?: number | null;
  /** in -1..1 */ readonly level_score?: number | null;
  /** in -1..1 */ readonly impulse_score?: number | null;
  /** in -1..1 */ readonly rate_repricing_score?: number | null;
  /** in -1..1 */ readonly macro_pressure_score?: number | null;
  /** hawkish, neutral or dovish */ readonly label?: string;
  readonly stance_context?: string;
  readonly latest_available_date?: string;
  readonly last_updated?: string;
  readonly start_date?: string;
  readonly end_date?: string;
  readonly data_quality?: DataQuality;
  readonly data: readonly FactorsRow[];
}
