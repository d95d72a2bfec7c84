import { isServed } from '../contract/capabilities.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import announcementsChanges from './announcements/changes.ts';
import announcementsLatest from './announcements/latest.ts';
import latestAlias from './announcements/latest-alias.ts';
import latestAliasSeries from './announcements/latest-alias-series.ts';
import researchPanel from './announcements/panel.ts';
import announcementsRecent from './announcements/recent.ts';
import announcementsRecentSeries from './announcements/recent-series.ts';
import announcementsSeries from './announcements/series.ts';
import calendar from './calendar/calendar.ts';
import calendarCoverage from './calendar/coverage.ts';
import calendarSnapshot from './calendar/snapshot.ts';
import calendarVersions from './calendar/versions.ts';
import capabilities from './catalogue/capabilities.ts';
import catalogue from './catalogue/catalogue.ts';
import coverageMatrix from './catalogue/coverage-matrix.ts';
import commoditiesLatest from './commodities/latest.ts';
import commoditiesSeries from './commodities/series.ts';
import curve from './curves/curve.ts';
import rateDifferential from './curves/differential.ts';
import webhookDeliveries from './events/deliveries.ts';
import webhookRotateSecret from './events/rotate-secret.ts';
import streamEvents from './events/stream.ts';
import webhookSubscription from './events/subscription.ts';
import webhookSubscriptions from './events/subscriptions.ts';
import factor from './factors/factor.ts';
import { addAllEndpoints } from './find.ts';
import forex from './fx/forex.ts';
import fxIntraday from './fx/intraday.ts';
import fxReferenceRates from './fx/reference-rates.ts';
import fxSessionRates from './fx/session-rates.ts';
import fxSourceUniverse from './fx/source-universe.ts';
import fxSources from './fx/sources.ts';
import health from './health/health.ts';
import ping from './health/ping.ts';
import cot from './positioning/cot.ts';
import predictionsCoverage from './predictions/coverage.ts';
import predictionsCoverageCurrency from './predictions/coverage-currency.ts';
import predictions from './predictions/series.ts';
import predictionVintages from './predictions/vintages.ts';
import pressReleases from './press/press-releases.ts';
import financialPrices from './prices/prices.ts';
import riskSentimentChanges from './sentiment/changes.ts';
import riskSentiment from './sentiment/sentiment.ts';
import marketSessions from './sessions/sessions.ts';
import settlementContract from './settlement/contract.ts';
import settlementContracts from './settlement/contracts.ts';
import settlementKeys from './settlement/keys.ts';
import settlementRecord from './settlement/record.ts';

/** Every endpoint by group, in the order of documents and help. Some are for the client and documents only. */
export const INTERFACE: readonly Endpoint[] = [
  ping,
  health,
  catalogue,
  capabilities,
  coverageMatrix,
  announcementsSeries,
  announcementsLatest,
  announcementsChanges,
  latestAlias,
  latestAliasSeries,
  announcementsRecent,
  announcementsRecentSeries,
  researchPanel,
  predictions,
  predictionVintages,
  predictionsCoverage,
  predictionsCoverageCurrency,
  calendar,
  calendarCoverage,
  calendarSnapshot,
  calendarVersions,
  streamEvents,
  webhookSubscriptions,
  webhookSubscription,
  webhookRotateSecret,
  webhookDeliveries,
  factor,
  forex,
  fxIntraday,
  fxReferenceRates,
  fxSessionRates,
  fxSources,
  fxSourceUniverse,
  curve,
  rateDifferential,
  marketSessions,
  riskSentiment,
  riskSentimentChanges,
  cot,
  commoditiesLatest,
  commoditiesSeries,
  pressReleases,
  settlementContracts,
  settlementContract,
  settlementKeys,
  settlementRecord,
  financialPrices,
];

/** The endpoints that a source answers and `serve` offers. */
export const ENDPOINTS: readonly Endpoint[] = INTERFACE.filter((endpoint) => isServed(endpoint) && !endpoint.managed);

addAllEndpoints(INTERFACE);

// With the list, all of them are loaded.
export { LOADED_MAPPINGS as MAPPINGS, loadedEndpoint as endpointById } from './find.ts';
