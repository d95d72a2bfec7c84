import {
  asJsonText,
  floatOrNullText,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonText,
  parseObject,
  readJson,
} from './json.ts';
import { memberSpans, type TextSpan } from './scan.ts';

/**
 * Where the rows of an answer are. `list`: an array member; `map`: named members except `besides`; `document`: one
 * value, stored as a row with `asRow`; `stream`: events without an end.
 */
export type BodyShape =
  | { readonly kind: 'list'; readonly member: string; readonly orMap?: OrMap }
  | { readonly kind: 'map'; readonly keyName: string; readonly besides: readonly string[]; readonly wrapper: string }
  | { readonly kind: 'document'; readonly asRow?: true }
  | { readonly kind: 'stream' };

/** How a list may come as a map instead: each row has its name as `keyName`; `besides` are members that are no rows. */
export interface OrMap {
  readonly keyName: string;
  readonly besides: readonly string[];
}

/** Rows of an answer, each the text of one JSON object. They may be made when they are read, and anew each time. */
export interface RowTexts extends Iterable<JsonText> {
  readonly length: number;
  /** Those of every row, in their order, where they are known to be the same in all. */
  readonly names?: readonly string[] | undefined;
  /** All of them with a comma between two, where they come so at less cost. */
  readonly joined?: (() => string) | undefined;
  /** The rows in an unjoined form, for readers of values alone. */
  readonly parts?: Iterable<JsonText | RowMembers>;
}

/** A row before it is put together. */
export interface RowMembers extends RowValues {
  /** None of them needs an escape. Rows of one shape have the very same list. */
  readonly names: readonly string[];
}

export interface RowValues {
  /** The JSON text of each value that is none of the numbers, in the order of the names, without blanks between its tokens. */
  readonly values: readonly JsonText[];
  readonly numbers?: RowNumbers;
}

/** Members of a row, one after the other, whose values stand in columns: only who writes them spells them. */
export interface RowNumbers {
  /** Place of the first of them among the names. */
  readonly from: number;
  /** One number a row; NaN where it has none, which is null. */
  readonly columns: readonly Float64Array[];
  /** Place of the row in each column. */
  readonly row: number;
  /** Rounds a number of a column to its shown form; NaN stays. */
  round(value: number): number;
}

export const listAt = (member = 'data', orMap?: OrMap): BodyShape => ({
  kind: 'list',
  member,
  ...(orMap && { orMap }),
});

export const document: BodyShape = { kind: 'document' };
export const record: BodyShape = { kind: 'document', asRow: true };
export const stream: BodyShape = { kind: 'stream' };

/** Rows as members of the body, stored under `keyName`; `wrapper` is a member around the map of some answers. */
export const mapBody = (keyName: string, besides: readonly string[], wrapper: string): BodyShape => ({
  kind: 'map',
  keyName,
  besides,
  wrapper,
});

/** Member beside the rows by which a mirror marks a partial answer. It is never a row, and never stored. */
export const MARK_MEMBER = 'mirror';

/** One row: its own text, its parsed value and, in a map, its name. */
export interface BodyRow {
  readonly name: string;
  readonly text: JsonText;
  readonly value: JsonObject;
}

export interface CutBody {
  /** Members beside the rows. */
  readonly envelope: JsonObject;
  /** The same as they were spelled. */
  readonly envelopeText: JsonText;
  readonly rows: readonly BodyRow[];
  /** The answer came from a mirror that lacked a part of it. */
  readonly isPartial: boolean;
  /** The mirror's member about the missing parts. */
  readonly mark?: Json;
}

/** Cuts a body into rows and the rest; `parsed` saves parsing. Throws a SyntaxError for another shape or depth. */
export function cutBody(shape: BodyShape, text: string, parsed?: JsonObject): CutBody {
  const all = memberSpans(text, 0, shape.kind === 'list' ? shape.member : undefined);
  const spans = all.filter(({ name }) => name !== MARK_MEMBER);
  const span = all.findLast(({ name }) => name === MARK_MEMBER);
  const mark = span && readJson<Json>(text.slice(span.start, span.end));
  // A whole answer of several sources has the member as well.
  const isPartial = mark !== undefined && !(isJsonObject(mark) && mark.complete === true);
  return { ...cutSpans(shape, text, { spans, parsed }), isPartial, ...(isPartial && { mark }) };
}

function cutSpans(
  shape: BodyShape,
  text: string,
  { spans, parsed }: { readonly spans: readonly TextSpan[]; readonly parsed: JsonObject | undefined },
): Omit<CutBody, 'isPartial'> {
  if (!text.trimStart().startsWith('{')) throw new SyntaxError('Expected an object');
  if (shape.kind === 'stream') throw new SyntaxError('A stream has no body');
  if (shape.kind === 'document') {
    if (!shape.asRow) return { ...envelopeOf(text, spans), rows: [] };
    return { ...envelopeOf(text, []), rows: [rowOf(text, { name: '', start: 0, end: text.length })] };
  }
  if (shape.kind === 'map') return cutMap(shape, text, spans);
  // If a member stands twice, every reader takes the last one.
  const list = spans.findLast((span) => span.name === shape.member);
  if (shape.orMap && (!list || text[list.start] === '{')) return cutListedMap(shape, shape.orMap, { text, spans });
  if (!list) throw new SyntaxError(`Expected a member '${shape.member}'`);
  if (text[list.start] !== '[') throw new SyntaxError(`Expected '${shape.member}' to be an array`);
  const others = spans.filter((span) => span.name !== shape.member);
  return { ...envelopeOf(text, others), rows: listedRows(text, list, parsed?.[shape.member]) };
}

function listedRows(text: string, { items: spans = [] }: TextSpan, parsed: Json | undefined): readonly BodyRow[] {
  if (!Array.isArray(parsed) || parsed.length !== spans.length) return spans.map((span) => rowOf(text, span));
  return spans.map((span, i) => rowOf(text, span, parsed[i]));
}

function cutMap(
  shape: BodyShape & { kind: 'map' },
  text: string,
  spans: readonly TextSpan[],
): Omit<CutBody, 'isPartial'> {
  const [only] = spans;
  if (spans.length === 1 && only?.name === shape.wrapper) return cutMap(shape, text, memberSpans(text, only.start));
  const isObject = (span: TextSpan) => !shape.besides.includes(span.name) && text[span.start] === '{';
  // An entry has a name: an error that is an object is none.
  const entries = spans.flatMap((span) => {
    const row = isObject(span) ? rowOf(text, span) : undefined;
    return row && typeof row.value.name === 'string' ? [{ span, row }] : [];
  });
  const taken = new Set(entries.map(({ span }) => span));
  const others = spans.filter((span) => !taken.has(span));
  return { ...envelopeOf(text, others), rows: entries.map(({ row }) => row) };
}

/** A map in the place of a list, or of the whole body: its members become the rows of the list. */
function cutListedMap(
  { member }: BodyShape & { kind: 'list' },
  { keyName, besides }: OrMap,
  { text, spans }: { text: string; spans: readonly TextSpan[] },
): Omit<CutBody, 'isPartial'> {
  const inside = spans.findLast(({ name }) => name === member);
  const isRow = (span: TextSpan) => !besides.includes(span.name) && text[span.start] === '{';
  const rows = (inside ? memberSpans(text, inside.start) : spans).filter(isRow);
  if (!inside && rows.length === 0) throw new SyntaxError(`Expected a member '${member}'`);
  const others = spans.filter((span) => span.name !== member && !rows.includes(span));
  return { ...envelopeOf(text, others), rows: rows.map((span) => namedRow(rowOf(text, span), keyName)) };
}

function namedRow(row: BodyRow, keyName: string): BodyRow {
  const name = row.value[keyName] === undefined ? { [keyName]: row.name } : {};
  const inner = row.text.trim().slice(1, -1).trim();
  const parts = [JSON.stringify(name).slice(1, -1), inner].filter((part) => part !== '');
  return { name: '', text: asJsonText(`{${parts.join(',')}}`), value: { ...name, ...row.value } };
}

/** If a member stands twice, the last value counts. */
function envelopeOf(text: string, spans: readonly TextSpan[]): Pick<CutBody, 'envelope' | 'envelopeText'> {
  const own = new Map(spans.map(({ name, start, end }) => [name, text.slice(start, end)]));
  const members = [...own].map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  const envelopeText = asJsonText(`{${members.join(',')}}`);
  // A member called __proto__ stays data.
  return { envelope: parseObject(envelopeText), envelopeText };
}

function rowOf(text: string, span: TextSpan, parsed?: Json): BodyRow {
  const own = text.slice(span.start, span.end);
  const value: unknown = parsed ?? readJson(own);
  if (!isJsonObject(value)) throw new SyntaxError('Expected every row to be an object');
  return { name: span.name, text: asJsonText(own), value };
}

/** A body made of the text of an envelope and of rows, all spliced in untouched. `names` name the rows of a map. */
export function spliceBody(
  shape: BodyShape,
  envelope: JsonText,
  rows: RowTexts,
  names: readonly string[] = [],
): JsonText {
  if (shape.kind === 'document' && shape.asRow) for (const only of rows) return only;
  if (shape.kind === 'document' || shape.kind === 'stream') return envelope;
  const inner = envelope.slice(1, -1);
  const comma = inner === '' ? '' : ',';
  if (shape.kind === 'list') {
    return asJsonText(`{${inner}${comma}${JSON.stringify(shape.member)}:[${rows.joined?.() ?? joinTexts(rows)}]}`);
  }
  const members = Array.from(rows, (row, i) => `${JSON.stringify(names[i] ?? '')}:${row}`);
  return asJsonText(`{${members.join(',')}${members.length > 0 ? comma : ''}${inner}}`);
}

function joinTexts(rows: RowTexts): string {
  let text = '';
  for (const row of rows) text += text === '' ? row : `,${row}`;
  return text;
}

/** An object with one more member at its end; what it has keeps its spelling. */
export function addMember(object: JsonText, name: string, value: JsonText): JsonText {
  const end = object.lastIndexOf('}');
  const isEmpty = object.slice(0, end).trim() === '{';
  return asJsonText(`${object.slice(0, end)}${isEmpty ? '' : ','}${JSON.stringify(name)}:${value}}`);
}

/** The row with members replaced or added, or removed by `undefined`, repeated ones too. Others keep their spelling. */
export function patchRow(text: JsonText, changes: Readonly<Record<string, JsonText | undefined>>): JsonText {
  const parts: string[] = [];
  const pending = new Map(Object.entries(changes));
  const named = new Set(pending.keys());
  for (const span of memberSpans(text)) {
    const changed = named.has(span.name);
    const value = changed ? pending.get(span.name) : text.slice(span.start, span.end);
    pending.delete(span.name);
    if (value !== undefined) parts.push(`${JSON.stringify(span.name)}:${value}`);
  }
  for (const [name, value] of pending) if (value !== undefined) parts.push(`${JSON.stringify(name)}:${value}`);
  return asJsonText(`{${parts.join(',')}}`);
}

/** Rows that are made when they are read: a long answer never stands in memory as a whole. */
export function madeRows(
  length: number,
  rowOf: (place: number) => JsonText | RowMembers,
  names?: readonly string[],
  textOf: (place: number) => string = (place) => rowText(rowOf(place)),
): RowTexts {
  return {
    length,
    names,
    joined() {
      let text = '';
      for (let place = 0; place < length; place += 1) text += place === 0 ? textOf(place) : `,${textOf(place)}`;
      return text;
    },
    *[Symbol.iterator]() {
      for (let place = 0; place < length; place += 1) yield asJsonText(textOf(place));
    },
    parts: {
      *[Symbol.iterator]() {
        for (let place = 0; place < length; place += 1) yield rowOf(place);
      },
    },
  };
}

/** The text of a row, put together where it is not yet. */
export function rowText(row: JsonText | RowMembers): JsonText {
  if (typeof row === 'string') return row;
  const { names } = row;
  let text = '{';
  for (let place = 0; place < names.length; place += 1)
    text += `${place === 0 ? '' : ','}"${names[place]}":${valueAt(row, place)}`;
  return asJsonText(`${text}}`);
}

/** The JSON text of a value by the place of its name; undefined behind the last one. */
export function valueAt({ values, numbers }: RowValues, place: number): JsonText | undefined {
  if (!numbers || place < numbers.from) return values[place];
  const at = place - numbers.from;
  return at < numbers.columns.length ? numberTextIn(numbers, at) : values[place - numbers.columns.length];
}

/** The JSON text of the number of a row in one of the columns. */
export function numberTextIn({ columns, row, round }: Omit<RowNumbers, 'from'>, column: number): JsonText {
  return floatOrNullText(round(columns[column]?.[row] ?? Number.NaN));
}
