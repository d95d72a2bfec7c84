/** Series of FRED that the interface has, by their id there. Files name no unit and no frequency: they stand here. */

import { maturityYield } from '../../read/announced.ts';
import type { PublishedOutput, PublishedSeries } from '../../read/published-series.ts';
import { H15_HOUR, type WallHour } from '../../read/release-days.ts';
import { CHANGE, MONTH_ON_MONTH, YEAR_ON_YEAR } from '../../read/transforms.ts';

export interface FredSeries extends PublishedSeries {
  /** The hour of its publisher: ALFRED has the days of vintages alone. */
  readonly released: WallHour;
  /** A later hour that it had on some days since a day, all of which may be such days. */
  readonly laterSince?: { readonly day: string; readonly hour: WallHour };
}

/** Both bureaus release in the morning. */
const released: WallHour = { zone: 'America/New_York', hour: 8.5 };
const ADJUSTED = { currency: 'USD', adjustment: 'SA', period: 'month', released } as const;
const BLS = { ...ADJUSTED, source: 'BLS', sourceUrl: 'https://www.bls.gov/' } as const;
const BEA = { ...ADJUSTED, source: 'BEA', sourceUrl: 'https://www.bea.gov/' } as const;
/** After the shutdown of late 2025 personal income and outlays came out at 10:00 on 2025-12-05 and 2026-01-22. */
const PCE = {
  ...BEA,
  begins: '1959-01-01',
  laterSince: { day: '2025-12-01', hour: { zone: 'America/New_York', hour: 10 } },
} as const;

const PAYROLLS = { indicator: 'non_farm_payrolls', name: 'Non-Farm Payrolls', unit: 'k' };
const PAYROLLS_CHANGE = { indicator: 'non_farm_payrolls_change', name: 'Non-Farm Payrolls, Change', unit: 'k' };
const UNEMPLOYMENT = { indicator: 'unemployment', name: 'Unemployment Rate', unit: '%' };
const PARTICIPATION = { indicator: 'participation_rate', name: 'Participation Rate', unit: '%' };
const GDP = { indicator: 'gdp', name: 'Real GDP, chained dollars, annual rate', unit: 'USD bn' };
const PAYROLL_OUTPUTS = [PAYROLLS, { ...PAYROLLS_CHANGE, transform: CHANGE }];

const listed: readonly FredSeries[] = [
  { ...BLS, sourceSeriesId: 'PAYEMS', begins: '1939-01-01', outputs: PAYROLL_OUTPUTS },
  { ...BLS, sourceSeriesId: 'PAYEMS_CHG', begins: '1939-02-01', outputs: [PAYROLLS_CHANGE] },
  { ...BLS, sourceSeriesId: 'UNRATE', begins: '1948-01-01', outputs: [UNEMPLOYMENT] },
  { ...BLS, sourceSeriesId: 'CIVPART', begins: '1948-01-01', outputs: [PARTICIPATION] },
  ...pricesOf(['CPIAUCSL', '1947-01-01'], ['CPIAUCNS', '1913-01-01'], 'inflation', 'Inflation (CPI)'),
  ...pricesOf(['CPILFESL', '1957-01-01'], ['CPILFENS', '1957-01-01'], 'core_inflation', 'Core Inflation (CPI)'),
  { ...PCE, sourceSeriesId: 'PCEPI', outputs: changesOf('pce', 'PCE Price Index') },
  { ...PCE, sourceSeriesId: 'PCEPILFE', outputs: changesOf('core_pce', 'Core PCE') },
  { ...BEA, sourceSeriesId: 'GDPC1', period: 'quarter', basis: 'real', begins: '1947-01-01', outputs: [GDP] },
  ...['1MO', '3MO', '6MO', '1', '2', '3', '5', '7', '10', '20', '30'].map(constantMaturity),
];

export const FRED_SERIES: ReadonlyMap<string, FredSeries> = new Map(
  listed.map((series) => [series.sourceSeriesId, series]),
);

type IdAndBegin = readonly [id: string, begins: string];

/** Headlines are the change over the year of the unadjusted index and that over the month of the adjusted one. */
function pricesOf(adjusted: IdAndBegin, unadjusted: IdAndBegin, slug: string, name: string): readonly FredSeries[] {
  const level = { indicator: slug, name: `${name}, index`, unit: 'Index 1982-84=100' };
  const outputs = [
    { indicator: `${slug}_mom`, name: `${name}, Monthly`, unit: '%MoM', transform: MONTH_ON_MONTH },
    { ...level, selectors: { seasonality: 'sa', frequency: 'level' } },
  ];
  const headline = [
    { indicator: slug, name, unit: '%YoY', transform: YEAR_ON_YEAR },
    { ...level, selectors: { frequency: 'level' } },
  ];
  return [
    { ...BLS, sourceSeriesId: adjusted[0], begins: adjusted[1], outputs },
    { ...BLS, adjustment: 'NSA', sourceSeriesId: unadjusted[0], begins: unadjusted[1], outputs: headline },
  ];
}

function changesOf(slug: string, name: string): readonly PublishedOutput[] {
  return [
    { indicator: slug, name, unit: '%YoY', transform: YEAR_ON_YEAR },
    { indicator: `${slug}_mom`, name: `${name}, Monthly`, unit: '%MoM', transform: MONTH_ON_MONTH },
    { indicator: slug, name: `${name}, index`, unit: 'Index 2017=100', selectors: { frequency: 'level' } },
  ];
}

function constantMaturity(tenor: string): FredSeries {
  const months = /^(\d+)MO$/.exec(tenor)?.[1];
  const { indicator, name, unit } = maturityYield(months === undefined ? `${tenor}Y` : `${months}M`, 'Treasury');
  return {
    currency: 'USD',
    source: 'Federal Reserve Board',
    sourceUrl: 'https://www.federalreserve.gov/releases/h15/',
    sourceSeriesId: `DGS${tenor}`,
    released: H15_HOUR,
    period: 'day',
    adjustment: 'NOT_APPLICABLE',
    outputs: [{ indicator, name, unit }],
  };
}
