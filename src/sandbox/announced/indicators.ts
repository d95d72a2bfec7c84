import { economyOf } from '../publishers.ts';
import type { SandboxSize } from '../world.ts';
import { type Indicator, indicatorTable } from './indicator-table.ts';

const list = (slugs: string): readonly string[] => slugs.trim().split(/\s+/);

/** Currencies with a long catalogue; the dollar has every indicator. */
const LARGE = list('USD EUR GBP JPY');
const TINY = list('gdp inflation policy_rate');
/** What the calendar knows of currencies without series of their own. */
const SCHEDULED = list('foreign_reserves gdp inflation policy_rate trade_balance unemployment');
const COMMODITY_REPORTS = list('crude_oil_inventories natural_gas_storage');

/** True for a currency with a long catalogue. */
export function isLarge(currency: string): boolean {
  return LARGE.includes(currency);
}

/** The series that the sandbox has of a currency, by slug. */
export function indicatorsOf(currency: string, size: SandboxSize): readonly Indicator[] {
  return slugsOf(currency, size).map((slug) => indicatorOf(slug, currency));
}

function slugsOf(currency: string, size: SandboxSize): readonly string[] {
  const isDollar = currency === 'USD';
  if (size === 'small' && !isLarge(currency)) return TINY;
  // The only range of a policy rate is there in every size.
  if (size === 'small')
    return isDollar ? [...slugsAt(['every']), 'policy_rate_target_lower'].sort() : slugsAt(['every']);
  if (isDollar) return slugsAt(['every', 'large', 'USD']);
  return slugsAt(isLarge(currency) ? ['every', 'large'] : ['every']);
}

/** The series of some homes, in the order of the table, which is that of slugs. */
function slugsAt(homes: readonly string[]): readonly string[] {
  return [...indicatorTable].flatMap(([slug, { home }]) => (homes.includes(home) ? [slug] : []));
}

/** The releases that the sandbox schedules for a currency without series of its own. */
export function scheduledOf(currency: string): readonly Indicator[] {
  return (currency === 'COMM' ? COMMODITY_REPORTS : SCHEDULED).map((slug) => indicatorOf(slug, currency));
}

/** One series of the table, at the scale of a currency. */
export function indicatorOf(slug: string, currency: string): Indicator {
  const entry = indicatorTable.get(slug);
  if (!entry) throw new RangeError(`No invented series is called ${slug}`);
  const { walkOf, home: _, ...rest } = entry;
  return { ...rest, slug, unit: rest.unit.replace('{CCY}', currency), walk: walkOf(economyOf(currency)) };
}
