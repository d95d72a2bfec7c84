import { MAIN_CURRENCIES } from '../../contract/words/words.ts';
import { streamOf } from '../random.ts';
import { SANDBOX_LABEL } from '../rows.ts';
import { randomWalk } from '../walks.ts';
import type { World } from '../world.ts';

/** A desk that fixes its pairs against one currency. */
export interface RateDesk {
  readonly id: string;
  readonly name: string;
  readonly anchor: string;
  readonly quotes: readonly string[];
}

export const RATE_DESKS: readonly RateDesk[] = [
  {
    id: 'sandbox_eur_daily',
    name: `${SANDBOX_LABEL}, euro desk`,
    anchor: 'EUR',
    quotes: MAIN_CURRENCIES.filter((code) => code !== 'EUR'),
  },
  { id: 'sandbox_usd_daily', name: `${SANDBOX_LABEL}, dollar desk`, anchor: 'USD', quotes: ['CAD', 'CHF', 'JPY'] },
];

/** Units of each currency for one euro around which its walk stays. */
const MEAN_RATES: Readonly<Record<string, number>> = {
  AUD: 1.65,
  BRL: 5.9,
  CAD: 1.49,
  CHF: 0.97,
  CNH: 7.75,
  CNY: 7.74,
  DKK: 7.46,
  GBP: 0.86,
  ILS: 4.05,
  JPY: 152,
  NGN: 1600,
  NOK: 11.4,
  NZD: 1.82,
  PEN: 4.1,
  SEK: 11.2,
  THB: 38.5,
  USD: 1.11,
};
/** A pegged currency hardly moves. */
const PEGGED = ['DKK'];
/** Units of a currency for one euro on each of the business days, before any rounding. */
export function euroRates(world: World, currency: string, count: number): readonly number[] {
  if (currency === 'EUR') return Array.from({ length: count }, () => 1);
  const mean = MEAN_RATES[currency] ?? 1;
  const swing = mean * (PEGGED.includes(currency) ? 0.00008 : 0.0045);
  const model = { kind: 'around', mean, swing, pull: 0.0015, floor: mean / 3 } as const;
  return randomWalk(model, streamOf(world.seed, `fx/EUR/${currency}`), count).values;
}

/** Decimals in which a pair is printed. */
export function decimalsOf(quote: string): number {
  return (MEAN_RATES[quote] ?? 1) > 100 ? 2 : 4;
}
