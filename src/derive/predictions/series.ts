import type { PageArgs } from '../../contract/endpoint.ts';
import type { Derived, Envelope, PageView } from '../../contract/hooks.ts';
import { float, isJsonObject, type Json, type JsonObject, objectIn } from '../../contract/json/json.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import { type SelectorArgs, seriesMembers } from '../announcements/identity.ts';
import { releaseCounts } from '../quality.ts';
import {
  asksEverything,
  type ForecastFilter,
  narrowTargets,
  readForecastTarget,
  type Target,
  wasPublishedBy,
} from './targets.ts';

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
