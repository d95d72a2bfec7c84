import { waitText } from '../../client/text.ts';
import { type RowMembers, type RowTexts, type RowValues, valueAt } from '../../contract/json/body.ts';
import { asJsonText, type JsonText, objectText, readJson } from '../../contract/json/json.ts';
import { memberSpans, valueEnd } from '../../contract/json/scan.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { hintFor } from '../../contract/words/nearest.ts';
import { localIso } from '../../derive/calendar/calendar.ts';
import { MacroError } from '../../errors.ts';
import type { ChartStyle } from '../parse/options.ts';
import type { Listing } from './listing.ts';
import { cleanText } from './text.ts';

/** The fields of one row: each the JSON text of its value as spelled. */
export interface Fields {
  get(name: string): string | undefined;
  /** In their order. Rows of one shape may give the very same list. */
  keys(): Iterable<string>;
}

export interface Shape {
  readonly fields: readonly string[] | undefined;
  readonly sort: string | undefined;
  readonly reverse: boolean;
  readonly style?: ChartStyle;
}

export interface ShapedRow {
  readonly text: JsonText;
  readonly fields: Fields;
}

/** The meaning of the numbers of a column, for people and sheets. */
export type ColumnKinds = Pick<Listing, 'times' | 'durations' | 'zone' | 'computed'>;

/** The listing as tables and sheets show it: an item that a row lists is a line of its own. */
export function inLines(listing: Listing): Listing {
  return listing.lines ? { ...listing, rows: listing.lines } : listing;
}

/** Rows that stay in their order, each made when it is read. */
export function unsortedRows(listing: Listing, { fields }: Pick<Shape, 'fields'>): RowTexts {
  checkFields(listing, fieldsIn(listing.rows), fields ?? []);
  return listing.rows;
}

/** The fields of rows, made when they are read; of rows that are made here, without putting them together. */
export function fieldsIn(rows: RowTexts): Iterable<Fields> {
  return {
    *[Symbol.iterator]() {
      const read = fieldsReader();
      for (const row of rows.parts ?? rows) yield read(row);
    },
  };
}

/** Rows in the order that was asked for. Numbers sort as numbers, everything else as text, nothing comes last. */
export function shapeRows(listing: Listing, shape: Shape): readonly ShapedRow[] {
  const read = fieldsReader();
  const rows = Array.from(listing.rows, (text) => ({ text, fields: read(text) }));
  const names = [...(shape.fields ?? []), ...(shape.sort ? [shape.sort] : [])];
  checkFields(
    listing,
    rows.map((row) => row.fields),
    names,
  );
  const sorted = shape.sort === undefined ? rows : sortRows(rows, shape.sort, shape.reverse);
  return shape.reverse && shape.sort === undefined ? sorted.toReversed() : sorted;
}

function sortRows(rows: readonly ShapedRow[], field: string, reverse: boolean): readonly ShapedRow[] {
  const keyed = rows.map((row) => ({ row, raw: rawAt(row.fields, field) }));
  const sign = reverse ? -1 : 1;
  return keyed.toSorted((a, b) => compareRaw(a.raw, b.raw, sign)).map(({ row }) => row);
}

function compareRaw(a: string | undefined, b: string | undefined, sign: number): number {
  const left = cellText(a);
  const right = cellText(b);
  if (left === '' || right === '') return Number(left === '') - Number(right === '');
  if (isNumber(a) && isNumber(b)) return sign * (Number(a) - Number(b));
  return sign * (left < right ? -1 : Number(left > right));
}

export function fieldsOf(row: string): Fields {
  return fieldsReader()(row);
}

/** JSON text of a field; a dot goes into a nested value unless a field has exactly this name. */
export function rawAt(fields: Fields, path: string): string | undefined {
  const own = fields.get(path);
  if (own !== undefined) return own;
  const dot = path.indexOf('.');
  if (dot < 0) return undefined;
  const inner = fields.get(path.slice(0, dot));
  return inner?.startsWith('{') ? rawAt(fieldsOf(inner), path.slice(dot + 1)) : undefined;
}

/** A string that needs no reading: it has no escapes, and nothing that a string may not hold. */
const PLAIN_STRING = /^"[\w .:+-]*"$/;

const QUOTE = 34;

/** The text of a cell: a string without its quotes, nothing for null, anything else as it is spelled. */
export function cellText(raw: string | undefined): string {
  if (raw === undefined || raw === 'null') return '';
  if (raw.charCodeAt(0) !== QUOTE) return raw;
  if (PLAIN_STRING.test(raw)) return raw.slice(1, -1);
  const text: unknown = readJson(raw);
  return String(text);
}

/** True for the JSON text of a number. */
export function isNumber(raw: string | undefined): boolean {
  return raw !== undefined && /^-?\d/.test(raw);
}

/** Columns of csv and tsv: the contract's, known fields, then others by appearance; the same for an empty answer. */
export function allColumns(listing: Listing, rows: readonly Fields[]): readonly string[] {
  const seen = new Set<string>();
  for (const row of rows) for (const name of row.keys()) seen.add(name);
  return sheetColumns(listing, seen);
}

/** The same for the names that the rows have, in order of appearance. */
export function sheetColumns(listing: Listing, seen: ReadonlySet<string>): readonly string[] {
  const always = new Set(listing.always ?? []);
  const known = (listing.known ?? []).filter((name) => seen.has(name) || always.has(name));
  return [...new Set([...listing.columns, ...known, ...seen])];
}

/** Columns of the table for people: those with values, or all of them when there are no rows. */
export function shownColumns(listing: Listing, rows: readonly Fields[]): readonly string[] {
  const filled = listing.columns.filter((name) => rows.some((row) => cellText(rawAt(row, name)) !== ''));
  return filled.length > 0 ? filled : listing.columns;
}

/** Columns of Markdown: those of the table, and the fields that the question adds, such as indicators. */
export function markdownColumns(listing: Listing, rows: readonly Fields[]): readonly string[] {
  return [...new Set([...shownColumns(listing, rows), ...addedColumns(listing, rows)])];
}

/** Fields that the question adds to the rows. */
export function addedColumns({ added = new Set() }: Listing, rows: readonly Fields[]): readonly string[] {
  return [...added].filter((name) => rows.some((row) => row.get(name) !== undefined));
}

/** The fields of a setting that this answer can have; undefined where it has none of them. */
export function fieldsOfSetting(listing: Listing, kept: readonly string[]): readonly string[] | undefined {
  if (kept.length === 0) return undefined;
  const rows = [...listing.rows, ...(listing.lines ?? [])].flatMap((row) => [...fieldsOf(row).keys()]);
  const legal = new Set([...listing.columns, ...(listing.known ?? []), ...rows]);
  const own = kept.filter((name) => legal.has(name) || legal.has(name.split('.')[0] ?? name));
  return own.length > 0 ? own : undefined;
}

/** The row with only these fields, in this order; missing ones are left out. */
export function pickFields(fields: Fields, names: readonly string[]): JsonText {
  return objectText(names.map((name) => [name, rawAt(fields, name)]));
}

/** Refuses a field that neither rows nor the contract have. @throws MacroError of kind `usage`. */
function checkFields(listing: Listing, rows: Iterable<Fields>, names: readonly string[]): void {
  const seen = new Set<string>();
  const unknownIn = (legal: readonly string[]) =>
    names.filter((name) => !legal.includes(name) && !legal.includes(name.split('.')[0] ?? name));
  if (unknownIn(sheetColumns(listing, seen)).length === 0) return;
  let isEmpty = true;
  for (const row of rows) {
    isEmpty = false;
    const before = seen.size;
    for (const name of row.keys()) seen.add(name);
    // Most often the first row tells.
    if (seen.size > before && unknownIn(sheetColumns(listing, seen)).length === 0) return;
  }
  const legal = sheetColumns(listing, seen);
  const [name] = unknownIn(legal);
  if (isEmpty || name === undefined) return;
  throw new MacroError('usage', `No row has a field '${name}'.`, {
    code: 'unknown_field',
    hint: hintFor(name, legal, `Fields are ${legal.join(', ')}.`),
  });
}

type RowShape = ReturnType<typeof shapeOf>;

/** Reads rows one after the other. Most rows repeat the names of the one before, so only values are searched. */
export function fieldsReader(): (row: string | RowMembers) => Fields {
  let shape: RowShape | undefined;
  let made: Pick<RowShape, 'names' | 'places'> | undefined;
  return (row) => {
    if (typeof row !== 'string') {
      if (made?.names !== row.names) made = { names: row.names, places: placesOf(row.names) };
      return withShape(made, row);
    }
    const values = shape && valuesIn(row, shape.marks);
    if (shape && values) return withShape(shape, { values });
    const fields = new Map(memberSpans(row).map(({ name, start, end }) => [name, row.slice(start, end)]));
    shape = shapeOf([...fields.keys()]);
    return fields;
  };
}

function withShape({ names, places }: Pick<RowShape, 'names' | 'places'>, made: RowValues): Fields {
  return {
    get(name) {
      const place = places.get(name);
      return place === undefined ? undefined : valueAt(made, place);
    },
    keys: () => names,
  };
}

function shapeOf(names: readonly string[]) {
  return {
    names,
    places: placesOf(names),
    /** The text before each value. */
    marks: names.map((name, place) => `${place === 0 ? '{' : ','}${JSON.stringify(name)}:`),
  };
}

const placesOf = (names: readonly string[]) => new Map(names.map((name, place) => [name, place]));

/** The values of a row that has these names in this order, and no blanks beside them; undefined for any other. */
function valuesIn(row: string, marks: readonly string[]): readonly JsonText[] | undefined {
  const values: JsonText[] = [];
  let at = 0;
  for (const mark of marks) {
    if (!row.startsWith(mark, at)) return undefined;
    const start = at + mark.length;
    at = valueEnd(row, start);
    values.push(asJsonText(row.slice(start, at)));
  }
  return row.length === at + 1 && row.endsWith('}') ? values : undefined;
}

/** A value inside of a text with its published digits; undefined if it is null or missing. */
export function spelled(text: string, ...path: readonly string[]): JsonText | undefined {
  let at = text;
  for (const name of path) {
    const span = memberSpans(at).findLast((member) => member.name === name);
    if (!span) return undefined;
    at = at.slice(span.start, span.end);
  }
  return at === 'null' ? undefined : asJsonText(at);
}

/** The text of a cell in `csv`, `tsv` and `md`: times are ISO, everything else is as it is spelled. */
export function sheetCell(row: Fields, name: string, kinds: ColumnKinds): string {
  return valueCell(rawAt(row, name), columnKind(name, kinds), kinds.zone);
}

type ColumnKind = 'time' | 'computed' | undefined;

export function columnKind(name: string, { times, computed }: ColumnKinds): ColumnKind {
  return times?.has(name) ? 'time' : computed?.has(name) ? 'computed' : undefined;
}

/** The same of the JSON text of a value: `0.2` for a computed `0.20000000000000018`. */
export function valueCell(raw: string | undefined, kind: ColumnKind, zone: string | undefined): string {
  if (kind === 'time' && isUnix(raw)) return timeText(Number(raw), zone);
  return kind === 'computed' && raw !== undefined && isNumber(raw) ? numberText(raw) : cellText(raw);
}

/** The text of a cell in a table for people: durations in words, numbers without float noise. */
export function tableCell(row: Fields, name: string, kinds: ColumnKinds): string {
  const raw = rawAt(row, name);
  const unit = kinds.durations?.get(name);
  if (unit !== undefined && isNumber(raw)) {
    const seconds = Number(raw) * unit;
    return seconds < 0 ? `-${waitText(-seconds)}` : waitText(seconds);
  }
  return cleanText(
    raw !== undefined && isNumber(raw) && !kinds.times?.has(name) ? numberText(raw) : sheetCell(row, name, kinds),
  );
}

/** Digits that a number of binary arithmetic can be trusted with; beyond the first of them all is noise. */
const PUBLISHED_DIGITS = 15;
const TRUSTED_DIGITS = 12;

/** A number as published: `0.1` for `0.10000000000000009` and for `0.0999999999999996`. Others keep their spelling. */
function numberText(spelled: string): string {
  if (!spelled.includes('.') || digitsOf(spelled) <= TRUSTED_DIGITS) return spelled;
  const short = rounded(spelled, TRUSTED_DIGITS);
  // Noise stands behind a run of equal digits; a number that needs all of its digits has none.
  if (digitsOf(short) <= TRUSTED_DIGITS - 2) return short;
  return digitsOf(spelled) <= PUBLISHED_DIGITS ? spelled : rounded(spelled, PUBLISHED_DIGITS);
}

const rounded = (spelled: string, digits: number) => String(Number(Number(spelled).toPrecision(digits)));

const digitsOf = (spelled: string) => spelled.replace(/e.*$/i, '').replace(/^-?[0.]*|\D/g, '').length;

function isUnix(raw: string | undefined): raw is string {
  return raw !== undefined && /^-?\d{1,11}$/.test(raw);
}

function timeText(unixSeconds: number, zone: string | undefined): string {
  return zone === undefined ? isoSeconds(unixSeconds) : localIso(unixSeconds, zone);
}

/** A moment in milliseconds as people read it; null when there is none. */
export function instantText(ms: number | undefined): string | null {
  return ms === undefined || ms === 0 ? null : isoSeconds(Math.floor(ms / 1000));
}
