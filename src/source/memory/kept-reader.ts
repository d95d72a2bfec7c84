import type { AsOf } from '../../contract/time/moments.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { RowPage, Selection, StoredRow, StoredSeries } from '../../mirror/api/series.ts';
import { isPast } from '../../mirror/rules/as-of/past-stored.ts';
import { createKeptPast } from './kept-past.ts';
import { bytesOfColumns, bytesOfRows, bytesOfTexts, COUNT_BYTES, type KeptRows } from './kept-rows.ts';
import { bytesOfIntervals, bytesOfSeries, type KeptState } from './kept-state.ts';
import type { LateSnapshot } from './late-snapshot.ts';
import { rowsWithin } from './rows-within.ts';

export interface KeptReading {
  readonly snapshot: LateSnapshot;
  readonly state: KeptState;
  readonly kept: KeptRows;
  /**
   * Stands before the names of rows. Whether a key brought a row can change without its generation: whoever must not see
   * such rows gets those of this very state. Undefined where nothing may be kept.
   */
  readonly scope: string | undefined;
}

/** At least so many of the newest rows of a series whose answers begin with them, or all of them. Asked again it is the same list. */
export type HeadReader = (series: StoredSeries, count: number) => Promise<readonly StoredRow[]>;

/**
 * The last change of any row by a moment, see `SeriesTimeline.lastChange`; undefined where the timeline of the series is not
 * kept, as on its first moment.
 */
export type ChangeReader = (series: StoredSeries, asOf: AsOf) => Promise<number | undefined>;

export interface KeptReader extends MirrorReader {
  readonly heads: HeadReader;
  readonly lastChange: ChangeReader;
}

/** A series of more rows is read page by page. */
const LARGEST_SERIES = 20_000;

const NEAR_ROWS = 40;

/** Stands in the place of how often parts were asked for where the whole is too large to be kept. */
const NOT_KEPT = 0;

const REFERENCE_BYTES = 8;

/**
 * A reader that asks the mirror only for what it has not read yet. Series and proofs are those of the state; rows, columns,
 * vintages and counts are named by series and generation, so that they outlive the commits of other series. Pages of a
 * series that is asked for again are cut out of all of it. Rows of the past follow from timelines, see `createKeptPast`.
 */
export function createKeptReader({ snapshot, state, kept, scope }: KeptReading): KeptReader {
  const nameOf = (series: StoredSeries, ...of: readonly unknown[]) =>
    scope === undefined ? undefined : `${scope}${series.id} ${series.generation} ${JSON.stringify(of)}`;

  async function wholeWindow(series: StoredSeries, selection: Selection): Promise<readonly StoredRow[]> {
    const read = async () => (await snapshot.reader()).rows(series, selection);
    const name = nameOf(series, selection);
    if (name === undefined) return read();
    const known = kept.rows.get(name);
    if (known) return known;
    const part = partOf(series, selection) ?? (await partOfWhole(series, selection));
    if (part) kept.rows.put(name, part, part.length * REFERENCE_BYTES + COUNT_BYTES);
    return part ?? kept.rows.through(name, read, bytesOfRows);
  }

  /** The same once windows of a series are asked for again: then all of it is read. */
  async function partOfWhole(series: StoredSeries, selection: Selection): Promise<readonly StoredRow[] | undefined> {
    const { from, to } = selection;
    const isCut = (from !== undefined || to !== undefined) && rowsWithin(series, [], selection) !== undefined;
    const all = isCut ? await wholeAgain(series, 'window') : undefined;
    return all && rowsWithin(series, all, selection);
  }

  /** The rows of a window out of those of the whole series, where these are kept. */
  function partOf(series: StoredSeries, selection: Selection): readonly StoredRow[] | undefined {
    const all = nameOf(series, {});
    const rows = all === undefined ? undefined : kept.rows.get(all);
    return rows && rowsWithin(series, rows, selection);
  }

  async function texts(series: StoredSeries, selection: Selection) {
    if (isPast(selection)) return (await past.rows(series, selection)).map(({ text }) => text);
    const read = async () => (await snapshot.reader()).texts(series, selection);
    const name = nameOf(series, selection);
    return name === undefined ? read() : kept.texts.through(name, read, bytesOfTexts);
  }

  async function count(series: StoredSeries, selection: Selection) {
    if (isPast(selection)) return past.count(series, selection);
    const read = async () => (await snapshot.reader()).count(series, selection);
    const name = nameOf(series, selection);
    return name === undefined ? read() : kept.counts.through(name, read, () => COUNT_BYTES);
  }

  async function onePage(series: StoredSeries, selection: Selection, page: RowPage) {
    const name = nameOf(series, selection);
    const known = name === undefined ? undefined : kept.rows.get(name);
    if (known) return cut(known, page);
    const part = partOf(series, selection);
    if (part) return cut(part, page);
    if (page.offset + page.limit <= NEAR_ROWS) return nearPage(series, selection, page);
    if (!(await wholeAgain(series, 'page'))) return (await snapshot.reader()).rows(series, selection, page);
    return cut(await wholeWindow(series, selection), page);
  }

  /** All rows of a series of which a second part of a kind is asked for, where memory has room for them. */
  async function wholeAgain(series: StoredSeries, part: 'page' | 'window') {
    const name = nameOf(series, part);
    const asked = name === undefined ? undefined : kept.counts.get(name);
    if (name !== undefined && asked === undefined) kept.counts.put(name, 1, COUNT_BYTES);
    if (name === undefined || asked === undefined || asked === NOT_KEPT || !(await isShort(series))) return undefined;
    const all = await wholeWindow(series, {});
    // What memory has no room for is not read whole again for each part.
    if (!kept.rows.get(nameOf(series, {}) ?? name)) kept.counts.put(name, NOT_KEPT, COUNT_BYTES);
    return all;
  }

  async function isShort(series: StoredSeries): Promise<boolean> {
    return (await count(series, {})) <= LARGEST_SERIES;
  }

  /** A page near an end of the series is read and kept by itself: whoever wants the newest row asks for no others. */
  async function nearPage(series: StoredSeries, selection: Selection, page: RowPage) {
    const read = async () => (await snapshot.reader()).rows(series, selection, page);
    const name = nameOf(series, selection, page);
    return name === undefined ? read() : kept.rows.through(name, read, bytesOfRows);
  }

  /** What is kept is taken where it is enough, however long it is. */
  async function heads(series: StoredSeries, count: number): Promise<readonly StoredRow[]> {
    const whole = nameOf(series, {});
    const known = whole === undefined ? undefined : kept.rows.get(whole);
    const longest = nameOf(series, 'head');
    if (known || whole === undefined || longest === undefined)
      return known ?? (await snapshot.reader()).rows(series, {}, { limit: count, offset: 0 });
    const limit = Math.max(count, kept.counts.get(longest) ?? 0);
    const read = async () => (await snapshot.reader()).rows(series, {}, { limit, offset: 0 });
    const rows = await kept.rows.through(nameOf(series, 'head', limit) ?? longest, read, bytesOfRows);
    kept.counts.put(longest, limit, COUNT_BYTES);
    if (rows.length < limit) kept.rows.put(whole, rows, rows.length * REFERENCE_BYTES + COUNT_BYTES);
    return rows;
  }

  const past = createKeptPast({ snapshot, kept, nameOf, isShort });

  return {
    async find(ref) {
      const name = JSON.stringify(ref);
      const known = state.found.get(name);
      if (known) return known;
      const found = await (await snapshot.reader()).find(ref);
      state.found.put(name, found, bytesOfSeries(found));
      return found;
    },
    async proofs(series, access) {
      const name = `${series.id} ${access}`;
      const known = state.proofs.get(name);
      if (known) return known;
      const proofs = await (await snapshot.reader()).proofs(series, access);
      state.proofs.put(name, proofs, bytesOfIntervals(proofs));
      return proofs;
    },
    count,
    async rows(series, selection, page) {
      if (isPast(selection)) return past.rows(series, selection, page);
      return page ? onePage(series, selection, page) : wholeWindow(series, selection);
    },
    texts,
    async columns(series, selection, names) {
      const read = async () => (await snapshot.reader()).columns(series, selection, names);
      const name = selection.asOf ? undefined : nameOf(series, selection, names);
      // Columns are kept under their names, so that they have those that are asked for.
      return name === undefined
        ? read()
        : (kept.columns.through(name, read, bytesOfColumns) as ReturnType<typeof read>);
    },
    async vintages(series, key, selection) {
      const read = async () => (await snapshot.reader()).vintages(series, key, selection);
      const name = selection?.asOf ? undefined : nameOf(series, key, selection);
      return name === undefined ? read() : kept.vintages.through(name, read, bytesOfRows);
    },
    heads,
    lastChange: past.lastChange,
    knowledge: past.knowledge,
    timeline: past.timeline,
    changes: past.changes,
    differences: async (series, page) => (await snapshot.reader()).differences(series, page),
    lineage: async (series, key) => (await snapshot.reader()).lineage(series, key),
  };
}

function cut(rows: readonly StoredRow[], { limit, offset, reverse }: RowPage): readonly StoredRow[] {
  return (reverse ? rows.toReversed() : rows).slice(offset, offset + limit);
}
