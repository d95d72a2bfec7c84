// Made from the endpoints by npm run gen. Do not edit.
/** Official forecasts of one source, every vintage: what is asked. */
export interface PredictionVintagesQuery {
  /** currency of the forecasts */ readonly currency: string;
  /** source of the forecasts; needed where no indicator is named */ readonly prediction_source?: string;
  /** what is forecast, as the source names it */ readonly variable?: string;
  /** period that is forecast, as the source names it */ readonly target_period?: string;
  /** how exactly the publication time is known */ readonly publication_precision?: 'exact' | 'date' | 'unknown';
  /** rows a page */ readonly limit?: number;
  /** next_cursor of the last answer */ readonly before_id?: string;
}

/** Official forecasts of one source, every vintage: one row. */
export interface PredictionVintagesRow {
  readonly forecast_observation_id: string;
  readonly predicted_value: number | null;
  readonly variable?: string;
  /** the period as its publisher names it */ readonly target_period?: string;
  readonly period_basis?: string;
  readonly unit?: string;
  readonly statistic?: string;
  readonly publication_date?: string;
  readonly publication_datetime?: string | null;
  /** exact, date or unknown */ readonly publication_precision?: string;
  readonly prediction_source?: string;
  readonly prediction_class?: string;
  readonly source_url?: string;
  readonly geography?: string;
}

/** Official forecasts of one source, every vintage: the whole answer. */
export interface PredictionVintagesBody {
  readonly currency: string;
  readonly prediction_source: string;
  readonly filters?: Readonly<Record<string, string | null>>;
  /** rows of this page */ readonly count: number;
  readonly has_more: boolean;
  /** ask with it as `before_id` */ readonly next_cursor?: string | null;
  readonly data: readonly PredictionVintagesRow[];
}
