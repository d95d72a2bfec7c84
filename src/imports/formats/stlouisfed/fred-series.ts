/** Series of FRED that the interface has, by their id there. Files name no unit and no frequency: they stand here. */

import type { PublishedOutput, PublishedSeries } from '../../read/published-series.ts';
import type { WallHour } from '../../read/release-days.ts';
import { CHANGE, MONTH_ON_MONTH, YEAR_ON_YEAR } from '../../read/transforms.ts';
import { H15_HOUR, maturityYield } from '../../read/yields.ts';

export interface FredSeries extends PublishedSeries {
  /** The hour of its publisher: ALFRED has the days of vintages alone. */
  readonly released: WallHour;
  /** A later hour that it had on some days since a day, all of which may be such days. */
  readonly laterSince?: { readonly day: string; readonly hour: WallHour };
}

/** Both bureaus release in the morning. */
const released: WallHour = { zone: 'America/New_York', hour: 8.5 };
const BLS = { currency: 'USD', source: 'BLS', sourceUrl: 'https://www.bls.gov/', period: 'month', released } as const;
const BEA = { currency: 'USD', source: 'BEA', sourceUrl: 'https://www.bea.gov/', released } as const;
/** After the shutdown of late 2025 personal income and outlays came out at 10:00 on 2025-12-05 and 2026-01-22. */
const PCE = { ...BEA, laterSince: { day: '2025-12-01', hour: { zone: 'America/New_York', hour: 10 } } } as const;

const PAYROLLS_CHANGE = { indicator: 'non_farm_payrolls_change', name: 'Non-Farm Payrolls, Change', unit: 'k' };

const listed: readonly FredSeries[] = [
  {
    ...BLS,
    sourceSeriesId: 'PAYEMS',
    adjustment: 'SA',
    begins: '1939-01-01',
    outputs: [
      { indicator: 'non_farm_payrolls', name: 'Non-Farm Payrolls', unit: 'k' },
      { ...PAYROLLS_CHANGE, transform: CHANGE },
    ],
  },
  { ...BLS, sourceSeriesId: 'PAYEMS_CHG', adjustment: 'SA', begins: '1939-02-01', outputs: [PAYROLLS_CHANGE] },
  {
    ...BLS,
    sourceSeriesId: 'UNRATE',
    adjustment: 'SA',
    begins: '1948-01-01',
    outputs: [{ indicator: 'unemployment', name: 'Unemployment Rate', unit: '%' }],
  },
  {
    ...BLS,
    sourceSeriesId: 'CIVPART',
    adjustment: 'SA',
    begins: '1948-01-01',
    outputs: [{ indicator: 'participation_rate', name: 'Participation Rate', unit: '%' }],
  },
  ...pricesOf({ adjusted: 'CPIAUCSL', unadjusted: 'CPIAUCNS', slug: 'inflation', name: 'Inflation (CPI)' }),
  ...pricesOf({ adjusted: 'CPILFESL', unadjusted: 'CPILFENS', slug: 'core_inflation', name: 'Core Inflation (CPI)' }),
  {
    ...PCE,
    sourceSeriesId: 'PCEPI',
    period: 'month',
    adjustment: 'SA',
    begins: '1959-01-01',
    outputs: changesOf('pce', 'PCE Price Index'),
  },
  {
    ...PCE,
    sourceSeriesId: 'PCEPILFE',
    period: 'month',
    adjustment: 'SA',
    begins: '1959-01-01',
    outputs: changesOf('core_pce', 'Core PCE'),
  },
  {
    ...BEA,
    sourceSeriesId: 'GDPC1',
    period: 'quarter',
    adjustment: 'SA',
    basis: 'real',
    begins: '1947-01-01',
    outputs: [{ indicator: 'gdp', name: 'Real GDP, chained dollars, annual rate', unit: 'USD bn' }],
  },
  ...['1MO', '3MO', '6MO', '1', '2', '3', '5', '7', '10', '20', '30'].map(constantMaturity),
];

export const FRED_SERIES: ReadonlyMap<string, FredSeries> = new Map(
  listed.map((series) => [series.sourceSeriesId, series]),
);

/** Headlines are the change over the year of the unadjusted index and that over the month of the adjusted one. */
function pricesOf(facts: {
  readonly adjusted: string;
  readonly unadjusted: string;
  readonly slug: string;
  readonly name: string;
}): readonly FredSeries[] {
  const { adjusted, unadjusted, slug, name } = facts;
  const begins = slug === 'inflation' ? ['1947-01-01', '1913-01-01'] : ['1957-01-01', '1957-01-01'];
  const level = { indicator: slug, name: `${name}, index`, unit: 'Index 1982-84=100' };
  return [
    {
      ...BLS,
      sourceSeriesId: adjusted,
      adjustment: 'SA',
      begins: begins[0] ?? '',
      outputs: [
        { indicator: `${slug}_mom`, name: `${name}, Monthly`, unit: '%MoM', transform: MONTH_ON_MONTH },
        { ...level, selectors: { seasonality: 'sa', frequency: 'level' } },
      ],
    },
    {
      ...BLS,
      sourceSeriesId: unadjusted,
      adjustment: 'NSA',
      begins: begins[1] ?? '',
      outputs: [
        { indicator: slug, name, unit: '%YoY', transform: YEAR_ON_YEAR },
        { ...level, selectors: { frequency: 'level' } },
      ],
    },
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
