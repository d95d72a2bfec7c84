import type { PlaceRange } from '../contract/hooks.ts';
import type { JsonText } from '../contract/json/json.ts';
import { firstPlace } from '../contract/time/coverage.ts';
import { LOADED_MAPPINGS } from '../endpoints/find.ts';
import type { KeyValue, Selection, StoredRow, StoredSeries } from '../mirror/api/series.ts';

/** Rows of a series in answer order, as columns: a row is made of them when it is read. */
export interface RowColumns {
  readonly length: number;
  readonly bytes: number;
  /** Values of a column; undefined where no row has one. NaN stands for null among numbers. */
  values(name: string): Float64Array | readonly (KeyValue | null)[] | undefined;
  row(place: number): StoredRow;
  text(place: number): JsonText;
  commit(place: number): number;
}

type Column = Float64Array | readonly (KeyValue | null)[];

const NOT_KEYED = 1;
const KEYED = 2;

export function rowColumnsOf({ endpoint }: Pick<StoredSeries, 'endpoint'>, rows: readonly StoredRow[]): RowColumns {
  const names = Object.keys(rows[0]?.columns ?? {});
  const columns = new Map<string, Column>(names.map((name) => [name, columnOf(rows, name)]));
  const keyNames = LOADED_MAPPINGS[endpoint]?.key.map(({ name }) => name) ?? [];
  const keys = keyNames.map((name, i) => columns.get(name) ?? rows.map(({ key }) => key[i] ?? null));
  const texts = textColumnOf(rows.map(({ text }) => text));
  const commits = Float64Array.from(rows, ({ commit }) => commit);
  const seenAt = Float64Array.from(rows, (row) => row.seenAt);
  const keyed = Uint8Array.from(rows, (row) => (row.keyed === undefined ? 0 : row.keyed ? KEYED : NOT_KEYED));
  const stored = { columns, keys, texts, commits, seenAt, keyed };
  return {
    length: rows.length,
    bytes: texts.bytes + rows.length * (columns.size * 24 + 32),
    values: (name) => columns.get(name),
    text: texts.text,
    commit: (place) => commits[place] ?? 0,
    row: (place) => new PlacedRow(stored, place),
  };
}

interface StoredColumns {
  readonly columns: ReadonlyMap<string, Column>;
  readonly keys: readonly Column[];
  readonly texts: TextColumn;
  readonly commits: Float64Array;
  readonly seenAt: Float64Array;
  readonly keyed: Uint8Array;
}

/** A row of columns: whoever reads the text of it makes nothing else. */
class PlacedRow implements StoredRow {
  readonly place: number;
  readonly #of: StoredColumns;

  constructor(of: StoredColumns, place: number) {
    this.place = place;
    this.#of = of;
  }

  get key(): readonly KeyValue[] {
    return this.#of.keys.map((column) => valueAt(column, this.place) ?? '');
  }

  get columns(): Readonly<Record<string, KeyValue | null>> {
    const values: Record<string, KeyValue | null> = {};
    for (const [name, column] of this.#of.columns) values[name] = valueAt(column, this.place);
    return values;
  }

  get text(): JsonText {
    return this.#of.texts.text(this.place);
  }

  get commit(): number {
    return this.#of.commits[this.place] ?? 0;
  }

  get seenAt(): number {
    return this.#of.seenAt[this.place] ?? 0;
  }

  get keyed(): boolean | undefined {
    const isKeyed = this.#of.keyed[this.place] ?? 0;
    return isKeyed > 0 ? isKeyed === KEYED : undefined;
  }
}

function columnOf(rows: readonly StoredRow[], name: string): Column {
  const values = rows.map(({ columns }) => columns[name] ?? null);
  if (!values.every((value) => value === null || typeof value === 'number')) return values;
  return Float64Array.from(values, (value) => (value === null ? Number.NaN : Number(value)));
}

function valueAt(column: Column, place: number): KeyValue | null {
  const value = column[place] ?? null;
  return typeof value === 'number' && Number.isNaN(value) ? null : value;
}

/** Texts as one buffer with offsets. */
export interface TextColumn {
  readonly length: number;
  readonly bytes: number;
  text(place: number): JsonText;
}

export function textColumnOf(texts: readonly JsonText[]): TextColumn {
  const whole = texts.join('');
  const buffer = Buffer.from(whole);
  const isAscii = buffer.length === whole.length;
  const offsets = new Uint32Array(texts.length + 1);
  for (const [i, text] of texts.entries())
    offsets[i + 1] = (offsets[i] ?? 0) + (isAscii ? text.length : Buffer.byteLength(text));
  const encoding = isAscii ? 'latin1' : 'utf8';
  return {
    length: texts.length,
    bytes: buffer.length + offsets.byteLength,
    text: (place) => buffer.toString(encoding, offsets[place], offsets[place + 1]) as JsonText, // as it was stored
  };
}

/** Places of the rows that a selection takes, in answer order; undefined where only the mirror can tell them. */
export function placesWithin(
  series: Pick<StoredSeries, 'endpoint'>,
  rows: RowColumns,
  { from, to, where, releasedBy, ...others }: Selection,
): PlaceRange | readonly number[] | undefined {
  if (Object.values(others).some((value) => value !== undefined)) return undefined;
  const mapping = LOADED_MAPPINGS[series.endpoint];
  const [key] = mapping?.key ?? [];
  if (!mapping || !key || (mapping.window?.column ?? key.name) !== key.name) return undefined;
  const keys = rows.values(key.name);
  const range = rangeWithin({ keys, length: rows.length, order: mapping.order }, { from, to });
  const release = releasedBy === undefined ? undefined : mapping.release;
  if (!range || (!where && release === undefined)) return range;
  const wanted = Object.entries(where ?? {}).map(([name, value]) => ({ column: rows.values(name), value }));
  const releases = release === undefined ? undefined : rows.values(release);
  const places: number[] = [];
  for (let place = range.start; place < range.end; place += 1) {
    const time = releases?.[place];
    if (typeof time === 'number' && time > (releasedBy ?? 0)) continue;
    if (wanted.every(({ column, value }) => column?.[place] === value)) places.push(place);
  }
  return places;
}

/** Keys of a series in the order of its answers. */
export interface Keys {
  readonly keys: Column | undefined;
  readonly length: number;
  readonly order: 'newest' | 'oldest';
}

interface Bounds {
  readonly from: KeyValue | undefined;
  readonly to: KeyValue | undefined;
}

/** The places of sorted keys between two bounds; undefined where only the mirror can compare them. */
export function rangeWithin({ keys, length, order }: Keys, { from, to }: Bounds): PlaceRange | undefined {
  const sample = keys?.[0] ?? undefined;
  if (length > 0 && sample === undefined) return undefined;
  if ([from, to].some((bound) => bound !== undefined && sample !== undefined && !isComparable(bound, sample)))
    return undefined;
  const isNewestFirst = order === 'newest';
  const [near, far] = isNewestFirst ? [to, from] : [from, to];
  const isBefore = (a: KeyValue, b: KeyValue) => (isNewestFirst ? a > b : a < b);
  const first = (holds: (value: KeyValue) => boolean) =>
    firstPlace(length, (place) => {
      const value = keys?.[place] ?? undefined;
      return value !== undefined && holds(value);
    });
  const start = near === undefined ? 0 : first((value) => !isBefore(value, near));
  const end = far === undefined ? length : first((value) => isBefore(far, value));
  return { start, end: Math.max(start, end) };
}

/** Texts outside of ASCII are not in the same order everywhere. */
function isComparable(bound: KeyValue, value: KeyValue): boolean {
  if (typeof bound === 'number' || typeof value === 'number') return typeof bound === typeof value;
  return /^[\x20-\x7e]*$/.test(bound) && /^\d/.test(value);
}
