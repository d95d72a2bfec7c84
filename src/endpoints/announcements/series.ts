import * as c from '../../contract/describe.ts';
import { isJsonObject } from '../../contract/json/json.ts';
import * as s from '../../contract/json/schema.ts';
import { deriveHistory } from '../../derive/announcements/indicator-history.ts';
import { CAPTURE_MEMBERS } from '../../derive/announcements/series.ts';

/** Selectors that make another series of the same indicator. */
const SELECTORS = ['seasonality', 'frequency', 'annualization', 'period_aggregation', 'basis'] as const;

/** Row members that depend on the window, the access or the neighbouring rows. */
const DEPENDENT = [
  'previous_value',
  'previous_date',
  'previous_announcement_datetime',
  'change_from_previous',
  'pct_change_from_previous',
  'val_mom',
  'change',
  'pct_change_mom',
  'pct_change_yoy',
  'outside_requested_window',
  'returned_reason',
  'staleness_days',
] as const;

/**
 * A row without a release time was public by the time the service collected it. See docs/interface-access.md#release-delay.
 */
const RELEASED: c.Column = {
  name: 'released',
  type: 'integer',
  from: 'announcement_datetime',
  orElse: [{ from: 'collected_at' }, { from: 'collected_at_ns_string', unit: 'ns' }, { from: 'collected_at_iso' }],
};

/** When the service captured a row. */
const CAPTURED: readonly c.ColumnMoment[] = [
  { from: 'observed_at_ns_string', unit: 'ns' },
  { from: 'collected_at_ns_string', unit: 'ns' },
  { from: 'collected_at' },
  { from: 'collected_at_iso' },
];

const vintage = s.object({
  val: s.nullable(s.number()),
  'epoch?': s.integer('publication time, Unix seconds'),
  'change?': s.nullable(s.number()),
  'observed_at_ns?': s.integer('when the service captured it'),
  'observed_at_ns_string?': s.string(),
  'is_first_release?': s.boolean(),
  'vintage_status?': s.string(),
  'capture_time_basis?': s.string(),
  'publication_time_status?': s.string(),
  'publication_time_precision?': s.string(),
  'origin?': s.string('which file has it, where several have the series'),
});

/** A target of the central bank, and since when. */
const targetPeriod = s.object({
  'effective_from?': s.date(),
  'target?': s.nullable(s.number()),
  'lower?': s.nullable(s.number()),
  'upper?': s.nullable(s.number()),
  'notes?': s.nullable(s.string()),
});

export default c.defineEndpoint({
  id: 'announcements',
  path: '/v1/announcements/{currency}/{indicator}',
  group: 'announcements',
  at: {
    currency: c.currency('currency of the indicator', c.MAIN_CURRENCIES, 404),
    indicator: c.slug('indicator', c.INDICATORS),
  },
  query: {
    ...c.dateWindowParams(),
    seasonality: c.optional(c.choice('seasonal adjustment', ['sa', 'nsa'])),
    frequency: c.optional(c.choice('transformation', ['level', 'yoy', 'qoq', 'mom'])),
    annualization: c.optional(c.choice('annualization', ['not_annualized', 'saar'])),
    period_aggregation: c.optional(c.choice('aggregation of periods', ['monthly', 'quarterly_average'])),
    basis: c.optional(c.choice('price basis', ['real', 'nominal'])),
    revisions: c.withDefault(c.choice('which vintage of each period', ['latest', 'first', 'final', 'all']), 'latest'),
    series_mode: c.withDefault(c.choice('stored rows or the canonical series', ['raw', 'canonical']), 'raw'),
    value_mode: c.withDefault(c.choice('normalized values or the publisher’s', ['normalized', 'source']), 'normalized'),
    official_only: c.withDefault(c.booleanParam('leaves out proxies'), true),
    as_of: c.optional(c.instant('answer as it was known at this moment')),
    availability: c.withDefault(c.choice('known to whom', ['public', 'captured']), 'public'),
  },
  checks: [c.datesInOrder],
  access: { class: 'usd', window: true, delayed: true },
  paging: c.offset({ page: true, marksLatest: true }),
  versioned: true,
  // Not every revision stands in the list of its row: the mirror saw values replaced.
  tellsHistory: ({ revisions }) => revisions !== 'latest',
  body: c.listAt('data'),
  required: ['currency', 'indicator', 'pagination.has_more'],
  namesMoment: 'replay.as_of',
  row: s.object({
    date: s.date('end of the reference period'),
    val: s.nullable(s.number('the value, in the unit of the series')),
    'announcement_id?': s.string(),
    'observation_id?': s.string(),
    'announcement_datetime?': s.nullable(s.integer('release time, Unix seconds')),
    'announcement_datetime_local?': s.string(),
    'collected_at?': s.integer('when the service collected the row, Unix seconds'),
    'collected_at_ns_string?': s.string(),
    'collected_at_iso?': s.dateTime(),
    'observed_at_ns?': s.integer('when the service captured the value'),
    'observed_at_ns_string?': s.string(),
    'capture_time_basis?': s.string(),
    ...c.RELEASE_MEMBERS,
    'previous_value?': s.nullable(s.number('percent-type series: value of the period before')),
    'previous_date?': s.nullable(s.date()),
    'previous_announcement_datetime?': s.nullable(s.integer('release time of the row before, Unix seconds')),
    'change_from_previous?': s.nullable(s.number('not rounded')),
    'pct_change_from_previous?': s.nullable(s.number('per cent, two decimals')),
    'val_mom?': s.nullable(s.number('the publisher’s monthly change')),
    'change?': s.nullable(s.number('level series: difference to the period before, not rounded')),
    'pct_change_mom?': s.nullable(s.number('per cent, two decimals')),
    'pct_change_yoy?': s.nullable(s.number('per cent, two decimals')),
    ...c.SOURCE_MEMBERS,
    'source_url_scope?': s.string('release, series or dataset'),
    'vintage_status?': s.string(),
    'revisions?': s.array(vintage),
    'outside_requested_window?': s.boolean('an empty window shows the newest row before it'),
    'returned_reason?': s.string(),
    'staleness_days?': s.integer('days from the row to the start of the window'),
    'selected_vintage_known_at_ns?': s.string('with as_of: when the value became known'),
    'reason?': s.string('why val is null: ambiguous, when several values claim the same moment'),
    'replay_vintage_verified?': s.boolean('with as_of: the time is the publisher’s own or the service’s capture'),
  }),
  envelope: s.object({
    currency: s.string(),
    indicator: s.string(),
    'name?': s.string(),
    'unit?': s.string(),
    'frequency?': s.string(),
    ...c.SOURCE_MEMBERS,
    'source_series_id?': s.string(),
    'source_series_name?': s.string(),
    'source_local_name?': s.string(),
    'seasonal_adjustment?': s.string(),
    'price_basis?': s.string(),
    'is_proxy?': s.boolean(),
    'has_official_forecast?': s.boolean(),
    'remap?': s.nullable(
      s.object({
        'applied?': s.boolean(),
        'rule_id?': s.nullable(s.string()),
        'transform?': s.nullable(s.string()),
        'canonical_indicator?': s.nullable(s.string()),
      }),
    ),
    'cb_target?': s.object({
      'description?': s.string(),
      'source?': s.string(),
      'current?': targetPeriod,
      'history?': s.array(targetPeriod),
    }),
    'policy_role?': s.string('headline for the rate that stands for the policy'),
    'policy_structure?': s.string(),
    'comparison_compatible?': s.boolean('it may be compared with the headline rate of other currencies'),
    'policy_family?': s.array(
      s.object({ indicator: s.string(), 'value_name?': s.string(), 'role?': s.string() }),
      'the policy rates of the currency',
    ),
    'requested_start_date?': s.date(),
    'requested_end_date?': s.date(),
    'requested_window_has_data?': s.boolean(),
    ...c.WINDOW_MEMBERS,
    'earliest_available_date?': s.date(),
    'latest_available_date?': s.date(),
    'page_includes_latest_available?': s.boolean(),
    'filters?': s.mapOf(s.nullable(s.string()), 'the asked selectors; null when not asked'),
    'selected_series_id?': s.string(),
    'selected_series?': c.SELECTED_SERIES,
    'supported_options?': s.mapOf(s.strings),
    'value_mode?': s.string(),
    'value_name?': s.string(),
    'value_metadata?': s.object({ 'source_unit?': s.string(), 'normalization_applied?': s.boolean() }),
    'replay?': s.object({ 'dataset_version?': s.string(), as_of: s.dateTime(), availability: s.string() }),
    'provenance?': c.PROVENANCE,
    'data_quality?': c.DATA_QUALITY,
    'freemium_window?': c.FREEMIUM_WINDOW,
    'freemium_delay?': c.FREEMIUM_DELAY,
  }),
  addresses: ['freemium_delay'],
  provisional: 'what revisions=first, final and all stand for; computed changes; what a dataset_version covers',
  fresh: 3600,
  mirror: {
    table: 'announcements',
    identity: 'selected_series_id',
    scope: ['currency', 'indicator', ...SELECTORS],
    key: [c.textField('date')],
    order: 'newest',
    columns: [c.real('val'), c.integerColumn('announcement_datetime'), RELEASED],
    window: c.dateWindow(),
    effects: {
      revisions: c.changes,
      as_of: c.changes,
      availability: c.changes,
      series_mode: c.changesAtService,
      value_mode: c.changesAtService,
      official_only: c.changesAtService,
    },
    sameAnyway: {
      series_mode: ({ selected_series_id: id, remap }) =>
        typeof id === 'string' && id.includes('_canonical_') && isJsonObject(remap) && remap.applied === false,
      value_mode: ({ value_metadata: told }) => isJsonObject(told) && told.normalization_applied === false,
      official_only: ({ is_proxy: proxy }) => proxy === false,
    },
    dependent: DEPENDENT,
    release: RELEASED.name,
    moments: CAPTURED,
    vintages: 'revisions',
    // A publisher's monthly change belongs to its value, and no vintage tells one of its own.
    ofVintage: [...CAPTURE_MEMBERS, 'val_mom'],
    captured: CAPTURED,
    extent: 'catalogued',
    sync: {
      kind: 'history',
      revisionDays: 400,
      feed: {
        endpoint: 'announcements_changes',
        names: ['currency', 'indicator'],
        date: 'latest_announcement.date',
        count: 'records_written',
        checkDays: 7,
      },
    },
  },
  cli: {
    words: ['announcements'],
    isPlain: true,
    hasForecasts: true,
    columns: c.wordList('date val previous_value change_from_previous pct_change_from_previous announcement_datetime'),
    spare: ['pct_change_from_previous', 'change_from_previous', 'previous_value'],
    spark: 'val',
    examples: ['announcements usd inflation', 'announcements usd inflation --start -2y --format csv'],
  },
  derive: deriveHistory,
  doc: {
    files: 'macro import --help',
    summary: 'History of one indicator, each value with its release time',
    example: { currency: 'USD', indicator: 'inflation' },
  },
});
