// Made from the endpoints by npm run gen. Do not edit.
import type { DataQuality } from '../shared-members.ts';

/** Composite global risk-sentiment score: what is asked. */
export interface RiskSentimentQuery {
  /** first date of the window; default 365 days ago */ readonly start_date?: string;
  /** last date of the window; default today */ readonly end_date?: string;
  /** rows a page */ readonly limit?: number;
  /** rows to skip, newest first */ readonly offset?: number;
}

/** Composite global risk-sentiment score: one row. */
export interface RiskSentimentRow {
  readonly date: string;
  /** score in -1..1 */ readonly val: number | null;
  /** risk_on, neutral or risk_off */ readonly regime?: string;
  /** signed, weighted contributions */ readonly components?: Readonly<Record<string, number | null>>;
  readonly score?: number;
  readonly risk_regime?: string;
  readonly sentiment?: string;
  readonly component_coverage?: Readonly<Record<string, boolean>>;
  readonly stored_component_count?: number;
}

/** Composite global risk-sentiment score: the whole answer. */
export interface RiskSentimentBody {
  readonly start_date: string;
  readonly end_date: string;
  readonly component_metadata?: Readonly<Record<string, unknown>>;
  readonly data_quality?: DataQuality;
  readonly data: readonly RiskSentimentRow[];
}
