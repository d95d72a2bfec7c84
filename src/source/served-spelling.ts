import { asJsonText, floatText, type JsonText } from '../contract/json/json.ts';
import { loadedEndpoint } from '../endpoints/find.ts';
import type { Mirror, SnapshotReader } from '../mirror/api/mirror.ts';
import type { StoredSeries } from '../mirror/api/series.ts';
import { isOfFile } from './named-service.ts';

export type Snapshots = Pick<Mirror, 'snapshot' | 'state' | 'stamp'>;

/** A mirror whose rows of files have the spelling of the service. See docs/interface.md#numbers. */
export function inServedSpelling(mirror: Snapshots): Snapshots {
  return { ...mirror, snapshot: (work) => mirror.snapshot((reader) => work(servedReader(reader))) };
}

function servedReader(reader: SnapshotReader): SnapshotReader {
  return {
    ...reader,
    rows: async (series, ...ask) => served(series, await reader.rows(series, ...ask), respelled),
    texts: async (series, selection) => served(series, await reader.texts(series, selection), servedText),
    vintages: async (series, ...ask) => served(series, await reader.vintages(series, ...ask), respelled),
    async timeline(series) {
      const timeline = await reader.timeline(series);
      if (!timeline || !isRespelled(series)) return timeline;
      return { ...timeline, rows: (...ask) => timeline.rows(...ask).map(respelled) };
    },
  };
}

function served<T>(series: StoredSeries, rows: readonly T[], spell: (row: T) => T): readonly T[] {
  return isRespelled(series) ? rows.map(spell) : rows;
}

/** An endpoint that composes its answers spells their numbers, and counts the digits of published ones. */
const isRespelled = (series: StoredSeries) => isOfFile(series) && loadedEndpoint(series.endpoint)?.derive !== undefined;

const respelled = <T extends { readonly text: JsonText }>(row: T): T => ({ ...row, text: servedText(row.text) });

const VALUE = /"val":(-?[\d.]+(?:[eE][-+]?\d+)?)/g;

/** The value of a row, and those of its vintages, as floats. */
function servedText(text: JsonText): JsonText {
  return asJsonText(text.replace(VALUE, (_, digits: string) => `"val":${floatText(Number(digits))}`));
}
