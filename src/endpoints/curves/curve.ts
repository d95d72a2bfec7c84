import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { composeCurve } from '../../derive/rates/curve.ts';

const VIEWS = ['nodes', 'slopes', 'forwards'] as const;

const row = s.object({
  date: s.date('of a pair of nodes, the older one'),
  val: s.nullable(s.number('per cent; of a slope, percentage points')),
  'val_bps?': s.number('basis points'),
  'indicator?': s.string('nodes: the yield'),
  'maturity?': s.string('nodes: such as 10Y'),
  'maturity_years?': s.number(),
  'announcement_datetime?': s.nullable(s.integer('release time, Unix seconds')),
  'source?': s.string(),
  'staleness_days?': s.integer('nodes: days before the requested date'),
  'slope?': s.string('slopes: such as 2Y10Y'),
  'short_maturity?': s.string(),
  'long_maturity?': s.string(),
  'short_val?': s.number(),
  'long_val?': s.number(),
  'is_inverted?': s.boolean('the slope is below zero'),
  'segment?': s.string('forwards: such as 2Y5Y'),
  'start_maturity?': s.string(),
  'end_maturity?': s.string(),
  'start_tenor_years?': s.number(),
  'end_tenor_years?': s.number(),
  'start_val?': s.number(),
  'end_val?': s.number(),
  'start_announcement_datetime?': s.nullable(s.integer('release time, Unix seconds')),
  'end_announcement_datetime?': s.nullable(s.integer('release time, Unix seconds')),
});

export default c.defineEndpoint({
  id: 'curves',
  path: '/v1/curves/{currency}',
  group: 'curves and rate differentials',
  at: { currency: c.currency('currency of the curve', c.CURVE_CURRENCIES, 422) },
  query: {
    curve_family: c.withDefault(c.choice('family of bonds', ['government_nominal']), 'government_nominal'),
    metric: c.withDefault(c.choice('kind of rate', ['spot']), 'spot'),
    view: c.withDefault(c.choice('nodes, or what follows from them', VIEWS), 'nodes'),
    method: c.withDefault(c.choice('how forwards are made', ['derived_from_spot_nodes']), 'derived_from_spot_nodes'),
    date: c.optional(c.dateParam('newest date of a node; default today; several dates with commas are compared')),
    as_of: c.optional(c.instant('answer as it was known at this moment; wins over date')),
    availability: c.withDefault(c.choice('known to whom', ['public', 'captured']), 'public'),
    max_staleness_days: c.optional(
      c.integerParam('days that a node may lie back; default 60, with as_of 7', { min: 0, max: 366 }),
    ),
    require_common_date: c.optional(c.booleanParam('all nodes from one date; default true with as_of')),
  },
  access: { class: 'keyed' },
  body: c.listAt('data'),
  namesMoment: 'as_of',
  row: s.inShapes(
    row,
    ['maturity'],
    ['slope', 'short_maturity', 'long_maturity', 'short_val', 'long_val', 'val_bps', 'is_inverted'],
    ['segment', 'start_maturity', 'end_maturity', 'start_val', 'end_val', 'val_bps'],
  ),
  envelope: s.object({
    currency: s.string(),
    curve_family: s.string(),
    view: s.string(),
    metric: s.string(),
    'method?': s.string('forwards only'),
    'requested_date?': s.date(),
    'as_of?': s.dateTime(),
    'availability?': s.string(),
    'node_count?': s.integer(),
    'slope_count?': s.integer(),
    'inverted_count?': s.integer(),
    'segment_count?': s.integer(),
    'sources?': s.strings,
    'official_forward_source_support?': s.object({ 'source_type?': s.string(), 'source_note?': s.string() }),
    'data_quality?': c.DATA_QUALITY,
  }),
  provisional: 'members of rows, which slopes there are, the formula of forwards',
  fresh: 21_600,
  mirror: {
    table: 'curves',
    scope: ['currency', 'curve_family', 'metric'],
    // Slopes and forwards have none; they are never stored.
    key: [c.textField('date'), { ...c.textField('maturity'), otherwise: 'unstated' }],
    order: 'newest',
    columns: [c.real('val'), c.integerColumn('announcement_datetime')],
    effects: {
      view: c.changes,
      method: c.changes,
      date: c.changes,
      as_of: c.changes,
      availability: c.changes,
      max_staleness_days: c.changes,
      require_common_date: c.changes,
    },
    dependent: ['staleness_days'],
    release: 'announcement_datetime',
    sync: { kind: 'snapshot' },
  },
  compose: composeCurve,
  cli: {
    words: ['curve'],
    comparesDates: true,
    computed: ['val', 'val_bps'],
    columns: ['maturity', 'slope', 'segment', 'val', 'val_bps', 'is_inverted', 'date', 'staleness_days', 'source'],
    spare: ['source', 'staleness_days', 'segment', 'is_inverted', 'val_bps'],
    chart: ({ view }) => {
      const at = view === 'nodes' ? 'maturity_years' : 'end_tenor_years';
      return view === 'slopes' ? undefined : { at, along: 'years', panels: [{ unit: '%', values: ['val'] }] };
    },
    examples: ['curve usd', 'curve usd --view slopes --format csv'],
  },
  doc: {
    files: 'macro import --help',
    summary: 'Government bond curve: nodes, slopes or forwards',
    description:
      'Nodes are the newest yields (gov_bond_*) of the currency, one a maturity, up to a date or as known at a moment. ' +
      'Nodes of earlier answers count too. Slopes and forwards are computed from them.',
    example: { currency: 'USD' },
    exampleQuery: { view: 'slopes' },
  },
});
