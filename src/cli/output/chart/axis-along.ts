/** Round places on the axis along: years, months, days or hours of UTC; maturities as bonds are named. */
import { dateOf, isoSeconds } from '../../../contract/time/time.ts';
import type { Chart } from './chart.ts';

export interface Along {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Steps from fine to coarse: so many of a unit. */
const STEPS = [
  ...[1, 3, 6, 12].map((count) => ({ unit: 'hour', count, size: count * HOUR }) as const),
  ...[1, 2, 7, 14].map((count) => ({ unit: 'day', count, size: count * DAY }) as const),
  ...[1, 2, 3, 6].map((count) => ({ unit: 'month', count, size: count * 30 * DAY }) as const),
  ...[1, 2, 5, 10, 20, 50].map((count) => ({ unit: 'year', count, size: count * 365 * DAY }) as const),
];

/** The axis along all points of a chart with about `most` marks; undefined when there are no points. */
export function alongOf({ panels, along }: Pick<Chart, 'panels' | 'along'>, most: number): Along | undefined {
  const places = panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(({ at }) => at)));
  if (places.length === 0) return undefined;
  const from = places.reduce((a, b) => Math.min(a, b));
  const to = places.reduce((a, b) => Math.max(a, b));
  return { from, to, ticks: along === 'years' ? maturityTicks(places, most) : timeTicks(from, to, most) };
}

function timeTicks(from: number, to: number, most: number): Along['ticks'] {
  if (from === to) return [{ at: from, text: from % DAY === 0 ? dateOf(from) : isoSeconds(Math.floor(from / 1000)) }];
  const isDaily = from % DAY === 0 && to % DAY === 0;
  const step = STEPS.find(({ unit, size }) => !(isDaily && unit === 'hour') && (to - from) / size <= most) ?? {
    unit: 'year',
    count: 100,
    size: 0,
  };
  const first = new Date(from);
  const ticks: { at: number; text: string }[] = [];
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth()];
  for (let i = 0; i <= 4 * most + 4; i += 1) {
    const at = placeOf(step, { from, year, month }, i);
    if (at > to) break;
    if (at >= from) ticks.push({ at, text: tickText(step.unit, at) });
  }
  return ticks.length > 0 ? ticks : [{ at: from, text: dateOf(from) }];
}

interface Beginning {
  readonly from: number;
  readonly year: number;
  readonly month: number;
}

/** The i-th multiple of the step at or before the beginning, and after it. */
function placeOf(
  { unit, count, size }: (typeof STEPS)[number] | { unit: 'year'; count: number; size: number },
  start: Beginning,
  i: number,
): number {
  if (unit === 'year') return Date.UTC((Math.floor(start.year / count) + i) * count, 0, 1);
  if (unit === 'month') return Date.UTC(start.year, Math.floor(start.month / count) * count + i * count, 1);
  // Weeks begin on a Monday: day 4 of 1970 was the first one.
  const shift = unit === 'day' && count >= 7 ? 4 * DAY : 0;
  return Math.floor((start.from - shift) / size) * size + shift + i * size;
}

function tickText(unit: (typeof STEPS)[number]['unit'], at: number): string {
  if (unit === 'year') return dateOf(at).slice(0, 4);
  if (unit === 'month') return dateOf(at).slice(0, 7);
  return unit === 'day'
    ? dateOf(at)
    : isoSeconds(Math.floor(at / 1000))
        .slice(5, 16)
        .replace('T', ' ');
}

/** The maturities themselves, without those that would stand on one another. */
function maturityTicks(places: readonly number[], most: number): Along['ticks'] {
  const all = [...new Set(places)].sort((a, b) => a - b);
  const least = ((all.at(-1) ?? 0) - (all[0] ?? 0)) / (2 * most);
  const kept: number[] = [];
  for (const at of all) if (kept.length === 0 || at - (kept.at(-1) ?? 0) >= least) kept.push(at);
  return kept.map((at) => ({ at, text: at < 1 ? `${Math.round(at * 12)}M` : `${at}Y` }));
}
