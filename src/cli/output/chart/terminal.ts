import { createColors } from 'picocolors';
import { cleanText } from '../clean.ts';
import type { Listing } from '../listing.ts';
import type { Shape } from '../shape.ts';
import { type Canvas, createCanvas, DOTS_ACROSS, DOTS_DOWN } from './braille.ts';
import { type Chart, chartOf, type Line } from './chart.ts';
import { momentTexts, type Scale, scaleOf, share, tickTexts } from './scale.ts';

const ROWS = 16;
const TICKS = 5;
const WIDEST = 120;
const NARROWEST = 20;
const DEFAULT_WIDTH = 80;
/** One line is drawn in one colour; without colours it is drawn in one sign, the first one in dots. */
const HUES = ['cyan', 'yellow', 'magenta', 'green', 'blue', 'red'] as const;
const SIGNS = [undefined, '+', 'x', 'o', '#', '%'] as const;
const DOTTED = '\u2812';

interface Look {
  readonly color: boolean;
  readonly width: number | undefined;
}

/** A chart of a listing as text for a terminal. */
export function plotOf(listing: Listing, options: Shape & Look): string {
  return renderChart(chartOf(listing, options), options);
}

/** The chart as text: title, plot with its axes, names of the lines where there are several, sentences. */
function renderChart(chart: Chart, look: { readonly color: boolean; readonly width: number | undefined }): string {
  const paint = createColors(look.color);
  const [name, ...facts] = chart.title.map(cleanText);
  const title = name === undefined ? [] : [[paint.bold(name), ...facts.map(paint.dim)].join('  '), ''];
  const scale = scaleOf(chart.lines, TICKS);
  const isSigned = !look.color && chart.lines.length > 1;
  const ink = (line: number, text: string) =>
    isSigned ? (SIGNS[line % SIGNS.length] ?? text) : paint[HUES[line % HUES.length] ?? 'cyan'](text);
  const nameOf = ({ name: text }: Line, line: number) =>
    isSigned ? `${ink(line, DOTTED)} ${cleanText(text)}` : ink(line, cleanText(text));
  const plot = scale
    ? linesOf(chart.lines, scale, { width: look.width ?? DEFAULT_WIDTH, ink })
    : [paint.dim('No rows.')];
  const names = chart.lines.length < 2 ? [] : [chart.lines.map(nameOf).join('  ')];
  return `${[...title, ...plot, ...names, ...chart.below.map((line) => paint.dim(cleanText(line)))].join('\n')}\n`;
}

interface Room {
  readonly width: number;
  /** A cell as its line is drawn. */
  readonly ink: (line: number, text: string) => string;
}

function linesOf(lines: readonly Line[], scale: Scale, { width, ink }: Room): readonly string[] {
  const texts = tickTexts(scale.ticks);
  const margin = Math.max(...texts.map((text) => text.length));
  const columns = Math.max(NARROWEST, Math.min(width, WIDEST) - margin - 2);
  const canvas = createCanvas(columns, ROWS);
  for (const [i, line] of lines.entries()) drawLine(canvas, line, { scale, columns, number: i });
  const marks = new Map(
    scale.ticks.map((tick, i) => [Math.round((1 - share(tick, scale.low, scale.high)) * (ROWS - 1)), texts[i] ?? '']),
  );
  const rows = canvas.rows().map((cells, row) => {
    const mark = marks.get(row);
    const drawn = cells.map(({ text, line }) => (line === undefined ? text : ink(line, text))).join('');
    return `${(mark ?? '').padStart(margin)} ${mark === undefined ? '│' : '┤'}${drawn}`.trimEnd();
  });
  return [...rows, `${' '.repeat(margin + 1)}└${'─'.repeat(columns)}`, axisOf(scale, margin + 2, columns)];
}

/** A value that stands alone is a dot; a missing one is a hole and no slope between its neighbours. */
function drawLine(
  canvas: Canvas,
  { points }: Line,
  { scale, columns, number }: { scale: Scale; columns: number; number: number },
): void {
  let before: readonly [number, number] | undefined;
  for (const { at, value } of points) {
    if (value === null) {
      before = undefined;
      continue;
    }
    const x = Math.round(share(at, scale.from, scale.to) * (columns * DOTS_ACROSS - 1));
    const y = Math.round((1 - share(value, scale.low, scale.high)) * (ROWS * DOTS_DOWN - 1));
    canvas.draw(before ?? [x, y], [x, y], number);
    before = [x, y];
  }
}

/** First and last moment below the ends of the axis, and one in the middle where there is room. */
function axisOf(scale: Scale, margin: number, columns: number): string {
  const moments = momentTexts(scale, 3);
  const [first = '', ...others] = moments;
  if (others.length === 0) return `${' '.repeat(margin)}${first}`;
  const [last = '', middle = ''] = others.toReversed();
  const free = columns - first.length - middle.length - last.length;
  if (free < 4)
    return `${' '.repeat(margin)}${first}${last.padStart(Math.max(columns - first.length, last.length + 1))}`;
  const left = Math.floor(free / 2);
  return `${' '.repeat(margin)}${first}${' '.repeat(left)}${middle}${' '.repeat(free - left)}${last}`;
}
