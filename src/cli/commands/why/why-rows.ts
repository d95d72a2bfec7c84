import { dateToMs, isCalendarDate, parseInstant } from '../../../contract/time/time.ts';
import { MAPPINGS } from '../../../endpoints/index.ts';
import type { MirrorReader } from '../../../mirror/api/mirror.ts';
import type { KeyValue, StoredSeries } from '../../../mirror/api/series.ts';
import { isInstant } from '../../print/series.ts';

const DAY = 86_400;

/**
 * Keys of the rows of a series that a word names, rows that are gone included: those whose key begins with it, and where
 * rows are dated by instants, those of a day.
 */
export async function keysOfRow(
  reader: MirrorReader,
  series: StoredSeries,
  row: string,
): Promise<readonly (readonly KeyValue[])[]> {
  const mapping = MAPPINGS[series.endpoint];
  const [first] = mapping?.key ?? [];
  if (!mapping || !first) return [];
  if (first.type !== 'integer') {
    const words = isCalendarDate(row) ? [row] : [...new Set([row, row.toLowerCase(), row.toUpperCase()])];
    const prefixes = words.map((word) => [word]);
    return mapping.key.length === 1 ? prefixes : (await Promise.all(prefixes.map(keysBehind))).flat();
  }
  if (!isInstant(first)) return /^\d{1,15}$/.test(row) ? keysBehind([Number(row)]) : [];
  const from = parseInstant(row);
  if (from === undefined) return [];
  if (!isCalendarDate(row)) return keysBehind([from]);
  const [start, end] = [dateToMs(row) / 1000, dateToMs(row) / 1000 + DAY];
  const kept = await reader.vintages(series, [], { from: row, to: row });
  return distinct(kept.map(({ key }) => key).filter(([at]) => Number(at) >= start && Number(at) < end));

  async function keysBehind(prefix: readonly KeyValue[]): Promise<readonly (readonly KeyValue[])[]> {
    return distinct((await reader.vintages(series, prefix)).map(({ key }) => key));
  }
}

function distinct(keys: readonly (readonly KeyValue[])[]): readonly (readonly KeyValue[])[] {
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
}
