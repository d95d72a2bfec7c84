import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { composeSources } from '../../derive/fx/sources.ts';

export default c.defineEndpoint({
  id: 'fx_sources',
  path: '/v1/fx/sources',
  group: 'fx reference rates',
  at: {},
  access: { class: 'public' },
  body: c.listAt('sources'),
  row: s.object({
    id: s.string(),
    name: s.string(),
    'authority_type?': s.string(),
    'country_or_area?': s.string(),
    'url?': s.string(),
    'attribution_text?': s.string(),
    'tier?': s.integer(),
    'is_official?': s.boolean(),
    'is_aggregator?': s.boolean(),
    'default_timezone?': s.string(),
    'native_pairs?': s.strings,
    'publication_frequency?': s.string(),
    'native_pair_count?': s.integer(),
    'source_universe_endpoint?': s.string(),
    'served_pairs?': s.strings,
    'served_pair_count?': s.integer(),
    'coverage_note?': s.string(),
  }),
  envelope: s.object({
    source_policy: s.object({
      'public_data_policy?': s.string(),
      'request_time_upstream_fetches?': s.boolean(),
      'value_field?': s.string(),
      'legacy_daily_forex_value_field?': s.string(),
    }),
  }),
  fresh: 86_400,
  mirror: c.wholeList({ table: 'fx_sources', key: [c.textField('id')] }),
  compose: composeSources,
  cli: {
    words: ['fx', 'sources'],
    columns: ['id', 'name', 'authority_type', 'tier', 'is_official', 'publication_frequency'],
    spare: ['tier', 'publication_frequency', 'authority_type', 'is_official'],
    examples: ['fx sources', 'fx sources --format json'],
  },
  doc: { summary: 'Publishers of reference rates', example: {} },
});
