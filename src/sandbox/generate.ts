import { CALENDAR_CURRENCIES, FACTOR_CURRENCIES, MAIN_CURRENCIES } from '../contract/words/currencies.ts';
import { ENDPOINTS } from '../endpoints/index.ts';
import { type Announcements, generateAnnouncements } from './announced/announcements.ts';
import { generateCatalogue } from './announced/catalogue.ts';
import { generateEvents } from './announced/events.ts';
import { indicatorsOf } from './announced/indicators.ts';
import { generateCalendar } from './calendar/calendar.ts';
import { generateCalendarArchive } from './calendar/calendar-archive.ts';
import { businessDays } from './calendar/schedule.ts';
import { generateFactor } from './factors.ts';
import { generateFromContract } from './from-contract.ts';
import { generateCommodities } from './markets/commodities.ts';
import { generateCurves } from './markets/curves.ts';
import { generateFx } from './markets/fx.ts';
import { generatePositions } from './markets/positions.ts';
import { generatePrices } from './markets/prices.ts';
import { generateSentiment } from './markets/sentiment.ts';
import { generateSources } from './markets/sources.ts';
import { generateOfficialForecasts, officialForecasts } from './outlook/official-forecasts.ts';
import { type ForecastCoverage, generateCoverage, generateCoverageList } from './outlook/prediction-coverage.ts';
import { generatePredictions } from './outlook/predictions.ts';
import { generatePress } from './press.ts';
import type { GeneratedSeries } from './rows.ts';
import { generateContracts } from './settlement.ts';
import type { World } from './world.ts';

/** Its series says that all others are there. */
const LAST = 'fx_sources';

/**
 * Every series of the data set, one after the other, so that only one is in memory at a time. The list of publishers
 * comes last: a mirror that holds today's is filled whole.
 */
export function* generate(world: World): Iterable<GeneratedSeries> {
  const written = new Set<string>();
  for (const series of generateWritten(world)) {
    written.add(series.endpoint);
    yield series;
  }
  for (const endpoint of ENDPOINTS)
    if (!written.has(endpoint.id) && endpoint.id !== LAST) yield* generateFromContract(world, endpoint);
  yield generateSources();
}

/** Series that a generator of their own makes, since they have to agree with each other. */
function* generateWritten(world: World): Iterable<GeneratedSeries> {
  const days = businessDays(world);
  yield* generateFx(world, days);
  const recent: Announcements[] = [];
  const coverages: ForecastCoverage[] = [];
  for (const currency of MAIN_CURRENCIES) {
    const stored: Announcements[] = [];
    for (const indicator of indicatorsOf(currency, world.size)) {
      const one = generateAnnouncements(world, { currency, indicator });
      yield one.generated;
      stored.push({ ...one, generated: { ...one.generated, rows: [] } });
    }
    yield generateCatalogue(world, currency, stored);
    if (FACTOR_CURRENCIES.includes(currency)) yield generateFactor(world, currency, { announcements: stored, days });
    yield generatePrices(world, currency, stored);
    const official = officialForecasts(world, currency);
    yield* generateOfficialForecasts(currency, official);
    for (const one of stored) yield* generatePredictions(world, one, official);
    const coverage = generateCoverage(world, currency, stored);
    yield coverage.generated;
    coverages.push(coverage);
    recent.push(...stored);
  }
  yield generateCoverageList(coverages);
  yield generateEvents(world, recent);
  yield generateContracts(recent.map(({ series }) => series));
  for (const currency of CALENDAR_CURRENCIES) yield generateCalendar(world, currency);
  for (const currency of CALENDAR_CURRENCIES) yield* generateCalendarArchive(world, currency);
  yield* generateCurves(world, days);
  yield* generatePositions(world);
  yield* generateCommodities(world, days);
  yield* generateSentiment(world, days);
  yield* generatePress(world, days);
}
