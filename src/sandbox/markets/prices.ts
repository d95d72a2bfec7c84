import type { JsonObject } from '../../contract/json/json.ts';
import { addDays } from '../../contract/time/time.ts';
import type { Announcements } from '../announced/announcements.ts';
import { type GeneratedObservation, latestPrint } from '../announced/vintages.ts';
import { hashOf } from '../random.ts';
import { type GeneratedSeries, rowOf, SANDBOX_LABEL, SANDBOX_URL } from '../rows.ts';
import type { World } from '../world.ts';

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
  return {
    endpoint: 'financial_prices',
    scope: { currency },
    envelope: { currency, data_quality: { is_official: false, source_name: SANDBOX_LABEL, source_type: 'synthetic' } },
    rows: rows.sort(newestFirst).map((row) => rowOf('financial_prices', row)),
  };
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

/** What was paid and how much was asked for; the bond runs ten years from its auction. */
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
