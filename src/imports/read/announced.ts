/** Values of an indicator, as series of the announcements endpoint. */
import { asJsonText, type JsonObject } from '../../contract/json/json.ts';
import type { FileRow, FileSeries } from '../format.ts';
import type { Period } from '../generic/release-rule.ts';
import { type PlacedCell, readNumber } from './cells.ts';

/** The facts of an indicator beside its values. */
export interface AnnouncedSeries {
  readonly currency: string;
  readonly indicator: string;
  readonly name: string;
  /** Left out where no file and no table says it. */
  readonly unit?: string;
  /** Who publishes the values, in words. */
  readonly source: string;
  readonly sourceUrl?: string;
  readonly sourceSeriesId: string;
  readonly adjustment?: 'SA' | 'NSA' | 'NOT_APPLICABLE';
  /** Left out of a series that changes by decision. */
  readonly period?: Period;
  /** For daily values: weekends may have one as well. */
  readonly everyDay?: true;
  readonly basis?: 'real' | 'nominal';
  /** How the values follow from those of the file; left out when they are those of the file. */
  readonly derived?: { readonly transform: string; readonly how: string };
  /** Selectors that name another series of the same indicator, such as its level. */
  readonly selectors?: Readonly<Record<string, string>>;
  /** First date of its history. */
  readonly begins?: string;
}

export function announcedSeries(described: AnnouncedSeries): FileSeries {
  const { currency, indicator, selectors, begins } = described;
  return {
    endpoint: 'announcements',
    scope: { currency, indicator, ...selectors },
    envelope: envelopeOf(described),
    ...(begins !== undefined && { begins }),
    ...periodOf(described),
  };
}

const FREQUENCIES = { day: 'Daily', week: 'Weekly', month: 'Monthly', quarter: 'Quarterly', year: 'Annual' } as const;

function periodOf({ period, everyDay }: AnnouncedSeries): Pick<FileSeries, 'period' | 'ofBusinessDays'> {
  if (period === 'day') return everyDay ? {} : { ofBusinessDays: true };
  return period === undefined || period === 'week' ? {} : { period };
}

function envelopeOf(described: AnnouncedSeries): JsonObject {
  const { currency, indicator, name, unit, source, sourceUrl, sourceSeriesId, period } = described;
  const { adjustment, basis, derived } = described;
  return {
    currency,
    indicator,
    name,
    ...(unit !== undefined && { unit }),
    ...(period !== undefined && { frequency: FREQUENCIES[period] }),
    source,
    ...(sourceUrl !== undefined && { source_url: sourceUrl }),
    source_series_id: sourceSeriesId,
    ...(adjustment !== undefined && { seasonal_adjustment: adjustment }),
    ...(basis !== undefined && { price_basis: basis }),
    is_proxy: false,
    ...(derived && {
      remap: { applied: true, rule_id: derived.how, transform: derived.transform, canonical_indicator: indicator },
      data_quality: { is_derived: true, reason: derived.how },
    }),
  };
}

/** The spelling of the file is the text: 1.10 stays 1.10. */
export function valueRow(series: FileSeries, date: string, val: string, knownFrom?: number): FileRow {
  return {
    series,
    row: { text: asJsonText(`{"date":"${date}","val":${val}}`), value: { date, val: Number(val) } },
    ...(knownFrom !== undefined && { knownFrom }),
  };
}

/** @throws MacroError of kind `usage`. */
export const valueOfCell = (series: FileSeries, date: string, cell: PlacedCell): FileRow =>
  valueRow(series, date, readNumber(cell));

/** The indicator of a maturity such as `10Y` or `1.5M`, with its name. */
export function maturityYield(label: string, bond: string) {
  const [, size = '', unit = ''] = /^(\d+(?:\.\d+)?)([MY])$/.exec(label) ?? [];
  return {
    indicator: `gov_bond_${size.replace('.', '_')}${unit.toLowerCase()}`,
    name: `${bond} yield, ${size} ${unit === 'M' ? 'month' : 'year'}${size === '1' ? '' : 's'}`,
    unit: '%',
  };
}

/** Who publishes a yield, and under which id. */
export type YieldPublisher = Pick<AnnouncedSeries, 'currency' | 'source' | 'sourceUrl' | 'sourceSeriesId'>;

export function yieldSeries(label: string, bond: string, publisher: YieldPublisher): FileSeries {
  return announcedSeries({
    ...publisher,
    ...maturityYield(label, bond),
    period: 'day',
    adjustment: 'NOT_APPLICABLE',
  });
}
