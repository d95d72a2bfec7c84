// The chart of a series, with the value under the pointer and shaded ranges where rows are missing.
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import type { PresentedAnswer } from '../serve/pages/page-data.ts';
import { chartPointsOf } from './points.ts';

const HEIGHT = 300;

interface ChartProps {
  readonly answer: PresentedAnswer;
  readonly onPick: (row: readonly string[]) => void;
}

export function SeriesChart({ answer, onPick }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState('');
  const points = chartPointsOf(answer);
  useEffect(() => {
    const box = place.current;
    if (!box || points.times.length === 0) return;
    const plot = new uPlot(
      optionsOf(answer, box, (i) => setPointed(i == null ? '' : (points.labels[i] ?? ''))),
      [[...points.times], [...points.values]],
      box,
    );
    plot.over.addEventListener('click', () => {
      const row = points.rows[plot.cursor.idx ?? -1];
      if (row) onPick(row);
    });
    const watch = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: HEIGHT }));
    watch.observe(box);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [answer]);
  if (points.times.length === 0) return null;
  const about = `${answer.chart?.value} of ${points.times.length} rows, ${points.labels[0]} to ${points.labels.at(-1)}`;
  return (
    <figure>
      <div ref={place} class="chart" role="img" aria-label={`Chart: ${about}. The table below has the same values.`} />
      <figcaption class="quiet" aria-live="off">
        {pointed === '' ? `${about}. Point at the chart for a value; click for its origin.` : pointed}
      </figcaption>
    </figure>
  );
}

function optionsOf(
  answer: PresentedAnswer,
  box: HTMLElement,
  point: (i: number | null | undefined) => void,
): uPlot.Options {
  const colour = (name: string) => getComputedStyle(document.body).getPropertyValue(name).trim();
  const probe = document.createElement('span');
  box.append(probe);
  const resolved = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color || colour(name);
  };
  const [line, grid, text, hole] = [resolved('--accent'), resolved('--line'), resolved('--quiet'), resolved('--warn')];
  probe.remove();
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
  return {
    width: box.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false },
    axes: [axis, { ...axis, size: 64 }],
    // A value that is null is no value: the line has a gap there.
    series: [{}, { stroke: line, width: 2, spanGaps: false, points: { show: true, size: 4, fill: line } }],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    hooks: {
      setCursor: [({ cursor }) => point(cursor.idx)],
      drawClear: [(plot) => shadeHoles(plot, answer, hole)],
    },
  };
}

function shadeHoles(plot: uPlot, { holes }: PresentedAnswer, colour: string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.globalAlpha = 0.25;
  ctx.fillStyle = colour;
  for (const { from, to } of holes) {
    const left = plot.valToPos(Date.parse(from) / 1000, 'x', true);
    const right = plot.valToPos(Date.parse(to) / 1000, 'x', true);
    ctx.fillRect(left, bbox.top, Math.max(2, right - left), bbox.height);
  }
  ctx.restore();
}
