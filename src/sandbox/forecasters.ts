import type { JsonObject } from '../contract/json/json.ts';
import { dateToMs, isoSeconds } from '../contract/time/time.ts';
import { PREDICTION_CLASSES, type PredictionClass } from '../derive/predictions.ts';
import type { Indicator } from './announced/indicator-table.ts';
import { economyOf } from './publishers.ts';
import { printed, streamOf } from './random-walks.ts';
import { type GeneratedSeries, generatedSeries, SANDBOX_LABEL, SANDBOX_URL } from './rows.ts';
import type { World } from './world.ts';

/** An invented forecaster of single releases. */
export interface Forecaster {
  readonly source: string;
  readonly label: string;
  readonly type: string;
  readonly class: PredictionClass;
  /** Days before the release at which it says something; negative ones are after it. */
  readonly daysBefore: readonly number[];
  /** Size of its typical error, in typical revisions of the series. */
  readonly error: number;
}

const CONSENSUS: Forecaster = {
  source: 'sandbox_consensus',
  label: 'Sandbox consensus (synthetic)',
  type: 'market_consensus',
  class: 'compiled_consensus',
  daysBefore: [7, 1],
  error: 2,
};

const NOWCAST: Forecaster = {
  source: 'sandbox_nowcast',
  label: 'Sandbox nowcast (synthetic)',
  type: 'model_nowcast',
  class: 'model_nowcast',
  daysBefore: [45, 21, 7, 2, -1],
  error: 2.5,
};

const FUTURES: Forecaster = {
  source: 'sandbox_futures',
  label: 'Sandbox futures (synthetic)',
  type: 'market_prediction',
  class: 'market_implied',
  daysBefore: [30, 5, 1],
  error: 4,
};

const COVERED: Readonly<Record<string, readonly Forecaster[]>> = {
  core_inflation: [CONSENSUS],
  gdp: [CONSENSUS, NOWCAST],
  inflation: [CONSENSUS, NOWCAST],
  non_farm_payrolls: [CONSENSUS],
  policy_rate: [FUTURES],
  retail_sales: [CONSENSUS],
  unemployment: [CONSENSUS],
};

/** A forecast of an authority, for a period of its own. */
export interface OfficialForecast {
  readonly source: string;
  readonly variable: string;
  readonly row: JsonObject;
}

/** Months in which authorities publish, and the hour of those whose minute is known. */
const MONTHS = ['02', '05', '08', '11'];
const HOUR = 43_200;

/** Years after the publication that are forecast. */
const YEARS = [0, 1, 2];

/** Who forecasts a series; nobody for most. */
export function forecastersOf({ slug }: Pick<Indicator, 'slug'>): readonly Forecaster[] {
  return COVERED[slug] ?? [];
}

/** An invented authority that publishes forecasts for years to come. */
export interface Authority {
  readonly source: string;
  readonly label: string;
  readonly class: PredictionClass;
  readonly type: string;
  /** Only the day of a publication is known, or its minute. */
  readonly precision: 'date' | 'exact';
  /** Day of the month on which it publishes, four times a year. */
  readonly day: string;
}

export const AUTHORITIES: readonly Authority[] = [
  {
    source: 'sandbox_bank',
    label: 'Sandbox central bank (synthetic)',
    class: 'central_bank_projection',
    type: 'central_bank_projection',
    precision: 'exact',
    day: '20',
  },
  {
    source: 'sandbox_survey',
    label: 'Sandbox survey of forecasters (synthetic)',
    class: 'forecaster_survey',
    type: 'survey',
    precision: 'date',
    day: '12',
  },
];

/** Which variable of the authorities speaks of an indicator. */
const VARIABLES: Readonly<Record<string, string>> = {
  gdp: 'gdp_growth',
  inflation: 'cpi',
  unemployment: 'unemployment',
};

export function officialVariable(slug: string): string | undefined {
  return VARIABLES[slug];
}

const OFFICIAL_VARIABLES: readonly string[] = Object.values(VARIABLES).sort();

/** A forecaster as coverage names it. */
export function sourceEntry({ source, label, type, class: name }: Forecaster): JsonObject {
  return {
    source,
    source_label: label,
    prediction_type: type,
    prediction_class: name,
    prediction_class_label: CLASSES[name][0],
    is_consensus: name === 'compiled_consensus',
    is_external: name !== 'fxmacrodata',
  };
}

export function authorityEntry({ source, class: name }: Authority): JsonObject {
  return { source, prediction_class: name, source_url: `${SANDBOX_URL}${source}` };
}

/** Label, definition and maker of each class. */
const CLASSES: Readonly<Record<PredictionClass, readonly [string, string, string]>> = {
  compiled_consensus: [
    'Compiled consensus',
    'Middle of the forecasts of several forecasters',
    'A compiler of forecasts',
  ],
  forecaster_survey: ['Survey of forecasters', 'Answers of forecasters to a regular survey', 'The survey’s publisher'],
  market_implied: ['Implied by markets', 'Implied by prices of traded contracts', 'Markets'],
  model_nowcast: ['Nowcast of a model', 'Estimate of a model from data published so far', 'The model’s owner'],
  central_bank_projection: ['Central bank projection', 'Projection of a central bank', 'A central bank'],
  institutional_projection: [
    'Institutional projection',
    'Projection of an international institution',
    'An institution',
  ],
  fxmacrodata: ['Forecast of the service', 'Estimate of the service itself', 'The service'],
};

export function classDefinitions(): JsonObject {
  return Object.fromEntries(
    PREDICTION_CLASSES.map((name) => {
      const [label, definition, producedBy] = CLASSES[name];
      return [name, { label, definition, produced_by: producedBy, is_consensus: name === 'compiled_consensus' }];
    }),
  );
}

export function classLabel(name: PredictionClass): string {
  return CLASSES[name][0];
}

/** Every official forecast of a currency that was published before today, newest first. */
export function officialForecasts(world: World, currency: string): readonly OfficialForecast[] {
  return AUTHORITIES.flatMap((authority) =>
    publications(world, authority).flatMap((date) =>
      OFFICIAL_VARIABLES.flatMap((variable) =>
        YEARS.map((years) => ({
          source: authority.source,
          variable,
          row: forecastRow(world, authority, { currency, variable, date, years }),
        })),
      ),
    ),
  ).sort((a, b) => (idOf(a) > idOf(b) ? -1 : 1));
}

const idOf = ({ row }: OfficialForecast): string => String(row.forecast_observation_id);

function publications(world: World, { day }: Authority): readonly string[] {
  const first = Number(world.since.daily.slice(0, 4));
  const last = Number(world.today.slice(0, 4));
  const years = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  return years
    .flatMap((year) => MONTHS.map((month) => `${year}-${month}-${day}`))
    .filter((date) => date >= world.since.daily && date < world.today);
}

interface Place {
  readonly currency: string;
  readonly variable: string;
  readonly date: string;
  readonly years: number;
}

function forecastRow(world: World, authority: Authority, { currency, variable, date, years }: Place): JsonObject {
  const { source, precision, class: name } = authority;
  const target = `${Number(date.slice(0, 4)) + years}Q4`;
  const stream = streamOf(world.seed, `official/${currency}/${source}/${date}/${variable}/${years}`);
  const { mean, swing } = usual(currency, variable);
  return {
    forecast_observation_id: `fo_${currency.toLowerCase()}_${source}_${date}_${variable}_${target}`,
    predicted_value: printed(mean + swing * stream.normal(), 1),
    variable,
    target_period: target,
    period_basis: variable === 'gdp_growth' ? 'annual_average' : 'fourth_quarter',
    unit: '%',
    statistic: 'median',
    publication_date: date,
    ...(precision === 'exact' && { publication_datetime: isoSeconds(dateToMs(date) / 1000 + HOUR) }),
    publication_precision: precision,
    prediction_source: source,
    prediction_class: name,
    source_url: `${SANDBOX_URL}${source}/${date}`,
    geography: currency,
  };
}

function usual(currency: string, variable: string): { readonly mean: number; readonly swing: number } {
  if (variable === 'cpi') return { mean: economyOf(currency).target, swing: 0.3 };
  return variable === 'unemployment' ? { mean: 5.2, swing: 0.3 } : { mean: 1.8, swing: 0.5 };
}

export function generateOfficialForecasts(
  currency: string,
  official: readonly OfficialForecast[],
): readonly GeneratedSeries[] {
  return AUTHORITIES.map(({ source }) => {
    const scope = { currency, prediction_source: source };
    const rows = official.filter((forecast) => forecast.source === source).map(({ row }) => row);
    return generatedSeries('prediction_vintages', scope, { ...scope, source: SANDBOX_LABEL }, rows);
  });
}
