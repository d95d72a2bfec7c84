import { createColors } from 'picocolors';
import type { ChartStyle } from '../../parse/options.ts';
import type { Listing } from '../listing.ts';
import type { Shape } from '../rows.ts';
import { titleLines } from '../table.ts';
import { cleanText, wrapPieces, wrapWords } from '../text.ts';
import {
  type Along,
  alongOf,
  bandsOf,
  type Chart,
  chartOf,
  type Line,
  type Panel,
  type Scale,
  scaleOf,
  share,
  tickTexts,
} from './chart.ts';

const MIN_HEIGHT = 24;
const MIN_ROWS = 3;
const MAX_MARKS = 8;
/** Columns of a date below the axis. */
const COLUMNS_OF_DATE = 12;
const WIDEST = 200;
const NARROWEST = 20;
const DEFAULT_WIDTH = 80;
/** One line is drawn in one colour; without colours it is drawn in one sign, the first one in dots. */
const HUES = ['cyan', 'yellow', 'magenta', 'green', 'blue', 'red'] as const;
const SIGNS = [undefined, '+', 'x', 'o', '#', '%'] as const;
/** The axis, its dates, an empty line, and the line of the prompt. */
const OTHER_LINES = 4;
/** Fills a band. */
const SHADE = '\u2591';
const DOTTED = '\u2812';

interface TerminalOptions {
  readonly color: boolean;
  readonly width: number | undefined;
  readonly height?: number | undefined;
  readonly style?: ChartStyle;
}
/** Dots of one character, by row and column, as bits of its code point: Unicode's block of Braille patterns. */
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;
const BLANK = 0x2800;
const DOTS_ACROSS = 2;
const DOTS_DOWN = 4;

type Canvas = ReturnType<typeof createCanvas>;

export function plotOf(listing: Listing, options: Shape & TerminalOptions): string {
  return renderChart(chartOf(listing, options), options);
}

function renderChart(chart: Chart, options: TerminalOptions): string {
  const paint = createColors(options.color);
  const width = options.width ?? Number.POSITIVE_INFINITY;
  const wrapped = (text: string) => wrapWords(cleanText(text), width);
  const head = [
    ...titleLines([chart.title, ...chart.facts], width, paint),
    ...chart.marks.flatMap(wrapped).map(paint.red),
  ];
  const below = chart.below.flatMap(wrapped).map(paint.dim);
  const size = sizeOf(options);
  const along = alongOf(chart, Math.max(2, Math.floor(size.width / COLUMNS_OF_DATE)));
  const height = size.height - head.length - below.length - OTHER_LINES;
  const plot = along ? panelsOf(chart, along, { ...options, size: { ...size, height } }) : [];
  const body = plot.length > 0 ? plot : [paint.dim('No rows.')];
  return `${[...head, '', ...body, ...below].join('\n')}\n`;
}

/** Characters across and down: the chosen ones, else those of the terminal in the shape of a picture. */
function sizeOf({ width = DEFAULT_WIDTH, height = width, style }: TerminalOptions): PictureSize {
  const across = Math.min(width, WIDEST);
  return style?.size ?? { width: across, height: Math.min(height, Math.max(MIN_HEIGHT, Math.round(across / 3))) };
}

type PictureSize = NonNullable<ChartStyle['size']>;

function panelsOf(
  { panels }: Chart,
  along: Along,
  { color, size }: TerminalOptions & { readonly size: PictureSize },
): readonly string[] {
  const paint = createColors(color);
  const drawn = panels.flatMap((panel) => {
    if (!scaleOf(panel, 2)) return [];
    const isSigned = !color && panel.lines.length > 1;
    const ink = (line: number, text: string) =>
      isSigned ? (SIGNS[line % SIGNS.length] ?? text) : paint[HUES[line % HUES.length] ?? 'cyan'](text);
    const nameOf = ({ name: text }: Line, line: number) =>
      isSigned ? `${ink(line, DOTTED)} ${cleanText(text)}` : ink(line, cleanText(text));
    const label = [panel.name, panel.unit].filter(Boolean).map((text) => cleanText(String(text)));
    const names = panel.lines.length < 2 ? [] : panel.lines.map(nameOf);
    const head = wrapPieces([...(label.length > 0 ? [paint.dim(label.join(', '))] : []), ...names], '  ', size.width);
    return [{ panel, ink, head }];
  });
  if (drawn.length === 0) return [];
  const room = drawn.reduce((left, { head }) => left - head.length, size.height);
  const scaled = drawn.flatMap((one, i) => {
    const rows = rowsOf(i, drawn.length, room);
    const scale = scaleOf(one.panel, Math.min(MAX_MARKS, 2 + Math.floor(rows / 4)));
    return scale ? [{ ...one, rows, scale, texts: tickTexts(scale.ticks) }] : [];
  });
  // One margin for all panels: dates of one column are one date.
  const margin = Math.max(...scaled.flatMap(({ texts }) => texts.map((text) => text.length)));
  const columns = Math.max(NARROWEST, size.width - margin - 2);
  const lines = scaled.flatMap(({ panel, head, ...more }) => [
    ...head,
    ...plotted(panel, { ...more, margin, columns, along, shade: paint.dim }),
  ]);
  return [...lines, `${' '.repeat(margin + 1)}└${'─'.repeat(columns)}`, axisText(along, margin + 2, columns)];
}

interface Room {
  readonly scale: Scale;
  readonly texts: readonly string[];
  readonly margin: number;
  readonly columns: number;
  readonly rows: number;
  readonly along: Along;
  /** A cell as its line is drawn. */
  readonly ink: (line: number, text: string) => string;
  /** The cell of a band. */
  readonly shade: (text: string) => string;
}

/** Rows of a panel: the first of several has half of the room. */
function rowsOf(i: number, panels: number, room: number): number {
  const share = panels === 1 ? room : i === 0 ? room / 2 : room / 2 / (panels - 1);
  return Math.max(MIN_ROWS, Math.floor(share));
}

function plotted(panel: Panel, room: Room): readonly string[] {
  const { scale, texts, margin, columns, rows, ink, shade } = room;
  const { lines } = panel;
  const filled = bandsOf(panel).map(({ upper, lower }) => bandCells(upper, lower, room));
  const canvas = createCanvas(columns, rows);
  for (const [i, line] of lines.entries()) drawLine(canvas, line, { ...room, number: i });
  const marks = new Map(
    scale.ticks.map((tick, i) => [Math.round((1 - share(tick, scale.low, scale.high)) * (rows - 1)), texts[i] ?? '']),
  );
  return canvas.rows().map((cells, row) => {
    const mark = marks.get(row);
    const drawn = cells
      .map(({ text, line }, column) => {
        if (line !== undefined) return ink(line, text);
        return filled.some((band) => band.has(row * columns + column)) ? shade(SHADE) : text;
      })
      .join('');
    return `${(mark ?? '').padStart(margin)} ${mark === undefined ? '│' : '┤'}${drawn}`.trimEnd();
  });
}

/** Cells between two lines, where both have a value. */
function bandCells(upper: Line, lower: Line, { scale, along, columns, rows }: Room): ReadonlySet<number> {
  const bottoms = new Map(lower.points.map(({ at, value }) => [at, value]));
  const rowOf = (value: number) => (1 - share(value, scale.low, scale.high)) * (rows - 1);
  const cells = new Set<number>();
  let before: { column: number; top: number; bottom: number } | undefined;
  for (const { at, value } of upper.points) {
    const low = bottoms.get(at) ?? null;
    if (value === null || low === null) {
      before = undefined;
      continue;
    }
    const column = Math.round(share(at, along.from, along.to) * (columns - 1));
    const here = { column, top: rowOf(value), bottom: rowOf(low) };
    const from = before ?? here;
    for (let x = from.column; x <= column; x += 1) {
      const part = share(x, from.column, column);
      const [top, bottom] = [from.top + (here.top - from.top) * part, from.bottom + (here.bottom - from.bottom) * part];
      for (let row = Math.round(top) + 1; row < Math.round(bottom); row += 1) cells.add(row * columns + x);
    }
    before = here;
  }
  return cells;
}

/** A value that stands alone is a dot; a missing one is a missing range and no slope between its neighbours. */
function drawLine(canvas: Canvas, { points, look }: Line, room: Room & { number: number }): void {
  const { scale, along, columns, rows, number } = room;
  const yOf = (value: number) => Math.round((1 - share(value, scale.low, scale.high)) * (rows * DOTS_DOWN - 1));
  let before: readonly [number, number] | undefined;
  for (const { at, value } of points) {
    if (value === null) {
      before = undefined;
      continue;
    }
    const x = Math.round(share(at, along.from, along.to) * (columns * DOTS_ACROSS - 1));
    const y = yOf(value);
    if (look === 'bars') before = [x, yOf(0)];
    if (look === 'dots') before = undefined;
    canvas.draw(before ?? [x, y], [x, y], number);
    before = [x, y];
  }
}

/** Round dates below their places; a date that would touch the one before it is left out. */
function axisText({ from, to, ticks }: Along, margin: number, columns: number): string {
  let text = ' '.repeat(margin);
  for (const { at, text: name } of ticks) {
    const column = margin + Math.round(share(at, from, to) * (columns - 1)) - Math.floor(name.length / 2);
    const place = Math.min(Math.max(column, margin), margin + columns - name.length);
    if (text.trim() !== '' && place < text.length + 2) continue;
    text = text.padEnd(place) + name;
  }
  return text;
}

/** A grid of characters in which single dots are set, two across and four down in each. */
export function createCanvas(columns: number, rows: number) {
  const bits = new Uint8Array(columns * rows);
  const owners = new Map<number, number>();

  function set(x: number, y: number, line: number): void {
    const place = Math.floor(y / DOTS_DOWN) * columns + Math.floor(x / DOTS_ACROSS);
    bits[place] = (bits[place] ?? 0) | (DOTS[y % DOTS_DOWN]?.[x % DOTS_ACROSS] ?? 0);
    owners.set(place, line);
  }

  return {
    /** Draws a straight line between two dots, both included; `line` says which line it belongs to. */
    draw([x0, y0]: readonly [number, number], [x1, y1]: readonly [number, number], line: number): void {
      const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1);
      for (let step = 0; step <= steps; step += 1)
        set(Math.round(x0 + ((x1 - x0) * step) / steps), Math.round(y0 + ((y1 - y0) * step) / steps), line);
    },
    /** Rows from the top; each cell is a character and the line that was drawn into it last. */
    rows() {
      return Array.from({ length: rows }, (_, row) =>
        Array.from({ length: columns }, (_, column) => {
          const place = row * columns + column;
          const dots = bits[place] ?? 0;
          return { text: dots === 0 ? ' ' : String.fromCodePoint(BLANK + dots), line: owners.get(place) };
        }),
      );
    },
  };
}
