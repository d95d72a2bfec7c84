// Made from the endpoints by npm run gen. Do not edit.
/** Additions and revisions of the risk-sentiment score, in order: what is asked. */
export interface RiskSentimentChangesQuery {
  /** rows a page */ readonly limit?: number;
  /** last sequence that you have */ readonly after_sequence?: number;
}

/** Additions and revisions of the risk-sentiment score, in order: one row. */
export interface RiskSentimentChangesRow {
  /** rises; gaps are allowed */ readonly change_sequence: number;
  /** addition, score_revision or metadata_change */ readonly change_type?: string;
  /** day of the score */ readonly date?: string;
  readonly changed_at?: string;
  /** score in -1..1 */ readonly val?: number | null;
  /** risk_on, neutral or risk_off */ readonly regime?: string | null;
  readonly components?: Readonly<Record<string, number | null>> | null;
  readonly previous_val?: number | null;
  readonly previous_regime?: string | null;
  readonly changed_fields?: readonly string[] | null;
}

/** Additions and revisions of the risk-sentiment score, in order: the whole answer. */
export interface RiskSentimentChangesBody {
  /** changes in between are not held: the next page begins before them */ readonly gap?: boolean;
  readonly pagination?: { readonly limit?: number; readonly after_sequence?: number; readonly returned_count?: number; readonly has_more?: boolean; /** ask with it as `after_sequence` */ readonly next_after_sequence: number; };
  readonly data: readonly RiskSentimentChangesRow[];
}
