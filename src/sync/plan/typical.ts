// How long the histories of the service are, for what a plan knows nothing of. Measured on the service's sandbox.

/** How much there is of a series: since when, and how many rows a year. */
export interface Extent {
  /** UTC date. */
  readonly from: string;
  readonly rowsPerYear: number;
}

/** By endpoint id; what is not listed is one page. */
const BY_ENDPOINT: Readonly<Record<string, Extent>> = {
  commodities: { from: '2023-01-01', rowsPerYear: 260 },
  cot: { from: '2023-01-01', rowsPerYear: 52 },
  forex: { from: '2014-01-01', rowsPerYear: 260 },
  fx_session_rates: { from: '2023-01-01', rowsPerYear: 260 },
  fx_reference_rates: { from: '2023-01-01', rowsPerYear: 640 },
  fx_intraday_reference_rates: { from: '2023-01-01', rowsPerYear: 640 },
  financial_prices: { from: '2025-01-01', rowsPerYear: 800 },
  press_releases: { from: '2025-01-01', rowsPerYear: 155 },
  factors: { from: '2025-01-01', rowsPerYear: 260 },
  rate_differentials: { from: '2023-01-01', rowsPerYear: 260 },
  risk_sentiment: { from: '2023-01-01', rowsPerYear: 260 },
};

/** Requests that a feed takes which is read for the first time. */
export const FIRST_FEED_REQUESTS: Readonly<Record<string, number>> = {
  announcements_changes: 2,
  risk_sentiment_changes: 12,
};

/** By the frequency that a catalogue names. */
const BY_FREQUENCY: Readonly<Record<string, Extent>> = {
  daily: { from: '2023-01-01', rowsPerYear: 260 },
  weekly: { from: '2016-01-01', rowsPerYear: 52 },
  monthly: { from: '2016-01-01', rowsPerYear: 12 },
  quarterly: { from: '2016-01-01', rowsPerYear: 4 },
  annual: { from: '2016-01-01', rowsPerYear: 1 },
};

/** Indicators that are not monthly, by their names; a catalogue knows better. */
const FREQUENCY_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^gov_bond|^risk_free|trade_weighted|breakeven|inflation_linked/, 'daily'],
  [/claims|cb_assets|inventories|storage|sight_deposits/, 'weekly'],
  [/^gdp|account|income_balance|international_|government_debt|wage_price|nairu/, 'quarterly'],
];

/** What an endpoint has of a series; undefined where one page is all. */
export function typicalExtent(endpoint: string, indicator: string): Extent | undefined {
  if (endpoint !== 'announcements') return BY_ENDPOINT[endpoint];
  return BY_FREQUENCY[FREQUENCY_WORDS.find(([pattern]) => pattern.test(indicator))?.[1] ?? 'monthly'];
}

/** What a frequency makes of a history that begins somewhere. */
export function extentOf(frequency: string, from: string | undefined): Extent | undefined {
  const typical = BY_FREQUENCY[frequency.toLowerCase()];
  return typical && { ...typical, ...(from !== undefined && { from }) };
}

/** Indicators in a catalogue that is not held yet, and requests that a series of them takes. */
const LONG_CATALOGUES: Readonly<Record<string, number>> = { USD: 94, EUR: 32, GBP: 32, JPY: 32 };
const SHORT_CATALOGUE = 12;
const REQUESTS_BY_INDICATOR = 3.5;

/** Requests that the indicators of a currency take whose catalogue is not held. */
export function typicalIndicatorRequests(currency: string): number {
  return Math.round((LONG_CATALOGUES[currency.toUpperCase()] ?? SHORT_CATALOGUE) * REQUESTS_BY_INDICATOR);
}
