import { cleanText } from '../clean.ts';
import type { PictureFormat } from '../format.ts';
import type { Listing } from '../listing.ts';
import type { Shape } from '../shape.ts';
import { type Chart, chartOf, type Line } from './chart.ts';
import { momentTexts, type Scale, scaleOf, share, tickTexts } from './scale.ts';

const WIDTH = 960;
const HEIGHT = 480;
const EDGE = { left: 80, right: 24, top: 56, bottom: 64 };
const PLOT = { width: WIDTH - EDGE.left - EDGE.right, height: HEIGHT - EDGE.top - EDGE.bottom };
const TICKS = 6;
const MOMENTS = 6;
/** Told apart by people who see colours differently: the palette of Okabe and Ito. */
const HUES = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'] as const;

/** A chart of a listing as the text of a file. */
export function pictureOf(listing: Listing, shape: Shape, format: PictureFormat): string {
  const chart = chartOf(listing, shape);
  return format === 'svg' ? renderSvg(chart) : renderHtml(chart);
}

/** The chart as an SVG document. */
function renderSvg(chart: Chart): string {
  const scale = scaleOf(chart.lines, TICKS);
  const parts = [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    textAt(EDGE.left, 28, chart.title.join(' · '), 'font-size="16" font-weight="bold"'),
    ...(scale ? [...axes(scale), ...chart.lines.map((line, i) => lineOf(line, scale, hue(i)))] : []),
    ...(scale ? [] : [textAt(EDGE.left, HEIGHT / 2, 'No rows.')]),
    ...names(chart.lines),
    textAt(EDGE.left, HEIGHT - 12, chart.below.join(' '), 'fill="#555555"'),
  ];
  const title = escapeXml(chart.title.join(' · '));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="12" role="img"><title>${title}</title>\n${parts.join('\n')}\n</svg>\n`;
}

/** The same as a page of its own. */
function renderHtml(chart: Chart): string {
  const title = escapeXml(chart.title.join(' · '));
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>\n<body style="margin:0">\n${renderSvg(chart).replace('<svg ', '<svg style="max-width:100%;height:auto" ')}</body></html>\n`;
}

const hue = (line: number) => HUES[line % HUES.length] ?? HUES[0];

function axes(scale: Scale): readonly string[] {
  const texts = tickTexts(scale.ticks);
  const across = scale.ticks.map((tick, i) => {
    const y = yOf(tick, scale);
    const rule = `<line x1="${EDGE.left}" y1="${y}" x2="${EDGE.left + PLOT.width}" y2="${y}" stroke="#dddddd"/>`;
    return rule + textAt(EDGE.left - 8, y, texts[i] ?? '', 'text-anchor="end" dominant-baseline="middle"');
  });
  const moments = momentTexts(scale, MOMENTS);
  const count = moments.length;
  const along = moments.map((text, i) => {
    const x = EDGE.left + (count === 1 ? PLOT.width / 2 : (PLOT.width * i) / (count - 1));
    const anchor = i === 0 && count > 1 ? 'start' : i === count - 1 && count > 1 ? 'end' : 'middle';
    return textAt(round(x), EDGE.top + PLOT.height + 20, text, `text-anchor="${anchor}"`);
  });
  return [...across, ...along];
}

/** A missing value starts a new stroke: nothing is drawn where nothing is known. */
function lineOf({ points }: Line, scale: Scale, color: string): string {
  let isOpen = false;
  const strokes = points.map(({ at, value }) => {
    if (value === null) {
      isOpen = false;
      return '';
    }
    const place = `${round(EDGE.left + share(at, scale.from, scale.to) * PLOT.width)} ${yOf(value, scale)}`;
    // A stroke of no length with round ends is a dot, which a value between two holes would else not be.
    const stroke = isOpen ? `L${place}` : `M${place}h0`;
    isOpen = true;
    return stroke;
  });
  return `<path d="${strokes.join('')}" fill="none" stroke="${color}" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"/>`;
}

function names(lines: readonly Line[]): readonly string[] {
  if (lines.length < 2) return [];
  const room = PLOT.width / lines.length;
  return lines.map(({ name }, i) => textAt(round(EDGE.left + i * room), 46, name, `fill="${hue(i)}"`));
}

const yOf = (value: number, { low, high }: Scale) => round(EDGE.top + (1 - share(value, low, high)) * PLOT.height);

const round = (number: number) => Math.round(number * 100) / 100;

function textAt(x: number, y: number, text: string, look = ''): string {
  return text === '' ? '' : `<text x="${x}" y="${y}" ${look}>${escapeXml(text)}</text>`;
}

/** Names and titles come from the service: none of them may become markup or turn the text around. */
function escapeXml(text: string): string {
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
