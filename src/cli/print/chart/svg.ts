import { cleanText } from '../text.ts';
import {
  type Along,
  alongOf,
  type Chart,
  type Line,
  type Panel,
  type Scale,
  scaleOf,
  share,
  spanText,
  tickTexts,
} from './chart.ts';

const WIDTH = 960;
const EDGE = { left: 80, right: 24 };
const ROOM = WIDTH - EDGE.left - EDGE.right;
const HEIGHTS = { main: 340, other: 110, gap: 46 };
const MAX_MOMENTS = 10;
const LINE_HEIGHT = 18;
/** About as wide as a letter of the text is. */
const LETTER = 6.6;
const BOLD_LETTER = 8;

/** Where a panel stands. */
interface Frame {
  readonly top: number;
  readonly height: number;
  readonly scale: Scale;
  readonly along: Along;
}

/** Colours by the wish of the reader's system. Told apart by people who see colours differently: the palette of Okabe and Ito. */
const LIGHT =
  '--ground:#fff;--ink:#222;--soft:#666;--rule:#e2e2e2;--mark:#b00020;--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#cc79a7;--c4:#b07d00;--c5:#56b4e9;--c6:#7a5195;--c7:#666';
const DARK =
  '--ground:#16181d;--ink:#e8e8e8;--soft:#a0a4ab;--rule:#343841;--mark:#ff7b7b;--c0:#56b4e9;--c1:#ff9352;--c2:#2fc79b;--c3:#e59cc4;--c4:#f0c040;--c5:#9ad7ff;--c6:#b79ae0;--c7:#b5b5b5';
export const PALETTE = `:root{${LIGHT}}
@media (prefers-color-scheme:dark){:root{${DARK}}}`;

const HUES = 8;

export const hueOf = (line: number) => `var(--c${line % HUES})`;

/** A chart as an SVG document: panels one above the other over one axis along. */
export function renderSvg(chart: Chart): string {
  const [subject = '', ...facts] = chart.title;
  const span = spanText(chart);
  const along = alongOf(chart, MAX_MOMENTS);
  const parts: string[] = [
    textAt(EDGE.left, 30, span === undefined ? subject : `${subject}, ${span}`, 'class="title"'),
  ];
  let y = 30;
  const tell = (text: string, look: string) => {
    for (const line of wrapped(text)) {
      y += LINE_HEIGHT;
      parts.push(textAt(EDGE.left, y, line, look));
    }
  };
  tell(facts.filter((fact) => !chart.marks.includes(fact)).join(' · '), 'class="soft"');
  for (const mark of chart.marks) tell(mark, 'class="mark"');
  y += 2;
  let hue = 0;
  const drawn = along ? chart.panels : [];
  for (const [i, panel] of drawn.entries()) {
    const height = i === 0 ? HEIGHTS.main : HEIGHTS.other;
    const scale = scaleOf(panel, i === 0 ? 6 : 3);
    if (!scale || !along) continue;
    y += HEIGHTS.gap;
    parts.push(...panelOf(panel, { top: y, height, scale, along }, hue));
    hue += panel.lines.length;
    y += height;
  }
  if (along && drawn.length > 0) parts.push(...moments(along, y));
  else parts.push(textAt(EDGE.left, y + 40, 'No rows.'));
  y += along ? 24 : 64;
  for (const line of chart.below) tell(line, 'class="soft"');
  const height = y + 20;
  const title = escapeXml(chart.title.join(' · '));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12" role="img"><title>${title}</title>
<style>${PALETTE}
text{fill:var(--ink)}.title{font-size:16px;font-weight:bold}.soft{fill:var(--soft)}.mark{fill:var(--mark);font-weight:bold}.rule{stroke:var(--rule)}.level{stroke:var(--soft);stroke-dasharray:4 4}.line{fill:none;stroke-width:1.5;stroke-linejoin:round;stroke-linecap:round}</style>
<rect width="${WIDTH}" height="${height}" fill="var(--ground)"/>
${parts.filter(Boolean).join('\n')}
</svg>
`;
}

function panelOf(panel: Panel, frame: Frame, hue: number): readonly string[] {
  const { top, height, scale, along } = frame;
  const texts = tickTexts(scale.ticks);
  const across = scale.ticks.map((tick, i) => {
    const y = yOf(tick, frame);
    const text = textAt(EDGE.left - 8, y, texts[i] ?? '', 'class="soft" text-anchor="end" dominant-baseline="middle"');
    return rule('rule', [EDGE.left, y], [EDGE.left + ROOM, y]) + text;
  });
  const down = along.ticks.map(({ at }) => rule('rule', [xOf(at, along), top], [xOf(at, along), top + height]));
  const levels = (panel.rules ?? [])
    .filter((level) => level > scale.low && level < scale.high)
    .map((level) => rule('level', [EDGE.left, yOf(level, frame)], [EDGE.left + ROOM, yOf(level, frame)]));
  const lines = panel.lines.map((line, i) => drawnLine(line, frame, hueOf(hue + i)));
  return [...down, ...across, ...levels, ...lines, ...legend(panel, top - 12, hue)];
}

/** Name and unit of the axis, and the names of the lines in their colours where there are several. */
function legend({ name, unit, lines }: Panel, y: number, hue: number): readonly string[] {
  const label = [name, unit].filter(Boolean).join(', ');
  const named = lines.length < 2 && name !== undefined ? [] : lines;
  let x = EDGE.left + (label === '' ? 0 : label.length * LETTER + 18);
  return [
    textAt(EDGE.left, y, label, 'class="soft"'),
    ...named.map(({ name: text }, i) => {
      const at = x;
      x += text.length * BOLD_LETTER + 18;
      return textAt(round(at), y, text, `style="fill:${hueOf(hue + i)};font-weight:bold"`);
    }),
  ];
}

function moments(along: Along, y: number): readonly string[] {
  return along.ticks.map(({ at, text }) =>
    textAt(xOf(at, along), y + LINE_HEIGHT, text, 'class="soft" text-anchor="middle"'),
  );
}

/** A missing value starts a new stroke: nothing is drawn where nothing is known. */
function drawnLine({ points, look }: Line, frame: Frame, color: string): string {
  const placed = points.map(({ at, value }) => ({
    x: xOf(at, frame.along),
    y: value === null ? undefined : yOf(value, frame),
  }));
  if (look === 'bars') {
    const zero = yOf(0, frame);
    const bars = placed.map(({ x, y }) => (y === undefined ? '' : `M${x} ${zero}V${y}`));
    const width = Math.max(1, Math.min(8, (ROOM / Math.max(1, points.length)) * 0.7));
    return `<path d="${bars.join('')}" fill="none" style="stroke:${color}" stroke-width="${round(width)}" opacity="0.6"/>`;
  }
  if (look === 'dots')
    return placed
      .flatMap(({ x, y }) => (y === undefined ? [] : [`<circle cx="${x}" cy="${y}" r="3.5" style="fill:${color}"/>`]))
      .join('');
  let isOpen = false;
  const strokes = placed.map(({ x, y }) => {
    if (y === undefined) {
      isOpen = false;
      return '';
    }
    // A stroke of no length with round ends is a dot, which a value between two missing ranges would else not be.
    const stroke = isOpen ? `L${x} ${y}` : `M${x} ${y}h0`;
    isOpen = true;
    return stroke;
  });
  return `<path d="${strokes.join('')}" class="line" style="stroke:${color}"/>`;
}

const yOf = (value: number, { top, height, scale }: Frame) =>
  round(top + (1 - share(value, scale.low, scale.high)) * height);

const xOf = (at: number, { from, to }: Along) => round(EDGE.left + share(at, from, to) * ROOM);

const round = (number: number) => Math.round(number * 100) / 100;

function rule(kind: string, from: readonly [number, number], to: readonly [number, number]): string {
  return `<line class="${kind}" x1="${from[0]}" y1="${from[1]}" x2="${to[0]}" y2="${to[1]}"/>`;
}

/** Lines of a text that fit the width, broken between words. */
function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || (last.length + word.length + 1) * LETTER > ROOM) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

function textAt(x: number, y: number, text: string, look = ''): string {
  return text === '' ? '' : `<text x="${x}" y="${y}" ${look}>${escapeXml(text)}</text>`;
}

/** The drawing with its light colours spelled out, for readers that know no variables. */
export function lightColours(svg: string): string {
  const colours = new Map(LIGHT.split(';').map((one) => one.split(':') as [string, string]));
  return svg.replace(PALETTE, '').replace(/var\((--\w+)\)/g, (whole, name: string) => colours.get(name) ?? whole);
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
