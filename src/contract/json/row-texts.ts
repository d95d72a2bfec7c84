import { asJsonText, type JsonText } from './json.ts';

/** Rows of an answer, each the text of one JSON object. They may be made when they are read, and anew each time. */
export interface RowTexts extends Iterable<JsonText> {
  readonly length: number;
  /** The same rows; those that are put together here are not, for whoever wants their values alone. */
  readonly parts?: Iterable<JsonText | RowMembers>;
}

/** A row before it is put together. */
export interface RowMembers {
  /** None of them needs an escape. Rows of one shape have the very same list. */
  readonly names: readonly string[];
  /** The JSON text of each value, in the order of the names. */
  readonly values: readonly JsonText[];
}

/** Texts of the rows of a window, as they are served. */
export interface PageRows {
  /** The texts from a place on and before another one, with commas between, as bytes in pieces that nobody may change. */
  between(from: number, to: number): readonly Uint8Array[];
}

/** Rows that are made when they are read: a long answer never stands in memory as a whole. */
export function madeRows(length: number, rowOf: (place: number) => JsonText | RowMembers): RowTexts {
  return {
    length,
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
  const { names, values } = row;
  let text = '{';
  for (let place = 0; place < names.length; place += 1)
    text += `${place === 0 ? '' : ','}"${names[place]}":${values[place]}`;
  return asJsonText(`${text}}`);
}
