import { MAIN_CURRENCIES } from '../../contract/words/currencies.ts';
import { type GeneratedSeries, rowOf, SANDBOX_LABEL, SANDBOX_URL } from '../rows.ts';
import { RATE_DESKS, type RateDesk } from './desks.ts';

/** The publishers of the reference rates, with the pairs that they fix and those that follow from them. */
export function generateSources(): GeneratedSeries {
  const desks = [...RATE_DESKS].sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    endpoint: 'fx_sources',
    scope: {},
    envelope: {
      source_policy: {
        public_data_policy: 'Everything here is synthetic: made by a seeded generator, published by nobody.',
        request_time_upstream_fetches: false,
        value_field: 'price',
        legacy_daily_forex_value_field: 'val',
      },
    },
    rows: desks.map((desk, i) => rowOf('fx_sources', sourceOf(desk, i + 1))),
  };
}

function sourceOf(desk: RateDesk, tier: number) {
  const native = desk.quotes.map((quote) => `${desk.anchor}/${quote}`);
  const served = servedPairs(desk);
  return {
    id: desk.id,
    name: desk.name,
    authority_type: 'synthetic',
    country_or_area: 'Nowhere',
    url: SANDBOX_URL,
    attribution_text: SANDBOX_LABEL,
    tier,
    is_official: false,
    is_aggregator: false,
    default_timezone: 'UTC',
    native_pairs: native,
    publication_frequency: 'daily',
    native_pair_count: native.length,
    source_universe_endpoint: `/v1/fx/source-universe?source=${desk.id}`,
    served_pairs: served,
    served_pair_count: served.length,
    coverage_note: 'Synthetic business days; no value was ever traded or published.',
  };
}

/** Both directions of every pair among the currencies of a desk: direct, inverse and crosses through its anchor. */
function servedPairs(desk: RateDesk): readonly string[] {
  const known = MAIN_CURRENCIES.filter((code) => code === desk.anchor || desk.quotes.includes(code));
  return known.flatMap((base) => known.filter((quote) => quote !== base).map((quote) => `${base}/${quote}`));
}
