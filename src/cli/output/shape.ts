import type { JsonText } from '../../contract/json/json.ts';
import { cellText, checkFields, type Fields, fieldsOf, isNumber, rawAt } from './fields.ts';
import type { Listing } from './listing.ts';

export interface Shape {
  readonly fields: readonly string[] | undefined;
  readonly sort: string | undefined;
  readonly reverse: boolean;
}

export interface ShapedRow {
  readonly text: JsonText;
  readonly fields: Fields;
}

/** Rows in the order that was asked for. Numbers sort as numbers, everything else as text, nothing comes last. */
export function shapeRows(listing: Listing, shape: Shape): readonly ShapedRow[] {
  const rows = listing.rows.map((text) => ({ text, fields: fieldsOf(text) }));
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
