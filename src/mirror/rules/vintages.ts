import { asJsonText, isJsonObject, type Json, type JsonObject, readJson } from '../../contract/json/json.ts';
import { memberSpans, memberTexts } from '../../contract/json/scan.ts';
import type { KeyValue } from '../api/series.ts';
import { columnValue, field, momentNs, parseStoredRow, valueIn } from './columns.ts';
import { wholeText } from './short-text.ts';
import { columnNamesOf, quote, type Table } from './tables.ts';

/** The row field that every vintage repeats. See docs/interface-endpoints.md#announcements. */
export const VALUE_FIELD = 'val';

const NANOSECONDS = 1_000_000_000n;
const MAX_NS = 2n ** 63n - 1n;

export interface ListedVintage {
  /** Unix seconds. */
  readonly epoch: number | undefined;
  /** Unix nanoseconds: more digits than a JSON number keeps. */
  readonly observed: bigint | undefined;
  /** The value as comparable text. */
  readonly value: string;
  readonly text: string;
}

/** One text of a row, from the commit that brought it to the commit that ended it. */
export interface RowVersion {
  readonly key: readonly KeyValue[];
  /** Number of the commit that brought the observation. */
  readonly seen: number;
  /** Number of the commit that brought the text, where only fields of the question changed since. */
  readonly refreshed: number | undefined;
  /** Number of the commit that replaced it or saw it vanish; undefined while it is current. */
  readonly ended: number | undefined;
  /** Unix seconds. */
  readonly release: number | undefined;
  /** The release comes from an importer's rule. */
  readonly assumed: boolean;
  readonly keyed: boolean;
  readonly text: string;
  readonly row: JsonObject;
  /** The value as comparable text. */
  readonly value: string;
}

/** The selected columns of a version, in this order: `ended` is null in the table of current rows. */
export type RowVersionTuple = [
  ended: number | null,
  seen: number,
  refreshed: number | null,
  release: number | null,
  assumed: number | null,
  keyed: 0 | 1,
  text: string,
  ...key: KeyValue[],
];

/** Ordinal of the first key column in a select of stages. */
export const ROW_VERSION_KEY = 8;

/** The vintages that a row lists, each with its own text. */
export function listedVintages(member: string, rowText: string): readonly ListedVintage[] {
  const spans = memberSpans(rowText);
  const list = spans.findLast((span) => span.name === member);
  if (!list || rowText[list.start] !== '[') return [];
  return memberSpans(rowText, list.start).flatMap((span) => vintageOf(rowText.slice(span.start, span.end)));
}

/** A vintage as its text tells it; none when the text is no JSON object. */
export function vintageOf(text: string): readonly ListedVintage[] {
  const value: unknown = readJson(text);
  if (!isJsonObject(value)) return [];
  return [
    {
      epoch: epochOf(value),
      observed: observedOf(text, value),
      value: comparable(field(value, VALUE_FIELD)),
      text,
    },
  ];
}

function epochOf(value: JsonObject): number | undefined {
  const epoch = columnValue('integer', field(value, 'epoch'));
  return typeof epoch === 'number' ? epoch : undefined;
}

/** The text form is exact; the number is only so in its own digits, before anything parses them. */
function observedOf(text: string, value: JsonObject): bigint | undefined {
  const exact = field(value, 'observed_at_ns_string');
  if (exact === undefined && field(value, 'observed_at_ns') === undefined) return undefined;
  const digits = typeof exact === 'string' ? exact : memberTexts(asJsonText(text), ['observed_at_ns'])[0];
  if (digits === undefined || !/^\d{1,19}$/.test(digits)) return undefined;
  const observed = BigInt(digits);
  return observed <= MAX_NS ? observed : undefined;
}

export function comparable(value: Json | undefined): string {
  return JSON.stringify(value ?? null);
}

/** When a listed vintage was known, in Unix nanoseconds; 0 when it does not say. */
export function knownAt({ epoch, observed }: ListedVintage): bigint {
  if (epoch === undefined) return observed ?? 0n;
  const known = BigInt(epoch) * NANOSECONDS;
  return known > MAX_NS || known < -MAX_NS ? 0n : known;
}

/** The latest moment in a row (vintage, release, else capture), which says which of two answers knows more. */
export function newestMoment(table: Table, text: string, value: JsonObject): bigint {
  const { vintages } = table.mapping;
  const moments = vintages === undefined ? [] : listedVintages(vintages, text).map(knownAt);
  const release = [...table.key, ...table.columns].find(({ name }) => name === table.mapping.release);
  const fallback = moments.length > 0 ? [] : (table.mapping.moments ?? []);
  for (const moment of fallback) moments.push(momentNs(value, moment) ?? 0n);
  const released = release && valueIn(value, release);
  if (typeof released === 'number') moments.push(BigInt(released) * NANOSECONDS);
  return moments.reduce((newest, moment) => (moment > newest ? moment : newest), 0n);
}

/** The same of a row of a file, whose importer may have stated by a rule when it was public. */
export function momentOfRow(
  table: Table,
  text: string,
  { row, assumed }: { readonly row: JsonObject; readonly assumed: number | undefined },
): bigint {
  const listed = newestMoment(table, text, row);
  const stated = assumed === undefined ? 0n : BigInt(assumed) * NANOSECONDS;
  return listed > stated ? listed : stated;
}

export interface StoredVintage extends ListedVintage {
  readonly key: readonly KeyValue[];
  readonly known: bigint;
  readonly seen: number;
}

/** Ordinal of the first key column in a select of vintages. */
export const VINTAGE_KEY = 7;

export const keyOfVintage = (tuple: VintageTuple): readonly KeyValue[] => tuple.slice(VINTAGE_KEY - 1) as KeyValue[]; // key columns come last

export function vintageColumns(table: Table): string {
  const columns = ['cast(known as text)', 'epoch', 'cast(observed_ns as text)', 'seen', 'value', 'text'];
  return [...columns, ...columnNamesOf(table.key)].join(', ');
}

export function vintageFrom([known, epoch, observed, seen, value, text, ...key]: VintageTuple): StoredVintage {
  return {
    key,
    known: BigInt(known),
    epoch: epoch ?? undefined,
    observed: observed === null ? undefined : BigInt(observed),
    seen,
    value,
    text,
  };
}

export type VintageTuple = [
  known: string,
  epoch: number | null,
  observed: string | null,
  seen: number,
  value: string,
  text: string,
  ...key: KeyValue[],
];

export const keyOfRowVersion = (tuple: RowVersionTuple): readonly KeyValue[] =>
  tuple.slice(ROW_VERSION_KEY - 1) as KeyValue[]; // key columns come last

/** The select lists of the two tables that hold stages; they may be united. */
export function rowVersionColumns(table: Table): { readonly current: string; readonly superseded: string } {
  const release = table.mapping.release === undefined ? 'null' : quote(table.mapping.release);
  const own = ['seen', 'refreshed', release, 'assumed_release', 'keyed', wholeText(table)];
  const list = [...own, ...columnNamesOf(table.key)].join(', ');
  return { current: `null as superseded, ${list}`, superseded: `superseded, ${list}` };
}

export function rowVersionOf(
  { mapping }: Table,
  [ended, seen, refreshed, release, assumed, keyed, text, ...key]: RowVersionTuple,
): RowVersion {
  const row = parseStoredRow(text);
  return {
    key,
    seen,
    refreshed: refreshed ?? undefined,
    ended: ended ?? undefined,
    release: release ?? assumed ?? undefined,
    assumed: release === null && assumed !== null,
    keyed: keyed === 1,
    text,
    row,
    value: comparable(field(row, mapping.value ?? VALUE_FIELD)),
  };
}

/** Had the mirror this stage as the current one after a commit? */
export function wasCurrent({ seen, ended }: RowVersion, commit: number): boolean {
  return seen <= commit && (ended === undefined || ended > commit);
}

/** The stored history of one row: its texts, and the vintages that they listed. */
export interface StoredRowVersion {
  readonly key: readonly KeyValue[];
  readonly texts: readonly [RowVersionTuple, ...RowVersionTuple[]];
  readonly listed: readonly VintageTuple[];
}
