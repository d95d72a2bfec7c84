/** Publishers of official daily exchange rates whose files can be imported: who they are, and when a rate becomes known. */
export interface FxPublisher {
  /** Its series have the origin `import:<short>`. */
  readonly short: string;
  /** The source in answers about reference rates. */
  readonly id: string;
  readonly name: string;
  readonly dataset: string;
  readonly url: string;
  readonly area: string;
  readonly zone: string;
  /** Hour of the local clock after which the rates of a day are public, as a decimal: 16.25 is 16:15. */
  readonly hour: number;
  /** Weekday (1 is Monday) on which the rates of the week before are published; left out when they are on their own day. */
  readonly weekday?: number;
  /** The same in words. */
  readonly when: string;
  /** Currency that every pair has. */
  readonly anchor: string;
  /** The terms of the publisher for those who pass its numbers on. */
  readonly terms: string;
}

/** In order of preference. Files state no time, so each time is the end of the normal span of publication. */
export const FX_PUBLISHERS = {
  ecb: {
    short: 'ECB',
    id: 'ecb_eurofxref_daily',
    name: 'European Central Bank',
    dataset: 'Euro foreign exchange reference rates',
    url: 'https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html',
    area: 'Euro area',
    zone: 'Europe/Berlin',
    hour: 16,
    when: '16:00 in Frankfurt',
    anchor: 'EUR',
    terms: 'Free to use and pass on when the European Central Bank is named and numbers are not changed.',
  },
  bundesbank: {
    short: 'Bundesbank',
    id: 'bbk_eurofxref_daily',
    name: 'Deutsche Bundesbank',
    dataset: 'Euro foreign exchange reference rates of the ECB',
    url: 'https://www.bundesbank.de/en/statistics/exchange-rates',
    area: 'Germany',
    zone: 'Europe/Berlin',
    hour: 16.25,
    when: '16:15 in Frankfurt',
    anchor: 'EUR',
    terms: 'Free to use when the Deutsche Bundesbank is named as the source; the rates are those of the ECB.',
  },
  'bank-of-canada': {
    short: 'BoC',
    id: 'boc_fx_daily',
    name: 'Bank of Canada',
    dataset: 'Daily exchange rates',
    url: 'https://www.bankofcanada.ca/rates/exchange/daily-exchange-rates/',
    area: 'Canada',
    zone: 'America/Toronto',
    hour: 16.5,
    when: '16:30 in Toronto',
    anchor: 'CAD',
    terms: 'Free to use when the Bank of Canada is named, without suggesting that it endorses the use.',
  },
  rba: {
    short: 'RBA',
    id: 'rba_f11_1_daily',
    name: 'Reserve Bank of Australia',
    dataset: 'Exchange rates, daily (F11.1)',
    url: 'https://www.rba.gov.au/statistics/historical-data.html',
    area: 'Australia',
    zone: 'Australia/Sydney',
    hour: 17,
    when: '17:00 in Sydney',
    anchor: 'AUD',
    terms: 'CC BY 4.0, but for AUD/USD, which a third party licenses (WM/Reuters): keep that pair to yourself.',
  },
  nbp: {
    short: 'NBP',
    id: 'nbp_table_a_daily',
    name: 'National Bank of Poland',
    dataset: 'Average exchange rates, table A',
    url: 'https://nbp.pl/en/statistic-and-financial-reporting/rates/',
    area: 'Poland',
    zone: 'Europe/Warsaw',
    hour: 12.25,
    when: '12:15 in Warsaw',
    anchor: 'PLN',
    terms: 'Free to use when the National Bank of Poland is named as the source.',
  },
  h10: {
    short: 'FRB',
    id: 'frb_h10_daily',
    name: 'Board of Governors of the Federal Reserve System',
    dataset: 'Foreign Exchange Rates (H.10)',
    url: 'https://www.federalreserve.gov/releases/h10/',
    area: 'United States',
    zone: 'America/New_York',
    hour: 16.25,
    weekday: 2,
    when: '16:15 in New York on Tuesday of the next week',
    anchor: 'USD',
    terms: 'Public domain of the United States; the Board asks to be named as the source.',
  },
  fred: {
    short: 'FRED',
    id: 'fred_h10_daily',
    name: 'Federal Reserve Bank of St. Louis',
    dataset: 'Foreign Exchange Rates (H.10) in FRED',
    url: 'https://fred.stlouisfed.org/categories/94',
    area: 'United States',
    zone: 'America/New_York',
    hour: 16.25,
    weekday: 2,
    when: '16:15 in New York on Tuesday of the next week',
    anchor: 'USD',
    terms: 'Public domain of the United States; FRED asks to be named.',
  },
} as const satisfies Readonly<Record<string, FxPublisher>>;

/** The publisher of a series of daily rates; undefined where its file has no known time of publication. */
export function fxPublisherOf(origin: string): FxPublisher | undefined {
  return Object.values<FxPublisher>(FX_PUBLISHERS).find(({ short }) => origin === `import:${short}`);
}

/** Currencies that every pair of some publisher has. */
export const FX_ANCHORS: readonly string[] = [...new Set(Object.values(FX_PUBLISHERS).map(({ anchor }) => anchor))];

/** Which of several publishers of one pair speaks: the lower one. */
export function fxPlaceOf(origin: string): number {
  const place = Object.values<FxPublisher>(FX_PUBLISHERS).findIndex(({ short }) => origin === `import:${short}`);
  return place < 0 ? Object.keys(FX_PUBLISHERS).length : place;
}

const DAYS_OF_WEEK = 7;

/** The most days from a rate's date to the day of its publication. */
export function longestLag({ weekday }: Pick<FxPublisher, 'weekday'>): number {
  return weekday === undefined ? 0 : DAYS_OF_WEEK + weekday;
}

/** Days from a rate's date to the day of its publication. `date` is its midnight in UTC, in milliseconds. */
export function publicationLag({ weekday }: Pick<FxPublisher, 'weekday'>, date: number): number {
  if (weekday === undefined) return 0;
  const day = new Date(date).getUTCDay();
  // The rates of a week, Sunday to Saturday, come in the next one.
  return DAYS_OF_WEEK - day + weekday;
}

/** By the short names of their origins, in the order in which they speak: that of docs/imports.md. */
export const OFFICIAL_PUBLISHERS: readonly string[] = [
  ...['ECB', 'Bundesbank', 'BoC', 'RBA', 'NBP', 'FRB'],
  ...['FRED', 'ALFRED', 'Treasury', 'H.15', 'Philadelphia Fed', 'CFTC', 'World Bank'],
  ...['FRED-MD', 'BLS', 'Eurostat', 'Bank of England'],
];

/** Undefined for a private table. */
export function placeOfPublisher(short: string): number | undefined {
  const place = OFFICIAL_PUBLISHERS.indexOf(short);
  return place < 0 ? undefined : place;
}
