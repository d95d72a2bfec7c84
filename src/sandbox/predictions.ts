import type { JsonObject } from '../contract/json/json.ts';
import { addDays, isoSeconds } from '../contract/time/time.ts';
import type { Announcements } from './announced/announcements.ts';
import { seriesId, seriesSelection } from './announced/announcements-envelope.ts';
import {
  AUTHORITIES,
  authorityEntry,
  classDefinitions,
  classLabel,
  type Forecaster,
  forecastersOf,
  type OfficialForecast,
  officialVariable,
  sourceEntry,
} from './forecasters.ts';
import { printed, randomWalk, streamOf } from './random-walks.ts';
import { type GeneratedSeries, generatedSeries, SANDBOX_LABEL, SANDBOX_URL } from './rows.ts';
import { type SchedulePeriod, type Series, scheduleOf, seriesName } from './schedule.ts';
import type { World } from './world.ts';

const DAY = 86_400;

/** Days after today whose releases are forecast. */
const AHEAD = 100;

/** A release that is or was forecast. */
interface Target extends SchedulePeriod {
  readonly value: number;
}

/** The counts of the coverage of a currency. */
export interface ForecastCoverage {
  readonly currency: string;
  readonly counts: JsonObject;
  readonly generated: GeneratedSeries;
}

/** Forecasts of a series, those before the release and all: its value with an error, future releases included. */
export function generatePredictions(
  world: World,
  { series }: Announcements,
  official: readonly OfficialForecast[],
): readonly GeneratedSeries[] {
  const forecasters = forecastersOf(series.indicator);
  if (forecasters.length === 0) return [];
  const targets = targetsOf(world, series);
  const variable = officialVariable(series.indicator.slug);
  const beside = official.filter((forecast) => forecast.variable === variable);
  return [true, false].map((only) => {
    const rows = targets
      .map((target) => ({ target, predictions: predictionsOf(world, series, { target, forecasters, only }) }))
      .filter(({ predictions }) => predictions.length > 0)
      .map(({ target, predictions }) => targetRow(world, series, target, predictions));
    const { currency, indicator } = series;
    const scope = { currency, indicator: indicator.slug, pre_release_only: String(only) };
    return generatedSeries('predictions', scope, envelopeOf(series, beside), rows.reverse());
  });
}

/** Releases of the last years and those ahead, oldest first. */
function targetsOf(world: World, series: Series): readonly Target[] {
  const until = world.horizon + AHEAD * DAY;
  const periods = scheduleOf(world, series, { from: world.since.daily, until });
  const count = (periods.at(-1)?.index ?? -1) + 1;
  const { values } = randomWalk(series.indicator.walk, streamOf(world.seed, `${seriesName(series)}/values`), count);
  return periods.map((period) => ({ ...period, value: values[period.index] ?? 0 }));
}

interface Wanted {
  readonly target: Target;
  readonly forecasters: readonly Forecaster[];
  /** Only those made before the release. */
  readonly only: boolean;
}

function predictionsOf(world: World, series: Series, { target, forecasters, only }: Wanted): readonly JsonObject[] {
  return forecasters.flatMap((forecaster) => {
    const name = `predictions/${series.currency}/${series.indicator.slug}/${forecaster.source}/${target.date}`;
    const stream = streamOf(world.seed, name);
    return forecaster.daysBefore.flatMap((days) => {
      const error = stream.normal();
      const made = target.release - days * DAY - 3600;
      if (made >= world.horizon || (only && days < 0)) return [];
      return [predictionOf(series, forecaster, { target, made, error, days })];
    });
  });
}

function predictionOf(
  series: Series,
  forecaster: Forecaster,
  at: { target: Target; made: number; error: number; days: number },
): JsonObject {
  const { decimals, nudge, unit } = series.indicator;
  // The nearer the release, the smaller the error.
  const nearness = Math.min(1, Math.max(at.days, 0.5) / 10);
  const size = (Math.max(nudge, 1) * forecaster.error * nearness) / 10 ** decimals;
  return {
    predicted_value: printed(at.target.value + at.error * size, decimals),
    prediction_class: forecaster.class,
    prediction_class_label: classLabel(forecaster.class),
    prediction_type: forecaster.type,
    prediction_source: forecaster.source,
    prediction_source_label: forecaster.label,
    generated_at: isoSeconds(at.made),
    is_pre_release: at.days > 0,
    event_compatible: true,
    event_compatibility_reason: 'same_series',
    source_url: `${SANDBOX_URL}${forecaster.source}`,
    unit,
  };
}

function targetRow(
  world: World,
  series: Series,
  { date, release }: Target,
  predictions: readonly JsonObject[],
): JsonObject {
  const { currency, indicator } = series;
  return {
    announcement_id: `${currency.toLowerCase()}_${indicator.slug}_${date}`,
    observation_id: `${seriesId(series)}_${date}`,
    currency: currency.toLowerCase(),
    indicator: indicator.slug,
    date,
    ...(release < world.horizon && { announcement_datetime: release }),
    announcement_timing: { scheduled_at: isoSeconds(release) },
    predictions,
  };
}

function envelopeOf(series: Series, official: readonly OfficialForecast[]): JsonObject {
  const { currency, indicator } = series;
  return {
    currency,
    indicator: indicator.slug,
    unit: indicator.unit,
    source: SANDBOX_LABEL,
    ...seriesSelection(series),
    data_quality: { is_official: false, source_name: SANDBOX_LABEL, source_type: 'synthetic' },
    official_forecasts: official.map(({ row }) => row),
  };
}

export function generateCoverage(world: World, currency: string, stored: readonly Announcements[]): ForecastCoverage {
  const indicators = stored.map(({ series }) => series.indicator).sort((a, b) => (a.slug < b.slug ? -1 : 1));
  const covered = indicators.map((indicator) => ({ indicator, forecasters: forecastersOf(indicator) }));
  const all = [...new Map(covered.flatMap((one) => one.forecasters).map((one) => [one.source, one])).values()];
  const counts: JsonObject = {
    indicator_count: indicators.length,
    indicators_with_external_prediction_sources: covered.filter(({ forecasters }) => forecasters.length > 0).length,
    indicators_with_consensus_source: covered.filter(({ forecasters }) => hasConsensus(forecasters)).length,
    sources: all.sort((a, b) => (a.source < b.source ? -1 : 1)).map(sourceEntry),
    official_forecast_sources: AUTHORITIES.map(authorityEntry),
  };
  const rows = covered.map(({ indicator, forecasters }) => indicatorRow(world, indicator.slug, forecasters));
  const envelope = { currency, ...counts, ...beside() };
  return {
    currency,
    counts,
    generated: generatedSeries('predictions_coverage_currency', { currency }, envelope, rows),
  };
}

export function generateCoverageList(coverages: readonly ForecastCoverage[]): GeneratedSeries {
  const sorted = [...coverages].sort((a, b) => (a.currency < b.currency ? -1 : 1));
  const rows = sorted.map(({ currency, counts }) => ({ currency, ...counts }));
  return generatedSeries('predictions_coverage', {}, { currency_count: sorted.length, ...beside() }, rows);
}

function beside(): JsonObject {
  return { prediction_classes: classDefinitions(), notes: [`${SANDBOX_LABEL}: nobody made these forecasts.`] };
}

function indicatorRow(world: World, slug: string, forecasters: readonly Forecaster[]): JsonObject {
  const [first, ...others] = forecasters;
  const unique = (words: readonly string[]) => [...new Set(words)].sort();
  return {
    indicator: slug,
    sources: forecasters.map(sourceEntry),
    external_prediction_source_count: forecasters.length,
    classes_with_sources: unique(forecasters.map((one) => one.class)),
    types_with_sources: unique(forecasters.map((one) => one.type)),
    has_consensus_source: hasConsensus(forecasters),
    verified_history: first
      ? {
          source: first.source,
          additional_sources: others.map(({ source }) => source),
          history_start: world.since.daily,
          first_covered_release: world.since.daily,
          cadence: 'every_release',
          variants: ['default'],
          verified_as_of: addDays(world.today, -1),
        }
      : null,
  };
}

function hasConsensus(forecasters: readonly Forecaster[]): boolean {
  return forecasters.some((one) => one.class === 'compiled_consensus');
}
