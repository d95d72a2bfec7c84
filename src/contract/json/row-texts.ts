import { asJsonText, floatOrNullText, type JsonText } from './json.ts';

/** Rows of an answer, each the text of one JSON object. They may be made when they are read, and anew each time. */
export interface RowTexts extends Iterable<JsonText> {
  readonly length: number;
  /** Those of every row, in their order, where they are known to be the same in all. */
  readonly names?: readonly string[] | undefined;
  /** The same rows; those that are put together here are not, for whoever wants their values alone. */
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
  /** Makes a number of a column the one that is shown; NaN stays. */
  round(value: number): number;
}

/** Texts of the rows of a window, as they are served. */
export interface PageRows {
  /** The texts from a place on and before another one, with commas between, as bytes in pieces that nobody may change. */
  between(from: number, to: number): readonly Uint8Array[];
}

/** Rows that are made when they are read: a long answer never stands in memory as a whole. */
export function madeRows(
  length: number,
  rowOf: (place: number) => JsonText | RowMembers,
  names?: readonly string[],
): RowTexts {
  return {
    length,
    names,
    *[Symbol.iterator]() {
      for (let place = 0; place < length; place += 1) yield rowText(rowOf(place));
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
  const value = round(columns[column]?.[row] ?? Number.NaN);
  return floatOrNullText(Number.isNaN(value) ? null : value);
}
