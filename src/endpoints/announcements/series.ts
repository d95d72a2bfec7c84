import {
  DATA_QUALITY,
  FREEMIUM_DELAY,
  FREEMIUM_WINDOW,
  PROVENANCE,
  RELEASE_MEMBERS,
  SELECTED_SERIES,
  SOURCE_MEMBERS,
  WINDOW_MEMBERS,
} from '../../contract/answer-members.ts';
import { dateWindowParams, defineEndpoint } from '../../contract/endpoint.ts';
import { listAt } from '../../contract/json/body.ts';
import { isJsonObject } from '../../contract/json/json.ts';
import * as s from '../../contract/json/schema.ts';
import {
  dateWindow as byDate,
  type Column,
  type ColumnMoment,
  integerColumn,
  real,
  textField,
} from '../../contract/mapping.ts';
import { offset } from '../../contract/paging.ts';
import { changes, changesAtService, datesInOrder } from '../../contract/params/param.ts';
import { booleanParam, choice, currency, instant, optional, slug, withDefault } from '../../contract/params/params.ts';
import { INDICATORS, MAIN_CURRENCIES } from '../../contract/words/words.ts';
import { deriveHistory } from '../../derive/announcements/history.ts';
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
 * A row without a release time was public by the time the service collected it. See docs/interface.md#release-delay.
 */
const RELEASED: Column = {
  name: 'released',
  type: 'integer',
  from: 'announcement_datetime',
  orElse: [{ from: 'collected_at' }, { from: 'collected_at_ns_string', unit: 'ns' }, { from: 'collected_at_iso' }],
};

/** When the service captured a row. */
const CAPTURED: readonly ColumnMoment[] = [
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
});

export default defineEndpoint({
  id: 'announcements',
  path: '/v1/announcements/{currency}/{indicator}',
  group: 'announcements',
  at: {
    currency: currency('currency of the indicator', MAIN_CURRENCIES, 404),
    indicator: slug('indicator', INDICATORS),
  },
  query: {
    ...dateWindowParams(),
    seasonality: optional(choice('seasonal adjustment', ['sa', 'nsa'])),
    frequency: optional(choice('transformation', ['level', 'yoy', 'qoq', 'mom'])),
    annualization: optional(choice('annualization', ['not_annualized', 'saar'])),
    period_aggregation: optional(choice('aggregation of periods', ['monthly', 'quarterly_average'])),
    basis: optional(choice('price basis', ['real', 'nominal'])),
    revisions: withDefault(choice('which vintage of each period', ['latest', 'first', 'final', 'all']), 'latest'),
    series_mode: withDefault(choice('stored rows or the canonical series', ['raw', 'canonical']), 'raw'),
    value_mode: withDefault(choice('normalized values or the publisher’s', ['normalized', 'source']), 'normalized'),
    official_only: withDefault(booleanParam('leaves out proxies'), true),
    as_of: optional(instant('only what was known at this moment')),
    availability: withDefault(choice('known to whom', ['public', 'captured']), 'public'),
  },
  checks: [datesInOrder],
  access: { class: 'usd', window: true, delayed: true },
  paging: offset({ page: true, marksLatest: true }),
  versioned: true,
  // Not every revision stands in the list of its row: the mirror saw values replaced.
  tellsHistory: ({ revisions }) => revisions !== 'latest',
  body: listAt('data'),
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
    ...RELEASE_MEMBERS,
    'previous_value?': s.nullable(s.number('percent-type series: value of the period before')),
    'previous_date?': s.nullable(s.date()),
    'previous_announcement_datetime?': s.nullable(s.integer('release time of the row before, Unix seconds')),
    'change_from_previous?': s.nullable(s.number('not rounded')),
    'pct_change_from_previous?': s.nullable(s.number('per cent, two decimals')),
    'val_mom?': s.nullable(s.number('the publisher’s monthly change')),
    'change?': s.nullable(s.number('level series: difference to the period before, not rounded')),
    'pct_change_mom?': s.nullable(s.number('per cent, two decimals')),
    'pct_change_yoy?': s.nullable(s.number('per cent, two decimals')),
    ...SOURCE_MEMBERS,
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
    ...SOURCE_MEMBERS,
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
    'cb_target?': s.open,
    'requested_start_date?': s.date(),
    'requested_end_date?': s.date(),
    'requested_window_has_data?': s.boolean(),
    ...WINDOW_MEMBERS,
    'earliest_available_date?': s.date(),
    'latest_available_date?': s.date(),
    'page_includes_latest_available?': s.boolean(),
    'filters?': s.mapOf(s.nullable(s.string()), 'the asked selectors; null when not asked'),
    'selected_series_id?': s.string(),
    'selected_series?': SELECTED_SERIES,
    'supported_options?': s.mapOf(s.strings),
    'value_mode?': s.string(),
    'value_name?': s.string(),
    'value_metadata?': s.object({ 'source_unit?': s.string(), 'normalization_applied?': s.boolean() }),
    'replay?': s.object({ as_of: s.dateTime(), availability: s.string() }),
    'provenance?': PROVENANCE,
    'data_quality?': DATA_QUALITY,
    'freemium_window?': FREEMIUM_WINDOW,
    'freemium_delay?': FREEMIUM_DELAY,
  }),
  addresses: ['freemium_delay'],
  provisional: 'what revisions=first, final and all stand for; computed changes; what a dataset_version covers',
  fresh: 3600,
  mirror: {
    table: 'announcements',
    identity: 'selected_series_id',
    scope: ['currency', 'indicator', ...SELECTORS],
    key: [textField('date')],
    order: 'newest',
    columns: [real('val'), integerColumn('announcement_datetime'), RELEASED],
    window: byDate(),
    effects: {
      revisions: changes,
      as_of: changes,
      availability: changes,
      series_mode: changesAtService,
      value_mode: changesAtService,
      official_only: changesAtService,
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
    columns: [
      'date',
      'val',
      'previous_value',
      'change_from_previous',
      'pct_change_from_previous',
      'announcement_datetime',
    ],
    spare: ['pct_change_from_previous', 'change_from_previous', 'previous_value'],
    spark: 'val',
    examples: ['announcements usd inflation', 'announcements usd inflation --start -2y --format csv'],
  },
  derive: deriveHistory,
  doc: {
    summary: 'History of one indicator, each value with its release time',
    example: { currency: 'USD', indicator: 'inflation' },
  },
});
