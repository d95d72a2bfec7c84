import type { WindowArgs } from '../contract/endpoint.ts';
import type { Derived, Envelope, PageView, ServiceLabels } from '../contract/hooks.ts';
import { patchRow } from '../contract/json/body.ts';
import {
  asJsonText,
  float,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonText,
  objectIn,
  parseObject,
  readJson,
  toJsonText,
} from '../contract/json/json.ts';
import { memberSpans, memberTexts } from '../contract/json/scan.ts';
import type { Args } from '../contract/params/params.ts';
import { isoSeconds, parseInstant } from '../contract/time/time.ts';
import { releaseCounts } from '../coverage/data-quality.ts';
import { MacroError } from '../errors.ts';
import { releaseOfPrint } from './announcements/print.ts';
import { type SelectorArgs, seriesMembers } from './announcements/series.ts';

export interface PredictionsArgs extends WindowArgs, ForecastFilter, SelectorArgs {
  readonly currency: string;
  readonly indicator: string;
  readonly before_date?: string | undefined;
  readonly official_limit: number;
}

/** Official forecasts of an answer when nobody says how many. See docs/interface-endpoints.md#predictions. */
export const OFFICIAL_LIMIT = 500;

const FILTERS = [
  'prediction_class',
  'prediction_type',
  'prediction_source',
  'seasonality',
  'frequency',
  'annualization',
  'period_aggregation',
  'basis',
] as const;

/** Which forecasts of a target are asked for. */
interface ForecastFilter {
  readonly prediction_class?: string | undefined;
  readonly prediction_type?: string | undefined;
  readonly prediction_source?: string | undefined;
  readonly pre_release_only: boolean;
  readonly event_compatible_only: boolean;
  /** Unix seconds. */
  readonly as_of?: number | undefined;
}

/** A release that is forecast, with the forecasts that a question left. */
interface Target {
  readonly text: JsonText;
  readonly row: JsonObject;
  readonly date: string;
  readonly forecasts: number;
}
/** The kinds of forecasts. See docs/interface-endpoints.md#predictions. */
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

interface VintagesArgs {
  readonly currency: string;
  readonly prediction_source?: string | undefined;
  readonly variable?: string | undefined;
  readonly target_period?: string | undefined;
  readonly publication_precision?: string | undefined;
  readonly limit: number;
  readonly before_id?: string | undefined;
}

const VINTAGE_FILTERS = ['variable', 'target_period', 'publication_precision'] as const;

/** Forecasts of one indicator by target, newest first. See docs/interface-endpoints.md#predictions. */
export async function derivePredictions(view: PageView<PredictionsArgs>): Promise<Derived> {
  const { args } = view;
  const { before_date: before, limit, offset } = args;
  const window = (await view.window())
    .map(({ text }) => readForecastTarget(text))
    .filter(({ date }) => before === undefined || date < before);
  const targets = asksEverything(args) ? window : narrowTargets(window, args);
  const page = targets.slice(offset, offset + limit);
  const more = offset + page.length < targets.length && page.length > 0;
  return {
    envelope: {
      ...identityOf(view),
      as_of: args.as_of === undefined ? undefined : isoSeconds(args.as_of),
      event_compatible_only: args.event_compatible_only,
      pre_release_only: args.pre_release_only,
      start_date: args.start_date,
      end_date: args.end_date,
      count: page.length,
      prediction_count: page.reduce((sum, { forecasts }) => sum + forecasts, 0),
      has_more: more,
      next_cursor: more ? page.at(-1)?.date : undefined,
      data_quality: qualityOf(view.stored, targets),
      official_forecasts: officialOf(view),
    },
    rows: page.map(({ text }) => text),
    total: targets.length,
  };
}

/** The description of the series: as stored, else by the requested selectors. */
function identityOf({ args, stored }: PageView<PredictionsArgs>): Envelope {
  const { selected_series_id, selected_series, supported_options } = seriesMembers(args, stored);
  return {
    currency: args.currency,
    indicator: args.indicator,
    filters: Object.fromEntries(FILTERS.map((name) => [name, args[name] ?? null])),
    selected_series_id,
    selected_series,
    supported_options,
  };
}

/** The stored description of the source, counted again over this answer. */
function qualityOf(stored: JsonObject, targets: readonly Target[]): Envelope {
  const quality = objectIn(stored.data_quality);
  return {
    ...quality,
    ...releaseCounts(targets.map(({ row }) => row)),
    latest_available_date: targets[0]?.date,
    requested_window_has_data: targets.length > 0,
    quality_scope: 'full_result',
  };
}

/** Official forecasts of the last answer; a full list may miss some, so a question for more has no answer. */
function officialOf({ args, stored }: PageView<PredictionsArgs>): readonly unknown[] | undefined {
  const forecasts = stored.official_forecasts;
  // No list says nothing about forecasts, as no envelope of a past moment does; an empty one says that there are none.
  if (!Array.isArray(forecasts)) return undefined;
  if (args.official_limit > OFFICIAL_LIMIT && forecasts.length >= OFFICIAL_LIMIT)
    throw new MacroError(
      'notFound',
      `The mirror keeps ${forecasts.length} official forecasts of this series and no more.`,
      {
        status: 404,
        code: 'not_mirrored',
        hint: 'Ask the service with --live, or leave official_limit out.',
      },
    );
  const { as_of: moment } = args;
  const known = moment === undefined ? forecasts : forecasts.filter((forecast) => wasPublishedBy(forecast, moment));
  return known.slice(0, args.official_limit).map(spelled);
}

/** Beside rows numbers lose their spelling: the measured one is a float. */
function spelled(forecast: Json): unknown {
  if (!isJsonObject(forecast) || typeof forecast.predicted_value !== 'number') return forecast;
  return { ...forecast, predicted_value: float(forecast.predicted_value) };
}

function readForecastTarget(text: JsonText): Target {
  const row = parseObject(text);
  return { text, row, date: String(row.date), forecasts: forecastsIn(text).length };
}

/** Targets with forecasts left. A release after `as_of` loses its time: it had not come yet. */
function narrowTargets(targets: readonly Target[], filter: ForecastFilter): readonly Target[] {
  return targets.flatMap((target) => {
    const all = forecastsIn(target.text);
    const kept = all.filter((forecast) => isAsked(parseObject(forecast), filter));
    if (kept.length === 0) return [];
    const release = releaseOfPrint(target.row);
    const isAhead = filter.as_of !== undefined && release !== undefined && release > filter.as_of;
    if (kept.length === all.length && !isAhead) return [target];
    const text = patchRow(target.text, {
      ...(kept.length < all.length && { predictions: asJsonText(`[${kept.join(',')}]`) }),
      ...(isAhead && { announcement_datetime: undefined }),
    });
    return [{ ...target, text, forecasts: kept.length }];
  });
}

function forecastsIn(text: JsonText): readonly JsonText[] {
  const [list] = memberTexts(text, ['predictions']);
  return list?.startsWith('[') ? memberSpans(list).map(({ start, end }) => asJsonText(list.slice(start, end))) : [];
}

function isAsked(forecast: JsonObject, filter: ForecastFilter): boolean {
  const named = (['prediction_class', 'prediction_type', 'prediction_source'] as const).every(
    (name) => filter[name] === undefined || forecast[name] === filter[name],
  );
  if (!named || (filter.pre_release_only && forecast.is_pre_release === false)) return false;
  if (filter.event_compatible_only && forecast.event_compatible !== true) return false;
  return filter.as_of === undefined || wasMadeBy(forecast.generated_at, filter.as_of);
}

/** A forecast of unknown time is not known to any moment. */
function wasMadeBy(generatedAt: unknown, moment: number): boolean {
  const made = typeof generatedAt === 'string' ? parseInstant(generatedAt) : generatedAt;
  return typeof made === 'number' && made <= moment;
}

/** True when the question leaves every stored forecast where it is. */
function asksEverything(filter: ForecastFilter): boolean {
  const { prediction_class, prediction_type, prediction_source, event_compatible_only, as_of } = filter;
  const named = [prediction_class, prediction_type, prediction_source, as_of];
  return !event_compatible_only && named.every((value) => value === undefined);
}

/** An official forecast that was published by a moment; one without a time counts from its day's end. */
function wasPublishedBy(forecast: unknown, moment: number): boolean {
  if (!isJsonObject(forecast)) return false;
  const { publication_datetime: exact, publication_date: day } = forecast;
  const time = typeof exact === 'string' ? parseInstant(exact) : exact;
  if (typeof time === 'number') return time <= moment;
  const start = typeof day === 'string' ? parseInstant(day) : undefined;
  return start !== undefined && start + 86_399 <= moment;
}

/** Coverage of all currencies, with addresses of whoever answers. See docs/interface-endpoints.md#prediction-coverage. */
export function deriveCoverageList({ rows, stored, labels }: PageView<unknown>): Derived {
  return {
    envelope: { currency_count: rows.length, access: accessOf(stored, labels) },
    rows: rows.map(({ text }) =>
      withLink(
        text,
        'coverage_url',
        ({ currency }) => `${labels.publicBaseUrl}/v1/predictions/coverage/${lower(currency)}`,
      ),
    ),
  };
}

/** Coverage of one currency, indicator by indicator. */
export function deriveCoverage({ args, rows, stored, labels }: PageView<{ readonly currency: string }>): Derived {
  const address = `${labels.publicBaseUrl}/v1/predictions/${lower(args.currency)}`;
  return {
    envelope: { currency: args.currency, indicator_count: rows.length, access: accessOf(stored, labels) },
    rows: rows.map(({ text }) =>
      withLink(text, 'predictions_url', ({ indicator }) => `${address}/${lower(indicator)}`),
    ),
  };
}

function accessOf(stored: JsonObject, labels: ServiceLabels): JsonObject {
  return {
    coverage_requires_key: false,
    values_require_key: true,
    note: 'The list of forecasters is public; the values need a key for every currency.',
    ...(labels.subscribeUrl !== '' && { subscribe_url: labels.subscribeUrl }),
    ...(labels.docsUrl !== '' && { docs_url: labels.docsUrl }),
    // A received body is served with its own addresses.
    ...(isJsonObject(stored.access) && stored.access),
  };
}

/** A row that came with an address keeps it. */
function withLink(text: JsonText, name: string, make: (row: JsonObject) => string): JsonText {
  const row = parseObject(text);
  return row[name] === undefined ? patchRow(text, { [name]: toJsonText(make(row)) }) : text;
}

function lower(word: unknown): string {
  return String(word).toLowerCase();
}

/** Who publishes forecasts of an indicator, never a value, for a keyless caller. See docs/interface-endpoints.md#predictions. */
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

/** Official forecasts of a source by id as text, newest first. See docs/interface-endpoints.md#prediction-vintages. */
export function deriveVintages({ args, rows }: PageView<VintagesArgs>): Derived {
  const { before_id: before, limit } = args;
  const ahead = rows
    .map(({ text }) => ({ text, id: idOf(text) }))
    .filter(({ id }) => before === undefined || id < before);
  const page = ahead.slice(0, limit);
  const more = ahead.length > page.length;
  return {
    envelope: {
      currency: args.currency,
      prediction_source: args.prediction_source,
      filters: Object.fromEntries(VINTAGE_FILTERS.map((name) => [name, args[name] ?? null])),
      count: page.length,
      has_more: more,
      next_cursor: more ? page.at(-1)?.id : undefined,
    },
    rows: page.map(({ text }) => text),
    total: ahead.length,
  };
}

function idOf(text: JsonText): string {
  const row: unknown = readJson(text);
  if (isJsonObject(row) && typeof row.forecast_observation_id === 'string') return row.forecast_observation_id;
  throw new MacroError('mirror', 'A stored forecast has no id.', { hint: 'Run macro mirror verify.' });
}
