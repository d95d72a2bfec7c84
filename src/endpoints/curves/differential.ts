import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { composeDifferential, END_TENOR, START_TENOR } from '../../derive/rates/differential.ts';

const tenorsInOrder: c.Check = ({ args }) => {
  const { start_tenor_years: start, end_tenor_years: end } = args;
  if (typeof start !== 'number' || typeof end !== 'number' || start < end) return undefined;
  return c.wrong(['query', 'start_tenor_years'], start, 'start_tenor_years must be less than end_tenor_years');
};

const MEASURES = ['auto', 'risk_free_rate', 'gov_bond_2y', 'gov_bond_10y', 'policy_rate'] as const;

const points = s.number('percentage points, base minus quote');
const bps = s.number('basis points');
const publishers: s.JsonSchema = { anyOf: [s.strings, s.string()] };
const latest = s.object(
  {
    'date?': s.date(),
    'val?': s.number('per cent'),
    'announcement_datetime?': s.integer('release time, Unix seconds'),
  },
  'newest value of the side',
);

export default c.defineEndpoint({
  id: 'rate_differentials',
  path: '/v1/rate_differentials/{base}/{quote}',
  group: 'curves and rate differentials',
  at: {
    base: c.currency('currency whose rate counts positive', c.MAIN_CURRENCIES, 422),
    quote: c.currency('currency whose rate is taken off', c.MAIN_CURRENCIES, 422),
  },
  query: {
    measure: c.withDefault(c.choice('rate that is compared; auto takes the first shared one', MEASURES), 'auto'),
    rate_type: c.withDefault(c.choice('spot rates, or forwards from curve nodes', ['spot', 'forward']), 'spot'),
    curve_family: c.withDefault(c.choice('forward: family of bonds', ['government_nominal']), 'government_nominal'),
    start_tenor_years: c.withDefault(c.decimal('forward: from this tenor', { above: 0 }), START_TENOR),
    end_tenor_years: c.withDefault(c.decimal('forward: to this tenor', { above: 0 }), END_TENOR),
    ...c.dateWindowParams(),
    as_of: c.optional(c.instant('answer as it was known at this moment')),
    availability: c.withDefault(c.choice('known to whom', ['public', 'captured']), 'public'),
  },
  checks: [c.datesInOrder, c.baseDiffersFromQuote, tenorsInOrder],
  access: { class: 'keyed' },
  paging: c.offset(),
  body: c.listAt('data'),
  required: ['pagination.has_more'],
  row: s.object({
    date: s.date('a date that both currencies have'),
    base_val: s.nullable(s.number('per cent')),
    quote_val: s.nullable(s.number('per cent')),
    'spread?': points,
    'spread_bps?': bps,
    'differential?': points,
    'differential_bps?': bps,
    'base_forward_val?': s.number('per cent'),
    'base_start_val?': s.number(),
    'base_end_val?': s.number(),
    'quote_forward_val?': s.number('per cent'),
    'quote_start_val?': s.number(),
    'quote_end_val?': s.number(),
  }),
  envelope: s.object({
    base: s.string(),
    quote: s.string(),
    'rate_type?': s.string(),
    'measure_requested?': s.string(),
    'measure_used?': s.string('left out when the currencies share no measure or no date'),
    'base_indicator?': s.string(),
    'quote_indicator?': s.string(),
    'curve_family?': s.string(),
    'start_tenor?': s.string('such as 2Y'),
    'end_tenor?': s.string(),
    'forward_label?': s.string('such as 2Y5Y'),
    ...c.WINDOW_MEMBERS,
    'as_of?': s.dateTime(),
    'availability?': s.string(),
    'matched_points?': s.integer('common dates of the window'),
    'unit?': s.string(),
    'latest_spread?': points,
    'latest_spread_bps?': bps,
    'latest_differential?': points,
    'latest_differential_bps?': bps,
    'base_latest?': latest,
    'quote_latest?': latest,
    'sources?': s.object({ base: publishers, quote: publishers }, 'of each side'),
    'official_forward_source_support?': s.object({ 'source_type?': s.string(), 'source_note?': s.string() }),
    'data_quality?': c.DATA_QUALITY,
  }),
  provisional: 'the rounding of spreads',
  fresh: 21_600,
  mirror: {
    table: 'rate_differentials',
    view: 'differentials',
    scope: ['base', 'quote', 'measure', 'rate_type'],
    key: [c.textField('date')],
    order: 'newest',
    columns: [c.real('base_val'), c.real('quote_val')],
    window: c.dateWindow(),
    effects: {
      curve_family: c.changes,
      start_tenor_years: c.changes,
      end_tenor_years: c.changes,
      as_of: c.changes,
      availability: c.changes,
    },
    extent: { from: '2023-01-01', rowsPerYear: 260 },
    sync: { kind: 'history', revisionDays: 30 },
  },
  compose: composeDifferential,
  cli: {
    words: ['differential'],
    computed: c.wordList('spread spread_bps differential differential_bps base_forward_val quote_forward_val'),
    columns: ['date', 'base_val', 'quote_val', 'spread', 'spread_bps'],
    spare: ['spread_bps'],
    spark: 'spread',
    examples: ['differential eur usd', 'differential eur usd --measure gov_bond_10y --format csv'],
  },
  doc: {
    files: 'macro import --help',
    summary: 'Spread of two currencies on a shared rate',
    description:
      'Base minus quote on the dates that both have. Computed from the announcements of both legs, of forwards from the ' +
      'curve nodes on common dates; an earlier answer fills dates without both legs.',
    example: { base: 'EUR', quote: 'USD' },
  },
});
