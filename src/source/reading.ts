import type { Caller, PlaceRange } from '../contract/hooks.ts';
import type { AsOf } from '../contract/time/moments.ts';
import { LOADED_MAPPINGS } from '../endpoints/find.ts';
import type { MirrorReader, MirrorState } from '../mirror/api/mirror.ts';
import type {
  KeyValue,
  Knowledge,
  RowPage,
  Selection,
  SeriesChanges,
  SeriesTimeline,
  Stamp,
  StoredRow,
  StoredSeries,
} from '../mirror/api/series.ts';
import { isPast, type PastSelection } from '../mirror/rules/as-of/past-stored.ts';
import { seriesAt } from '../mirror/rules/system-rows.ts';
import type { Columns } from './columns.ts';
import { type LateSnapshot, openLate, StateMoved } from './late-snapshot.ts';
import {
  type Keys,
  placesWithin,
  type RowColumns,
  rangeWithin,
  rowColumnsOf,
  type TextColumn,
  textColumnOf,
} from './row-columns.ts';
import type { Snapshots } from './served-spelling.ts';

/** Reads one state of a mirror. */
export interface StateReader extends MirrorReader {
  /** At least so many of the newest rows of a series whose answers begin with them, or all of them. */
  heads(series: StoredSeries, count: number): Promise<readonly StoredRow[]>;
  /** The texts of all rows of a series; undefined where it is too long to be read whole. */
  wholeTexts(series: StoredSeries): Promise<TextColumn | undefined>;
  /** All rows of a series, if they are cached and are enough to select from. */
  whole(series: StoredSeries, selection: Selection): Promise<RowColumns | undefined>;
  /** All rows of the series may be cached. */
  isCached(series: StoredSeries): Promise<boolean>;
  /** The value with this name for this state of the mirror; made if it is not cached. */
  ofState<T extends object>(name: string, make: () => Promise<T>): Promise<T>;
  /** The value with this name, given by `named`, for the present state of its series. */
  ofName<T extends object>(name: string, make: () => Promise<T>): Promise<T>;
  /** As `ofName`, without waiting. */
  made<T extends object>(name: string, make: () => T): T;
  named(series: readonly StoredSeries[], what: string): string;
  /** Names of the cached columns and texts of series, for `touch`. */
  namesOf(series: readonly StoredSeries[], columns: readonly string[]): readonly string[];
  touch(names: readonly string[]): void;
  /** A value made of columns, cached by its name and series. */
  column<T extends object>(series: readonly StoredSeries[], name: string, make: () => T): T;
}

/** One consistent state of a mirror. */
export interface StateView {
  readonly reader: StateReader;
  readonly stamp: Stamp;
}

/** Runs work that sees one state of the mirror. It may be run again, when the mirror has changed meanwhile. */
export type ReadState = <T>(caller: Caller, work: (view: StateView) => Promise<T>) => Promise<T>;

/** How often work is begun anew beside a busy writer before it reads everything in one snapshot. */
const TRIES = 3;

/** Reads of a mirror. Columns that were read before are not read again; without `columns` each question reads anew. */
export function createReading(mirror: Snapshots, columns: Columns | undefined): ReadState {
  async function attempt<T>(caller: Caller, known: MirrorState | undefined, work: (view: StateView) => Promise<T>) {
    const snapshot = openLate(mirror, known);
    try {
      const seen = mirror.state ? undefined : (await snapshot.reader()).seen;
      const state = known ?? seen?.state;
      const stamp = seen?.stamp ?? (await stampOf(state));
      const reader = createStateReader({ snapshot, state, columns, scope: scopeOf(caller, state) });
      return await work({ reader, stamp });
    } finally {
      await snapshot.end();
    }
  }

  /** Every commit ends the cached reads of a state: the stamp of a later commit belongs to another state. */
  async function stampOf(state: MirrorState | undefined): Promise<Stamp> {
    if (!columns || state === undefined) return mirror.stamp();
    const read = async () => {
      const stamp = await mirror.stamp();
      if (mirror.state?.() !== state) throw new StateMoved();
      return stamp;
    };
    return columns.through(`${state} stamp`, read);
  }

  return async (caller, work) => {
    for (let tries = 1; ; tries += 1) {
      const state = columns && tries <= TRIES ? mirror.state?.(tries === 1 ? 'this turn' : undefined) : undefined;
      try {
        return await attempt(caller, state, work);
      } catch (error) {
        if (!(error instanceof StateMoved) || tries > TRIES) throw error;
      }
    }
  };
}

/** Rows become visible without a key while the history stays: keyless callers get rows cached in this very state. */
function scopeOf(caller: Caller, state: MirrorState | undefined): string | undefined {
  if (caller.kind !== 'keyless') return '';
  return state === undefined ? undefined : `${state} `;
}

interface Reading {
  readonly snapshot: LateSnapshot;
  readonly state: MirrorState | undefined;
  readonly columns: Columns | undefined;
  readonly scope: string | undefined;
}

/** A series of more rows is read page by page. */
const MAX_WHOLE_ROWS = 20_000;

/** A page that ends so near to an end of the series is read by itself: whoever wants the newest row asks for no others. */
const NEAR_ROWS = 40;

function createStateReader({ snapshot, state, columns, scope }: Reading): StateReader {
  const reads = new Map<string, Promise<unknown>>();

  /** One question asks for the same several times: to count rows, to page them, to describe them. */
  function once<T>(name: string, read: () => Promise<T>): Promise<T> {
    const before = reads.get(name) as Promise<T> | undefined; // a name stands for one kind of value
    const made = before ?? read();
    if (!before) reads.set(name, made);
    return made;
  }

  /** Cached for this state of the mirror, which every commit ends. */
  function ofState<T extends object>(name: string, read: () => Promise<T>) {
    return once(name, () => (columns && state !== undefined ? columns.through(`${state} ${name}`, read) : read()));
  }

  function nameOf({ id, chain }: StoredSeries, what: string): string {
    return `${scope ?? ''}${id} ${chain} ${what}`;
  }

  function nameOfMade(series: readonly StoredSeries[], what: string): string {
    const states = series.map(({ id, chain, state }) => `${id} ${chain} ${state}`);
    return `${scope ?? ''}${what} of ${states.join(', ')}`;
  }

  /** Stored for the history of its series. */
  function ofSeries<T extends object>(series: StoredSeries, what: string, read: () => Promise<T>): Promise<T> {
    const name = nameOf(series, what);
    return once(name, () => (columns && scope !== undefined ? columns.through(name, read) : read()));
  }

  const keeps = columns !== undefined && scope !== undefined;

  function known<T extends object>(series: StoredSeries, what: string): T | undefined {
    return keeps ? columns.get<T>(nameOf(series, what)) : undefined;
  }

  /** The number of rows of a series, counted once if it may be cached. */
  async function countAll(series: StoredSeries): Promise<number> {
    const read = async () => ({ rows: await (await snapshot.reader()).count(series, {}) });
    return (await ofSeries(series, 'count', read)).rows;
  }

  const isShort = async (series: StoredSeries) => (await countAll(series)) <= MAX_WHOLE_ROWS;

  /** All rows of a series, if they may be cached. */
  async function whole(series: StoredSeries): Promise<RowColumns | undefined> {
    if (!keeps) return undefined;
    const before = known<RowColumns>(series, 'rows');
    if (before) return before;
    if (known(series, 'no room') || !(await isShort(series))) return undefined;
    const read = async () => rowColumnsOf(series, await (await snapshot.reader()).rows(series, {}));
    const made = await ofSeries(series, 'rows', read);
    // A series too large for memory is not read again for each page.
    if (!known(series, 'rows')) columns.put(nameOf(series, 'no room'), {});
    return made;
  }

  async function rows(series: StoredSeries, selection: Selection, page?: RowPage): Promise<readonly StoredRow[]> {
    if (isPast(selection)) return past.rows(series, selection, page);
    const read = async () => (await snapshot.reader()).rows(series, selection, page);
    const name = `rows ${JSON.stringify([selection, page])}`;
    const isNear = page !== undefined && page.offset + page.limit <= NEAR_ROWS;
    if (isNear && !known(series, 'rows')) return ofSeries(series, name, read);
    const found = await places(series, selection);
    return found ? pagePlaces(found.places, page).map(found.rows.row) : once(nameOf(series, name), read);
  }

  /** All rows of a series and the places of the selected rows; undefined if only the mirror can tell them. */
  async function places(series: StoredSeries, selection: Selection) {
    const all = await whole(series);
    const selected = all && placesWithin(series, all, selection);
    return all && selected && { rows: all, places: selected };
  }

  /** The sorted keys of a series, if they may be cached: counting the rows of a window needs no more. */
  async function keysOf(series: StoredSeries): Promise<Keys | undefined> {
    const { key, window, order } = LOADED_MAPPINGS[series.endpoint] ?? {};
    const name = key?.[0]?.name;
    if (!keeps || !order || name === undefined || (window?.column ?? name) !== name) return undefined;
    if (!(await isShort(series))) return undefined;
    const { [name]: keys = [] } = await columnsOf(series, {}, [name]);
    return { keys, length: keys.length, order };
  }

  async function columnsOf(series: StoredSeries, selection: Selection, names: readonly string[]) {
    const read = async () => (await snapshot.reader()).columns(series, selection, names);
    if (selection.asOf) return read();
    return ofSeries(series, `columns ${JSON.stringify([selection, names])}`, read);
  }

  async function count(series: StoredSeries, selection: Selection): Promise<number> {
    if (isPast(selection)) return past.count(series, selection);
    const { from, to, ...others } = selection;
    const isWindow = Object.values(others).every((value) => value === undefined);
    if (isWindow && from === undefined && to === undefined) return countAll(series);
    const keys = isWindow ? await keysOf(series) : undefined;
    const range = keys && rangeWithin(keys, { from, to });
    if (range) return range.end - range.start;
    const { places: selected } = (isWindow ? undefined : await places(series, selection)) ?? {};
    if (selected) return 'start' in selected ? selected.end - selected.start : selected.length;
    const name = nameOf(series, `count ${JSON.stringify(selection)}`);
    return once(name, async () => (await snapshot.reader()).count(series, selection));
  }

  async function wholeTexts(series: StoredSeries): Promise<TextColumn | undefined> {
    if (!keeps || !(await isShort(series))) return undefined;
    const read = async () => textColumnOf(await (await snapshot.reader()).texts(series, {}));
    return ofSeries(series, 'texts', read);
  }

  async function heads(series: StoredSeries, least: number): Promise<readonly StoredRow[]> {
    // Round up to few lengths, so that a cached head serves other requests.
    const limit = Math.max(32, 2 ** Math.ceil(Math.log2(Math.max(1, least))));
    const read = async () => (await snapshot.reader()).rows(series, {}, { limit, offset: 0 });
    return ofSeries(series, `head ${limit}`, read);
  }

  function made<T extends object>(name: string, make: () => T): T {
    const before = keeps ? columns.get<T>(name) : undefined;
    if (before) return before;
    const value = make();
    if (keeps) columns.put(name, value);
    return value;
  }

  const past = createPastReading({
    ...{ snapshot, keeps, ofSeries, isShort },
    isKnown: (series, what) => known(series, what) !== undefined,
  });

  return {
    async find(ref, time) {
      const read = async () => (await snapshot.reader()).find(ref, 'ever');
      return seriesAt(await ofState(`find ${JSON.stringify(ref)}`, read), time);
    },
    coveredRanges: (series, access) =>
      ofState(`proofs ${series.id} ${access}`, async () => (await snapshot.reader()).coveredRanges(series, access)),
    async checkOf(series, access) {
      const read = async () => ({ check: await (await snapshot.reader()).checkOf(series, access) });
      return (await ofState(`check ${series.id} ${access}`, read)).check;
    },
    count,
    rows,
    whole: async (series, selection) => ((await places(series, selection)) ? known(series, 'rows') : undefined),
    heads,
    wholeTexts,
    async texts(series, selection) {
      if (isPast(selection)) return (await past.rows(series, selection)).map(({ text }) => text);
      return (await snapshot.reader()).texts(series, selection);
    },
    columns: columnsOf,
    async vintages(series, key, selection) {
      const read = async () => (await snapshot.reader()).vintages(series, key, selection);
      if (selection?.asOf) return read();
      return ofSeries(series, `vintages ${JSON.stringify([key, selection])}`, read);
    },
    isCached: async (series) => keeps && (await isShort(series)),
    ofState: (name, make) => ofState(`${scope ?? ''}${name}`, make),
    ofName: (name, make) => once(name, () => (keeps ? columns.through(name, make) : make())),
    named: nameOfMade,
    namesOf: (series, names) =>
      series.flatMap((one) => [nameOf(one, 'texts'), nameOf(one, `columns ${JSON.stringify([{}, names])}`)]),
    touch: (names) => columns?.touch(names),
    made,
    column: (series, name, make) => made(nameOfMade(series, name), make),
    knowledge: past.knowledge,
    timeline: past.timeline,
    changes: past.changes,
    knownTexts: async (series, ask) => (await snapshot.reader()).knownTexts(series, ask),
    commit: async (number) => (await snapshot.reader()).commit(number),
    differences: async (series, page) => (await snapshot.reader()).differences(series, page),
    lineage: async (series, key) => (await snapshot.reader()).lineage(series, key),
  };
}

/** The places of a page of selected rows. */
function pagePlaces(places: PlaceRange | readonly number[], page?: RowPage): readonly number[] {
  const all = 'start' in places ? undefined : places;
  const { start, end } = 'start' in places ? places : { start: 0, end: places.length };
  const { offset = 0, limit = end - start, reverse = false } = page ?? {};
  const from = reverse ? Math.max(start, end - offset - limit) : Math.min(end, start + offset);
  const to = reverse ? Math.max(start, end - offset) : Math.min(end, start + offset + limit);
  const wanted = Array.from({ length: to - from }, (_, i) => all?.[from + i] ?? from + i);
  return reverse ? wanted.reverse() : wanted;
}

/** The timeline of a series with its sorted keys, or that it has none. */
interface WholeTimeline {
  readonly timeline: SeriesTimeline | undefined;
  readonly keys: readonly (KeyValue | null)[];
}

/** As many of the newest rows of a moment are read by themselves. */
const MAX_HEAD_ROWS = 512;

interface PastParts {
  readonly snapshot: LateSnapshot;
  readonly keeps: boolean;
  ofSeries<T extends object>(series: StoredSeries, what: string, read: () => Promise<T>): Promise<T>;
  isKnown(series: StoredSeries, what: string): boolean;
  isShort(series: StoredSeries): Promise<boolean>;
}

/** Reads moments of the past: the first of a series by itself, further ones from its timeline. */
function createPastReading({ snapshot, keeps, ofSeries, isKnown, isShort }: PastParts) {
  async function timelineAt(series: StoredSeries, { at }: AsOf): Promise<WholeTimeline | undefined> {
    if (!keeps || LOADED_MAPPINGS[series.endpoint]?.vintages === undefined) return undefined;
    const first = await ofSeries(series, 'first moment', async () => ({ at }));
    if (first.at === at || isKnown(series, 'no room for a timeline') || !(await isShort(series))) return undefined;
    return wholeTimeline(series);
  }

  async function wholeTimeline(series: StoredSeries): Promise<WholeTimeline> {
    const read = async () => {
      const timeline = await (await snapshot.reader()).timeline(series);
      return { timeline, keys: timeline?.entries.map(({ key }) => key[0] ?? null) ?? [] };
    };
    const whole = await ofSeries(series, 'timeline', read);
    // A timeline too large for memory is not read again for each moment.
    if (keeps && !isKnown(series, 'timeline')) await ofSeries(series, 'no room for a timeline', async () => ({}));
    return whole;
  }

  const timeline = async (series: StoredSeries) => (await wholeTimeline(series)).timeline;

  /** Changes are cached even where their timeline has no room. */
  function changes(series: StoredSeries): Promise<SeriesChanges> {
    const read = async () => {
      const lists = keeps && LOADED_MAPPINGS[series.endpoint]?.vintages !== undefined;
      const whole = lists && (await isShort(series)) ? await timeline(series) : undefined;
      return whole?.changes() ?? (await snapshot.reader()).changes(series);
    };
    return ofSeries(series, 'changes', read);
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
      const first = await ofSeries(series, `knowledge ${asOf.by}`, read);
      if (first.since <= asOf.at || first.always) return { ...first, tells: true };
      // If the first answer is too late, look for publication times in the rows.
      const every = await ofSeries(series, `knowledge ${asOf.by} of all`, read);
      return every.since <= asOf.at || every.always ? { ...every, tells: true } : read();
    },
  };
}
