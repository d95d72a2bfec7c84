import { asJsonText, floatText } from '../contract/json.ts';
import { addDays, isoSeconds } from '../contract/time.ts';
import type { NewRow } from '../mirror/mirror.ts';
import { DESKS, type Desk, decimalsOf, euroRates } from './fx.ts';
import { streamOf } from './random.ts';
import type { GeneratedSeries } from './rows.ts';
import type { Day } from './schedule.ts';
import { printed } from './walks.ts';
import { WALK_START, type World, yesterday } from './world.ts';
import { localInstant } from './zones.ts';

/** When a desk fixes, in minutes of its own clock. The last fixing of a day is the desk's daily rate. */
interface Clockwork {
  readonly zone: string;
  readonly times: readonly number[];
}

const CLOCKWORKS: Readonly<Record<string, Clockwork>> = {
  sandbox_eur_daily: { zone: 'Europe/Berlin', times: [14 * 60 + 15] },
  sandbox_usd_daily: { zone: 'America/New_York', times: [10 * 60, 12 * 60] },
};

/**
 * The timed fixings of every pair that a desk fixes. Rows say nothing of `is_official`: nobody official made them, and what
 * is not official is left out of session rates, which the sandbox shall show.
 */
export function* generateFixings(world: World, days: readonly Day[]): Iterable<GeneratedSeries> {
  for (const desk of DESKS) {
    const anchor = euroRates(world, desk.anchor, days.length);
    for (const quote of desk.quotes) {
      const rates = euroRates(world, quote, days.length).map((rate, i) => rate / (anchor[i] ?? 1));
      yield fixingsOf(world, { desk, quote, days, rates });
    }
  }
}

interface Rates {
  readonly desk: Desk;
  readonly quote: string;
  readonly days: readonly Day[];
  readonly rates: readonly number[];
}

function fixingsOf(world: World, { desk, quote, days, rates }: Rates): GeneratedSeries {
  const pair = `${desk.anchor}/${quote}`;
  const { zone, times } = CLOCKWORKS[desk.id] ?? { zone: 'UTC', times: [12 * 60] };
  const stream = streamOf(world.seed, `fixings/${pair}`);
  const since = firstDate(world);
  const rows: NewRow[] = [];
  for (const [i, { date }] of days.entries()) {
    // Drawn for every day, so that tomorrow's data set only adds to today's.
    const drifts = times.map((_, place) => (place === times.length - 1 ? 0 : 0.0008 * stream.normal()));
    if (date < since) continue;
    for (const [place, minutes] of times.entries()) {
      const price = printed((rates[i] ?? 0) * (1 + (drifts[place] ?? 0)), decimalsOf(quote));
      rows.push(fixingRow({ desk, pair, date, price, at: localInstant(zone, date, minutes) }));
    }
  }
  return {
    endpoint: 'fx_reference_rates',
    scope: { base: desk.anchor, quote },
    envelope: {
      base: desk.anchor,
      quote,
      pair,
      start_date: since,
      end_date: yesterday(world),
      data_quality: { source_type: 'synthetic', is_official: false },
    },
    rows,
    window: { from: WALK_START, to: world.today },
  };
}

/** Three years and more; of a small data set two to three months, in whole ones, so that the first row stays for a while. */
function firstDate({ size, since, today }: World): string {
  if (size === 'full') return since.daily;
  return `${addDays(`${today.slice(0, 7)}-01`, -45).slice(0, 7)}-01`;
}

/** Text and value of a row; the text is put together here, since there are many of them. */
function fixingRow(fixing: { desk: Desk; pair: string; date: string; price: number; at: number }): NewRow {
  const { desk, pair, date, price, at } = fixing;
  const time = isoSeconds(at);
  const number = floatText(price);
  const value = {
    date,
    timestamp_utc: time,
    timestamp_type: 'fixing',
    price,
    val: price,
    source: { id: desk.id, name: desk.name },
    source_pair: pair,
    is_derived: false,
    derivation_method: 'direct_original_pair',
    pair_consistency_check: 'passed',
  };
  const text =
    `{"date":"${date}","timestamp_utc":"${time}","timestamp_type":"fixing","price":${number},"val":${number},` +
    `"source":{"id":"${desk.id}","name":"${desk.name}"},"source_pair":"${pair}","is_derived":false,` +
    '"derivation_method":"direct_original_pair","pair_consistency_check":"passed"}';
  return { text: asJsonText(text), value };
}
