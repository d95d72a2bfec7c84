import { asJsonText, type JsonText, readJson } from '../../contract/json/json.ts';
import { hintFor } from '../../contract/words/nearest.ts';
import { MacroError } from '../../errors.ts';
import type { Listing } from './listing.ts';
import { type Fields, fieldsReader } from './sheets/read-fields.ts';

export type { Fields } from './sheets/read-fields.ts';

/** The fields of a row by itself. */
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

/** What a cell holds as text: a string without its quotes, nothing for null, anything else as it is spelled. */
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

/**
 * Columns of csv and tsv: the contract's first, then further fields that the contract knows, then fields that it does
 * not know, in order of appearance. What the contract says of every row is a column of an empty answer too: who appends
 * one answer to another relies on it.
 */
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

/** Columns of the table for people: those that hold anything, or all of them when there are no rows. */
export function shownColumns(listing: Listing, rows: readonly Fields[]): readonly string[] {
  const filled = listing.columns.filter((name) => rows.some((row) => cellText(rawAt(row, name)) !== ''));
  return filled.length > 0 ? filled : listing.columns;
}

/** Columns of Markdown: those of the table, and what was asked for besides, which a table has in a block below. */
export function markdownColumns(listing: Listing, rows: readonly Fields[]): readonly string[] {
  const { added } = listing;
  const shown = shownColumns(listing, rows);
  if (!added || added.size === 0) return shown;
  return [...new Set([...shown, ...[...added].filter((name) => rows.some((row) => row.get(name) !== undefined))])];
}

/**
 * Refuses a field that no row has and the contract does not know. An empty answer cannot tell, so it takes any.
 * @throws MacroError of kind `usage`.
 */
export function checkFields(listing: Listing, rows: Iterable<Fields>, names: readonly string[]): void {
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

/**
 * Of the fields that a person keeps as a setting, for all answers, those that this one can have; where it has none of them,
 * nothing is chosen.
 */
export function keptFields(listing: Listing, kept: readonly string[]): readonly string[] | undefined {
  if (kept.length === 0) return undefined;
  const rows = [...listing.rows, ...(listing.lines ?? [])].flatMap((row) => [...fieldsOf(row).keys()]);
  const legal = new Set([...listing.columns, ...(listing.known ?? []), ...rows]);
  const own = kept.filter((name) => legal.has(name) || legal.has(name.split('.')[0] ?? name));
  return own.length > 0 ? own : undefined;
}

/** The row with only these fields, in this order; what it lacks is left out. */
export function pickFields(fields: Fields, names: readonly string[]): JsonText {
  const members = names.flatMap((name) => {
    const raw = rawAt(fields, name);
    return raw === undefined ? [] : [`${JSON.stringify(name)}:${raw}`];
  });
  return asJsonText(`{${members.join(',')}}`);
}
