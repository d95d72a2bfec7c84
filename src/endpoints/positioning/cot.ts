import * as c from '../../contract/describe.ts';
import type { JsonSchema } from '../../contract/json/schema.ts';
import * as s from '../../contract/json/schema.ts';
import { deriveCot, isReleaseDay, NETS, REPORTS } from '../../derive/positioning.ts';

/** Counts of contracts. */
const LEGACY = c.wordList(`noncommercial_long noncommercial_short noncommercial_net noncommercial_spread
  commercial_long commercial_short commercial_net total_reportable_long total_reportable_short`);
const TFF = ['dealer', 'asset_manager', 'leveraged_funds', 'other_reportable'].flatMap((trader) =>
  c.wordList('long short net spread').map((side) => `${trader}_${side}`),
);
const COUNTS = ['open_interest', ...LEGACY, ...TFF, 'nonreportable_long', 'nonreportable_short'];

const fields: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  COUNTS.flatMap((name) => [
    [`${name}?`, s.nullable(s.integer('contracts'))],
    [`${name}_zscore?`, s.nullable(s.number('distance from the mean, in standard deviations'))],
  ]),
);

export default c.defineEndpoint({
  id: 'cot',
  path: '/v1/cot/{currency}',
  group: 'positioning',
  at: { currency: c.currency('currency, or XAU, of the futures', c.COT_CURRENCIES, 404) },
  query: {
    report: c.withDefault(c.choice('which breakdown of traders', REPORTS), 'legacy_futures'),
    ...c.dateWindowParams(),
  },
  checks: [c.datesInOrder],
  access: { class: 'usd', window: true },
  paging: c.offset({ page: true, marksLatest: true }),
  body: c.listAt('data'),
  row: s.object({
    date: s.date('the Tuesday that the positions are of'),
    'announcement_datetime?': s.nullable(s.integer('release time, Unix seconds')),
    'release_datetime?': s.string(),
    'release_time_assumed?': s.boolean(),
    'holiday_adjusted_release?': s.boolean(),
    ...fields,
  }),
  envelope: s.object({
    currency: s.string(),
    report: s.string(),
    'instrument?': s.string(),
    'report_name?': s.string(),
    'report_dataset_id?': s.string(),
    'available_reports?': s.strings,
    ...c.SOURCE_MEMBERS,
    'provenance?': c.PROVENANCE,
    'fx_overlay?': s.object({ pair: s.string() }),
    ...c.WINDOW_MEMBERS,
    'latest_available_date?': s.date(),
    'latest_available_announcement_datetime?': s.nullable(s.integer()),
    'expected_next_release?': s.string(),
    'expected_next_release_epoch?': s.integer('Unix seconds'),
    'expected_next_release_holiday_adjusted?': s.boolean(),
    'expected_next_release_source?': s.string(),
    'data_lag_days?': s.integer(),
    'last_updated?': s.string(),
    'page_includes_latest_available?': s.boolean(),
    'data_quality?': c.DATA_QUALITY,
    'freemium_window?': c.FREEMIUM_WINDOW,
  }),
  echo: ['currency', 'report', 'start_date', 'end_date'],
  provisional: 'the word legacy_futures; rows of tff_futures',
  fresh: (now) => (isReleaseDay(now) ? 900 : 86_400),
  mirror: {
    table: 'cot',
    scope: ['currency', 'report'],
    key: [c.textField('date')],
    order: 'newest',
    columns: [c.integerColumn('open_interest'), c.integerColumn('announcement_datetime')],
    window: c.dateWindow(),
    dependent: COUNTS.map((name) => `${name}_zscore`),
    differences: NETS,
    release: 'announcement_datetime',
    variants: REPORTS.map((report) => ({ report })),
    extent: { from: '2023-01-01', rowsPerYear: 52 },
    sync: { kind: 'history', revisionDays: 60 },
  },
  derive: deriveCot,
  cli: {
    words: ['cot'],
    columns: c.wordList(`date open_interest noncommercial_net noncommercial_net_zscore commercial_net
      leveraged_funds_net asset_manager_net dealer_net`),
    spare: ['noncommercial_net_zscore', 'dealer_net', 'asset_manager_net', 'leveraged_funds_net', 'open_interest'],
    spark: 'noncommercial_net',
    chart: {
      at: 'date',
      panels: [
        {
          unit: 'contracts, net',
          values: [
            ...['noncommercial_net', 'commercial_net'],
            ...['leveraged_funds_net', 'asset_manager_net', 'dealer_net', 'other_reportable_net'],
          ],
          rules: [0],
        },
        { name: 'open interest', unit: 'contracts', values: ['open_interest'] },
      ],
    },
    examples: ['cot eur', 'cot usd --report tff_futures --format csv'],
  },
  doc: {
    files: 'macro import cftc-legacy, macro import cftc-financial',
    summary: 'Weekly futures positions of traders',
    example: { currency: 'EUR' },
    exampleQuery: { report: 'tff_futures' },
  },
});
