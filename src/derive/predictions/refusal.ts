import type { Envelope, ServiceLabels } from '../../contract/hooks.ts';
import { isJsonObject, type JsonObject } from '../../contract/json/json.ts';
import type { Args } from '../../contract/params/params.ts';
import { PREDICTION_CLASSES } from './classes.ts';

/**
 * What a caller without a key is told of the forecasts of one indicator: never a value, but who publishes what, so that
 * "nobody does" and "with a key" can be told apart. `body` is the coverage of the currency. See
 * docs/interface.md#predictions.
 */
export function coverageNote(
  body: JsonObject | undefined,
  { args, labels }: { readonly args: Args; readonly labels: ServiceLabels },
): Envelope {
  const entry = listIn(body?.indicators).find(({ indicator }) => indicator === args.indicator);
  const currency = String(args.currency);
  const classes = typeof args.prediction_class === 'string' ? [args.prediction_class] : PREDICTION_CLASSES;
  const byClass = (tell: (name: string) => string) => Object.fromEntries(classes.map((name) => [name, tell(name)]));
  return {
    coverage_url: `${labels.publicBaseUrl}/v1/predictions/coverage/${currency.toLowerCase()}`,
    docs_url: labels.docsUrl,
    verified_history: entry?.verified_history ?? null,
    availability: {
      types_with_sources: entry?.types_with_sources ?? [],
      classes_with_sources: entry?.classes_with_sources ?? [],
      sources_with_coverage: listIn(entry?.sources).map(({ source }) => source),
      reason: body ? byClass((name) => (isCovered(entry, name) ? 'values_require_key' : 'no_source_for_pair')) : {},
      reason_text: byClass((name) => reasonText(body, entry, { name, pair: `${currency} ${String(args.indicator)}` })),
      plan_note: 'Forecast values need a key for every currency.',
      official_forecasts: {
        field: 'official_forecasts',
        note: 'Official forecasts keep periods of their own and stand beside the data.',
        sources: listIn(body?.official_forecast_sources),
      },
    },
  };
}

function isCovered(entry: JsonObject | undefined, name: string): boolean {
  return Array.isArray(entry?.classes_with_sources) && entry.classes_with_sources.includes(name);
}

function reasonText(
  body: JsonObject | undefined,
  entry: JsonObject | undefined,
  { name, pair }: { readonly name: string; readonly pair: string },
): string {
  if (!body) return `Who forecasts ${pair} is not known here; values need a key.`;
  if (!isCovered(entry, name)) return `Nobody who is covered publishes forecasts of ${pair} in this class.`;
  const sources = listIn(entry?.sources).filter(({ prediction_class: own }) => own === name);
  const names = sources.map(({ source, source_label: label }) => String(label ?? source));
  return `Forecasts of ${pair} are published by ${names.join(', ')}; their values need a key.`;
}

function listIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
