/** Changes of an index or a level, computed from values of one vintage as their publisher computes them. */
import { isSame, type VintageStep } from './vintages.ts';

/** How a series follows from another one. */
export interface Transform {
  readonly kind: 'yoy' | 'mom' | 'change';
  /** In words, for the answer. */
  readonly how: string;
}

/** Per cent against twelve months before, one decimal. */
export const YEAR_ON_YEAR: Transform = { kind: 'yoy', how: 'per_cent_against_12_months_before_rounded_to_0.1' };
/** Per cent against the month before, one decimal. */
export const MONTH_ON_MONTH: Transform = { kind: 'mom', how: 'per_cent_against_the_month_before_rounded_to_0.1' };
/** Difference to the period before. */
export const CHANGE: Transform = { kind: 'change', how: 'difference_to_the_period_before' };
/** The factor between two states of some values, as far as rounded numbers can tell it. */

export interface ValuePair {
  readonly held: number;
  readonly val: number;
}

/** Fewer values may differ by one factor by chance. */
export const MIN_PAIRS = 6;

/** How many periods back the other value lies. */
export const periodsBack = ({ kind }: Transform): number => (kind === 'yoy' ? 12 : 1);

/** Steps of a computed series, whenever either value becomes known; a first value if the newer one is. */
export function stepsOfChange(
  transform: Transform,
  now: readonly VintageStep[],
  before: readonly VintageStep[],
): readonly VintageStep[] {
  const epochs = [...new Set([...now, ...before].map(({ epoch }) => epoch))].sort((a, b) => timeOf(a) - timeOf(b));
  const [nowAt, beforeAt] = [followed(now), followed(before)];
  const steps: VintageStep[] = [];
  for (const epoch of epochs) {
    const newer = nowAt(epoch);
    const val = computed(transform, newer?.val, beforeAt(epoch)?.val);
    const last = steps.at(-1);
    if (last ? isSame(last.val, val) : val === undefined) continue;
    steps.push({ epoch, val, isFirst: !last && newer?.isFirst === true && newer.epoch === epoch });
  }
  return steps;
}

const timeOf = (epoch: number | undefined): number => epoch ?? Number.POSITIVE_INFINITY;

/** Gives the last step by each of some ascending times. */
function followed(steps: readonly VintageStep[]): (epoch: number | undefined) => VintageStep | undefined {
  let place = 0;
  return (epoch) => {
    for (let next = steps[place]; next && timeOf(next.epoch) <= timeOf(epoch); next = steps[place]) place += 1;
    return steps[place - 1];
  };
}

function computed({ kind }: Transform, now: string | undefined, before: string | undefined): string | undefined {
  if (now === undefined || before === undefined) return undefined;
  return kind === 'change' ? differenceOf(now, before) : percentOf(now, before);
}

/** A decimal number as an integer and its decimals: no binary fraction comes between the file and the answer. */
function scaled(number: string, places: number): bigint {
  const [whole = '', fraction = ''] = number.split('.');
  return BigInt(whole + fraction.padEnd(places, '0'));
}

const placesOf = (number: string): number => number.split('.')[1]?.length ?? 0;

function differenceOf(now: string, before: string): string {
  const places = Math.max(placesOf(now), placesOf(before));
  return spelled(scaled(now, places) - scaled(before, places), places);
}

/** The change in per cent with one decimal, halves away from zero; undefined against nothing. */
function percentOf(now: string, before: string): string | undefined {
  const places = Math.max(placesOf(now), placesOf(before));
  const [value, base] = [scaled(now, places), scaled(before, places)];
  if (base <= 0n) return undefined;
  const twice = (value - base) * 2000n;
  const rounded = (twice + (twice < 0n ? -base : base)) / (2n * base);
  return spelled(rounded, 1);
}

function spelled(value: bigint, places: number): string {
  if (places === 0) return String(value);
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
  const cut = digits.length - places;
  return `${value < 0n ? '-' : ''}${digits.slice(0, cut)}.${digits.slice(cut)}`;
}

/** The factor, other than 1, by which every value differs within its rounding; undefined where there is none. */
export function commonFactor(pairs: readonly ValuePair[]): number | undefined {
  const halfHeld = halfOfLastDigit(pairs.map(({ held }) => held));
  const halfVal = halfOfLastDigit(pairs.map(({ val }) => val));
  let [lowest, highest, counted] = [0, Number.POSITIVE_INFINITY, 0];
  for (const { held, val } of pairs) {
    const [from, size] = [Math.abs(held), Math.abs(val)];
    // A pair that may round to zero is no evidence about a factor.
    if (from <= halfHeld && size <= halfVal) continue;
    if (held * val <= 0) return undefined;
    lowest = Math.max(lowest, (size - halfVal) / (from + halfHeld));
    highest = Math.min(highest, from > halfHeld ? (size + halfVal) / (from - halfHeld) : Number.POSITIVE_INFINITY);
    counted += 1;
  }
  const includesOne = lowest <= 1 && highest >= 1;
  return counted < MIN_PAIRS || lowest > highest || includesOne ? undefined : (lowest + highest) / 2;
}

/** Half of the last digit. A series has the same decimals throughout, so the most of any value count. */
function halfOfLastDigit(values: readonly number[]): number {
  const decimals = Math.max(0, ...values.map((value) => String(value).split('.')[1]?.length ?? 0));
  return 0.5 * 10 ** -decimals;
}
