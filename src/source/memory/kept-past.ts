import type { AsOf } from '../../contract/time/moments.ts';
import { MAPPINGS } from '../../endpoints/index.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { RowPage, SeriesChanges, SeriesTimeline, StoredSeries } from '../../mirror/api/series.ts';
import type { PastSelection } from '../../mirror/rules/as-of/past-stored.ts';
import { bytesOfChanges, COUNT_BYTES, type KeptRows } from './kept-rows.ts';
import type { LateSnapshot } from './late-snapshot.ts';
import { rangeWithin } from './rows-within.ts';

/** Stands in the place of the first moment where a timeline is too large to be kept. */
const NOT_KEPT = Number.NEGATIVE_INFINITY;

interface PastReading {
  readonly snapshot: LateSnapshot;
  readonly kept: KeptRows;
  /** The name of what was read of a series; undefined where nothing may be kept. */
  nameOf(series: StoredSeries, ...of: readonly unknown[]): string | undefined;
  /** May all of a series be read? */
  isShort(series: StoredSeries): Promise<boolean>;
}

/**
 * Reads of moments of the past. The first moment that a series is asked about is read by itself; whoever asks about a second
 * one gets it out of the timeline of the series, which is kept for its generation.
 */
export function createKeptPast({ snapshot, kept, nameOf, isShort }: PastReading) {
  async function timelineAt(series: StoredSeries, { at }: AsOf): Promise<SeriesTimeline | undefined> {
    const name = nameOf(series, 'timeline');
    if (name === undefined || MAPPINGS[series.endpoint]?.vintages === undefined) return undefined;
    const known = kept.timelines.get(name);
    if (known) return known.timeline;
    const first = kept.counts.get(name);
    if (first === undefined) kept.counts.put(name, at, COUNT_BYTES);
    if (first === undefined || first === at || first === NOT_KEPT) return undefined;
    if (!(await isShort(series))) return undefined;
    const read = await timeline(series);
    // What memory has no room for is not read whole again for each moment.
    if (!kept.timelines.get(name)) kept.counts.put(name, NOT_KEPT, COUNT_BYTES);
    return read;
  }

  async function timeline(series: StoredSeries): Promise<SeriesTimeline | undefined> {
    const read = async () => (await snapshot.reader()).timeline(series);
    const name = nameOf(series, 'timeline');
    if (name === undefined) return read();
    const made = async () => ({ timeline: await read() });
    return (await kept.timelines.through(name, made, ({ timeline: one }) => one?.bytes ?? COUNT_BYTES)).timeline;
  }

  /** All that is read for it stays for the rows where it may, and what it comes to is kept even where that has no room. */
  async function changes(series: StoredSeries): Promise<SeriesChanges> {
    const read = async () => {
      const lists = MAPPINGS[series.endpoint]?.vintages !== undefined;
      const whole = lists && (await isShort(series)) ? await timeline(series) : undefined;
      return whole?.changes() ?? (await snapshot.reader()).changes(series);
    };
    const name = nameOf(series, 'changes');
    return name === undefined ? read() : kept.changes.through(name, read, bytesOfChanges);
  }

  async function rows(series: StoredSeries, selection: PastSelection, page?: RowPage) {
    const all = await timelineAt(series, selection.asOf);
    const range = all && rangeWithin(series, all.entries, { from: selection.from, to: selection.to });
    if (all && range) return all.rows(selection, range, page);
    return (await snapshot.reader()).rows(series, selection, page);
  }

  return {
    rows,
    timeline,
    changes,
    async lastChange(series: StoredSeries, asOf: AsOf): Promise<number | undefined> {
      return (await timelineAt(series, asOf))?.lastChange(asOf.at);
    },
    async count(series: StoredSeries, selection: PastSelection): Promise<number> {
      if (await timelineAt(series, selection.asOf)) return (await rows(series, selection)).length;
      return (await snapshot.reader()).count(series, selection);
    },
    async knowledge(series: StoredSeries, asOf: AsOf): ReturnType<MirrorReader['knowledge']> {
      const name = nameOf(series, 'knowledge', asOf.by);
      const known = name === undefined ? undefined : kept.knowledge.get(name);
      if (known && (known.since <= asOf.at || known.always)) return { ...known, tells: true };
      const read = await (await snapshot.reader()).knowledge(series, asOf);
      if (name !== undefined) kept.knowledge.put(name, read, COUNT_BYTES);
      return read;
    },
  };
}
