import type { RowTexts } from '../../contract/json/body.ts';
import type { JsonText } from '../../contract/json/json.ts';
import { cellText, checkFields, isNumber, rawAt } from './fields.ts';
import type { Listing } from './listing.ts';
import { type Fields, fieldsReader } from './sheets/read-fields.ts';

export interface Shape {
  readonly fields: readonly string[] | undefined;
  readonly sort: string | undefined;
  readonly reverse: boolean;
}

export interface ShapedRow {
  readonly text: JsonText;
  readonly fields: Fields;
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
