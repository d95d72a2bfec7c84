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

/** Commodity slugs; see docs/interface.md#commodities. */
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
