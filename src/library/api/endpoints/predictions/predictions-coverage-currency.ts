// Made from the endpoints by npm run gen. Do not edit.
/** Who forecasts which indicator of a currency: what is asked. */
export interface PredictionsCoverageCurrencyQuery {
  /** currency of the indicators */ readonly currency: string;
}

/** Who forecasts which indicator of a currency: one row. */
export interface PredictionsCoverageCurrencyRow {
  readonly indicator: string;
  readonly sources?: readonly ({ readonly source: string; readonly source_label?: string; readonly prediction_type?: string; readonly prediction_class?: string; readonly prediction_class_label?: string; readonly is_consensus?: boolean; readonly is_external?: boolean; })[];
  readonly external_prediction_source_count?: number;
  readonly classes_with_sources?: readonly string[];
  readonly types_with_sources?: readonly string[];
  readonly has_consensus_source?: boolean;
  readonly predictions_url?: string;
  /** how far back the archive was verified */ readonly verified_history?: { readonly source?: string; readonly additional_sources?: readonly string[]; readonly history_start?: string; readonly first_covered_release?: string; readonly cadence?: string; readonly variants?: readonly string[]; readonly verified_as_of?: string; } | null;
}

/** Who forecasts which indicator of a currency: the whole answer. */
export interface PredictionsCoverageCurrencyBody {
  readonly currency: string;
  readonly indicator_count?: number;
  readonly indicators_with_external_prediction_sources?: number;
  readonly indicators_with_consensus_source?: number;
  readonly sources?: readonly ({ readonly source: string; readonly source_label?: string; readonly prediction_type?: string; readonly prediction_class?: string; readonly prediction_class_label?: string; readonly is_consensus?: boolean; readonly is_external?: boolean; })[];
  readonly official_forecast_sources?: readonly ({ readonly source: string; readonly prediction_class?: string; readonly source_url?: string; })[];
  /** by name of the class */ readonly prediction_classes?: Readonly<Record<string, { readonly label: string; readonly definition: string; readonly produced_by: string; readonly is_consensus: boolean; }>>;
  readonly access?: { readonly coverage_requires_key: boolean; readonly values_require_key: boolean; readonly note?: string; readonly subscribe_url?: string; readonly docs_url?: string; };
  readonly notes?: unknown;
  readonly indicators: readonly PredictionsCoverageCurrencyRow[];
}
