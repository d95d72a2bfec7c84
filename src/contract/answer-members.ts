import * as s from './json/schema.ts';

/** The publisher of an answer, and the members with its times and values. See docs/interface.md#shared-members. */
export const PROVENANCE = s.object({
  'publisher?': s.nullable(s.string()),
  'publisher_url?': s.nullable(s.string()),
  'storage?': s.nullable(s.string('label of the store')),
  'source_store?': s.nullable(s.string('the same, of commodities')),
  'served_by?': s.nullable(s.string('path template')),
  'timestamp_field?': s.nullable(s.string('member of a row that dates it')),
  'value_field?': s.nullable(s.string('member of a row that is its value')),
  'source_series_id?': s.nullable(s.string()),
  'source_series_name?': s.nullable(s.string()),
  'source_local_name?': s.nullable(s.string()),
  'seasonal_adjustment?': s.nullable(s.string()),
  'price_basis?': s.nullable(s.string()),
  'is_proxy?': s.nullable(s.boolean()),
  'proxy_note?': s.nullable(s.string()),
});

/** How far an answer can be trusted, by whichever members apply. See docs/interface.md#data-quality. */
export const DATA_QUALITY = s.object({
  'is_official?': s.boolean(),
  'is_proxy?': s.boolean(),
  'is_fallback?': s.boolean(),
  'is_stale?': s.boolean('older than stale_after_days'),
  'is_derived?': s.boolean(),
  'has_announcement_datetime?': s.boolean(),
  'point_in_time_safe?': s.boolean('every row has a release time that is confirmed'),
  'has_assumed_release_times?': s.boolean(),
  'requested_window_has_data?': s.boolean(),
  'page_includes_latest_available?': s.boolean(),
  'unverified_vintage_count?': s.integer(),
  'unknown_publication_time_count?': s.integer(),
  'row_count?': s.integer(),
  'announcement_datetime_count?': s.integer(),
  'missing_announcement_datetime_count?': s.integer(),
  'assumed_release_time_count?': s.integer(),
  'bounded_release_time_count?': s.integer(),
  'unbounded_release_time_count?': s.integer(),
  'data_lag_days?': s.integer('from the newest date to the day of the request'),
  'stale_after_days?': s.integer('left out where a series has no fixed cadence'),
  'latest_available_date?': s.nullable(s.date()),
  'source_name?': s.string(),
  'source_type?': s.string(),
  'quality_scope?': s.string('full_result or scheduled_releases'),
  'datetime_field?': s.string(),
  'datetime_precision?': s.string(),
  'source_legs?': s.array(
    s.object({
      'pair?': s.string(),
      'currency?': s.string(),
      'indicator?': s.string(),
      'source_name?': s.string(),
      'source_provider?': s.string(),
      'source_url?': s.nullable(s.string()),
      'source_frequency?': s.string(),
      'sources?': s.strings,
    }),
    'series that the rows were computed from',
  ),
  'reason?': s.string('why rows may be missing, or how they came about'),
});

/** How the window of a question without a key was narrowed. See docs/interface-access.md#window-without-a-key. */
export const FREEMIUM_WINDOW = s.object({
  'applied?': s.boolean(),
  'max_days?': s.integer(),
  'cutoff_date?': s.date('first date that can be read without a key'),
  'message?': s.string(),
});

/** Which releases a caller without a key cannot read yet; the specification, "Anonymous delay object". */
export const FREEMIUM_DELAY = s.object({
  applied: s.boolean(),
  'delay_seconds?': s.integer(),
  'delay_minutes?': s.integer(),
  cutoff: s.integer('newest release that can be read, Unix seconds'),
  cutoff_iso: s.dateTime(),
  withheld_count: s.integer('releases withheld from this answer'),
  'next_available_at?': s.nullable(s.integer('when the next withheld one can be read, Unix seconds')),
  'next_available_at_iso?': s.nullable(s.dateTime()),
  'message?': s.string(),
  'subscribe_url?': s.string(),
});

/** Members about an indicator in a list of newest values, before the values. */
export const INDICATOR_MEMBERS = {
  indicator: s.string(),
  'name?': s.string(),
  'unit?': s.string(),
  'frequency?': s.string(),
  'source?': s.string(),
  'source_url?': s.string(),
  'seasonal_adjustment?': s.string(),
  'has_official_forecast?': s.boolean(),
} as const;

const PERCENT = s.nullable(s.number('per cent, two decimals'));

/** How far the newest value of a list lies from earlier ones. */
export const CHANGE_MEMBERS = {
  'pct_diff_prev?': PERCENT,
  'pct_change_mom?': PERCENT,
  'pct_change_qoq?': PERCENT,
  'pct_change_yoy?': PERCENT,
} as const;

/** The series behind an answer, by what selects it. */
export const SELECTED_SERIES = s.object({
  series_id: s.string(),
  'label?': s.string(),
  'source_series_id?': s.string(),
  'seasonality?': s.nullable(s.string()),
  'frequency?': s.nullable(s.string()),
  'annualization?': s.nullable(s.string()),
  'period_aggregation?': s.nullable(s.string()),
  'basis?': s.nullable(s.string()),
  'revisions?': s.nullable(s.string()),
});

/** Members of a row of announcements that say how exactly its release time is known. */
export const RELEASE_MEMBERS = {
  'publication_time_status?': s.string('confirmed, assumed_historical or unknown'),
  'publication_time_precision?': s.string('second, minute, day, month or quarter'),
  'release_time_assumed?': s.boolean(),
  'official_planned_release_datetime?': s.nullable(s.integer('planned release time, Unix seconds')),
  'official_planned_release_datetime_local?': s.string(),
  'release_timing?': s.object(
    {
      'scheduled_at?': s.nullable(s.dateTime()),
      'published_after?': s.nullable(s.dateTime()),
      'published_by?': s.nullable(s.dateTime()),
      'picked_up_at?': s.nullable(s.dateTime()),
      'available_at?': s.nullable(s.dateTime()),
    },
    'what brackets the true publication',
  ),
} as const;

/** The member `mirror`: what an answer from a mirror does not cover. */
export const MIRROR_MARK = s.object({
  complete: s.boolean(),
  'missing?': s.array(
    s.object({
      'from?': { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      'to?': { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      'series?': s.string('words of the command'),
      'for?': s.string('the member that needs it'),
    }),
  ),
  'truncated?': s.boolean('more parts are missing than are listed'),
  'sources?': s.array(s.object({ origin: s.string(), from: s.date(), to: s.date() }), 'where there are several'),
  'checked_at?': s.dateTime('when the mirror last asked the service'),
});

export const WINDOW_MEMBERS = { 'start_date?': s.date(), 'end_date?': s.date() } as const;

/** Who published a row, by name and address. */
export const SOURCE_MEMBERS = { 'source?': s.string(), 'source_url?': s.string() } as const;
/** A missing part: `series` are the words of its command. Without `from` it reaches back to the first row. */
export interface Missing {
  readonly from?: string | number;
  readonly to?: string | number;
  readonly series?: string;
  /** The member that needs it; left out where rows of the answer are missing. */
  readonly for?: string;
}

/** The dates that one origin speaks for, in an answer of several. */
export interface SourceRange {
  readonly origin: string;
  readonly from: string;
  readonly to: string;
}

/** The member `mirror` in the body of a partial answer. */
export interface PartialMark {
  readonly complete: false;
  readonly missing: readonly Missing[];
  readonly truncated?: true;
  /** Left out where there is one. */
  readonly sources?: readonly SourceRange[];
  /** When the mirror last looked at what the answer rests on, ISO; left out where it never did: an event came by itself. */
  readonly checked_at?: string;
}

/** The same member of a whole answer that several sources gave. */
export interface WholeMark {
  readonly complete: true;
  readonly sources: readonly SourceRange[];
}

/** More parts than this are not listed. */
export const MAX_LISTED = 100;

/** Code of a partial answer, and of the refusal to give one. */
export const MIRROR_INCOMPLETE = 'mirror_incomplete';

export const ITS_OWNER_CAN = 'Whoever runs that server can bring it; macro sync at this end cannot.';
