import { wordList } from '../../contract/words/words.ts';
import { DESKS, type Desk, type Economy, economyOf } from '../publishers.ts';
import type { RandomWalk } from '../random-walks.ts';
import type { SandboxSize } from '../world.ts';

/**
 * Every invented series, one line each, in columns: slug; name; unit. Frequency, adjustment, desk, days to the release.
 * Importance. Decimals, chance of a revision and its typical size in last decimals. The walk of its values, with words
 * for the economy. Its currencies. For a series that moves between two others, its place and their slugs.
 *
 * Growing levels start low enough in 2000 to be near the size of the economy now.
 */
const LINES = `
average_hourly_earnings       | Average Hourly Earnings | {CCY} | Monthly SA statistics 5 | medium | 2 0.3 3 | growth 18 0.0027 0.001 | USD
average_hourly_earnings_mom   | Average Hourly Earnings, Monthly | %MoM | Monthly SA statistics 5 | medium | 1 0.3 1 | around 0.3 0.1 0.8 | USD
balance_on_goods              | Balance on Goods | {CCY} bn | Monthly SA statistics 35 | low | 2 0.75 30 | around output*-0.002 output*0.0006 0.2 | USD
balance_on_services           | Balance on Services | {CCY} bn | Monthly SA statistics 35 | low | 2 0.75 20 | around output*0.0008 output*0.0002 0.2 | USD
breakeven_inflation_rate      | Breakeven Inflation Rate | % | Daily NOT_APPLICABLE market 0 | low | 2 0 0 | around target+0.2 0.02 0.01 | USD
building_approvals            | Building Approvals | k | Monthly SA statistics 33 | low | 1 0.6 8 | around workers/120 workers/3500 0.1 1 | USD
building_permits              | Building Permits | k | Monthly SA statistics 18 | low | 1 0.6 8 | around workers/110 workers/3500 0.1 1 | large
business_confidence           | Business Confidence | Index | Monthly SA statistics 1 | medium | 1 0.2 3 | around 100 1.5 0.1 | large
capital_account_balance       | Capital Account Balance | {CCY} bn | Quarterly SA statistics 80 | low | 1 0.5 5 | around output*-0.0002 output*0.0002 0.3 | USD
cb_assets                     | Central Bank Assets | {CCY} bn | Weekly NOT_APPLICABLE bank 6 | low | 1 0 0 | around output*0.25 output*0.0012 0.01 0 | large
commodity_price_energy        | Commodity Prices, Energy | Index | Monthly NSA bank 2 | low | 1 0.2 3 | around 140 5 0.05 20 | USD
commodity_price_ex_energy     | Commodity Prices without Energy | Index | Monthly NSA bank 2 | low | 1 0.2 2 | around 120 2 0.05 20 | USD
commodity_price_index         | Commodity Price Index | Index | Monthly NSA bank 2 | low | 1 0.2 2 | around 130 3 0.05 20 | USD
commodity_prices              | Commodity Prices | %YoY | Monthly NSA bank 2 | low | 1 0.2 4 | around 1.5 2.5 0.1 | USD
consumer_confidence           | Consumer Confidence | Index | Monthly SA statistics 0 | medium | 1 0.3 4 | around 98 2.4 0.1 | large
core_inflation                | Core Inflation | %YoY | Monthly NSA statistics 12 | high | 1 0.05 1 | prices target 0.05 | every
core_inflation_median         | Core Inflation, Median | %YoY | Monthly SA statistics 12 | medium | 1 0.05 1 | prices target 0.04 | USD
core_inflation_mom            | Core Inflation, Monthly | %MoM | Monthly SA statistics 12 | high | 1 0.2 1 | around target/12 0.1 0.6 | USD
core_inflation_trim           | Core Inflation, Trimmed | %YoY | Monthly SA statistics 12 | medium | 1 0.05 1 | prices target 0.04 | USD
core_pce                      | Core PCE | %YoY | Monthly SA statistics 27 | high | 1 0.4 1 | prices target 0.04 | USD
core_pce_mom                  | Core PCE, Monthly | %MoM | Monthly SA statistics 27 | medium | 1 0.3 1 | around target/12 0.08 0.6 | USD
credit_growth                 | Credit Growth | %YoY | Monthly SA bank 25 | low | 1 0.4 2 | around 4.5 0.3 0.08 | USD
crude_oil_inventories         | Crude Oil Inventories | kbbl | Weekly NOT_APPLICABLE statistics 5 | medium | 0 0 0 | around 430000 3400 0.03 0 | USD
current_account_balance       | Current Account Balance | {CCY} bn | Quarterly SA statistics 80 | medium | 1 0.6 20 | around output*0.004 output*0.002 0.3 | large
dairy_exports                 | Dairy Exports | {CCY} bn | Monthly NSA statistics 25 | low | 2 0.5 3 | around output/4000 output/40000 0.1 0 | USD
deposit_rates                 | Deposit Rates | % | Monthly NSA bank 30 | low | 2 0.1 2 | around rate*0.7 0.08 0.02 | USD
durable_goods_orders          | Durable Goods Orders | %MoM | Monthly SA statistics 26 | medium | 1 0.8 2 | around 0.3 2.2 0.9 | USD
employment                    | Employment | k | Monthly SA statistics 5 | medium | 1 0.7 60 | growth workers/1.25 0.0007 0.0012 | large
exports                       | Exports | {CCY} bn | Monthly SA statistics 35 | low | 2 0.75 25 | growth output/75 0.003 0.012 | large
financial_account_balance     | Financial Account Balance | {CCY} bn | Quarterly NSA statistics 80 | low | 1 0.6 20 | around output*-0.004 output*0.003 0.3 | USD
foreign_reserves              | Foreign Reserves | {CCY} bn | Monthly NOT_APPLICABLE bank 6 | low | 1 0 0 | around output*0.15 output*0.002 0.02 0 | every
full_time_employment          | Full-Time Employment | k | Monthly SA statistics 5 | low | 1 0.7 50 | growth workers/1.6 0.0007 0.0013 | USD
gdp                           | GDP | {CCY} bn | Quarterly SA statistics 29 | high | 1 0.85 6 | growth output/6.2 0.0045 0.006 | every
gdp_growth_q4_yoy             | GDP Growth, Fourth Quarter on Fourth Quarter | %YoY | Quarterly SA statistics 29 | low | 1 0.6 1 | around 2.1 0.6 0.3 | USD
gdp_growth_qoq_saar           | GDP Growth, Annualized | %QoQ | Quarterly SA statistics 29 | high | 1 0.7 2 | around 2.1 1.6 0.7 | USD
gdp_quarterly                 | GDP Growth, Quarterly | %QoQ | Quarterly SA statistics 29 | high | 1 0.6 1 | around 0.4 0.5 0.7 | large
gold_reserves                 | Gold Reserves | {CCY} bn | Monthly NOT_APPLICABLE bank 6 | low | 1 0 0 | around output*0.025 output*0.0005 0.02 0 | USD
gov_bond_10y                  | Government Bond, 10 Years | % | Daily NOT_APPLICABLE market 0 | low | 3 0 0 | around rate+0.9 0.05 0.004 | every
gov_bond_1y                   | Government Bond, 1 Year | % | Daily NOT_APPLICABLE market 0 | low | 3 0 0 | around 0 0.01 0.1 | large | -0.15 gov_bond_2y gov_bond_10y
gov_bond_20y                  | Government Bond, 20 Years | % | Daily NOT_APPLICABLE market 0 | low | 3 0 0 | around 0 0.01 0.1 | USD | 1.1 gov_bond_2y gov_bond_10y
gov_bond_2y                   | Government Bond, 2 Years | % | Daily NOT_APPLICABLE market 0 | low | 3 0 0 | around rate+0.2 0.045 0.004 | every
gov_bond_30y                  | Government Bond, 30 Years | % | Daily NOT_APPLICABLE market 0 | low | 3 0 0 | around 0 0.01 0.1 | large | 1.2 gov_bond_2y gov_bond_10y
gov_bond_3y                   | Government Bond, 3 Years | % | Daily NOT_APPLICABLE market 0 | low | 3 0 0 | around 0 0.01 0.1 | large | 0.2 gov_bond_2y gov_bond_10y
gov_bond_40y                  | Government Bond, 40 Years | % | Daily NOT_APPLICABLE market 0 | low | 3 0 0 | around 0 0.01 0.1 | USD | 1.28 gov_bond_2y gov_bond_10y
gov_bond_4y                   | Government Bond, 4 Years | % | Daily NOT_APPLICABLE market 0 | low | 3 0 0 | around 0 0.01 0.1 | USD | 0.33 gov_bond_2y gov_bond_10y
gov_bond_5y                   | Government Bond, 5 Years | % | Daily NOT_APPLICABLE market 0 | low | 3 0 0 | around 0 0.01 0.1 | every | 0.45 gov_bond_2y gov_bond_10y
gov_bond_7y                   | Government Bond, 7 Years | % | Daily NOT_APPLICABLE market 0 | low | 3 0 0 | around 0 0.01 0.1 | large | 0.7 gov_bond_2y gov_bond_10y
government_debt               | Government Debt | {CCY} bn | Quarterly NOT_APPLICABLE bank 75 | low | 1 0.4 15 | growth output/2.4 0.009 0.006 | large
house_price_index             | House Price Index | Index | Monthly SA statistics 55 | low | 1 0.6 3 | growth 100 0.003 0.004 | large
household_credit              | Household Credit | {CCY} bn | Monthly SA bank 35 | low | 1 0.4 15 | growth output/3.5 0.0033 0.002 | USD
housing_starts                | Housing Starts | k | Monthly SA statistics 18 | low | 0 0.7 9 | around 1380 45 0.1 300 | USD
imports                       | Imports | {CCY} bn | Monthly SA statistics 35 | low | 2 0.75 25 | growth output/76 0.003 0.012 | large
inflation                     | Inflation (CPI) | %YoY | Monthly NSA statistics 12 | high | 1 0.05 1 | prices target 0.09 | every
inflation_linked_bond         | Inflation-Linked Bond | % | Daily NOT_APPLICABLE market 0 | low | 3 0 0 | around rate-1.4 0.03 0.006 | USD
inflation_mom                 | Inflation, Monthly | %MoM | Monthly SA statistics 12 | medium | 1 0.2 1 | around target/12 0.15 0.6 | large
initial_jobless_claims        | Initial Jobless Claims | k | Weekly SA statistics 5 | medium | 0 0.7 2 | around 232 9 0.08 120 | USD
international_assets          | International Assets | {CCY} bn | Quarterly NSA statistics 85 | low | 1 0.6 40 | growth output/2 0.009 0.012 | USD
international_liabilities     | International Liabilities | {CCY} bn | Quarterly NSA statistics 85 | low | 1 0.6 40 | growth output/1.9 0.009 0.012 | USD
job_openings                  | Job Openings | k | Monthly SA statistics 33 | low | 0 0.8 40 | around 7400 190 0.05 1000 | USD
m1                            | Money Supply M1 | {CCY} bn | Monthly SA bank 25 | low | 1 0.5 15 | growth output/6 0.0035 0.005 | USD
m2                            | Money Supply M2 | {CCY} bn | Monthly SA bank 25 | low | 1 0.5 20 | growth output/2.4 0.0035 0.004 | large
m3                            | Money Supply M3 | {CCY} bn | Monthly SA bank 25 | low | 1 0.5 25 | growth output/2 0.0035 0.004 | USD
monthly_cpi                   | Monthly CPI Indicator | %YoY | Monthly NSA statistics 26 | medium | 1 0.05 1 | prices target 0.1 | USD
nairu                         | Natural Rate of Unemployment | % | Quarterly NOT_APPLICABLE bank 45 | low | 2 0.5 4 | around 4.4 0.03 0.02 | USD
natural_gas_storage           | Natural Gas Storage | Bcf | Weekly NOT_APPLICABLE statistics 6 | medium | 0 0 0 | around 2700 45 0.03 700 | USD
net_foreign_asset_position    | Net Foreign Asset Position | {CCY} bn | Quarterly NSA statistics 85 | low | 1 0.6 40 | around output*-0.4 output*0.02 0.05 | USD
non_farm_payrolls             | Non-Farm Payrolls | k | Monthly SA statistics 5 | high | 0 0.9 25 | growth workers/1.25 0.0007 0.0009 | USD
non_farm_payrolls_change      | Non-Farm Payrolls, Change | k | Monthly SA statistics 5 | high | 0 0.9 25 | around workers/1000 workers/2300 0.6 | USD
part_time_employment          | Part-Time Employment | k | Monthly SA statistics 5 | low | 1 0.7 30 | growth workers/6 0.0007 0.003 | USD
participation_rate            | Participation Rate | % | Monthly SA statistics 5 | low | 1 0.05 1 | around 63.4 0.1 0.02 | large
pce                           | PCE Price Index | %YoY | Monthly SA statistics 27 | medium | 1 0.4 1 | prices target 0.07 | USD
pce_mom                       | PCE Price Index, Monthly | %MoM | Monthly SA statistics 27 | low | 1 0.3 1 | around target/12 0.12 0.6 | USD
policy_rate                   | Policy Rate | % | Irregular NOT_APPLICABLE bank 0 | high | 2 0 0 | steps rate | every
policy_rate_midpoint          | Policy Rate, Midpoint | % | Irregular NOT_APPLICABLE bank 0 | low | 3 0 0 | around -0.125 0 0 | USD | 0 policy_rate policy_rate
policy_rate_mlf               | Medium-Term Lending Facility Rate | % | Irregular NOT_APPLICABLE bank 0 | low | 2 0 0 | around 0.1 0 0 | USD | 0 policy_rate policy_rate
policy_rate_mro               | Main Refinancing Operations Rate | % | Irregular NOT_APPLICABLE bank 0 | low | 2 0 0 | around 0.15 0 0 | USD | 0 policy_rate policy_rate
policy_rate_target_lower      | Policy Rate, Lower Bound | % | Irregular NOT_APPLICABLE bank 0 | medium | 2 0 0 | around -0.25 0 0 | USD | 0 policy_rate policy_rate
ppi                           | Producer Prices | %YoY | Monthly NSA statistics 14 | medium | 1 0.4 1 | prices target 0.2 | large
ppi_mom                       | Producer Prices, Monthly | %MoM | Monthly SA statistics 14 | low | 1 0.4 1 | around target/12 0.3 0.6 | USD
primary_income_balance        | Primary Income Balance | {CCY} bn | Quarterly SA statistics 80 | low | 1 0.6 10 | around output*0.002 output*0.0008 0.3 | USD
retail_sales                  | Retail Sales | %MoM | Monthly SA statistics 16 | high | 1 0.7 2 | around 0.3 0.6 0.8 | every
retail_sales_control_group    | Retail Sales, Control Group | %MoM | Monthly SA statistics 16 | medium | 1 0.7 2 | around 0.3 0.4 0.8 | USD
retail_sales_ex_autos         | Retail Sales without Cars | %MoM | Monthly SA statistics 16 | medium | 1 0.7 2 | around 0.3 0.5 0.8 | USD
retail_sales_ex_autos_and_gas | Retail Sales without Cars and Fuel | %MoM | Monthly SA statistics 16 | low | 1 0.7 2 | around 0.3 0.4 0.8 | USD
risk_free_rate                | Risk-Free Rate | % | Daily NOT_APPLICABLE market 0 | low | 2 0 0 | around rate 0.02 0.004 | every
secondary_income_balance      | Secondary Income Balance | {CCY} bn | Quarterly SA statistics 80 | low | 1 0.6 5 | around output*-0.0015 output*0.0003 0.3 | USD
sight_deposits                | Sight Deposits | {CCY} bn | Weekly NOT_APPLICABLE bank 3 | low | 1 0 0 | around output*0.1 output*0.0015 0.02 0 | USD
terms_of_trade                | Terms of Trade | Index | Quarterly NSA statistics 60 | low | 1 0.5 4 | around 104 1.2 0.1 | USD
trade_balance                 | Trade Balance | {CCY} bn | Monthly SA statistics 35 | medium | 2 0.75 30 | around output*0.0012 output*0.0006 0.2 | every
trade_weighted_index          | Trade-Weighted Index | Index | Daily NOT_APPLICABLE market 0 | low | 2 0 0 | around 110 0.35 0.003 60 | USD
trimmed_mean_inflation        | Trimmed Mean Inflation | %YoY | Quarterly SA statistics 27 | medium | 1 0.1 1 | around target+0.3 0.15 0.1 | USD
unemployment                  | Unemployment Rate | % | Monthly SA statistics 5 | high | 1 0.12 1 | around 5.2 0.12 0.015 2 | every
wage_price_index              | Wage Price Index | %YoY | Quarterly SA statistics 44 | medium | 1 0.1 1 | around target+1 0.12 0.12 | USD
wages                         | Wages | %YoY | Monthly SA statistics 15 | medium | 1 0.35 1 | around target+1.2 0.2 0.12 | large
`;

const FREQUENCIES = ['Daily', 'Weekly', 'Monthly', 'Quarterly', 'Irregular'] as const;
export type Frequency = (typeof FREQUENCIES)[number];
const ADJUSTMENTS = ['SA', 'NSA', 'NOT_APPLICABLE'] as const;
const IMPORTANCES = ['high', 'medium', 'low'] as const;
const HOMES = ['every', 'large', 'USD'] as const;

/** One invented series of a currency. */
export interface Indicator {
  readonly slug: string;
  readonly name: string;
  readonly unit: string;
  readonly frequency: Frequency;
  readonly adjustment: (typeof ADJUSTMENTS)[number];
  readonly importance: (typeof IMPORTANCES)[number];
  readonly desk: Desk;
  /** Days from the end of the period to its release. */
  readonly lag: number;
  readonly decimals: number;
  /** Chance that a print is revised with the next release. */
  readonly revised: number;
  /** Size of a typical revision, in units of the value's last decimal. */
  readonly nudge: number;
  readonly walk: RandomWalk;
  /** The walk moves around a point between two other series of the currency, or beyond them: 0 the first, 1 the second. */
  readonly between?: { readonly slugs: readonly [string, string]; readonly at: number };
}

/** A line of the table. */
interface Entry extends Omit<Indicator, 'slug' | 'walk'> {
  /** Which currencies have it: every one, the large ones, or the dollar alone. */
  readonly home: (typeof HOMES)[number];
  readonly walkOf: (economy: Economy) => RandomWalk;
}

/** Every invented series by slug; the unit may name the currency. */
const indicatorTable: ReadonlyMap<string, Entry> = new Map(LINES.trim().split('\n').map(readLine));

function readLine(line: string): readonly [string, Entry] {
  const [slug = '', name = '', unit = '', schedule = '', importance = '', print = '', moves = '', home = '', tie] = line
    .split('|')
    .map((cell) => cell.trim());
  const [frequency = '', adjustment = '', desk = '', lag] = schedule.split(' ');
  const [decimals = 0, revised = 0, nudge = 0] = print.split(' ').map(Number);
  const [at, near = '', far = ''] = tie?.split(' ') ?? [];
  const entry = {
    name,
    unit,
    frequency: oneOf(FREQUENCIES, frequency),
    adjustment: oneOf(ADJUSTMENTS, adjustment),
    importance: oneOf(IMPORTANCES, importance),
    desk: oneOf(DESKS, desk),
    lag: Number(lag),
    decimals,
    revised,
    nudge,
    home: oneOf(HOMES, home),
    walkOf: readWalk(moves),
    ...(at !== undefined && { between: { slugs: [near, far], at: Number(at) } as const }),
  };
  return [slug, entry];
}

/** A walk and its numbers; `output/75` is a part of what the economy has. */
function readWalk(text: string): Entry['walkOf'] {
  const [kind, ...words] = text.split(' ');
  return (economy) => {
    const [first = 0, second = 0, third = 0, floor] = words.map((word) => amount(word, economy));
    switch (kind) {
      case 'around':
        return { kind, mean: first, swing: second, pull: third, ...(floor !== undefined && { floor }) };
      case 'growth':
        return { kind, start: first, drift: second, swing: third };
      case 'prices':
        return { kind, target: first, swing: second };
      case 'steps':
        return { kind, mean: first };
      default:
        throw new RangeError(`${text} is no walk`);
    }
  };
}

function amount(word: string, economy: Economy): number {
  const [, member, operator, digits] = /^(output|workers|rate|target)?([*/+]?)(-?[\d.]+)?$/.exec(word) ?? [];
  const number = Number(digits ?? 0);
  if (member === undefined) return number;
  // The pattern admits nothing but members.
  const whole = economy[member as keyof Economy];
  if (operator === '*') return whole * number;
  return operator === '/' ? whole / number : whole + number;
}

function oneOf<T extends string>(words: readonly T[], word: string): T {
  const found = words.find((known) => known === word);
  if (found === undefined) throw new RangeError(`${word} is none of ${words.join(', ')}`);
  return found;
}

/** Currencies with a long catalogue; the dollar has every indicator. */
const LARGE = wordList('USD EUR GBP JPY');
const TINY = wordList('gdp inflation policy_rate');
/** The facts of the calendar about currencies without series of their own. */
const SCHEDULED = wordList('foreign_reserves gdp inflation policy_rate trade_balance unemployment');
const COMMODITY_REPORTS = wordList('crude_oil_inventories natural_gas_storage');

/** True for a currency with a long catalogue. */
export function isLarge(currency: string): boolean {
  return LARGE.includes(currency);
}

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
