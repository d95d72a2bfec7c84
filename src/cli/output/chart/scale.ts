import type { Panel } from './chart.ts';

/** What the axis of values spans. */
export interface Scale {
  readonly low: number;
  readonly high: number;
  /** Values that are marked, lowest first; the first and the last are `low` and `high`. */
  readonly ticks: readonly number[];
}

/** An axis around all values of some lines, ending at round values; undefined when there is nothing to draw. */
export function scaleOf({ lines, range, rules = [] }: Panel, tickCount: number): Scale | undefined {
  const values = lines.flatMap(({ points }) => points.flatMap(({ value }) => (value === null ? [] : [value])));
  if (values.length === 0) return undefined;
  const isBarred = lines.some(({ look }) => look === 'bars');
  const ticks = roundTicks(extent(range ?? (isBarred ? [...values, ...rules, 0] : values)), tickCount);
  return { low: ticks[0] ?? 0, high: ticks.at(-1) ?? 0, ticks };
}

/** Where a value stands between two others, from 0 to 1; in the middle when they are one. */
export function share(value: number, low: number, high: number): number {
  return low === high ? 0.5 : (value - low) / (high - low);
}

function extent(numbers: readonly number[]): [number, number] {
  return numbers.reduce(
    ([low, high], number): [number, number] => [Math.min(low, number), Math.max(high, number)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}

/** Multiples of 1, 2 or 5 times a power of ten that enclose both values: as fine as half as many again as `count` allow. */
function roundTicks([low, high]: readonly [number, number], count: number): readonly number[] {
  const range = high - low || Math.abs(high) || 1;
  const power = 10 ** Math.floor(Math.log10(range / Math.max(1, count)));
  const edges = (step: number) => {
    const first = Math.floor(low / step);
    return { first, last: Math.max(Math.ceil(high / step), first + 1) };
  };
  const most = 1.5 * count;
  const isFine = (step: number) => step * most >= range && edges(step).last - edges(step).first + 1 <= most;
  const step = [0.5, 1, 2, 5, 10, 20].map((factor) => factor * power).find(isFine) ?? 50 * power;
  const { first, last } = edges(step);
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  // A step of 0.1 cannot be added up exactly: each tick is rounded to the digits that it has.
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toFixed(Math.min(100, digits))),
  );
}

/** The values with as many digits as tell them apart. */
export function tickTexts(ticks: readonly number[]): readonly string[] {
  const digits = Math.max(...ticks.map((tick) => (/\.(\d+)$/.exec(String(tick))?.[1] ?? '').length));
  return ticks.map((tick) => (/e/.test(String(tick)) ? String(tick) : grouped(tick.toFixed(digits))));
}

function grouped(text: string): string {
  return Math.abs(Number(text)) < 10_000 ? text : text.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
