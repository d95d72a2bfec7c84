import type { JsonObject } from '../../contract/json/json.ts';
import { addDays } from '../../contract/time/time.ts';
import type { Announcements } from '../announced/announcements.ts';
import { type GeneratedSeries, rowOf, SANDBOX_LABEL } from '../rows.ts';
import type { World } from '../world.ts';
import {
  AUTHORITIES,
  authorityEntry,
  classDefinitions,
  type Forecaster,
  forecastersOf,
  sourceEntry,
} from './forecasters.ts';

/** What coverage counts of a currency. */
export interface ForecastCoverage {
  readonly currency: string;
  readonly counts: JsonObject;
  readonly generated: GeneratedSeries;
}

/** Who forecasts which indicator of a currency. */
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
  const rows = covered.map(({ indicator, forecasters }) =>
    rowOf('predictions_coverage_currency', indicatorRow(world, indicator.slug, forecasters)),
  );
  const envelope = { currency, ...counts, ...beside() };
  const generated = { endpoint: 'predictions_coverage_currency', scope: { currency }, envelope, rows };
  return { currency, counts, generated };
}

/** The list of all currencies. */
export function generateCoverageList(coverages: readonly ForecastCoverage[]): GeneratedSeries {
  const sorted = [...coverages].sort((a, b) => (a.currency < b.currency ? -1 : 1));
  return {
    endpoint: 'predictions_coverage',
    scope: {},
    envelope: { currency_count: sorted.length, ...beside() },
    rows: sorted.map(({ currency, counts }) => rowOf('predictions_coverage', { currency, ...counts })),
  };
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
