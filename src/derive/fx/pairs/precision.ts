/** How well a computed rate is known: no better than its legs, of which a file may have two digits. */
import { memberTexts } from '../../../contract/json/scan.ts';
import { dayRangeWithin } from './dates.ts';
import type { RoutedPoint } from './fx-route.ts';
import type { FxObservation } from './legs.ts';
import { type Pair, pairText } from './paths.ts';
import { datesOf, numbersOf } from './series-columns.ts';

/** Share of the rate. Reference rates of four digits are not better than this, those of five and more are. */
const WORTH_TELLING = 0.0002;

/** Says which leg of the computed rates of a window has so few digits that those of the result are not all known. */
export function precisionNotes(pair: Pair, computed: readonly RoutedPoint[]): readonly string[] {
  const legs = new Map<string, FxObservation[]>();
  for (const { path, parts } of computed)
    for (const [leg, { pair: own }] of path.legs.entries()) {
      const part = parts[leg];
      const name = pairText(own);
      if (part?.val) legs.set(name, [...(legs.get(name) ?? []), part]);
    }
  return [...legs].flatMap(([name, observed]) => {
    const share = roundingShare(observed);
    if (share < WORTH_TELLING) return [];
    return [`${name} is published with so few digits that ${pairText(pair)} is known to about ${percent(share)} only.`];
  });
}

/** Half a unit of the last published digit, as a share of the smallest rate. */
function roundingShare(observed: readonly FxObservation[]): number {
  const smallest = Math.min(...observed.map(({ val }) => Math.abs(val ?? Number.POSITIVE_INFINITY)));
  const shareOf = (decimals: number) => (0.5 * 10 ** -decimals) / smallest;
  const own = Math.max(...observed.map(({ text }) => decimalsOf(memberTexts(text, ['val'])[0] ?? '')));
  if (shareOf(own) < WORTH_TELLING) return shareOf(own);
  return shareOf(Math.max(own, ...observed.map(decimalsAround)));
}

/** Rows to either side whose digits count for a rate: some files write 1.15 for 1.1500, and never for 60 days in a row. */
const NEIGHBOURS = 30;

function decimalsAround({ series, date }: FxObservation): number {
  const { start } = dayRangeWithin(datesOf(series), date, date);
  const around = numbersOf(series, 'val')?.subarray(Math.max(0, start - NEIGHBOURS), start + NEIGHBOURS + 1) ?? [];
  return Math.max(0, ...[...around].map((val) => (Number.isNaN(val) ? 0 : decimalsOf(String(val)))));
}

function decimalsOf(number: string): number {
  const [digits = '', exponent = '0'] = number.split('e');
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent));
}

const percent = (share: number): string => `${Number((share * 100).toPrecision(1))} %`;
