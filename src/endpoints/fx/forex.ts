import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { composeForex } from '../../derive/fx/forex.ts';
import {
  drawnTogether,
  INDICATOR_TABLE,
  pairChart,
  TECHNICAL_NAMES,
  TECHNICAL_ROW_FIELDS,
} from '../../derive/technicals/table.ts';
import { pairMembers } from './fields.ts';

const price = s.number('quote units for one unit of base');
const technicals = Object.fromEntries(
  TECHNICAL_ROW_FIELDS.map((name) => [`${name}?`, s.nullable(s.number())] as const),
);
const indicatorFields = Object.fromEntries(
  INDICATOR_TABLE.map(({ name, members }) => [
    `${name}?`,
    members
      ? s.object(Object.fromEntries(Object.keys(members).map((member) => [`${member}?`, s.nullable(s.number())])))
      : s.nullable(s.number()),
  ]),
);

export default c.defineEndpoint({
  id: 'forex',
  path: '/v1/forex/{base}/{quote}',
  group: 'fx reference rates',
  at: {
    base: c.currency('currency that is priced', c.MAIN_CURRENCIES, 422),
    quote: c.currency('currency of the price', c.MAIN_CURRENCIES, 422),
  },
  query: {
    ...c.dateWindowParams(),
    indicators: c.optional(c.choices('technical indicators, or all', TECHNICAL_NAMES, { all: true })),
  },
  checks: [c.datesInOrder, c.baseDiffersFromQuote],
  access: { class: 'keyed' },
  paging: c.offset({ page: true, marksLatest: true }),
  versioned: true,
  body: c.listAt('data'),
  required: ['base', 'quote'],
  row: s.object({
    date: s.date('reference date'),
    val: s.nullable(s.number('the rate: quote units for one unit of base')),
    'observation_datetime?': s.integer('midnight UTC of the date, Unix seconds: a marker, not a publication time'),
    'observation_datetime_iso?': s.dateTime(),
    'observation_datetime_precision?': s.string('date'),
    'source?': s.object({ 'source_name?': s.string(), ...pairMembers }, 'where this value comes from'),
    'open?': price,
    'high?': price,
    'low?': price,
    'close?': price,
    'ohlc_point_count?': s.integer(),
    'ohlc_source_count?': s.integer(),
    'ohlc_timestamp_start_utc?': s.dateTime(),
    'ohlc_timestamp_end_utc?': s.dateTime(),
    'ohlc_type?': s.string(),
    ...technicals,
  }),
  envelope: s.object({
    base: s.string(),
    quote: s.string(),
    source: s.string('publisher'),
    provenance: c.PROVENANCE,
    pair_metadata: s.object(pairMembers),
    'data_quality?': c.DATA_QUALITY,
    start_date: s.date(),
    end_date: s.date(),
    'coverage?': s.object({ 'scope?': s.string() }),
    'daily_ohlc_basis?': s.string(),
    'technical_indicator_basis?': s.string(),
    'indicators?': s.object(indicatorFields, 'values at the newest row of the window, by name'),
  }),
  echo: ['base', 'quote', 'start_date', 'end_date'],
  provisional: 'labels and rounding of derived rates; objects and formulas of technical indicators',
  fresh: 21_600,
  mirror: {
    table: 'fx_daily',
    view: 'fx',
    scope: ['base', 'quote'],
    key: [c.textField('date')],
    order: 'newest',
    columns: [c.real('val'), c.real('open'), c.real('high'), c.real('low'), c.real('close')],
    window: c.dateWindow(),
    effects: { indicators: c.adds({ rows: TECHNICAL_ROW_FIELDS, beside: ['indicators'] }) },
    dependent: TECHNICAL_ROW_FIELDS,
    shortText: {
      key: 'date',
      head: ['{"date":"', '","val":'],
      pieces: [
        [',"observation_datetime":'],
        [
          ',"observation_datetime_iso":"',
          'T00:00:00Z","observation_datetime_precision":"date","source":{"source_pair":"',
        ],
      ],
    },
    extent: { from: '2014-01-01', rowsPerYear: 260 },
    sync: { kind: 'history', revisionDays: 14 },
  },
  compose: composeForex,
  cli: {
    words: ['fx'],
    isPlain: true,
    columns: ['date', 'val', 'open', 'high', 'low', 'close'],
    spare: ['open', 'high', 'low', 'close'],
    spark: 'val',
    chart: pairChart,
    drawn: drawnTogether,
    examples: ['fx eur usd --indicators all', 'fx gbp jpy --start -90d --format csv'],
  },
  doc: {
    files: 'macro import ecb',
    summary: 'Daily FX reference rates of a pair, with technical indicators',
    example: { base: 'EUR', quote: 'USD' },
    exampleQuery: { indicators: 'sma_20,rsi_14' },
  },
});
