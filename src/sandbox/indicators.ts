import { type Indicator, indicatorTable } from './indicator-table.ts';
import { economyOf } from './publishers.ts';
import type { SandboxSize } from './world.ts';

const list = (slugs: string): readonly string[] => slugs.trim().split(/\s+/);

/** Currencies with the whole catalogue; the others have the short one. */
const FULL = list('USD EUR GBP JPY');
const SHORT = list(`core_inflation foreign_reserves gdp gov_bond_10y gov_bond_2y gov_bond_5y inflation policy_rate
  retail_sales risk_free_rate trade_balance unemployment`);
/** The only currency whose policy rate is a range. */
const SMALL_USD = [...SHORT, 'policy_rate_target_lower'].sort();
const TINY = list('gdp inflation policy_rate');
const USD_ONLY = list(
  'core_pce durable_goods_orders housing_starts initial_jobless_claims job_openings non_farm_payrolls policy_rate_target_lower',
);
/** What the calendar knows of currencies without series of their own. */
const SCHEDULED = list('foreign_reserves gdp inflation policy_rate trade_balance unemployment');
const COMMODITY_REPORTS = list('crude_oil_inventories natural_gas_storage');

/** True for a currency with the whole catalogue. */
export function isFull(currency: string): boolean {
  return FULL.includes(currency);
}

/** The series that the sandbox has of a currency, by slug. */
export function indicatorsOf(currency: string, size: SandboxSize): readonly Indicator[] {
  return slugsOf(currency, size).map((slug) => indicatorOf(slug, currency));
}

function slugsOf(currency: string, size: SandboxSize): readonly string[] {
  const full = isFull(currency);
  if (size === 'small') return currency === 'USD' ? SMALL_USD : full ? SHORT : TINY;
  if (!full) return SHORT;
  const others = [...COMMODITY_REPORTS, ...(currency === 'USD' ? [] : USD_ONLY)];
  return [...indicatorTable.keys()].filter((slug) => !others.includes(slug)).sort();
}

/** The releases that the sandbox schedules for a currency without series of its own. */
export function scheduledOf(currency: string): readonly Indicator[] {
  return (currency === 'COMM' ? COMMODITY_REPORTS : SCHEDULED).map((slug) => indicatorOf(slug, currency));
}

/** One series of the table, at the scale of a currency. */
export function indicatorOf(slug: string, currency: string): Indicator {
  const entry = indicatorTable.get(slug);
  if (!entry) throw new RangeError(`No invented series is called ${slug}`);
  const { walkOf, ...rest } = entry;
  return { ...rest, slug, unit: rest.unit.replace('{CCY}', currency), walk: walkOf(economyOf(currency)) };
}
