import { DESKS, type Desk, type Economy } from './publishers.ts';
import type { Walk } from './walks.ts';

const FREQUENCIES = ['Daily', 'Weekly', 'Monthly', 'Quarterly', 'Irregular'] as const;
export type Frequency = (typeof FREQUENCIES)[number];
const ADJUSTMENTS = ['SA', 'NSA', 'NOT_APPLICABLE'] as const;
const IMPORTANCES = ['high', 'medium', 'low'] as const;

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
  /** Size of a usual revision, in units of the value's last decimal. */
  readonly nudge: number;
  readonly walk: Walk;
  /** The walk moves around a point between two other series of the currency, or beyond them: 0 the first, 1 the second. */
  readonly between?: { readonly slugs: readonly [string, string]; readonly at: number };
}

type Entry = Omit<Indicator, 'slug' | 'walk'> & { readonly walkOf: (economy: Economy) => Walk };

// Slug, name, unit; frequency, adjustment, desk, days to the release; importance; decimals, chance of a revision and its
// usual size in last decimals.
const LINES = `
building_permits         | Building Permits          | k        | Monthly SA statistics 18            | low    | 1 0.6 8
business_confidence      | Business Confidence       | Index    | Monthly SA statistics 1             | medium | 1 0.2 3
cb_assets                | Central Bank Assets       | {CCY} bn | Weekly NOT_APPLICABLE bank 6        | low    | 1 0 0
consumer_confidence      | Consumer Confidence       | Index    | Monthly SA statistics 0             | medium | 1 0.3 4
core_inflation           | Core Inflation            | %YoY     | Monthly NSA statistics 12           | high   | 1 0.05 1
core_pce                 | Core PCE                  | %YoY     | Monthly SA statistics 27            | high   | 1 0.4 1
crude_oil_inventories    | Crude Oil Inventories     | kbbl     | Weekly NOT_APPLICABLE statistics 5  | medium | 0 0 0
current_account_balance  | Current Account Balance   | {CCY} bn | Quarterly SA statistics 80          | medium | 1 0.6 20
durable_goods_orders     | Durable Goods Orders      | %MoM     | Monthly SA statistics 26            | medium | 1 0.8 2
employment               | Employment                | k        | Monthly SA statistics 5             | medium | 1 0.7 60
exports                  | Exports                   | {CCY} bn | Monthly SA statistics 35            | low    | 2 0.75 25
foreign_reserves         | Foreign Reserves          | {CCY} bn | Monthly NOT_APPLICABLE bank 6       | low    | 1 0 0
gdp                      | GDP                       | {CCY} bn | Quarterly SA statistics 29          | high   | 1 0.85 6
gdp_quarterly            | GDP Growth, Quarterly     | %QoQ     | Quarterly SA statistics 29          | high   | 1 0.6 1
gov_bond_10y             | Government Bond, 10 Years | %        | Daily NOT_APPLICABLE market 0       | low    | 3 0 0
gov_bond_1y              | Government Bond, 1 Year   | %        | Daily NOT_APPLICABLE market 0       | low    | 3 0 0
gov_bond_2y              | Government Bond, 2 Years  | %        | Daily NOT_APPLICABLE market 0       | low    | 3 0 0
gov_bond_30y             | Government Bond, 30 Years | %        | Daily NOT_APPLICABLE market 0       | low    | 3 0 0
gov_bond_3y              | Government Bond, 3 Years  | %        | Daily NOT_APPLICABLE market 0       | low    | 3 0 0
gov_bond_5y              | Government Bond, 5 Years  | %        | Daily NOT_APPLICABLE market 0       | low    | 3 0 0
gov_bond_7y              | Government Bond, 7 Years  | %        | Daily NOT_APPLICABLE market 0       | low    | 3 0 0
government_debt          | Government Debt           | {CCY} bn | Quarterly NOT_APPLICABLE bank 75    | low    | 1 0.4 15
house_price_index        | House Price Index         | Index    | Monthly SA statistics 55            | low    | 1 0.6 3
housing_starts           | Housing Starts            | k        | Monthly SA statistics 18            | low    | 0 0.7 9
imports                  | Imports                   | {CCY} bn | Monthly SA statistics 35            | low    | 2 0.75 25
inflation                | Inflation (CPI)           | %YoY     | Monthly NSA statistics 12           | high   | 1 0.05 1
inflation_mom            | Inflation, Monthly        | %MoM     | Monthly SA statistics 12            | medium | 1 0.2 1
initial_jobless_claims   | Initial Jobless Claims    | k        | Weekly SA statistics 5              | medium | 0 0.7 2
job_openings             | Job Openings              | k        | Monthly SA statistics 33            | low    | 0 0.8 40
m2                       | Money Supply M2           | {CCY} bn | Monthly SA bank 25                  | low    | 1 0.5 20
natural_gas_storage      | Natural Gas Storage       | Bcf      | Weekly NOT_APPLICABLE statistics 6  | medium | 0 0 0
non_farm_payrolls        | Non-Farm Payrolls         | k        | Monthly SA statistics 5             | high   | 0 0.9 25
participation_rate       | Participation Rate        | %        | Monthly SA statistics 5             | low    | 1 0.05 1
policy_rate              | Policy Rate               | %        | Irregular NOT_APPLICABLE bank 0     | high   | 2 0 0
policy_rate_target_lower | Policy Rate, Lower Bound  | %        | Irregular NOT_APPLICABLE bank 0     | medium | 2 0 0
ppi                      | Producer Prices           | %YoY     | Monthly NSA statistics 14           | medium | 1 0.4 1
retail_sales             | Retail Sales              | %MoM     | Monthly SA statistics 16            | high   | 1 0.7 2
risk_free_rate           | Risk-Free Rate            | %        | Daily NOT_APPLICABLE market 0       | low    | 2 0 0
trade_balance            | Trade Balance             | {CCY} bn | Monthly SA statistics 35            | medium | 2 0.75 30
unemployment             | Unemployment Rate         | %        | Monthly SA statistics 5             | high   | 1 0.12 1
wages                    | Wages                     | %YoY     | Monthly SA statistics 15            | medium | 1 0.35 1
`;

const around = (mean: number, swing: number, pull: number, floor?: number): Walk => ({
  kind: 'around',
  mean,
  swing,
  pull,
  ...(floor !== undefined && { floor }),
});
/** Points between the bounds of a policy rate that is a range; the rate itself is the upper one. */
const RANGE = 0.25;

const growth = (start: number, drift: number, swing: number): Walk => ({ kind: 'growth', start, drift, swing });
const prices = (target: number, swing: number): Walk => ({ kind: 'prices', target, swing });

// Growing levels start low enough in 2000 to be near the size of the economy now.
const WALKS: Readonly<Record<string, Entry['walkOf']>> = {
  building_permits: (e) => around(e.workers / 110, e.workers / 3500, 0.1, 1),
  business_confidence: () => around(100, 1.5, 0.1),
  cb_assets: (e) => around(e.output * 0.25, e.output * 0.0012, 0.01, 0),
  consumer_confidence: () => around(98, 2.4, 0.1),
  core_inflation: (e) => prices(e.target, 0.05),
  core_pce: (e) => prices(e.target, 0.04),
  crude_oil_inventories: () => around(430_000, 3400, 0.03, 0),
  current_account_balance: (e) => around(e.output * 0.004, e.output * 0.002, 0.3),
  durable_goods_orders: () => around(0.3, 2.2, 0.9),
  employment: (e) => growth(e.workers / 1.25, 0.0007, 0.0012),
  exports: (e) => growth(e.output / 75, 0.003, 0.012),
  foreign_reserves: (e) => around(e.output * 0.15, e.output * 0.002, 0.02, 0),
  gdp: (e) => growth(e.output / 6.2, 0.0045, 0.006),
  gdp_quarterly: () => around(0.4, 0.5, 0.7),
  gov_bond_10y: (e) => around(e.rate + 0.9, 0.05, 0.004),
  gov_bond_1y: () => around(0, 0.01, 0.1),
  gov_bond_2y: (e) => around(e.rate + 0.2, 0.045, 0.004),
  gov_bond_30y: () => around(0, 0.01, 0.1),
  gov_bond_3y: () => around(0, 0.01, 0.1),
  gov_bond_5y: () => around(0, 0.01, 0.1),
  gov_bond_7y: () => around(0, 0.01, 0.1),
  government_debt: (e) => growth(e.output / 2.4, 0.009, 0.006),
  house_price_index: () => growth(100, 0.003, 0.004),
  housing_starts: () => around(1380, 45, 0.1, 300),
  imports: (e) => growth(e.output / 76, 0.003, 0.012),
  inflation: (e) => prices(e.target, 0.09),
  inflation_mom: (e) => around(e.target / 12, 0.15, 0.6),
  initial_jobless_claims: () => around(232, 9, 0.08, 120),
  job_openings: () => around(7400, 190, 0.05, 1000),
  m2: (e) => growth(e.output / 2.4, 0.0035, 0.004),
  natural_gas_storage: () => around(2700, 45, 0.03, 700),
  non_farm_payrolls: (e) => growth(e.workers / 1.25, 0.0007, 0.0009),
  participation_rate: () => around(63.4, 0.1, 0.02),
  policy_rate: (e) => ({ kind: 'steps', mean: e.rate }),
  policy_rate_target_lower: () => around(-RANGE, 0, 0),
  ppi: (e) => prices(e.target, 0.2),
  retail_sales: () => around(0.3, 0.6, 0.8),
  risk_free_rate: (e) => around(e.rate, 0.02, 0.004),
  trade_balance: (e) => around(e.output * 0.0012, e.output * 0.0006, 0.2),
  unemployment: () => around(5.2, 0.12, 0.015, 2),
  wages: (e) => around(e.target + 1.2, 0.2, 0.12),
};

/** Where the yields of a currency lie between those of 2 and 10 years, so that they make one curve. */
const YIELDS: Readonly<Record<string, number>> = {
  gov_bond_1y: -0.15,
  gov_bond_3y: 0.2,
  gov_bond_5y: 0.45,
  gov_bond_7y: 0.7,
  gov_bond_30y: 1.2,
};

/** Series that move with others. */
const TIES: Readonly<Record<string, Indicator['between']>> = {
  ...Object.fromEntries(
    Object.entries(YIELDS).map(([slug, at]) => [slug, { slugs: ['gov_bond_2y', 'gov_bond_10y'], at }]),
  ),
  policy_rate_target_lower: { slugs: ['policy_rate', 'policy_rate'], at: 0 },
};

/** Every invented series by slug; the unit may name the currency. */
export const indicatorTable: ReadonlyMap<string, Entry> = new Map(LINES.trim().split('\n').map(readLine));

function readLine(line: string): readonly [string, Entry] {
  const [slug = '', name = '', unit = '', schedule = '', importance = '', print = ''] = line
    .split('|')
    .map((cell) => cell.trim());
  const [frequency = '', adjustment = '', desk = '', lag] = schedule.split(' ');
  const [decimals, revised, nudge] = print.split(' ').map(Number);
  const walkOf = WALKS[slug];
  if (!walkOf) throw new RangeError(`The series ${slug} has no walk`);
  const between = TIES[slug];
  const entry = {
    name,
    unit,
    frequency: oneOf(FREQUENCIES, frequency),
    adjustment: oneOf(ADJUSTMENTS, adjustment),
    importance: oneOf(IMPORTANCES, importance),
    desk: oneOf(DESKS, desk),
    lag: Number(lag),
    decimals: decimals ?? 0,
    revised: revised ?? 0,
    nudge: nudge ?? 0,
    walkOf,
    ...(between && { between }),
  };
  return [slug, entry];
}

function oneOf<T extends string>(words: readonly T[], word: string): T {
  const found = words.find((known) => known === word);
  if (found === undefined) throw new RangeError(`${word} is none of ${words.join(', ')}`);
  return found;
}
