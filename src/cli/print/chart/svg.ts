import type { ChartStyle } from '../../parse/options.ts';
import { cleanText, wrapWords } from '../text.ts';
import {
  type Along,
  alongOf,
  bandsOf,
  type Chart,
  type Line,
  type Panel,
  type Scale,
  scaleOf,
  share,
  tickTexts,
} from './chart.ts';

const DEFAULT_WIDTH = 960;
const EDGE = { left: 80, right: 24 };
const HEIGHTS = { main: 340, other: 110, gap: 28 };
/** Least heights of a panel, so that a small picture stays one. */
const MIN_PANEL = 24;
const LINE_HEIGHT = 18;
/** Room of a mark along. */
const MARK_WIDTHS = { time: 76, years: 44 };
/** Least room of a mark of the values, and how many there are, whose ends alone have a name where it is narrow. */
const MARK_HEIGHT = 26;
const MARKS = { main: [4, 6], other: [2, 3] } as const;
/** About as wide as a letter of the text is. */
const LETTER = 6.6;
const BOLD_LETTER = 7.4;

interface Frame {
  readonly top: number;
  readonly height: number;
  /** Pixels from the left edge of the panel to its right one. */
  readonly across: number;
  readonly scale: Scale;
  readonly along: Along;
}

/** The palette of Okabe and Ito, which colour-blind people can read. */
const THEMES = {
  light:
    '--ground:#fff;--ink:#222;--soft:#666;--rule:#e2e2e2;--mark:#b00020;--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#cc79a7;--c4:#b07d00;--c5:#56b4e9;--c6:#7a5195;--c7:#666',
  dark: '--ground:#16181d;--ink:#e8e8e8;--soft:#a0a4ab;--rule:#343841;--mark:#ff7b7b;--c0:#56b4e9;--c1:#ff9352;--c2:#2fc79b;--c3:#e59cc4;--c4:#f0c040;--c5:#9ad7ff;--c6:#b79ae0;--c7:#b5b5b5',
} as const;

/** Colours of one theme, or of the reader's system. */
export function paletteOf(theme: ChartStyle['theme']): string {
  if (theme) return `:root{${THEMES[theme]};color-scheme:${theme}}`;
  return `:root{${THEMES.light};color-scheme:light dark}\n@media (prefers-color-scheme:dark){:root{${THEMES.dark}}}`;
}

const HUES = 8;
export const hueOf = (line: number) => `var(--c${line % HUES})`;

/** A chart as an SVG document: panels one above the other over one axis along. */
export function renderSvg(chart: Chart, { size, theme }: ChartStyle = {}): string {
  const width = size?.width ?? DEFAULT_WIDTH;
  const across = width - EDGE.left - EDGE.right;
  const along = alongOf(chart, Math.max(1, Math.floor(across / MARK_WIDTHS[chart.along])));
  const parts: string[] = [];
  let y = 12;
  const tell = (text: string, look: string, letter = LETTER) => {
    for (const line of wrapWords(text, across / letter)) {
      y += LINE_HEIGHT;
      parts.push(textAt(EDGE.left, y, line, look));
    }
  };
  tell(chart.title, 'class="title"', 9);
  tell(chart.facts.join(' · '), 'class="soft"');
  for (const mark of chart.marks) tell(mark, 'class="mark"', BOLD_LETTER);
  let hue = 0;
  const drawn = (along ? chart.panels : []).flatMap((panel) => {
    if (!scaleOf(panel, 2)) return [];
    const first = hue;
    hue += panel.lines.length;
    return [{ panel, hue: first, legend: legendOf(panel, across, first) }];
  });
  const below = chart.below.flatMap((line) => wrapWords(line, across / LETTER));
  const heights = panelHeights(drawn, (size?.height ?? 0) - y - 44 - below.length * LINE_HEIGHT);
  for (const [i, { panel, hue: first, legend }] of drawn.entries()) {
    const height = heights[i] ?? HEIGHTS.other;
    const [least, most] = i === 0 ? MARKS.main : MARKS.other;
    const scale = scaleOf(panel, Math.max(least, Math.min(most, Math.floor(height / MARK_HEIGHT))));
    if (!along || !scale) continue;
    y += HEIGHTS.gap;
    for (const line of legend) {
      parts.push(...line(y));
      y += LINE_HEIGHT;
    }
    parts.push(...panelOf(panel, { top: y - 6, height, across, scale, along }, first));
    y += height - 6;
  }
  if (along && drawn.length > 0) parts.push(...moments(along, y, width));
  else parts.push(textAt(EDGE.left, y + 40, 'No rows.'));
  y += along ? 24 : 64;
  for (const line of chart.below) tell(line, 'class="soft"');
  const height = Math.max(y + 20, size?.height ?? 0);
  const title = escapeXml([chart.title, ...chart.facts, ...chart.marks].join(' · '));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12" role="img"><title>${title}</title>
<style>${paletteOf(theme)}
text{fill:var(--ink)}.title{font-size:16px;font-weight:bold}.soft{fill:var(--soft)}.mark{fill:var(--mark);font-weight:bold}.rule{stroke:var(--rule)}.level{stroke:var(--soft);stroke-dasharray:4 4}.band{opacity:.14}.line{fill:none;stroke-width:1.5;stroke-linejoin:round;stroke-linecap:round}</style>
<rect width="${width}" height="${height}" fill="var(--ground)"/>
${parts.filter(Boolean).join('\n')}
</svg>
`;
}

/** The heights of panels in the room of a chosen size, the first one thrice as high as the others; else the default ones. */
function panelHeights(panels: readonly { readonly legend: readonly unknown[] }[], room: number): readonly number[] {
  if (room <= 0) return panels.map((_, i) => (i === 0 ? HEIGHTS.main : HEIGHTS.other));
  const heads = panels.reduce((sum, { legend }) => sum + HEIGHTS.gap - 6 + legend.length * LINE_HEIGHT, 0);
  const share = (room - heads) / (panels.length + 2);
  return panels.map((_, i) => Math.max(MIN_PANEL, Math.floor(i === 0 ? 3 * share : share)));
}

function panelOf(panel: Panel, frame: Frame, hue: number): readonly string[] {
  const { top, height, scale, along, across } = frame;
  const texts = tickTexts(scale.ticks);
  const right = EDGE.left + across;
  const values = scale.ticks.map((tick, i) => {
    const y = yOf(tick, frame);
    const isShown = height >= (scale.ticks.length - 1) * 14 || i === 0 || i === scale.ticks.length - 1;
    const text = textAt(
      EDGE.left - 8,
      y,
      isShown ? (texts[i] ?? '') : '',
      'class="soft" text-anchor="end" dominant-baseline="middle"',
    );
    return rule('rule', [EDGE.left, y], [right, y]) + text;
  });
  const down = along.ticks.map(({ at }) => {
    const x = xOf(at, frame);
    return rule('rule', [x, top], [x, top + height]);
  });
  const levels = (panel.rules ?? [])
    .filter((level) => level > scale.low && level < scale.high)
    .map((level) => rule('level', [EDGE.left, yOf(level, frame)], [right, yOf(level, frame)]));
  const bands = bandsOf(panel).map(({ upper, lower, hue: own }) => filledBand(upper, lower, frame, hueOf(hue + own)));
  const lines = panel.lines.map((line, i) => drawnLine(line, frame, hueOf(hue + i)));
  return [...down, ...values, ...levels, ...bands, ...lines];
}

/** Name and unit of the axis, and the names of the lines in their colours where there are several: rows that fit. */
function legendOf({ name, unit, lines }: Panel, across: number, hue: number): readonly ((y: number) => string[])[] {
  const label = [name, unit].filter(Boolean).join(', ');
  const items = [
    ...(label === '' ? [] : [{ text: label, width: label.length * LETTER, svg: 'class="soft"' }]),
    ...(lines.length < 2 ? [] : lines).map(({ name: text }, i) => ({
      text,
      width: boldWidth(text),
      svg: `style="fill:${hueOf(hue + i)};font-weight:bold"`,
    })),
  ];
  const rows: { text: string; svg: string; x: number }[][] = [[]];
  let x = 0;
  for (const { text, width, svg } of items) {
    if (x > 0 && x + width > across) {
      rows.push([]);
      x = 0;
    }
    rows.at(-1)?.push({ text, svg, x });
    x += width + 18;
  }
  return rows.map((row) => (y) => row.map((one) => textAt(round(EDGE.left + one.x), y, one.text, one.svg)));
}

/** About as wide as a bold text is. */
const boldWidth = (text: string) =>
  [...text].reduce((sum, letter) => sum + (/[a-z\d]/.test(letter) ? 8 : /[A-Z%]/.test(letter) ? 9.5 : 5), 0);

/** The last text ends at the edge of the picture, so that it stays whole. */
function moments(along: Along, y: number, width: number): readonly string[] {
  return along.ticks.map(({ at, text }) => {
    const x = xOf(at, { along, across: width - EDGE.left - EDGE.right });
    const isWhole = x + (text.length * LETTER) / 2 < width - 4;
    return textAt(
      isWhole ? x : width - 4,
      y + LINE_HEIGHT,
      text,
      `class="soft" text-anchor="${isWhole ? 'middle' : 'end'}"`,
    );
  });
}

/** The area between two lines, broken where one of them has a missing range. */
function filledBand(upper: Line, lower: Line, frame: Frame, color: string): string {
  const bottoms = new Map(lower.points.map(({ at, value }) => [at, value]));
  const pieces: { x: number; top: number; bottom: number }[][] = [[]];
  for (const { at, value } of upper.points) {
    const low = bottoms.get(at) ?? null;
    if (value === null || low === null) pieces.push([]);
    else pieces.at(-1)?.push({ x: xOf(at, frame), top: yOf(value, frame), bottom: yOf(low, frame) });
  }
  const shapes = pieces.map((piece) => {
    const places = [
      ...piece.map(({ x, top }) => `${x} ${top}`),
      ...piece.toReversed().map(({ x, bottom }) => `${x} ${bottom}`),
    ];
    return piece.length < 2 ? '' : `M${places.join('L')}Z`;
  });
  return `<path d="${shapes.join('')}" class="band" style="fill:${color}"/>`;
}

/** A missing value starts a new stroke: nothing is drawn where nothing is known. */
function drawnLine({ points, look }: Line, frame: Frame, color: string): string {
  const placed = points.map(({ at, value }) => ({
    x: xOf(at, frame),
    y: value === null ? undefined : yOf(value, frame),
  }));
  if (look === 'bars') {
    const zero = yOf(0, frame);
    const bars = placed.map(({ x, y }) => (y === undefined ? '' : `M${x} ${zero}V${y}`));
    const width = Math.max(1, Math.min(8, (frame.across / Math.max(1, points.length)) * 0.7));
    return `<path d="${bars.join('')}" fill="none" style="stroke:${color}" stroke-width="${round(width)}" opacity="0.6"/>`;
  }
  if (look === 'dots')
    return placed
      .flatMap(({ x, y }) => (y === undefined ? [] : [`<circle cx="${x}" cy="${y}" r="3.5" style="fill:${color}"/>`]))
      .join('');
  const isAt = (place: number) => placed[place]?.y !== undefined;
  const strokes = placed.map(({ x, y }, i) => (y === undefined ? '' : `${isAt(i - 1) ? 'L' : 'M'}${x} ${y}`));
  // A value between two missing ranges has no line to be on.
  const alone = placed.flatMap(({ x, y }, i) =>
    y === undefined || isAt(i - 1) || isAt(i + 1)
      ? []
      : [`<circle cx="${x}" cy="${y}" r="2.5" style="fill:${color}"/>`],
  );
  return `<path d="${strokes.join('')}" class="line" style="stroke:${color}"/>${alone.join('')}`;
}

const yOf = (value: number, { top, height, scale }: Frame) =>
  round(top + (1 - share(value, scale.low, scale.high)) * height);

const xOf = (at: number, { along, across }: Pick<Frame, 'along' | 'across'>) =>
  round(EDGE.left + share(at, along.from, along.to) * across);

const round = (number: number) => Math.round(number * 100) / 100;

function rule(kind: string, from: readonly [number, number], to: readonly [number, number]): string {
  return `<line class="${kind}" x1="${from[0]}" y1="${from[1]}" x2="${to[0]}" y2="${to[1]}"/>`;
}

function textAt(x: number, y: number, text: string, look = ''): string {
  return text === '' ? '' : `<text x="${x}" y="${y}" ${look}>${escapeXml(text)}</text>`;
}

/** The drawing with the colours of one theme spelled out, for readers that know no variables. */
export function spelledColours(svg: string, theme: ChartStyle['theme'] = 'light'): string {
  const colours = new Map(THEMES[theme].split(';').map((one) => one.split(':') as [string, string]));
  return svg
    .replace(/:root\{[^}]*\}/, '')
    .replace(/var\((--\w+)\)/g, (whole, name: string) => colours.get(name) ?? whole);
}

/** Names and titles come from the service: none of them may become markup or turn the text around. */
export function escapeXml(text: string): string {
  const named: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return cleanText(text)
    .replace(/[&<>"']/g, (sign) => named[sign] ?? '')
    .replace(/[\ufffe\uffff]/g, '\ufffd');
}
