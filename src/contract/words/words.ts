/** Indicator slugs of the specification, as data: the service adds slugs without notice. */
export const INDICATORS: readonly string[] = `
  average_hourly_earnings average_hourly_earnings_mom balance_on_goods balance_on_services
  breakeven_inflation_rate building_approvals building_permits business_confidence capital_account_balance
  cb_assets commodity_price_energy commodity_price_ex_energy commodity_price_index commodity_prices
  consumer_confidence core_inflation core_inflation_median core_inflation_mom core_inflation_trim core_pce
  core_pce_mom credit_growth crude_oil_inventories current_account_balance dairy_exports deposit_rates
  durable_goods_orders employment exports financial_account_balance foreign_reserves full_time_employment gdp
  gdp_growth_q4_yoy gdp_growth_qoq_saar gdp_quarterly gold_reserves gov_bond_10y gov_bond_1y gov_bond_20y
  gov_bond_2y gov_bond_30y gov_bond_3y gov_bond_40y gov_bond_4y gov_bond_5y gov_bond_7y government_debt
  house_price_index household_credit housing_starts imports inflation inflation_linked_bond inflation_mom
  initial_jobless_claims international_assets international_liabilities job_openings m1 m2 m3 monthly_cpi
  nairu natural_gas_storage net_foreign_asset_position non_farm_payrolls non_farm_payrolls_change
  part_time_employment participation_rate pce pce_mom policy_rate policy_rate_midpoint policy_rate_mlf
  policy_rate_mro policy_rate_target_lower ppi ppi_mom primary_income_balance retail_sales
  retail_sales_control_group retail_sales_ex_autos retail_sales_ex_autos_and_gas risk_free_rate
  secondary_income_balance sight_deposits terms_of_trade trade_balance trade_weighted_index
  trimmed_mean_inflation unemployment wage_price_index wages
`
  .trim()
  .split(/\s+/);

/** Indicators that move by decision, not by the calendar: an old value of theirs may be the one in force. */
export const WITHOUT_CADENCE: ReadonlySet<string> = new Set([
  'policy_rate',
  'policy_rate_midpoint',
  'policy_rate_mlf',
  'policy_rate_mro',
  'policy_rate_target_lower',
]);

/** Commodity slugs; see docs/interface-endpoints.md#commodities. */
export const COMMODITIES: readonly string[] = [
  'crude_oil_inventories',
  'gold',
  'natural_gas',
  'natural_gas_storage',
  'oil_brent',
  'oil_wti',
  'platinum',
  'silver',
];
/** Everyday names of an indicator or a commodity, by slug, beside the aliases of the catalogues. */
export const SLUG_ALIASES: Readonly<Record<string, readonly string[]>> = {
  average_hourly_earnings: ['earnings', 'hourly pay'],
  breakeven_inflation_rate: ['breakevens', 'inflation expectations'],
  building_permits: ['permits'],
  business_confidence: ['business climate', 'ifo', 'tankan'],
  cb_assets: ['balance sheet', 'central bank assets', 'qe'],
  consumer_confidence: ['consumer sentiment'],
  core_inflation: ['core cpi', 'underlying inflation'],
  core_inflation_mom: ['core cpi mom'],
  core_pce: ['core pce price index'],
  crude_oil_inventories: ['oil stocks', 'eia stocks'],
  current_account_balance: ['current account'],
  durable_goods_orders: ['durables'],
  employment: ['jobs', 'employed'],
  foreign_reserves: ['fx reserves', 'reserves'],
  gdp: ['growth', 'gross domestic product', 'output'],
  gold: ['xau', 'bullion'],
  gov_bond_10y: ['10y', '10 year yield', 'bund', 'gilt', 'treasury', 'yields'],
  gov_bond_2y: ['2y', '2 year yield', 'schatz'],
  gov_bond_30y: ['30y', '30 year yield', 'long bond'],
  gov_bond_5y: ['5y', '5 year yield'],
  government_debt: ['public debt', 'sovereign debt'],
  house_price_index: ['house prices', 'hpi', 'home prices'],
  housing_starts: ['starts'],
  inflation: ['cpi', 'consumer prices', 'consumer price index', 'hicp'],
  inflation_mom: ['cpi mom', 'monthly inflation'],
  initial_jobless_claims: ['jobless claims', 'claims'],
  job_openings: ['jolts', 'vacancies'],
  m1: ['narrow money'],
  m2: ['money supply'],
  m3: ['broad money'],
  natural_gas: ['natgas', 'henry hub'],
  natural_gas_storage: ['gas stocks'],
  non_farm_payrolls: ['nfp', 'payrolls', 'jobs report'],
  non_farm_payrolls_change: ['nfp change'],
  oil_brent: ['brent', 'crude'],
  oil_wti: ['wti', 'crude', 'west texas'],
  participation_rate: ['labour force participation', 'labor force participation'],
  pce: ['personal consumption expenditures'],
  platinum: ['xpt'],
  policy_rate: ['interest rate', 'base rate', 'bank rate', 'cash rate', 'fed funds', 'ocr', 'central bank rate'],
  ppi: ['producer prices', 'producer price index', 'wholesale prices'],
  retail_sales: ['retail', 'consumption'],
  risk_free_rate: ['overnight rate', 'rfr', 'sofr', 'estr', 'sonia', 'saron', 'tona', 'corra'],
  silver: ['xag'],
  trade_balance: ['trade', 'net exports'],
  trade_weighted_index: ['twi', 'effective exchange rate'],
  trimmed_mean_inflation: ['trimmed mean'],
  unemployment: ['jobless rate', 'unemployment rate'],
  wage_price_index: ['wpi'],
  wages: ['pay', 'labour costs'],
};

/** The nicknames of currencies, by code. */
export const CURRENCY_ALIASES: Readonly<Record<string, readonly string[]>> = {
  AUD: ['aussie', 'australia'],
  BRL: ['real', 'brazil'],
  CAD: ['loonie', 'canada'],
  CHF: ['franc', 'swissie', 'switzerland'],
  CNH: ['offshore yuan', 'renminbi'],
  CNY: ['yuan', 'renminbi', 'rmb', 'china'],
  COMM: ['commodities'],
  DKK: ['krone', 'denmark'],
  EUR: ['euro', 'euro area', 'eurozone'],
  GBP: ['pound', 'sterling', 'cable', 'united kingdom', 'uk', 'britain'],
  ILS: ['shekel', 'israel'],
  JPY: ['yen', 'japan'],
  NGN: ['naira', 'nigeria'],
  NOK: ['nokkie', 'krone', 'norway'],
  NZD: ['kiwi', 'new zealand'],
  PEN: ['sol', 'peru'],
  SEK: ['stokkie', 'krona', 'sweden'],
  THB: ['baht', 'thailand'],
  USD: ['dollar', 'greenback', 'buck', 'united states', 'us', 'america'],
  XAU: ['gold'],
};

/** The words of a text, for lists that stand in the source as one. */
export const wordList = (text: string): readonly string[] => text.trim().split(/\s+/);

// Currency tables of the specification ("Currency sets"): they age, see the notes on drift there.

/** forex, rate differentials, data catalogue, predictions, announcements. */
export const MAIN_CURRENCIES = wordList('AUD BRL CAD CHF CNH CNY DKK EUR GBP ILS JPY NGN NOK NZD PEN SEK THB USD');

export const CALENDAR_CURRENCIES =
  wordList(`AED ARS AUD BOB BRL CAD CHF CLP CNH CNY COMM COP CZK DKK DZD EGP EUR GBP HKD HUF
  IDR ILS INR JPY KRW MAD MXN MYR NGN NOK NZD PEN PHP PKR PLN RUB SAR SEK SGD THB TRY TWD USD UYU VND ZAR`);

export const CURVE_CURRENCIES =
  wordList(`ARS AUD BRL CAD CHF CNH CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY MXN MYR NGN NOK
  NZD PEN PLN SEK SGD THB TRY USD XOF ZAR`);

export const PRESS_CURRENCIES = wordList(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD INR JPY MXN NOK NZD PEN PLN SEK SGD THB USD ZAR',
);

export const FACTOR_CURRENCIES = wordList('AUD CAD CHF EUR GBP JPY NZD USD');

/** See docs/interface-endpoints.md#positions-of-traders. */
export const COT_CURRENCIES = wordList('AUD CAD CHF EUR GBP JPY MXN NZD USD XAU');
