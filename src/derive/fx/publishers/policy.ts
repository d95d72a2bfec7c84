/** How values are named and where they come from, for whoever reads one of the fx routes. */
export const SOURCE_POLICY = {
  public_data_policy: 'Public reference rates, each row with its source, its time and what it was derived from.',
  request_time_upstream_fetches: false,
  value_field: 'price',
  legacy_daily_forex_value_field: 'val',
};
