import { DATA_QUALITY } from '../../contract/answer-members.ts';
import { defineEndpoint } from '../../contract/endpoint.ts';
import { listAt } from '../../contract/json/body.ts';
import * as s from '../../contract/json/schema.ts';
import { integerColumn, real, textField } from '../../contract/mapping.ts';
import { changes } from '../../contract/params/param.ts';
import {
  booleanParam,
  choice,
  currency,
  dateParam,
  instant,
  integerParam,
  optional,
  withDefault,
} from '../../contract/params/params.ts';
import { CURVE_CURRENCIES } from '../../contract/words/words.ts';
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

export default defineEndpoint({
  id: 'curves',
  path: '/v1/curves/{currency}',
  group: 'curves and rate differentials',
  at: { currency: currency('currency of the curve', CURVE_CURRENCIES, 422) },
  query: {
    curve_family: withDefault(choice('family of bonds', ['government_nominal']), 'government_nominal'),
    metric: withDefault(choice('kind of rate', ['spot']), 'spot'),
    view: withDefault(choice('nodes, or what follows from them', VIEWS), 'nodes'),
    method: withDefault(choice('how forwards are made', ['derived_from_spot_nodes']), 'derived_from_spot_nodes'),
    date: optional(dateParam('newest date of a node; default today; several dates with commas are compared')),
    as_of: optional(instant('only what was known at this moment; wins over date')),
    availability: withDefault(choice('known to whom', ['public', 'captured']), 'public'),
    max_staleness_days: optional(
      integerParam('days that a node may lie back; default 60, with as_of 7', { min: 0, max: 366 }),
    ),
    require_common_date: optional(booleanParam('all nodes from one date; default true with as_of')),
  },
  access: { class: 'keyed' },
  body: listAt('data'),
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
    'data_quality?': DATA_QUALITY,
  }),
  provisional: 'members of rows, which slopes there are, the formula of forwards',
  fresh: 21_600,
  mirror: {
    table: 'curves',
    scope: ['currency', 'curve_family', 'metric'],
    // Slopes and forwards have none; they are never kept.
    key: [textField('date'), { ...textField('maturity'), otherwise: 'unstated' }],
    order: 'newest',
    columns: [real('val'), integerColumn('announcement_datetime')],
    effects: {
      view: changes,
      method: changes,
      date: changes,
      as_of: changes,
      availability: changes,
      max_staleness_days: changes,
      require_common_date: changes,
    },
    dependent: ['staleness_days'],
    release: 'announcement_datetime',
    sync: { kind: 'snapshot' },
  },
  compose: composeCurve,
  cli: {
    words: ['curve'],
    comparesDates: true,
    columns: ['maturity', 'slope', 'segment', 'val', 'val_bps', 'is_inverted', 'date', 'staleness_days', 'source'],
    spare: ['source', 'staleness_days', 'segment', 'is_inverted', 'val_bps'],
    chart: { at: 'maturity_years', along: 'years', panels: [{ unit: '%', values: ['val'] }] },
    examples: ['curve usd', 'curve usd --view slopes --format csv'],
  },
  doc: {
    summary: 'Government bond curve: nodes, slopes or forwards',
    description:
      'Nodes are the newest yields (gov_bond_*) of the currency and the nodes of earlier answers, one a maturity, up to a ' +
      'date or as known at a moment. Slopes and forwards are computed from them.',
    example: { currency: 'USD' },
    exampleQuery: { view: 'slopes' },
  },
});
