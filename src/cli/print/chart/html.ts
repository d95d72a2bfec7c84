import type { ChartStyle } from '../../parse/options.ts';
import { alongOf, bandsOf, type Chart } from './chart.ts';
import { escapeXml, hueOf, paletteOf, renderSvg } from './svg.ts';

const MAX_MATURITIES = 12;

/** A chart as one page: values under the pointer, a range by dragging, all by a double click. */
export async function renderPage(chart: Chart, style: ChartStyle = {}): Promise<string> {
  const { PLOTTING_LIBRARY } = await import('./plotting-library.ts');
  const title = escapeXml(chart.title);
  const soft = escapeXml(chart.facts.join(' · '));
  const marks = chart.marks.map((mark) => `<p class="mark">${escapeXml(mark)}</p>`).join('');
  const below = chart.below.map((line) => `<p class="soft">${escapeXml(line)}</p>`).join('');
  const data = dataOf(chart, style);
  const plot =
    data.places.length === 0
      ? '<p>No rows.</p>'
      : `<div id="chart"></div><noscript>${renderSvg(chart, style)}</noscript>
<p class="soft">Drag over ${data.isTime ? 'dates' : 'maturities'} to see them closer; a double click shows all again.</p>
<script>${inScript(PLOTTING_LIBRARY.script)}</script>
<script>const CHART=${inScript(JSON.stringify(data))};
${DRAW}</script>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<style>${PLOTTING_LIBRARY.style}
${paletteOf(style.theme)}
body{margin:1rem;background:var(--ground);color:var(--ink);font:14px sans-serif}h1{font-size:18px;margin:0 0 .3rem}h1 span{white-space:nowrap}p{margin:.2rem 0}.soft{color:var(--soft)}.mark{color:var(--mark);font-weight:bold}.panel{color:var(--soft);margin:.6rem 0 0}.uplot,.uplot *{font-family:sans-serif}.u-legend{text-align:left}svg{max-width:100%;height:auto}</style></head>
<body><h1>${title.replace(/\d{4}-\d\d-\d\d/g, '<span>$&</span>')}</h1><p class="soft">${soft}</p>${marks}
${plot}${below}</body></html>
`;
}

/** One row of places, and a row of values for each line, as the library takes them. */
function dataOf(chart: Chart, { size }: ChartStyle) {
  const { panels, along } = chart;
  const places = [...new Set(panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(({ at }) => at))))];
  places.sort((a, b) => a - b);
  let hue = 0;
  return {
    isTime: along === 'time',
    size: size ?? null,
    marks: along === 'time' ? [] : (alongOf(chart, MAX_MATURITIES)?.ticks ?? []),
    // The library counts seconds.
    places: places.map((at) => (along === 'time' ? at / 1000 : at)),
    panels: panels.map((panel) => {
      const { name, unit, range, rules = [], lines } = panel;
      return {
        label: [name, unit].filter(Boolean).join(', '),
        range: range ?? null,
        rules,
        bands: bandsOf(panel).map(({ upper, lower, hue: own }) => ({
          series: [lines.indexOf(upper) + 1, lines.indexOf(lower) + 1],
          color: hueOf(hue + own),
        })),
        lines: lines.map(({ name: text, look, points }) => {
          const byPlace = new Map(points.map(({ at, value }) => [at, value]));
          // Null is a missing range; a line that has no point at a place goes straight on.
          return { name: text, look, color: hueOf(hue++), values: places.map((at) => byPlace.get(at)) };
        }),
      };
    }),
  };
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
  const sync=uPlot.sync('chart');const width=CHART.size?CHART.size.width:Math.max(320,document.body.clientWidth);
  const unit=CHART.size&&Math.max(40,(CHART.size.height-60*CHART.panels.length)/(CHART.panels.length+2));
  let zooming=false;
  CHART.panels.forEach((panel,i)=>{
    const axis={stroke:ink('--soft'),font:'12px sans-serif',grid:{stroke:ink('--rule'),width:1},ticks:{stroke:ink('--rule'),width:1}};
    const head=document.createElement('p');head.className='panel';head.textContent=panel.label;document.getElementById('chart').append(head);
    const rules={hooks:{draw:[u=>{const c=u.ctx;c.save();c.strokeStyle=ink('--soft');c.setLineDash([4,4]);panel.rules.forEach(r=>{const y=u.valToPos(r,'y',true);if(y<u.bbox.top||y>u.bbox.top+u.bbox.height)return;c.beginPath();c.moveTo(u.bbox.left,y);c.lineTo(u.bbox.left+u.bbox.width,y);c.stroke()});c.restore()}]}};
    plots.push(new uPlot({width,height:unit?Math.floor(i?unit:3*unit):i?170:380,tzDate:s=>uPlot.tzDate(new Date(s*1000),'UTC'),
      cursor:{sync:{key:sync.key}},bands:panel.bands.map(b=>({series:b.series,fill:ink(b.color)+'24'})),plugins:[rules],
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
