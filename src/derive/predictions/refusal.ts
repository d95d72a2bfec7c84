import type { Envelope, Labels } from '../../contract/hooks.ts';
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import type { Args } from '../../contract/params.ts';
import { PREDICTION_CLASSES } from './classes.ts';

/**
 * What a caller without a key is told of the forecasts of one indicator: never a value, but who publishes what, so that
 * "nobody does" and "with a key" can be told apart. `body` is the coverage of the currency. Wire facts, section 9.23.
 */
export function tellCoverage(
  body: JsonObject | undefined,
  { args, labels }: { readonly args: Args; readonly labels: Labels },
): Envelope {
  const entry = listIn(body?.indicators).find(({ indicator }) => indicator === args.indicator);
  const currency = String(args.currency);
  return {
    coverage_url: `${labels.publicBaseUrl}/v1/predictions/coverage/${currency.toLowerCase()}`,
    docs_url: labels.docsUrl,
    verified_history: entry?.verified_history ?? null,
    availability: {
      types_with_sources: entry?.types_with_sources ?? [],
      classes_with_sources: entry?.classes_with_sources ?? [],
      sources_with_coverage: listIn(entry?.sources).map(({ source }) => source),
      reason: reasonsOf(body, entry),
      reason_text: reasonText(body, entry, `${currency} ${String(args.indicator)}`),
      plan_note: 'Forecast values need a key for every currency.',
      official_forecasts: {
        field: 'official_forecasts',
        note: 'Official forecasts keep periods of their own and stand beside the data.',
        sources: listIn(body?.official_forecast_sources).map(({ source }) => source),
      },
    },
  };
}

/** One reason a class; nothing is said where nobody knows who publishes what. */
function reasonsOf(body: JsonObject | undefined, entry: JsonObject | undefined): JsonObject {
  if (!body) return {};
  const covered = Array.isArray(entry?.classes_with_sources) ? entry.classes_with_sources : [];
  return Object.fromEntries(
    PREDICTION_CLASSES.map((name) => [name, covered.includes(name) ? 'values_require_key' : 'no_source_for_pair']),
  );
}

function reasonText(body: JsonObject | undefined, entry: JsonObject | undefined, pair: string): string {
  if (!body) return `Who forecasts ${pair} is not known here; values need a key.`;
  const sources = listIn(entry?.sources);
  if (sources.length === 0) return `Nobody publishes forecasts of ${pair} that are covered.`;
  const names = sources.map(({ source, source_label: label }) => String(label ?? source));
  return `Forecasts of ${pair} are published by ${names.join(', ')}; their values need a key.`;
}

function listIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
