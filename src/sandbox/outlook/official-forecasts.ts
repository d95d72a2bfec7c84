import type { JsonObject } from '../../contract/json/json.ts';
import { dateToMs, isoSeconds } from '../../contract/time/time.ts';
import { economyOf } from '../publishers.ts';
import { streamOf } from '../random.ts';
import { type GeneratedSeries, rowOf, SANDBOX_LABEL, SANDBOX_URL } from '../rows.ts';
import { printed } from '../walks.ts';
import type { World } from '../world.ts';
import { AUTHORITIES, type Authority, OFFICIAL_VARIABLES } from './forecasters.ts';

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

/** The forecasts of each authority as a series of their own. */
export function generateOfficialForecasts(
  currency: string,
  official: readonly OfficialForecast[],
): readonly GeneratedSeries[] {
  return AUTHORITIES.map(({ source }) => ({
    endpoint: 'prediction_vintages',
    scope: { currency, prediction_source: source },
    envelope: { currency, prediction_source: source, source: SANDBOX_LABEL },
    rows: official.filter((forecast) => forecast.source === source).map(({ row }) => rowOf('prediction_vintages', row)),
  }));
}
