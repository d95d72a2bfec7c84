// The points of a chart, from the cells of an answer.
import type { PresentedAnswer } from '../serve/pages/page-data.ts';

export interface ChartPoints {
  /** Unix seconds, oldest first. */
  readonly times: readonly number[];
  /** Null where there is no value. */
  readonly values: readonly (number | null)[];
  /** Time and value as they are spelled. */
  readonly labels: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Rows without a time are no points. Of holes the bounds become points without a value, so that no line bridges them. */
export function chartPointsOf({ columns, rows, chart, holes }: PresentedAnswer): ChartPoints {
  if (!chart) return { times: [], values: [], labels: [], rows: [] };
  const [at, value] = [columns.indexOf(chart.at), columns.indexOf(chart.value)];
  const points = rows.flatMap((row) => {
    const time = secondsOf(row[at] ?? '');
    if (time === undefined) return [];
    const text = row[value] ?? '';
    return [
      { time, value: text === '' ? null : Number(text), label: `${row[at]}: ${text === '' ? 'no value' : text}`, row },
    ];
  });
  const breaks = holes.flatMap(({ from, to }) => {
    const time = secondsOf(from);
    return time === undefined ? [] : [{ time, value: null, label: `missing: ${from} to ${to}`, row: [] }];
  });
  const seen = new Set(points.map(({ time }) => time));
  const all = [...points, ...(points.length === 0 ? [] : breaks.filter(({ time }) => !seen.has(time)))];
  all.sort((a, b) => a.time - b.time);
  return {
    times: all.map(({ time }) => time),
    values: all.map((one) => one.value),
    labels: all.map(({ label }) => label),
    rows: all.map(({ row }) => row),
  };
}

/** Dates, ISO times and Unix seconds. */
function secondsOf(text: string): number | undefined {
  const seconds = /^-?\d{9,}$/.test(text) ? Number(text) : Date.parse(text) / 1000;
  return Number.isFinite(seconds) ? seconds : undefined;
}
