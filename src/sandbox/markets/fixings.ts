import type { JsonObject } from '../../contract/json/json.ts';
import { addDays, isoSeconds } from '../../contract/time/time.ts';
import { MAIN_CURRENCIES } from '../../contract/words/words.ts';
import { ratioOf } from '../../derive/fx/rates.ts';
import { printed, randomWalk, streamOf } from '../random-walks.ts';
import { type GeneratedSeries, generatedSeries, SANDBOX_LABEL } from '../rows.ts';
import type { Day } from '../schedule.ts';
import { type World, yesterday } from '../world.ts';
import { localInstant } from '../zones.ts';

/** When a desk fixes, in minutes of its own clock. The last fixing of a day is the desk's daily rate. */
interface Clockwork {
  readonly zone: string;
  readonly times: readonly number[];
  /** Earlier ones, of pairs that have bars. */
  readonly early: readonly number[];
}

const CLOCKWORKS: Readonly<Record<string, Clockwork>> = {
  sandbox_eur_daily: { zone: 'Europe/Berlin', times: [14 * 60 + 15], early: [8 * 60, 10 * 60, 12 * 60] },
  sandbox_usd_daily: { zone: 'America/New_York', times: [10 * 60, 12 * 60], early: [8 * 60, 9 * 60] },
};

/** Pairs that are fixed often enough for a bar. */
const BARRED = ['EUR/CHF', 'EUR/GBP', 'EUR/JPY', 'EUR/USD', 'USD/JPY'];

/** A rate of a desk at a moment. */
export interface Fixing {
  readonly desk: RateDesk;
  readonly date: string;
  /** Unix seconds. */
  readonly at: number;
  readonly price: number;
  /** The pairs that it was made of, when it was not fixed itself. */
  readonly crossed?: string;
}

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

/** The timed rates of a pair, in order, with the rates that follow from the fixings of another desk. */
export function pairFixings(
  world: World,
  days: readonly Day[],
  { desk, quote }: { desk: RateDesk; quote: string },
): readonly Fixing[] {
  const crosses = RATE_DESKS.filter((other) => other !== desk).flatMap((other) =>
    crossesOf(world, days, { other, desk, quote }),
  );
  return [...fixingsOf(world, days, { desk, quote }), ...crosses].sort(inOrder);
}

/** By date and time, as the rows of the route; no two desks fix at one moment. */
function inOrder(a: Fixing, b: Fixing): number {
  return a.date === b.date ? a.at - b.at : a.date < b.date ? -1 : 1;
}

function fixingsOf(
  world: World,
  days: readonly Day[],
  { desk, quote }: { desk: RateDesk; quote: string },
): readonly Fixing[] {
  const pair = `${desk.anchor}/${quote}`;
  const [anchor, rates] = [desk.anchor, quote].map((code) => euroRates(world, code, days.length));
  const { zone, times: usual, early: more } = CLOCKWORKS[desk.id] ?? { zone: 'UTC', times: [12 * 60], early: [] };
  const early = BARRED.includes(pair) ? more : [];
  const times = [...early, ...usual];
  const stream = streamOf(world.seed, `fixings/${pair}`);
  const since = firstDate(world);
  return days.flatMap(({ date }, i) => {
    // Drawn for every day, so that tomorrow's data set only adds to today's.
    const drifts = times.map((_, place) => (place === times.length - 1 ? 0 : 0.0008 * stream.normal()));
    if (date < since) return [];
    const rate = (rates?.[i] ?? 0) / (anchor?.[i] ?? 1);
    return times.flatMap((minutes, place) => {
      if (place < early.length && date < world.since.brief) return [];
      const price = printed(rate * (1 + (drifts[place] ?? 0)), decimalsOf(quote));
      return [{ desk, date, at: localInstant(zone, date, minutes), price }];
    });
  });
}

/** The pair of one desk as it follows from the fixings of another that fixes both of its currencies. */
function crossesOf(
  world: World,
  days: readonly Day[],
  { other, desk, quote }: { other: RateDesk; desk: RateDesk; quote: string },
): readonly Fixing[] {
  if (![desk.anchor, quote].every((code) => other.quotes.includes(code))) return [];
  const under = new Map(
    fixingsOf(world, days, { desk: other, quote: desk.anchor }).map(({ at, price }) => [at, price]),
  );
  const over = fixingsOf(world, days, { desk: other, quote });
  const crossed = `${other.anchor}/${desk.anchor},${other.anchor}/${quote}`;
  return over.flatMap((fixing) => {
    const price = ratioOf([fixing.price], [under.get(fixing.at) ?? Number.NaN]);
    return price === null ? [] : [{ ...fixing, price, crossed }];
  });
}

/** Years of them; of a small data set whole half-years, so that the first row stays for a while. */
function firstDate({ size, since, today }: World): string {
  if (size === 'full') return since.daily;
  const lately = addDays(today, -45);
  return `${lately.slice(0, 4)}-${lately.slice(5) < '07' ? '01' : '07'}-01`;
}

/** The timed rates of a pair as rows. */
export function fixingSeries(world: World, pair: string, fixings: readonly Fixing[]): GeneratedSeries {
  const [base = '', quote = ''] = pair.split('/');
  const envelope = {
    base,
    quote,
    pair,
    start_date: firstDate(world),
    end_date: yesterday(world),
    data_quality: { source_type: 'synthetic', is_official: false },
  };
  const rows = fixings.map((fixing) => fixingRow(pair, fixing));
  return generatedSeries('fx_reference_rates', { base, quote }, envelope, rows);
}

function fixingRow(pair: string, { desk, date, at, price, crossed }: Fixing): JsonObject {
  return {
    date,
    timestamp_utc: isoSeconds(at),
    timestamp_type: 'fixing',
    price,
    val: price,
    source: { id: desk.id, name: desk.name, is_official: false },
    source_pair: crossed ?? pair,
    is_derived: crossed !== undefined,
    derivation_method: crossed === undefined ? 'direct_original_pair' : 'cross_via_anchor',
    pair_consistency_check: 'passed',
  };
}

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
