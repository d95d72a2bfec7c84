import type { PageArgs } from '../../contract/endpoint.ts';
import type { Derived, Envelope, PageView } from '../../contract/hooks.ts';
import { patchRow } from '../../contract/json/body.ts';
import {
  asJsonText,
  float,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonText,
  objectIn,
  parseObject,
} from '../../contract/json/json.ts';
import { memberSpans, memberTexts } from '../../contract/json/scan.ts';
import { isoSeconds, parseInstant } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import { type SelectorArgs, seriesMembers } from '../announcements/identity.ts';
import { releaseOfPrint } from '../announcements/print.ts';
import { releaseCounts } from '../quality.ts';

export interface PredictionsArgs extends PageArgs, ForecastFilter, SelectorArgs {
  readonly currency: string;
  readonly indicator: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly before_date?: string | undefined;
  readonly official_limit: number;
}

/** Official forecasts of an answer when nobody says how many. See docs/interface.md#predictions. */
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

/**
 * The forecasts of the releases of one indicator, newest target first. Walk: the targets of the window, before the cursor;
 * leave of each the forecasts that were asked for; cut the page; official forecasts stand beside, since they keep
 * periods of their own. See docs/interface.md#predictions.
 */
export async function derivePredictions(view: PageView<PredictionsArgs>): Promise<Derived> {
  const { args } = view;
  const { before_date: before, limit, offset } = args;
  const window = (await view.window())
    .map(readForecastTarget)
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

/** What the answer says of the series: as stored, else what follows from the asked selectors. */
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

/**
 * The official forecasts that came with the last answer. They are as many as it was asked for: where that list was full
 * there may be more, and an answer that wants more of them cannot be given.
 */
function officialOf({ args, stored }: PageView<PredictionsArgs>): readonly unknown[] {
  const forecasts = Array.isArray(stored.official_forecasts) ? stored.official_forecasts : [];
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

/** A stored target as it is. */
function readForecastTarget(text: JsonText): Target {
  const row = parseObject(text);
  return { text, row, date: String(row.date), forecasts: forecastsIn(text).length };
}

/**
 * The targets that have a forecast left, with those only. A release that came after `as_of` had not come yet: its time is
 * taken away.
 */
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
