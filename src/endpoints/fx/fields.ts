import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';

/** The pair of the fx routes: a word that is no code is a finding, a code that nobody serves does not exist. */
export const pairArguments = {
  base: c.currency('currency that is priced', c.MAIN_CURRENCIES, 404, { formed: true }),
  quote: c.currency('currency of the price', c.MAIN_CURRENCIES, 404, { formed: true }),
} as const;

/** Row members that say who published a rate. */
export const sourceField = s.object(
  { id: s.string(), 'name?': s.string(), 'is_official?': s.boolean() },
  'publisher of the rate',
);

/** The rate under both of its names. */
export const priceFields = {
  price: s.number('the rate: quote units for one unit of base'),
  'val?': s.number('the same'),
} as const;

/** A rate that goes into another one; the specification, "Forex response". */
const sourceLeg = s.object({
  'pair?': s.string(),
  'source_provider?': s.string(),
  'source_name?': s.string(),
  'source_url?': s.string(),
  'source_frequency?': s.string('monthly and annual figures are labelled, not presented as daily ones'),
});

/** How the value of a pair came about; the specification, "Forex response". */
export const pairMembers = {
  'direct_available?': s.boolean('the pair itself is published'),
  'inverse_available?': s.boolean('the reverse pair is published'),
  'derived_from_inverse?': s.boolean(),
  'derived_from_cross?': s.boolean(),
  'derived_from_source_legs?': s.boolean(),
  'is_derived?': s.boolean(),
  'derivation_method?': s.string('direct_original_pair where nothing was computed'),
  'source_pair?': s.string(),
  'source_legs?': s.array(sourceLeg),
  'pair_consistency_check?': s.string('passed, failed or not_applicable'),
  'anchor_currency?': s.nullable(s.string('currency that both legs of a cross share')),
} as const;

/** Row members that tell whether a value was published or computed, and how. */
export const originFields = {
  'is_derived?': s.boolean(),
  'derivation_method?': s.string('direct_original_pair, inverse_of_direct_pair or cross_via_anchor'),
  'anchor_currency?': s.string('currency that both legs of a cross share'),
} as const;

/** One source of an answer, over its whole window. */
export const sourceCoverage = s.object({
  source: s.string(),
  'name?': s.string(),
  row_count: s.integer(),
  start_date: s.date(),
  end_date: s.date(),
  usual_fix_times_utc: s.array(s.string('HH:MM')),
});

/** How values are named and where they come from. */
export const sourcePolicy = s.object({
  'public_data_policy?': s.string(),
  'request_time_upstream_fetches?': s.boolean(),
  'value_field?': s.string(),
  'legacy_daily_forex_value_field?': s.string(),
});
