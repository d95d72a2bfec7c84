import type { Caller, PlaceRange } from '../contract/hooks.ts';
import { LOADED_MAPPINGS } from '../endpoints/find.ts';
import type { MirrorReader, MirrorState } from '../mirror/api/mirror.ts';
import type { CoverageInterval, RowPage, Selection, Stamp, StoredRow, StoredSeries } from '../mirror/api/series.ts';
import { isPast } from '../mirror/rules/as-of/past-stored.ts';
import { seriesAt } from '../mirror/rules/ledger.ts';
import type { Columns } from './columns.ts';
import { type LateSnapshot, openLate, StateMoved } from './late-snapshot.ts';
import { createPastReading } from './past-reading.ts';
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
  isKept(series: StoredSeries): Promise<boolean>;
  /** The value with this name for this state of the mirror; made if it is not cached. */
  ofState<T extends object>(name: string, make: () => Promise<T>, bytesOf: (value: T) => number): Promise<T>;
  /** The value with this name, given by `named`, for the present state of its series. */
  ofName<T extends object>(name: string, make: () => Promise<T>, bytesOf: (value: T) => number): Promise<T>;
  /** As `ofName`, without waiting. */
  made<T extends object>(name: string, make: () => T, bytesOf?: (value: T) => number): T;
  named(series: readonly StoredSeries[], what: string): string;
  /** Names of the cached columns and texts of series, for `touch`. */
  namesOf(series: readonly StoredSeries[], columns: readonly string[]): readonly string[];
  touch(names: readonly string[]): void;
  /** A value made of columns, cached by its name and series. */
  column<T extends object>(series: StoredSeries | readonly StoredSeries[], of: MadeColumn<T>): T;
}

/** A column that is made of others. */
interface MadeColumn<T> {
  readonly name: string;
  make(): T;
  bytesOf(value: T): number;
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
    return columns.through(`${state} stamp`, read, () => OBJECT_BYTES);
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

/**
 * Rows may become visible without a key while the series' history stays the same. So callers without a key get only
 * rows cached in this very mirror state. Undefined if nothing may be cached.
 */
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

/** Bytes of an object, of a row that is stored as one, and of a value in a list, besides texts. */
const OBJECT_BYTES = 500;
const ROW_BYTES = 700;
const CELL_BYTES = 40;

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
  function ofState<T extends object>(name: string, read: () => Promise<T>, bytesOf: (value: T) => number) {
    return once(name, () =>
      columns && state !== undefined ? columns.through(`${state} ${name}`, read, bytesOf) : read(),
    );
  }

  function nameOf({ id, history }: StoredSeries, what: string): string {
    return `${scope ?? ''}${id} ${history} ${what}`;
  }

  function nameOfMade(series: readonly StoredSeries[], what: string): string {
    const states = series.map(({ id, history, state }) => `${id} ${history} ${state}`);
    return `${scope ?? ''}${what} of ${states.join(', ')}`;
  }

  /** Stored for the history of its series. */
  function ofSeries<T extends object>(
    series: StoredSeries,
    what: string,
    { read, bytesOf }: { readonly read: () => Promise<T>; readonly bytesOf: (value: T) => number },
  ): Promise<T> {
    const name = nameOf(series, what);
    return once(name, () => (columns && scope !== undefined ? columns.through(name, read, bytesOf) : read()));
  }

  const keeps = columns !== undefined && scope !== undefined;

  function known<T extends object>(series: StoredSeries, what: string): T | undefined {
    return keeps ? columns.get<T>(nameOf(series, what)) : undefined;
  }

  /** The number of rows of a series, counted once if it may be cached. */
  async function countAll(series: StoredSeries): Promise<number> {
    const read = async () => ({ rows: await (await snapshot.reader()).count(series, {}) });
    return (await ofSeries(series, 'count', { read, bytesOf: () => 0 })).rows;
  }

  /** All rows of a series, if they may be cached. */
  async function whole(series: StoredSeries): Promise<RowColumns | undefined> {
    if (!keeps) return undefined;
    const before = known<RowColumns>(series, 'rows');
    if (before) return before;
    if (known(series, 'no room') || (await countAll(series)) > MAX_WHOLE_ROWS) return undefined;
    const read = async () => rowColumnsOf(series, await (await snapshot.reader()).rows(series, {}));
    const made = await ofSeries(series, 'rows', { read, bytesOf: ({ bytes }) => bytes });
    // A series too large for memory is not read again for each page.
    if (!known(series, 'rows')) columns.put(nameOf(series, 'no room'), {}, 0);
    return made;
  }

  async function rows(series: StoredSeries, selection: Selection, page?: RowPage): Promise<readonly StoredRow[]> {
    if (isPast(selection)) return past.rows(series, selection, page);
    const read = async () => (await snapshot.reader()).rows(series, selection, page);
    const name = `rows ${JSON.stringify([selection, page])}`;
    const isNear = page !== undefined && page.offset + page.limit <= NEAR_ROWS;
    if (isNear && !known(series, 'rows')) return ofSeries(series, name, { read, bytesOf: bytesOfRows });
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
    if ((await countAll(series)) > MAX_WHOLE_ROWS) return undefined;
    const { [name]: keys = [] } = await columnsOf(series, {}, [name]);
    return { keys, length: keys.length, order };
  }

  async function columnsOf(series: StoredSeries, selection: Selection, names: readonly string[]) {
    const read = async () => (await snapshot.reader()).columns(series, selection, names);
    if (selection.asOf) return read();
    return ofSeries(series, `columns ${JSON.stringify([selection, names])}`, { read, bytesOf: bytesOfColumns });
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
    if (!keeps || (await countAll(series)) > MAX_WHOLE_ROWS) return undefined;
    const read = async () => textColumnOf(await (await snapshot.reader()).texts(series, {}));
    return ofSeries(series, 'texts', { read, bytesOf: ({ bytes }) => bytes });
  }

  async function heads(series: StoredSeries, least: number): Promise<readonly StoredRow[]> {
    // Round up to few lengths, so that a cached head serves other requests.
    const limit = Math.max(32, 2 ** Math.ceil(Math.log2(Math.max(1, least))));
    const read = async () => (await snapshot.reader()).rows(series, {}, { limit, offset: 0 });
    return ofSeries(series, `head ${limit}`, { read, bytesOf: bytesOfRows });
  }

  function made<T extends object>(name: string, make: () => T, bytesOf: (value: T) => number = bytesOfMade): T {
    const before = keeps ? columns.get<T>(name) : undefined;
    if (before) return before;
    const value = make();
    if (keeps) columns.put(name, value, bytesOf(value));
    return value;
  }

  const past = createPastReading({
    ...{ snapshot, keeps, ofSeries, count: countAll },
    isKnown: (series, what) => known(series, what) !== undefined,
  });

  return {
    async find(ref, time) {
      const read = async () => (await snapshot.reader()).find(ref, 'ever');
      return seriesAt(await ofState(`find ${JSON.stringify(ref)}`, read, bytesOfFound), time);
    },
    proofs: (series, access) =>
      ofState(
        `proofs ${series.id} ${access}`,
        async () => (await snapshot.reader()).proofs(series, access),
        bytesOfProofs,
      ),
    async checkOf(series, access) {
      const read = async () => ({ check: await (await snapshot.reader()).checkOf(series, access) });
      return (await ofState(`check ${series.id} ${access}`, read, () => OBJECT_BYTES)).check;
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
      return ofSeries(series, `vintages ${JSON.stringify([key, selection])}`, { read, bytesOf: bytesOfRows });
    },
    isKept: async (series) => keeps && (await countAll(series)) <= MAX_WHOLE_ROWS,
    ofState: (name, make, bytesOf) => ofState(`${scope ?? ''}${name}`, make, bytesOf),
    ofName: (name, make, bytesOf) => once(name, () => (keeps ? columns.through(name, make, bytesOf) : make())),
    named: nameOfMade,
    namesOf: (series, names) =>
      series.flatMap((one) => [nameOf(one, 'texts'), nameOf(one, `columns ${JSON.stringify([{}, names])}`)]),
    touch: (names) => columns?.touch(names),
    made,
    column: (series, { name, make, bytesOf }) =>
      made(nameOfMade('id' in series ? [series] : series, name), make, bytesOf),
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

function bytesOfRows(rows: readonly { readonly text: string }[]): number {
  return rows.reduce((bytes, { text }) => bytes + text.length + ROW_BYTES, OBJECT_BYTES);
}

function bytesOfColumns(columns: Readonly<Record<string, readonly unknown[] | undefined>>): number {
  return Object.values(columns).reduce((bytes, values) => bytes + (values?.length ?? 0) * CELL_BYTES, OBJECT_BYTES);
}

/** For answers made of columns, if no hook says it. */
function bytesOfMade(made: object): number {
  return 'bytes' in made && typeof made.bytes === 'number' ? made.bytes : MADE_BYTES;
}

const MADE_BYTES = 4_000;

function bytesOfFound(found: readonly StoredSeries[]): number {
  return found.reduce((bytes, { envelope }) => bytes + (envelope?.text.length ?? 0) + OBJECT_BYTES, 0);
}

function bytesOfProofs(proofs: readonly CoverageInterval[]): number {
  return proofs.length * OBJECT_BYTES;
}
