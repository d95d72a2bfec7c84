import type { AsOf } from '../contract/time/moments.ts';
import { LOADED_MAPPINGS } from '../endpoints/find.ts';
import type { MirrorReader } from '../mirror/api/mirror.ts';
import type {
  KeyValue,
  Knowledge,
  RowPage,
  SeriesChanges,
  SeriesTimeline,
  StoredRow,
  StoredSeries,
} from '../mirror/api/series.ts';
import type { PastSelection } from '../mirror/rules/as-of/past-stored.ts';
import type { LateSnapshot } from './late-snapshot.ts';
import { rangeWithin } from './row-columns.ts';

/** The timeline of a series with its sorted keys, or that it has none. */
interface WholeTimeline {
  readonly timeline: SeriesTimeline | undefined;
  readonly keys: readonly (KeyValue | null)[];
}

const KNOWLEDGE_BYTES = 300;

/** A series of more rows is read for each moment by itself. */
const MAX_TIMELINE_ROWS = 20_000;

/** As many of the newest rows of a moment are read by themselves. */
const MAX_HEAD_ROWS = 512;

interface PastParts {
  readonly snapshot: LateSnapshot;
  readonly keeps: boolean;
  ofSeries<T extends object>(
    series: StoredSeries,
    what: string,
    made: { readonly read: () => Promise<T>; readonly bytesOf: (value: T) => number },
  ): Promise<T>;
  isKnown(series: StoredSeries, what: string): boolean;
  count(series: StoredSeries): Promise<number>;
}

/** Reads moments of the past: the first of a series by itself, further ones from its timeline. */
export function createPastReading({ snapshot, keeps, ofSeries, isKnown, count: countAll }: PastParts) {
  const isShort = async (series: StoredSeries) => (await countAll(series)) <= MAX_TIMELINE_ROWS;

  async function timelineAt(series: StoredSeries, { at }: AsOf): Promise<WholeTimeline | undefined> {
    if (!keeps || LOADED_MAPPINGS[series.endpoint]?.vintages === undefined) return undefined;
    const first = await ofSeries(series, 'first moment', { read: async () => ({ at }), bytesOf: () => 0 });
    if (first.at === at || isKnown(series, 'no room for a timeline') || !(await isShort(series))) return undefined;
    return wholeTimeline(series);
  }

  async function wholeTimeline(series: StoredSeries): Promise<WholeTimeline> {
    const read = async () => {
      const timeline = await (await snapshot.reader()).timeline(series);
      return { timeline, keys: timeline?.entries.map(({ key }) => key[0] ?? null) ?? [] };
    };
    const bytesOf = ({ timeline }: WholeTimeline) => timeline?.bytes ?? KNOWLEDGE_BYTES;
    const whole = await ofSeries(series, 'timeline', { read, bytesOf });
    // A timeline too large for memory is not read again for each moment.
    if (keeps && !isKnown(series, 'timeline'))
      await ofSeries(series, 'no room for a timeline', { read: async () => ({}), bytesOf: () => 0 });
    return whole;
  }

  const timeline = async (series: StoredSeries) => (await wholeTimeline(series)).timeline;

  /**
   * Timelines that were read are cached for their rows if they may be; the changes are cached even without room for
   * them.
   */
  function changes(series: StoredSeries): Promise<SeriesChanges> {
    const read = async () => {
      const lists = keeps && LOADED_MAPPINGS[series.endpoint]?.vintages !== undefined;
      const whole = lists && (await isShort(series)) ? await timeline(series) : undefined;
      return whole?.changes() ?? (await snapshot.reader()).changes(series);
    };
    const bytesOf = ({ commits, all }: SeriesChanges) => commits.byteLength + all.byteLength + KNOWLEDGE_BYTES;
    return ofSeries(series, 'changes', { read, bytesOf });
  }

  async function rows(series: StoredSeries, selection: PastSelection, page?: RowPage): Promise<readonly StoredRow[]> {
    // Whoever wants the newest rows alone reads no whole timeline.
    const isHead = page?.offset === 0 && page.limit <= MAX_HEAD_ROWS && !isKnown(series, 'timeline');
    const { timeline: all, keys = [] } = (isHead ? undefined : await timelineAt(series, selection.asOf)) ?? {};
    const { order = 'newest' } = LOADED_MAPPINGS[series.endpoint] ?? {};
    const { from, to } = selection;
    const range = all && rangeWithin({ keys, length: keys.length, order }, { from, to });
    if (range) return all.rows(selection, range, page);
    return (await snapshot.reader()).rows(series, selection, page);
  }

  return {
    rows,
    timeline,
    changes,
    async count(series: StoredSeries, selection: PastSelection): Promise<number> {
      if ((await timelineAt(series, selection.asOf))?.timeline) return (await rows(series, selection)).length;
      return (await snapshot.reader()).count(series, selection);
    },
    async knowledge(series: StoredSeries, asOf: AsOf): ReturnType<MirrorReader['knowledge']> {
      const read = async (): Promise<Knowledge> => (await snapshot.reader()).knowledge(series, asOf);
      const first = await ofSeries(series, `knowledge ${asOf.by}`, { read, bytesOf: () => KNOWLEDGE_BYTES });
      if (first.since <= asOf.at || first.always) return { ...first, tells: true };
      // If the first answer is too late, look for publication times in the rows.
      const every = await ofSeries(series, `knowledge ${asOf.by} of all`, { read, bytesOf: () => KNOWLEDGE_BYTES });
      return every.since <= asOf.at || every.always ? { ...every, tells: true } : read();
    },
  };
}
