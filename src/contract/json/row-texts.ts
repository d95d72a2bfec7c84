import type { JsonText } from './json.ts';

/** Rows of an answer, each the text of one JSON object. They may be made when they are read, and anew each time. */
export interface RowTexts extends Iterable<JsonText> {
  readonly length: number;
}

/** Texts of the rows of a window, as they are served. */
export interface PageRows {
  /** The texts from a place on and before another one, with commas between, as bytes in pieces that nobody may change. */
  between(from: number, to: number): readonly Uint8Array[];
}

/** Rows that are made when they are read: a long answer never stands in memory as a whole. */
export function madeRows(length: number, textOf: (place: number) => JsonText): RowTexts {
  return {
    length,
    *[Symbol.iterator]() {
      for (let place = 0; place < length; place += 1) yield textOf(place);
    },
  };
}
