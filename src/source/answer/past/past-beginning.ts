import type { AsOf } from '../../../contract/time/moments.ts';
import { isoSeconds } from '../../../contract/time/time.ts';
import { MAPPINGS } from '../../../endpoints/index.ts';
import type { MirrorReader } from '../../../mirror/api/mirror.ts';
import type { StoredSeries } from '../../../mirror/api/series.ts';

/** Notes what an answer about a moment read, to tell a past before everything from a mirror that holds nothing. */
export interface EmptyReads {
  note(series: StoredSeries, rows: number): void;
  /** Where nothing that was read was known at the moment: the date with which all that is held of it begins. */
  notes(): Promise<readonly string[]>;
}

export function emptyReadsOf(reader: MirrorReader, asOf: AsOf): EmptyReads {
  const empty = new Map<StoredSeries['id'], StoredSeries>();
  let isFound = false;

  /** Undefined where the series has no rows or no dates. A window without rows says nothing of the rows around it. */
  async function beginningOf(series: StoredSeries): Promise<string | undefined> {
    const { order, window } = MAPPINGS[series.endpoint] ?? {};
    if (window?.unit !== 'date') return undefined;
    const [first] = await reader.rows(series, {}, { limit: 1, offset: 0, reverse: order === 'newest' });
    const date = first?.columns[window.column];
    return typeof date === 'string' ? date : undefined;
  }

  const knowsRows = async (series: StoredSeries) => (await reader.count(series, { asOf })) > 0;

  return {
    note(series, rows) {
      if (rows > 0) isFound = true;
      else empty.set(series.id, series);
    },
    async notes() {
      if (isFound) return [];
      const read = [...empty.values()];
      const beginnings = (await Promise.all(read.map(beginningOf))).filter((date) => date !== undefined).sort();
      const [first] = beginnings;
      if (first === undefined || (await Promise.all(read.map(knowsRows))).includes(true)) return [];
      const moment = isoSeconds(Math.floor(asOf.at / 1000));
      return [`What is held for this begins with ${first}, and none of it was known at ${moment}.`];
    },
  };
}
