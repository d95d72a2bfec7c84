import type { JsonObject } from '../../contract/json/json.ts';
import { addDays, daysBetween } from '../../contract/time/time.ts';
import { COMMODITIES } from '../../contract/words/words.ts';
import { percentChange } from '../../derive/cadence.ts';
import type { Announcements } from '../announced/announcements.ts';
import { indicatorOf } from '../announced/indicator-table.ts';
import { type GeneratedObservation, latestPrint } from '../announced/vintages.ts';
import { hashOf, printed, type RandomWalk, randomWalk, streamOf } from '../random-walks.ts';
import { type GeneratedSeries, generatedSeries, SANDBOX_LABEL, SANDBOX_URL } from '../rows.ts';
import { type Day, scheduleOf } from '../schedule.ts';
import { type World, yesterday } from '../world.ts';
import { localInstant } from '../zones.ts';

interface Quoted {
  readonly date: string;
  readonly val: number;
  /** Unix seconds. */
  readonly release: number;
}

const METALS: Readonly<Record<string, Priced>> = {
  gold: { unit: 'USD/oz t', walk: { kind: 'around', mean: 2400, swing: 22, pull: 0.002, floor: 600 } },
  natural_gas: { unit: 'USD/MMBtu', walk: { kind: 'around', mean: 3.4, swing: 0.09, pull: 0.006, floor: 0.9 } },
  oil_brent: { unit: 'USD/bbl', walk: { kind: 'around', mean: 76, swing: 1.2, pull: 0.004, floor: 15 } },
  oil_wti: { unit: 'USD/bbl', walk: { kind: 'around', mean: 72, swing: 1.2, pull: 0.004, floor: 12 } },
  platinum: { unit: 'USD/oz t', walk: { kind: 'around', mean: 1050, swing: 12, pull: 0.003, floor: 300 } },
  silver: { unit: 'USD/oz t', walk: { kind: 'around', mean: 28, swing: 0.4, pull: 0.003, floor: 6 } },
};

interface Priced {
  readonly unit: string;
  readonly walk: RandomWalk;
}

/** London's afternoon, when the metals are fixed and the day's oil is assessed. */
const FIXING = { zone: 'Europe/London', minutes: 15 * 60 };

/** Gold is not fixed on these days although currencies are: a day without one of its parts is a case of its own. */
export function isQuoted(slug: string, date: string): boolean {
  return slug !== 'gold' || !(date.endsWith('-12-26') || date.endsWith('-05-01'));
}

/** Prices on each of the business days, before any choice of a window. */
export function dailyPrices(world: World, slug: string, count: number): readonly number[] {
  const priced = METALS[slug];
  if (!priced) throw new RangeError(`${slug} has no daily price`);
  const { values } = randomWalk(priced.walk, streamOf(world.seed, `commodities/${slug}`), count);
  return values.map((value) => printed(value, 2));
}

/** The history of every commodity. */
export function* generateCommodities(world: World, days: readonly Day[]): Iterable<GeneratedSeries> {
  for (const slug of COMMODITIES) {
    const priced = METALS[slug];
    const unit = priced?.unit ?? indicatorOf(slug, 'COMM').unit;
    const quotes = priced ? daily(world, slug, days) : reported(world, slug);
    const rows = quotes.map((_, i) => priceRow(quotes, i, priced ? yearBefore(quotes, i) : quotes[i - 52]));
    const envelope = envelopeOf(world, slug, { unit, quotes });
    yield generatedSeries('commodities', { indicator: slug }, envelope, rows.reverse());
  }
}

function daily(world: World, slug: string, days: readonly Day[]): readonly Quoted[] {
  const since = world.since.daily;
  const prices = dailyPrices(world, slug, days.length);
  return days.flatMap(({ date }, i) =>
    date < since || !isQuoted(slug, date)
      ? []
      : [{ date, val: prices[i] ?? 0, release: localInstant(FIXING.zone, date, FIXING.minutes) }],
  );
}

function reported(world: World, slug: string): readonly Quoted[] {
  const indicator = indicatorOf(slug, 'COMM');
  const periods = scheduleOf(
    world,
    { currency: 'COMM', indicator },
    { from: world.since.periodic, until: world.horizon },
  );
  const count = (periods.at(-1)?.index ?? -1) + 1;
  const { values } = randomWalk(indicator.walk, streamOf(world.seed, `commodities/${slug}`), count);
  return periods.map(({ index, date, release }) => ({
    date,
    val: printed(values[index] ?? 0, indicator.decimals),
    release,
  }));
}

/** The newest quote that is at least twelve months older. */
function yearBefore(quotes: readonly Quoted[], at: number): Quoted | undefined {
  const date = quotes[at]?.date ?? '';
  const target = `${Number(date.slice(0, 4)) - 1}${date.slice(4)}`;
  // A year has about 261 business days, so the search begins 240 quotes before.
  for (let i = Math.min(at, at - 240); i >= 0; i -= 1) {
    const quote = quotes[i];
    if (quote && quote.date <= target) return quote;
  }
  return undefined;
}

function priceRow(quotes: readonly Quoted[], at: number, year: Quoted | undefined): JsonObject {
  const quote = quotes[at];
  if (!quote) throw new RangeError(`There is no quote ${at}`);
  const { date, val, release } = quote;
  const before = quotes[at - 1];
  const step = before && percentChange(val, before.val);
  const yearly = year && percentChange(val, year.val);
  return {
    date,
    val,
    announcement_datetime: release,
    source: SANDBOX_LABEL,
    source_url: SANDBOX_URL,
    ...(step !== undefined && { pct_change: step }),
    ...(yearly !== undefined && { pct_change_12m: yearly }),
  };
}

function envelopeOf(
  world: World,
  slug: string,
  { unit, quotes }: { unit: string; quotes: readonly Quoted[] },
): JsonObject {
  const first = quotes[0]?.date ?? world.today;
  const last = quotes.at(-1)?.date ?? yesterday(world);
  const lag = daysBetween(last, world.today);
  return {
    currency: 'USD',
    indicator: slug,
    unit,
    source: SANDBOX_LABEL,
    source_url: SANDBOX_URL,
    provenance: {
      publisher: SANDBOX_LABEL,
      publisher_url: SANDBOX_URL,
      storage: 'sandbox',
      source_store: 'sandbox',
      served_by: '/v1/commodities/{indicator}',
      timestamp_field: 'announcement_datetime',
      value_field: 'val',
    },
    has_official_forecast: false,
    last_updated: last,
    latest_available_date: last,
    data_quality: {
      is_official: false,
      is_derived: false,
      source_name: SANDBOX_LABEL,
      source_type: 'synthetic',
      row_count: quotes.length,
      data_lag_days: lag,
      latest_available_date: last,
      quality_scope: 'full_result',
    },
    start_date: first,
    end_date: last,
  };
}

/** Official observations of one currency: the same yields and rates that its announcements tell, and monthly auctions. */
export function generatePrices(world: World, currency: string, stored: readonly Announcements[]): GeneratedSeries {
  const of = (slug: string) =>
    (stored.find(({ series }) => series.indicator.slug === slug)?.observations ?? []).filter(
      ({ date }) => date >= world.since.brief,
    );
  const long = of('gov_bond_10y');
  const rows = [
    ...of('risk_free_rate').map((one) => overnight(currency, one)),
    ...of('gov_bond_2y').map((one) => parNode(currency, '2Y', one)),
    ...long.map((one) => parNode(currency, '10Y', one)),
    ...long.filter((one, i) => isAuctionDay(one, long[i - 1])).flatMap((one) => auction(world, currency, one)),
  ];
  const quality = { is_official: false, source_name: SANDBOX_LABEL, source_type: 'synthetic' };
  const envelope = { currency, data_quality: quality };
  return generatedSeries('financial_prices', { currency }, envelope, rows.sort(newestFirst));
}

interface PriceRow extends JsonObject {
  readonly date: string;
  readonly instrument_id: string;
  readonly measure: string;
}

function newestFirst(a: PriceRow, b: PriceRow): number {
  const [left, right] = [a, b].map(({ date, instrument_id, measure }) => `${date} ${instrument_id} ${measure}`);
  return (left ?? '') < (right ?? '') ? 1 : -1;
}

function overnight(currency: string, one: GeneratedObservation): PriceRow {
  return observed(currency, one, {
    instrument_id: 'overnight',
    instrument_name: 'Overnight rate, synthetic',
    instrument_type: 'overnight_rate',
    measure: 'rate',
    val: latestPrint(one).val,
    unit: '%',
    source_precision: 2,
  });
}

function parNode(currency: string, maturity: string, one: GeneratedObservation): PriceRow {
  return observed(currency, one, {
    instrument_id: `par_${maturity.toLowerCase()}`,
    instrument_name: `Par yield, ${maturity}, synthetic`,
    instrument_type: 'curve_node',
    measure: 'yield',
    val: latestPrint(one).val,
    unit: '%',
    maturity,
    curve_type: 'par',
    source_precision: 3,
  });
}

/** The first business day of a month. */
function isAuctionDay({ date }: GeneratedObservation, before: GeneratedObservation | undefined): boolean {
  return before !== undefined && before.date.slice(0, 7) !== date.slice(0, 7);
}

/** The yield and the demand of an auction; the bond runs ten years from it. */
function auction(world: World, currency: string, one: GeneratedObservation): readonly PriceRow[] {
  const month = one.date.slice(0, 7);
  const bond = {
    instrument_id: `auction_10y_${month}`,
    instrument_name: `Auction, 10Y, ${month}, synthetic`,
    instrument_type: 'auction',
    maturity: '10Y',
    maturity_date: addDays(`${Number(one.date.slice(0, 4)) + 10}${month.slice(4)}-01`, 14),
  };
  const draw = hashOf(world.seed, `financial_prices/${currency}/${month}`) % 100;
  const high = Math.round((latestPrint(one).val + draw / 10_000) * 1000) / 1000;
  return [
    observed(currency, one, { ...bond, measure: 'high_yield', val: high, unit: '%', source_precision: 3 }),
    observed(currency, one, {
      ...bond,
      measure: 'bid_to_cover',
      val: (200 + draw) / 100,
      unit: 'ratio',
      source_precision: 2,
    }),
  ];
}

function observed<T extends { instrument_id: string; measure: string } & JsonObject>(
  currency: string,
  { date, release }: GeneratedObservation,
  what: T,
): PriceRow {
  const code = currency.toLowerCase();
  return {
    observation_id: `${code}_sandbox_${what.instrument_id}_${what.measure}_${date}`,
    date,
    currency,
    source: SANDBOX_LABEL,
    source_url: `${SANDBOX_URL}${code}/prices`,
    issuer: `${currency} treasury (synthetic)`,
    ...what,
    announcement_datetime: release,
  };
}
