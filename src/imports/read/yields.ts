/** Yields by maturity as series of the announcements endpoint. */
import type { FileSeries } from '../format.ts';
import { type AnnouncedSeries, announcedSeries } from './announced.ts';
import type { WallHour } from './release-days.ts';

/** When H.15 comes out on a business day: the Board of Governors has the yields, and FRED takes them from there. */
export const H15_HOUR: WallHour = { zone: 'America/New_York', hour: 16.25 };

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
    frequency: 'Daily',
    adjustment: 'NOT_APPLICABLE',
  });
}
