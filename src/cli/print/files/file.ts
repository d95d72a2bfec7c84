import {
  type Along,
  alongOf,
  type Chart,
  chartOf,
  type Line,
  type Panel,
  type Scale,
  scaleOf,
  share,
  spanText,
  tickTexts,
} from '../chart/chart.ts';
import { escapeXml, hueOf, PALETTE } from '../chart/markup.ts';
import { type FileFormat, isPicture, type PictureFormat } from '../format.ts';
import type { Listing } from '../listing.ts';
import type { Shape } from '../rows.ts';
import { listingFile } from './table.ts';

/** A chart of a listing as the contents of a file. */
export interface FileFormatOptions extends Shape {
  readonly format: FileFormat;
  /** Milliseconds. */
  readonly now: number;
}

/** A chart as one page of its own: values under the pointer, a part of the dates by dragging, all of them by a double click. */
const MAX_MATURITIES = 12;

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

/** A listing as the contents of a file that is no list of lines: a picture, or a table with typed cells. */
export async function fileOf(
  listing: Listing,
  { format, ...options }: FileFormatOptions,
): Promise<string | Uint8Array> {
  return isPicture(format) ? pictureOf(listing, options, format) : listingFile(listing, { ...options, format });
}

export async function pictureOf(listing: Listing, shape: Shape, format: PictureFormat): Promise<string | Uint8Array> {
  return format === 'png' ? pngOf(await textPictureOf(listing, shape, 'svg')) : textPictureOf(listing, shape, format);
}

/** The same as text, where it is one. */
export async function textPictureOf(
  listing: Listing,
  shape: Shape,
  format: Exclude<PictureFormat, 'png'>,
): Promise<string> {
  const chart = chartOf(listing, shape);
  return format === 'svg' ? renderSvg(chart) : renderPage(chart);
}

async function pngOf(svg: string): Promise<Uint8Array> {
  const { renderPng } = await import('../chart/png.ts');
  return renderPng(svg);
}

/** The plotting library is loaded for such a page only. */
async function renderPage(chart: Chart): Promise<string> {
  const { PLOTTING_LIBRARY } = await import('../chart/plotting-library.ts');
  const [subject = '', ...facts] = chart.title;
  const span = spanText(chart);
  const title = escapeXml(span === undefined ? subject : `${subject}, ${span}`);
  const soft = escapeXml(facts.filter((fact) => !chart.marks.includes(fact)).join(' · '));
  const marks = chart.marks.map((mark) => `<p class="mark">${escapeXml(mark)}</p>`).join('');
  const below = chart.below.map((line) => `<p class="soft">${escapeXml(line)}</p>`).join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<style>${PLOTTING_LIBRARY.style}
${PALETTE}
body{margin:1rem;background:var(--ground);color:var(--ink);font:14px sans-serif}h1{font-size:18px;margin:0 0 .3rem}p{margin:.2rem 0}.soft{color:var(--soft)}.mark{color:var(--mark);font-weight:bold}.panel{color:var(--soft);margin:.6rem 0 0}.uplot,.uplot *{font-family:sans-serif}.u-legend{text-align:left}svg{max-width:100%;height:auto}</style></head>
<body><h1>${title}</h1><p class="soft">${soft}</p>${marks}
<div id="chart"></div><noscript>${renderSvg(chart)}</noscript>
<p class="soft">Drag over ${chart.along === 'time' ? 'dates' : 'maturities'} to see them closer; a double click shows all again.</p>${below}
<script>${inScript(PLOTTING_LIBRARY.script)}</script>
<script>const CHART=${inScript(JSON.stringify(dataOf(chart)))};
${DRAW}</script></body></html>
`;
}

/** One row of places, and a row of values for each line, as the library takes them. */
function dataOf(chart: Chart) {
  const { panels, along } = chart;
  const places = [...new Set(panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(({ at }) => at))))];
  places.sort((a, b) => a - b);
  let hue = 0;
  return {
    isTime: along === 'time',
    marks: along === 'time' ? [] : (alongOf(chart, MAX_MATURITIES)?.ticks ?? []),
    // The library counts seconds.
    places: places.map((at) => (along === 'time' ? at / 1000 : at)),
    panels: panels.map(({ name, unit, range, rules = [], lines }) => ({
      label: [name, unit].filter(Boolean).join(', '),
      range: range ?? null,
      rules,
      lines: lines.map(({ name: text, look, points }) => {
        const byPlace = new Map(points.map(({ at, value }) => [at, value]));
        return { name: text, look, color: hueOf(hue++), values: places.map((at) => valueAt(byPlace, at)) };
      }),
    })),
  };
}

/** Null is a hole; a line that has no point at a place goes straight on. */
function valueAt(byPlace: ReadonlyMap<number, number | null>, at: number): number | null | undefined {
  return byPlace.has(at) ? (byPlace.get(at) ?? null) : undefined;
}

/** Text inside of a script element must not end it. */
function inScript(text: string): string {
  return text
    .replace(/<\/(script)/gi, '<\\/$1')
    .replaceAll('<!--', '<\\!--')
    .replace(/[\u2028\u2029]/g, ' ');
}

const DRAW = `
const styles=getComputedStyle(document.documentElement);
const ink=name=>styles.getPropertyValue(name.replace(/^var\\(|\\)$/g,'')).trim();
const pad=n=>String(n).padStart(2,'0');
const stamp=s=>{const d=new Date(s*1000);const day=d.toISOString().slice(0,10);return s%86400?day+' '+pad(d.getUTCHours())+':'+pad(d.getUTCMinutes())+'Z':day};
const alike=vs=>{const d=Math.min(8,Math.max(0,...vs.map(v=>(String(v).split('.')[1]||'').length)));return vs.map(v=>v.toLocaleString('en-US',{minimumFractionDigits:d,maximumFractionDigits:d}))};
const place=v=>v==null?'':CHART.isTime?stamp(v):(v<1?Math.round(v*12)+'M':v+'Y');
let plots=[];
function draw(){
  plots.forEach(p=>p.destroy());plots=[];document.getElementById('chart').replaceChildren();
  const sync=uPlot.sync('chart');const width=Math.max(320,document.body.clientWidth);
  let zooming=false;
  CHART.panels.forEach((panel,i)=>{
    const axis={stroke:ink('--soft'),font:'12px sans-serif',grid:{stroke:ink('--rule'),width:1},ticks:{stroke:ink('--rule'),width:1}};
    const head=document.createElement('p');head.className='panel';head.textContent=panel.label;document.getElementById('chart').append(head);
    const rules={hooks:{draw:[u=>{const c=u.ctx;c.save();c.strokeStyle=ink('--soft');c.setLineDash([4,4]);panel.rules.forEach(r=>{const y=u.valToPos(r,'y',true);if(y<u.bbox.top||y>u.bbox.top+u.bbox.height)return;c.beginPath();c.moveTo(u.bbox.left,y);c.lineTo(u.bbox.left+u.bbox.width,y);c.stroke()});c.restore()}]}};
    plots.push(new uPlot({width,height:i?170:380,tzDate:s=>uPlot.tzDate(new Date(s*1000),'UTC'),
      cursor:{sync:{key:sync.key}},plugins:[rules],
      scales:{x:{time:CHART.isTime},y:panel.range?{range:panel.range}:{}},
      hooks:{setScale:[(u,key)=>{if(key!=='x'||zooming)return;zooming=true;plots.forEach(p=>{if(p!==u)p.setScale('x',u.scales.x)});zooming=false}]},
      axes:[{...axis,...(CHART.isTime?{values:[[31536000,'{YYYY}',null,null,null,null,null,null,1],[2419200,'{YYYY}-{MM}',null,null,null,null,null,null,1],[86400,'{YYYY}-{MM}-{DD}',null,null,null,null,null,null,1],[60,'{HH}:{mm}','\\n{YYYY}-{MM}-{DD}',null,null,null,null,null,1]],space:90}:{splits:(u,i,low,high)=>CHART.marks.map(m=>m.at).filter(at=>at>=low&&at<=high),values:(u,vs)=>vs.map(place)})},
        {...axis,size:70,values:(u,vs)=>alike(vs)}],
      series:[{label:CHART.isTime?'date':'maturity',value:(u,v)=>place(v)},...panel.lines.map(l=>({label:l.name,stroke:ink(l.color),width:l.look==='dots'?0:1.5,spanGaps:false,
        points:{show:l.look==='dots'||(CHART.places.length<40&&l.look!=='bars'),size:l.look==='dots'?8:5,fill:ink(l.color)},
        ...(l.look==='bars'?{paths:uPlot.paths.bars({size:[.6,20]}),fill:ink(l.color)}:{}),value:(u,v)=>v==null?'-':String(v)}))]
    },[CHART.places,...panel.lines.map(l=>l.values)],document.getElementById('chart')));
  });
}
draw();addEventListener('resize',draw);matchMedia('(prefers-color-scheme:dark)').addEventListener('change',draw);
`;

function renderSvg(chart: Chart): string {
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
    // A stroke of no length with round ends is a dot, which a value between two holes would else not be.
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
