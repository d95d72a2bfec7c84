/** Dots of one character, by row and column, as bits of its code point: Unicode's block of Braille patterns. */
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;
const BLANK = 0x2800;
export const DOTS_ACROSS = 2;
export const DOTS_DOWN = 4;

/** A grid of characters in which single dots are set, two across and four down in each. */
export interface Canvas {
  /** Draws a straight line between two dots, both included; `line` says which line it belongs to. */
  draw(from: readonly [x: number, y: number], to: readonly [x: number, y: number], line: number): void;
  /** Rows from the top; each cell is a character and the line that was drawn into it last. */
  rows(): readonly (readonly DotCell[])[];
}

interface DotCell {
  readonly text: string;
  readonly line: number | undefined;
}

export function createCanvas(columns: number, rows: number): Canvas {
  const bits = new Uint8Array(columns * rows);
  const owners = new Map<number, number>();

  function set(x: number, y: number, line: number): void {
    const place = Math.floor(y / DOTS_DOWN) * columns + Math.floor(x / DOTS_ACROSS);
    bits[place] = (bits[place] ?? 0) | (DOTS[y % DOTS_DOWN]?.[x % DOTS_ACROSS] ?? 0);
    owners.set(place, line);
  }

  return {
    draw([x0, y0], [x1, y1], line) {
      const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1);
      for (let step = 0; step <= steps; step += 1)
        set(Math.round(x0 + ((x1 - x0) * step) / steps), Math.round(y0 + ((y1 - y0) * step) / steps), line);
    },
    rows() {
      return Array.from({ length: rows }, (_, row) =>
        Array.from({ length: columns }, (_, column): DotCell => {
          const place = row * columns + column;
          const dots = bits[place] ?? 0;
          return { text: dots === 0 ? ' ' : String.fromCodePoint(BLANK + dots), line: owners.get(place) };
        }),
      );
    },
  };
}
