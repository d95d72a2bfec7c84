// How an answer is shown: its marks, its chart, its rows, and where a value came from.

import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import type { PresentedAnswer, PresentedPanel } from '../serve/pages/page-data.ts';

/** The head of a page says of most mirrors that their data are made up: that is said once. */
const isSaidAbove = document.querySelector('main > .synthetic') !== null;

/** The marks of an answer. Nobody sees rows of it without these marks above them. */
export function AnswerMarks({ answer }: { readonly answer: PresentedAnswer }) {
  const { isSynthetic, isPartial, missing, cure, notes, checkedAt, asOf } = answer;
  return (
    <>
      {isSynthetic && !isSaidAbove && (
        <p class="banner synthetic">
          <strong>MADE UP</strong> These numbers are synthetic, not real.
        </p>
      )}
      {isPartial && (
        <div class="banner partial" role="alert">
          <strong>PARTIAL</strong> The mirror has only part of this answer.
          {missing.length > 0 && ` Missing: ${timeText(missing.join('; '))}.`}
          {cure !== '' && <p>{cure}</p>}
        </div>
      )}
      <p class="quiet">
        {isPartial ? 'Partial' : 'Complete'} as of the last check of the mirror, {timeText(checkedAt)}.
        {asOf !== undefined && ` Shown as it was known on ${timeText(asOf)}.`}
      </p>
      {notes.map((note) => (
        <p key={note}>{timeText(note)}</p>
      ))}
    </>
  );
}

/** Labels of the time axis, by the seconds between them: the first ones, and those where a year or a day begins. */
const TIME_LABELS: uPlot.Axis.Values = [
  [365 * 86_400, '{YYYY}', null, null, null, null, null, null, 1],
  [28 * 86_400, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [86_400, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
];

const HEIGHTS = { main: 300, other: 170 };

interface ChartProps {
  readonly answer: PresentedAnswer;
  readonly onPick: (row: readonly string[]) => void;
}

interface ChartPoints {
  /** Unix seconds, oldest first. */
  readonly times: readonly number[];
  /** Null where there is no value; a list for each line. */
  readonly values: readonly (readonly (number | null)[])[];
  /** Time and values as they are spelled. */
  readonly labels: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The chart of a series in its panels, with the values under the pointer and shaded ranges where rows are missing. */
export function SeriesChart({ answer, onPick }: ChartProps) {
  const { at, panels = [] } = answer.chart ?? {};
  return (
    <>
      {panels.map((panel, i) => (
        <ChartPanel
          key={panel.label}
          {...{ answer, at, panel, onPick }}
          height={i === 0 ? HEIGHTS.main : HEIGHTS.other}
        />
      ))}
    </>
  );
}

interface PanelProps extends ChartProps {
  readonly at: string | undefined;
  readonly panel: PresentedPanel;
  /** Pixels. */
  readonly height: number;
}

function ChartPanel({ answer, at = '', panel, height, onPick }: PanelProps) {
  const place = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState('');
  const points = chartPointsOf(answer, at, panel);
  useEffect(() => {
    const box = place.current;
    if (!box || points.times.length === 0) return;
    const plot = new uPlot(
      optionsOf({ answer, panel, box, height, point: (i) => setPointed(i == null ? '' : (points.labels[i] ?? '')) }),
      [[...points.times], ...points.values.map((line) => [...line])],
      box,
    );
    plot.over.addEventListener('click', () => {
      const row = points.rows[plot.cursor.idx ?? -1];
      if (row) onPick(row);
    });
    const watch = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height }));
    watch.observe(box);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [answer]);
  if (points.times.length === 0) return null;
  const names = panel.lines.map(({ name }) => name);
  const count = points.rows.filter((row) => row.length > 0).length;
  const about = `${names.join(', ')}: ${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`;
  return (
    <figure>
      <p class="legend">
        {panel.label !== '' && <span class="quiet">{panel.label}</span>}
        {names.length > 1 &&
          names.map((name, i) => (
            <span key={name} style={{ color: `var(--hue${i % HUES})` }}>
              {name}
            </span>
          ))}
      </p>
      <div
        ref={place}
        class="chart"
        role="img"
        aria-label={`Chart of ${about}. The table below has the same values.`}
      />
      <figcaption class="quiet" aria-live="off">
        {pointed === '' ? `${about}. Point at the chart for a value; click for its origin.` : pointed}
      </figcaption>
    </figure>
  );
}

const HUES = 6;

interface PlotInput extends Pick<PanelProps, 'answer' | 'panel' | 'height'> {
  readonly box: HTMLElement;
  readonly point: (i: number | null | undefined) => void;
}

function optionsOf({ answer, panel, box, height, point }: PlotInput): uPlot.Options {
  const probe = document.createElement('span');
  box.append(probe);
  const resolved = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const [grid, text, missingRange] = [resolved('--line'), resolved('--quiet'), resolved('--warn')];
  const colours = panel.lines.map((_, i) => resolved(`--hue${i % HUES}`));
  probe.remove();
  const steps = uPlot.paths.stepped?.({ align: 1 });
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
  return {
    width: box.clientWidth,
    height,
    legend: { show: false },
    cursor: { y: false },
    axes: [
      { ...axis, values: TIME_LABELS },
      { ...axis, space: 20, size: (_, labels) => 24 + 7 * Math.max(6, ...(labels ?? []).map(({ length }) => length)) },
    ],
    // A value that is null is no value: the line has a gap there.
    series: [
      {},
      ...colours.map((stroke, i) => ({
        stroke,
        ...(panel.lines[i]?.isSteps && steps && { paths: steps }),
        width: 2,
        spanGaps: false,
        points: { size: 4, fill: stroke, ...(colours.length > 1 && { show: false }) },
      })),
    ],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    hooks: {
      setCursor: [({ cursor }) => point(cursor.idx)],
      drawClear: [(plot) => shadeHoles(plot, answer, missingRange)],
    },
  };
}

function shadeHoles(plot: uPlot, { missingRanges }: PresentedAnswer, colour: string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.globalAlpha = 0.25;
  ctx.fillStyle = colour;
  for (const { from, to } of missingRanges) {
    const left = plot.valToPos(Date.parse(from) / 1000, 'x', true);
    const right = plot.valToPos(Date.parse(to) / 1000, 'x', true);
    ctx.fillRect(left, bbox.top, Math.max(2, right - left), bbox.height);
  }
  ctx.restore();
}

/** Rows without a time are no points. Bounds of missing ranges become points without a value, so no line bridges them. */
function chartPointsOf(
  { columns, rows, missingRanges }: PresentedAnswer,
  at: string,
  { lines }: PresentedPanel,
): ChartPoints {
  const place = columns.indexOf(at);
  const nothing = lines.map(() => null);
  const points = rows.flatMap((row) => {
    const time = secondsOf(row[place] ?? '');
    if (time === undefined) return [];
    const texts = lines.map(({ column }) => row[columns.indexOf(column)] ?? '');
    const told = texts.map(
      (text, i) => `${lines.length > 1 ? `${lines[i]?.name} ` : ''}${text === '' ? 'no value' : grouped(text)}`,
    );
    return [
      {
        time,
        values: texts.map((text) => (text === '' ? null : Number(text))),
        label: `${timeText(row[place] ?? '')}: ${told.join(', ')}`,
        row,
      },
    ];
  });
  const breaks = missingRanges.flatMap(({ from, to }) => {
    const time = secondsOf(from);
    return time === undefined ? [] : [{ time, values: nothing, label: `missing: ${from} to ${to}`, row: [] }];
  });
  const seen = new Set(points.map(({ time }) => time));
  const all = [...points, ...(points.length === 0 ? [] : breaks.filter(({ time }) => !seen.has(time)))];
  all.sort((a, b) => a.time - b.time);
  return {
    times: all.map(({ time }) => time),
    values: lines.map((_, i) => all.map(({ values }) => values[i] ?? null)),
    labels: all.map(({ label }) => label),
    rows: all.map(({ row }) => row),
  };
}

/** Dates, ISO times and Unix seconds. */
function secondsOf(text: string): number | undefined {
  const seconds = /^-?\d{9,}$/.test(text) ? Number(text) : Date.parse(text) / 1000;
  return Number.isFinite(seconds) ? seconds : undefined;
}

const SHOWN_AT_FIRST = 100;

interface RowTableProps {
  readonly answer: PresentedAnswer;
  readonly onPick: (row: readonly string[]) => void;
}

/** The rows of an answer; each can tell where it came from. */
export function RowTable({ answer: { columns, rows }, onPick }: RowTableProps) {
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  // Nested members repeat what their numbers beside them say.
  const isShown = (i: number) => rows.some((row) => row[i] !== '') && !rows.some((row) => /^[{[]/.test(row[i] ?? ''));
  const filled = columns.map((_, i) => i).filter(isShown);
  const numeric = new Set(filled.filter((i) => rows.every((row) => /^(-?\d[\d.]*(e[+-]?\d+)?)?$/.test(row[i] ?? ''))));
  return (
    <>
      <section class="scroll narrow" tabIndex={0} aria-label="Rows">
        <table>
          <thead>
            <tr>
              {filled.map((i) => (
                <th scope="col" key={i} class={numeric.has(i) ? 'num' : undefined}>
                  {columns[i]}
                </th>
              ))}
              <th scope="col" class="end">
                origin
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row) => (
              <tr key={row.join('\n')}>
                {filled.map((i) => (
                  <td key={i} class={numeric.has(i) ? 'num' : (row[i] ?? '').length > 60 ? 'long' : undefined}>
                    {numeric.has(i) ? grouped(row[i] ?? '') : timeText(row[i] ?? '')}
                  </td>
                ))}
                <td class="end">
                  <button type="button" onClick={() => onPick(row)} aria-label={`why ${row[0]}`}>
                    why
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="quiet">
        {rows.length > shown && `The first ${shown} of `}
        {rows.length.toLocaleString('en-US')} {rows.length === 1 ? 'row' : 'rows'}. Downloads have all columns.{' '}
        {rows.length > shown && (
          <button type="button" onClick={() => setShown(rows.length)}>
            Show all
          </button>
        )}
      </p>
    </>
  );
}

/** A number with separators of thousands; its digits stay as they are spelled. */
function grouped(text: string): string {
  const [whole = '', ...decimals] = text.split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...decimals].join('.');
}

/** A text whose moments are as people read them. */
export function timeText(text: string): string {
  const moment = /\b(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*(Z|[+-]\d\d:\d\d)/g;
  return text.replace(moment, (_, date, time, zone) => `${date} ${time} UTC${zone.replace('Z', '')}`);
}

const FACTS = ['series', 'row', 'val', 'public', 'captured', 'mirrored', 'until', 'source', 'request', 'how'];

export interface LineageProps {
  readonly row: string;
  readonly lines: readonly Record<string, unknown>[];
}

/** Where a value came from: each value that the row had, since when it was known, and what brought it. */
export function Lineage({ row, lines }: LineageProps) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [lines]);
  return (
    <section id="lineage" ref={place} aria-live="polite">
      <h3>Where {timeText(row)} came from</h3>
      {lines.length === 0 && <p>The series behind this answer have no row of {timeText(row)}.</p>}
      {lines.map((line) => (
        <dl key={JSON.stringify(line)} class="bare origin">
          {FACTS.filter((name) => textOf(line[name]) !== '').map((name) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{timeText(textOf(line[name]))}</dd>
            </div>
          ))}
        </dl>
      ))}
    </section>
  );
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
