import type { LoadedRow, LoadedSeries } from '../../contract/hooks.ts';
import { parseObject } from '../../contract/json/json.ts';
import { perObject } from '../per-object.ts';

/** One value of a series as it was known at the moment of the question. */
export interface MarketObservation {
  readonly date: string;
  readonly val: number;
  /** Release time, Unix seconds. */
  readonly release: number | undefined;
  readonly row: LoadedRow;
  readonly series: LoadedSeries;
}

/** Which observations a question wants. */
export interface ObservedMoment {
  /** First and last date, both included. */
  readonly from: string;
  readonly to: string;
  /** Unix seconds: the moment of the past that the rows are of. */
  readonly asOf: number | undefined;
}

/** The values of the rows inside the window, in the order of the rows. Rows without a value are none. */
export function observeMarket(
  series: LoadedSeries,
  moment: ObservedMoment,
  isWanted: (row: LoadedRow) => boolean = () => true,
): readonly MarketObservation[] {
  return series.rows.flatMap((row) => {
    const date = String(row.columns.date);
    if (date < moment.from || date > moment.to || !isWanted(row)) return [];
    const { val, announcement_datetime: release } = row.columns;
    if (typeof val !== 'number') return [];
    return [{ date, val, release: typeof release === 'number' ? release : undefined, row, series }];
  });
}

/** One list, newest first, each date once: where several lists have a date, the first of them speaks. */
export function mergeByDate<T extends { readonly date: string }>(lists: readonly (readonly T[])[]): readonly T[] {
  const [only, second] = lists;
  if (second === undefined) return only ?? [];
  const byDate = new Map<string, T>();
  for (const list of lists) for (const one of list) if (!byDate.has(one.date)) byDate.set(one.date, one);
  return [...byDate.values()].sort((a, b) => (a.date < b.date ? 1 : -1));
}

/** Who published an observation, as its row says, else as its series does. */
export function marketSource({ row, series }: Pick<MarketObservation, 'row' | 'series'>): string | undefined {
  for (const source of [statedIn(row).source, series.envelope.source])
    if (typeof source === 'string' && source !== '') return source;
  return undefined;
}

/** What a row says of its source. An answer asks each row several times. */
const statedIn = perObject((row: LoadedRow) => ({ source: parseObject(row.text).source }));

/** When the service last confirmed a series. An importer's file is confirmed when it is read, however old it is. */
export function confirmedAt({ ref }: LoadedSeries): number {
  return ref.origin.startsWith('import:') ? 0 : (ref.checkedAt ?? 0);
}

/** Each of the texts once, in order; what is undefined is none. */
export function distinct(texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== undefined))];
}
