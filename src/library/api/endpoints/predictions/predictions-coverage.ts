// Made from the endpoints by npm run gen. Do not edit.
/** Who forecasts, by currency: what is asked. */
export interface PredictionsCoverageQuery {
}

/** Who forecasts, by currency: one row. */
export interface PredictionsCoverageRow {
  readonly currency: string;
  readonly indicator_count?: number;
  readonly indicators_with_external_prediction_sources?: number;
  readonly indicators_with_consensus_source?: number;
  readonly sources?: readonly ({ readonly source: string; readonly source_label?: string; readonly prediction_type?: string; readonly prediction_class?: string; readonly prediction_class_label?: string; readonly is_consensus?: boolean; readonly is_external?: boolean; })[];
  readonly official_forecast_sources?: readonly ({ readonly source: string; readonly prediction_class?: string; readonly source_url?: string; })[];
  readonly coverage_url?: string;
}

/** Who forecasts, by currency: the whole answer. */
export interface PredictionsCoverageBody {
  readonly currency_count: number;
  /** by name of the class */ readonly prediction_classes?: Readonly<Record<string, { readonly label: string; readonly definition: string; readonly produced_by: string; readonly is_consensus: boolean; }>>;
  readonly access?: { readonly coverage_requires_key: boolean; readonly values_require_key: boolean; readonly note?: string; readonly subscribe_url?: string; readonly docs_url?: string; };
  readonly currencies: readonly PredictionsCoverageRow[];
}
