/** What kinds of forecasts there are. See docs/interface.md#predictions. */
export const PREDICTION_CLASSES = [
  'compiled_consensus',
  'forecaster_survey',
  'market_implied',
  'model_nowcast',
  'central_bank_projection',
  'institutional_projection',
  'fxmacrodata',
] as const;
export type PredictionClass = (typeof PREDICTION_CLASSES)[number];

/** The older division of the same forecasts. */
export const PREDICTION_TYPES = [
  'market_consensus',
  'market_prediction',
  'model_nowcast',
  'survey',
  'central_bank_forecast',
  'central_bank_projection',
  'imf_weo',
  'oecd_eo',
  'fxmacrodata',
] as const;

/** How exactly the publication time of an official forecast is known. */
export const PRECISIONS = ['exact', 'date', 'unknown'] as const;
