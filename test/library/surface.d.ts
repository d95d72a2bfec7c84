// The types that the package exports. `npm run gen` records them.
/// <reference lib="esnext.disposable" />

/** History of one indicator, each value with its release time: the whole answer. */
interface AnnouncementsBody {
    readonly currency: string;
    readonly indicator: string;
    readonly name?: string;
    readonly unit?: string;
    readonly frequency?: string;
    readonly source?: string;
    readonly source_url?: string;
    readonly source_series_id?: string;
    readonly source_series_name?: string;
    readonly source_local_name?: string;
    readonly seasonal_adjustment?: string;
    readonly price_basis?: string;
    readonly is_proxy?: boolean;
    readonly has_official_forecast?: boolean;
    readonly remap?: {
        readonly applied?: boolean;
        readonly rule_id?: string | null;
        readonly transform?: string | null;
        readonly canonical_indicator?: string | null;
    } | null;
    readonly cb_target?: {
        readonly description?: string;
        readonly source?: string;
        readonly current?: {
            readonly effective_from?: string;
            readonly target?: number | null;
            readonly lower?: number | null;
            readonly upper?: number | null;
            readonly notes?: string | null;
        };
        readonly history?: readonly ({
            readonly effective_from?: string;
            readonly target?: number | null;
            readonly lower?: number | null;
            readonly upper?: number | null;
            readonly notes?: string | null;
        })[];
    };
    /** headline for the rate that stands for the policy */ readonly policy_role?: string;
    readonly policy_structure?: string;
    /** it may be compared with the headline rate of other currencies */ readonly comparison_compatible?: boolean;
    /** the policy rates of the currency */ readonly policy_family?: readonly ({
        readonly indicator: string;
        readonly value_name?: string;
        readonly role?: string;
    })[];
    readonly requested_start_date?: string;
    readonly requested_end_date?: string;
    readonly requested_window_has_data?: boolean;
    readonly start_date?: string;
    readonly end_date?: string;
    readonly earliest_available_date?: string;
    readonly latest_available_date?: string;
    readonly page_includes_latest_available?: boolean;
    /** the asked selectors; null when not asked */ readonly filters?: Readonly<Record<string, string | null>>;
    readonly selected_series_id?: string;
    readonly selected_series?: {
        readonly series_id: string;
        readonly label?: string;
        readonly source_series_id?: string;
        readonly seasonality?: string | null;
        readonly frequency?: string | null;
        readonly annualization?: string | null;
        readonly period_aggregation?: string | null;
        readonly basis?: string | null;
        readonly revisions?: string | null;
    };
    readonly supported_options?: Readonly<Record<string, readonly string[]>>;
    readonly value_mode?: string;
    readonly value_name?: string;
    readonly value_metadata?: {
        readonly source_unit?: string;
        readonly normalization_applied?: boolean;
    };
    readonly replay?: {
        readonly dataset_version?: string;
        readonly as_of: string;
        readonly availability: string;
    };
    readonly provenance?: Provenance;
    readonly data_quality?: DataQuality;
    readonly freemium_window?: FreemiumWindow;
    readonly freemium_delay?: FreemiumDelay;
    readonly data: readonly AnnouncementsRow[];
}

/** Releases in the order in which they were processed: the whole answer. */
interface AnnouncementsChangesBody {
    readonly count?: number;
    /** position reached; ask with it as `since` */ readonly next_cursor: string;
    readonly has_more?: boolean;
    readonly retention_seconds?: number;
    readonly scope?: {
        readonly currencies?: readonly string[] | null;
        readonly indicators?: readonly string[] | null;
        readonly payload?: string;
    };
    /** the position is older than the stored events: fetch the histories again */ readonly gap?: boolean;
    readonly oldest_available?: string;
    readonly freemium_delay?: FreemiumDelay;
    readonly data: readonly AnnouncementsChangesRow[];
}

/** Releases in the order in which they were processed: what is asked. */
interface AnnouncementsChangesQuery {
    /** currencies, comma separated; g10 or all */ readonly currencies?: readonly string[] | string;
    /** indicators, comma separated */ readonly indicators?: readonly string[] | string;
    /** how much of each release */ readonly payload?: 'compact' | 'full';
    /** rows a page */ readonly limit?: number;
    /** cursor of the last answer, ISO date-time or Unix seconds */ readonly since?: string;
}

/** Releases in the order in which they were processed: one row. */
interface AnnouncementsChangesRow {
    /** currency, indicator and release time, joined by underscores */ readonly event_id: string;
    readonly currency: string;
    readonly indicator: string;
    readonly records_written?: number;
    /** processing time, Unix seconds */ readonly timestamp?: number;
    /** release time, Unix seconds */ readonly release_timestamp?: number | null;
    /** the print; with payload=full its whole row */ readonly latest_announcement?: {
        readonly date?: string; /** the value, in the unit of the series */
        readonly val?: number | null;
        readonly announcement_id?: string;
        readonly observation_id?: string; /** release time */
        readonly announcement_datetime?: string | null;
        readonly announcement_datetime_local?: string; /** when the service collected the row, Unix seconds */
        readonly collected_at?: number;
        readonly collected_at_ns_string?: string;
        readonly collected_at_iso?: string; /** when the service captured the value */
        readonly observed_at_ns?: number;
        readonly observed_at_ns_string?: string;
        readonly capture_time_basis?: string; /** confirmed, assumed_historical or unknown */
        readonly publication_time_status?: string; /** second, minute, day, month or quarter */
        readonly publication_time_precision?: string;
        readonly release_time_assumed?: boolean; /** planned release time, Unix seconds */
        readonly official_planned_release_datetime?: number | null;
        readonly official_planned_release_datetime_local?: string; /** what brackets the true publication */
        readonly release_timing?: {
            readonly scheduled_at?: string | null;
            readonly published_after?: string | null;
            readonly published_by?: string | null;
            readonly picked_up_at?: string | null;
            readonly available_at?: string | null;
        }; /** percent-type series: value of the period before */
        readonly previous_value?: number | null;
        readonly previous_date?: string | null; /** release time of the row before, Unix seconds */
        readonly previous_announcement_datetime?: number | null; /** not rounded */
        readonly change_from_previous?: number | null; /** per cent, two decimals */
        readonly pct_change_from_previous?: number | null; /** the publisher’s monthly change */
        readonly val_mom?: number | null; /** level series: difference to the period before, not rounded */
        readonly change?: number | null; /** per cent, two decimals */
        readonly pct_change_mom?: number | null; /** per cent, two decimals */
        readonly pct_change_yoy?: number | null;
        readonly source?: string;
        readonly source_url?: string; /** release, series or dataset */
        readonly source_url_scope?: string;
        readonly vintage_status?: string;
        readonly revisions?: readonly ({
            readonly val: number | null; /** publication time, Unix seconds */
            readonly epoch?: number;
            readonly change?: number | null; /** when the service captured it */
            readonly observed_at_ns?: number;
            readonly observed_at_ns_string?: string;
            readonly is_first_release?: boolean;
            readonly vintage_status?: string;
            readonly capture_time_basis?: string;
            readonly publication_time_status?: string;
            readonly publication_time_precision?: string; /** which file has it, where several have the series */
            readonly origin?: string;
        })[]; /** an empty window shows the newest row before it */
        readonly outside_requested_window?: boolean;
        readonly returned_reason?: string; /** days from the row to the start of the window */
        readonly staleness_days?: number; /** with as_of: when the value became known */
        readonly selected_vintage_known_at_ns?: string; /** why val is null: ambiguous, when several values claim the same moment */
        readonly reason?: string; /** with as_of: the time is the publisher’s own or the service’s capture */
        readonly replay_vintage_verified?: boolean;
    };
}

/** Latest value of every indicator of a currency: the whole answer. */
interface AnnouncementsLatestBody {
    readonly currency: string;
    readonly source?: string;
    readonly provenance?: Provenance;
    /** newest date visible to the caller */ readonly as_of?: string;
    readonly count: number;
    readonly freemium_delay?: FreemiumDelay;
    readonly data: readonly AnnouncementsLatestRow[];
}

/** Latest value of every indicator of a currency: what is asked. */
interface AnnouncementsLatestQuery {
    /** currency of the indicators */ readonly currency: string;
}

/** Latest value of every indicator of a currency: one row. */
interface AnnouncementsLatestRow {
    readonly indicator: string;
    readonly name?: string;
    readonly unit?: string;
    readonly frequency?: string;
    readonly source?: string;
    readonly source_url?: string;
    readonly seasonal_adjustment?: string;
    readonly has_official_forecast?: boolean;
    readonly latest: {
        readonly date: string;
        readonly val: number | null; /** release time, Unix seconds */
        readonly announcement_datetime?: number | null;
        readonly source?: string;
        readonly source_url?: string;
    };
    readonly previous?: {
        readonly date: string;
        readonly val: number | null; /** release time, Unix seconds */
        readonly announcement_datetime?: number | null;
        readonly source?: string;
        readonly source_url?: string;
    };
    /** per cent, two decimals */ readonly pct_diff_prev?: number | null;
    /** per cent, two decimals */ readonly pct_change_mom?: number | null;
    /** per cent, two decimals */ readonly pct_change_qoq?: number | null;
    /** per cent, two decimals */ readonly pct_change_yoy?: number | null;
    readonly withheld?: {
        readonly announcement_datetime: number; /** when it can be read, Unix seconds */
        readonly available_at: number;
        readonly available_at_iso: string;
    };
}

/** History of one indicator, each value with its release time: what is asked. */
interface AnnouncementsQuery {
    /** currency of the indicator */ readonly currency: string;
    /** indicator */ readonly indicator: string;
    /** first date of the window; default 365 days ago */ readonly start_date?: string;
    /** last date of the window; default today */ readonly end_date?: string;
    /** seasonal adjustment */ readonly seasonality?: 'sa' | 'nsa';
    /** transformation */ readonly frequency?: 'level' | 'yoy' | 'qoq' | 'mom';
    /** annualization */ readonly annualization?: 'not_annualized' | 'saar';
    /** aggregation of periods */ readonly period_aggregation?: 'monthly' | 'quarterly_average';
    /** price basis */ readonly basis?: 'real' | 'nominal';
    /** which vintage of each period */ readonly revisions?: 'latest' | 'first' | 'final' | 'all';
    /** stored rows or the canonical series */ readonly series_mode?: 'raw' | 'canonical';
    /** normalized values or the publisher’s */ readonly value_mode?: 'normalized' | 'source';
    /** leaves out proxies */ readonly official_only?: boolean;
    /** answer as it was known at this moment */ readonly as_of?: string | number | Date;
    /** known to whom */ readonly availability?: 'public' | 'captured';
    /** rows a page */ readonly limit?: number;
    /** rows to skip, newest first */ readonly offset?: number;
    /** page number from 1; beats offset */ readonly page?: number;
    /** dataset_version of an earlier answer, 64 hex digits; other data is refused */ readonly dataset_version?: string;
}

/** Newest releases of a currency, all indicators together: the whole answer. */
interface AnnouncementsRecentBody {
    readonly currency: string;
    /** newest date visible to the caller */ readonly as_of?: string;
    /** rows of this page */ readonly count: number;
    readonly freemium_window?: FreemiumWindow;
    readonly freemium_delay?: FreemiumDelay;
    readonly data: readonly AnnouncementsRecentRow[];
}

/** Newest releases of a currency, all indicators together: what is asked. */
interface AnnouncementsRecentQuery {
    /** currency of the indicators */ readonly currency: string;
    /** rows a page */ readonly limit?: number;
    /** rows to skip, newest first */ readonly offset?: number;
    /** page number from 1; beats offset */ readonly page?: number;
}

/** Newest releases of a currency, all indicators together: one row. */
interface AnnouncementsRecentRow {
    /** indicator that was released */ readonly indicator: string;
    /** end of the reference period */ readonly date: string;
    /** the value, in the unit of the series */ readonly val: number | null;
    readonly announcement_id?: string;
    readonly observation_id?: string;
    /** release time, Unix seconds */ readonly announcement_datetime?: number | null;
    readonly announcement_datetime_local?: string;
    /** when the service collected the row, Unix seconds */ readonly collected_at?: number;
    readonly collected_at_ns_string?: string;
    readonly collected_at_iso?: string;
    /** when the service captured the value */ readonly observed_at_ns?: number;
    readonly observed_at_ns_string?: string;
    readonly capture_time_basis?: string;
    /** confirmed, assumed_historical or unknown */ readonly publication_time_status?: string;
    /** second, minute, day, month or quarter */ readonly publication_time_precision?: string;
    readonly release_time_assumed?: boolean;
    /** planned release time, Unix seconds */ readonly official_planned_release_datetime?: number | null;
    readonly official_planned_release_datetime_local?: string;
    /** what brackets the true publication */ readonly release_timing?: {
        readonly scheduled_at?: string | null;
        readonly published_after?: string | null;
        readonly published_by?: string | null;
        readonly picked_up_at?: string | null;
        readonly available_at?: string | null;
    };
    /** percent-type series: value of the period before */ readonly previous_value?: number | null;
    readonly previous_date?: string | null;
    /** release time of the row before, Unix seconds */ readonly previous_announcement_datetime?: number | null;
    /** not rounded */ readonly change_from_previous?: number | null;
    /** per cent, two decimals */ readonly pct_change_from_previous?: number | null;
    /** the publisher’s monthly change */ readonly val_mom?: number | null;
    /** level series: difference to the period before, not rounded */ readonly change?: number | null;
    /** per cent, two decimals */ readonly pct_change_mom?: number | null;
    /** per cent, two decimals */ readonly pct_change_yoy?: number | null;
    readonly source?: string;
    readonly source_url?: string;
    /** release, series or dataset */ readonly source_url_scope?: string;
    readonly vintage_status?: string;
    readonly revisions?: readonly ({
        readonly val: number | null; /** publication time, Unix seconds */
        readonly epoch?: number;
        readonly change?: number | null; /** when the service captured it */
        readonly observed_at_ns?: number;
        readonly observed_at_ns_string?: string;
        readonly is_first_release?: boolean;
        readonly vintage_status?: string;
        readonly capture_time_basis?: string;
        readonly publication_time_status?: string;
        readonly publication_time_precision?: string; /** which file has it, where several have the series */
        readonly origin?: string;
    })[];
    /** an empty window shows the newest row before it */ readonly outside_requested_window?: boolean;
    readonly returned_reason?: string;
    /** days from the row to the start of the window */ readonly staleness_days?: number;
    /** with as_of: when the value became known */ readonly selected_vintage_known_at_ns?: string;
    /** why val is null: ambiguous, when several values claim the same moment */ readonly reason?: string;
    /** with as_of: the time is the publisher’s own or the service’s capture */ readonly replay_vintage_verified?: boolean;
}

/** Newest values of one indicator: the whole answer. */
interface AnnouncementsRecentSeriesBody {
    readonly currency: string;
    readonly indicator: string;
    readonly name?: string;
    readonly unit?: string;
    readonly frequency?: string;
    readonly source?: string;
    readonly source_url?: string;
    readonly source_series_id?: string;
    readonly source_series_name?: string;
    readonly source_local_name?: string;
    readonly seasonal_adjustment?: string;
    readonly price_basis?: string;
    readonly is_proxy?: boolean;
    readonly has_official_forecast?: boolean;
    readonly remap?: {
        readonly applied?: boolean;
        readonly rule_id?: string | null;
        readonly transform?: string | null;
        readonly canonical_indicator?: string | null;
    } | null;
    readonly cb_target?: {
        readonly description?: string;
        readonly source?: string;
        readonly current?: {
            readonly effective_from?: string;
            readonly target?: number | null;
            readonly lower?: number | null;
            readonly upper?: number | null;
            readonly notes?: string | null;
        };
        readonly history?: readonly ({
            readonly effective_from?: string;
            readonly target?: number | null;
            readonly lower?: number | null;
            readonly upper?: number | null;
            readonly notes?: string | null;
        })[];
    };
    /** headline for the rate that stands for the policy */ readonly policy_role?: string;
    readonly policy_structure?: string;
    /** it may be compared with the headline rate of other currencies */ readonly comparison_compatible?: boolean;
    /** the policy rates of the currency */ readonly policy_family?: readonly ({
        readonly indicator: string;
        readonly value_name?: string;
        readonly role?: string;
    })[];
    readonly requested_start_date?: string;
    readonly requested_end_date?: string;
    readonly requested_window_has_data?: boolean;
    readonly start_date?: string;
    readonly end_date?: string;
    readonly earliest_available_date?: string;
    readonly latest_available_date?: string;
    readonly page_includes_latest_available?: boolean;
    /** the asked selectors; null when not asked */ readonly filters?: Readonly<Record<string, string | null>>;
    readonly selected_series_id?: string;
    readonly selected_series?: {
        readonly series_id: string;
        readonly label?: string;
        readonly source_series_id?: string;
        readonly seasonality?: string | null;
        readonly frequency?: string | null;
        readonly annualization?: string | null;
        readonly period_aggregation?: string | null;
        readonly basis?: string | null;
        readonly revisions?: string | null;
    };
    readonly supported_options?: Readonly<Record<string, readonly string[]>>;
    readonly value_mode?: string;
    readonly value_name?: string;
    readonly value_metadata?: {
        readonly source_unit?: string;
        readonly normalization_applied?: boolean;
    };
    readonly replay?: {
        readonly dataset_version?: string;
        readonly as_of: string;
        readonly availability: string;
    };
    readonly provenance?: Provenance;
    readonly data_quality?: DataQuality;
    readonly freemium_window?: FreemiumWindow;
    readonly freemium_delay?: FreemiumDelay;
    readonly data: readonly AnnouncementsRecentSeriesRow[];
}

/** Newest values of one indicator: what is asked. */
interface AnnouncementsRecentSeriesQuery {
    /** currency of the indicator */ readonly currency: string;
    /** indicator */ readonly indicator: string;
    /** first date of the window; default 365 days ago */ readonly start_date?: string;
    /** last date of the window; default today */ readonly end_date?: string;
    /** seasonal adjustment */ readonly seasonality?: 'sa' | 'nsa';
    /** transformation */ readonly frequency?: 'level' | 'yoy' | 'qoq' | 'mom';
    /** annualization */ readonly annualization?: 'not_annualized' | 'saar';
    /** aggregation of periods */ readonly period_aggregation?: 'monthly' | 'quarterly_average';
    /** price basis */ readonly basis?: 'real' | 'nominal';
    /** which vintage of each period */ readonly revisions?: 'latest' | 'first' | 'final' | 'all';
    /** stored rows or the canonical series */ readonly series_mode?: 'raw' | 'canonical';
    /** normalized values or the publisher’s */ readonly value_mode?: 'normalized' | 'source';
    /** leaves out proxies */ readonly official_only?: boolean;
    /** answer as it was known at this moment */ readonly as_of?: string | number | Date;
    /** known to whom */ readonly availability?: 'public' | 'captured';
    /** rows a page */ readonly limit?: number;
    /** rows to skip, newest first */ readonly offset?: number;
    /** page number from 1; beats offset */ readonly page?: number;
    /** dataset_version of an earlier answer, 64 hex digits; other data is refused */ readonly dataset_version?: string;
}

/** Newest values of one indicator: one row. */
interface AnnouncementsRecentSeriesRow {
    /** end of the reference period */ readonly date: string;
    /** the value, in the unit of the series */ readonly val: number | null;
    readonly announcement_id?: string;
    readonly observation_id?: string;
    /** release time, Unix seconds */ readonly announcement_datetime?: number | null;
    readonly announcement_datetime_local?: string;
    /** when the service collected the row, Unix seconds */ readonly collected_at?: number;
    readonly collected_at_ns_string?: string;
    readonly collected_at_iso?: string;
    /** when the service captured the value */ readonly observed_at_ns?: number;
    readonly observed_at_ns_string?: string;
    readonly capture_time_basis?: string;
    /** confirmed, assumed_historical or unknown */ readonly publication_time_status?: string;
    /** second, minute, day, month or quarter */ readonly publication_time_precision?: string;
    readonly release_time_assumed?: boolean;
    /** planned release time, Unix seconds */ readonly official_planned_release_datetime?: number | null;
    readonly official_planned_release_datetime_local?: string;
    /** what brackets the true publication */ readonly release_timing?: {
        readonly scheduled_at?: string | null;
        readonly published_after?: string | null;
        readonly published_by?: string | null;
        readonly picked_up_at?: string | null;
        readonly available_at?: string | null;
    };
    /** percent-type series: value of the period before */ readonly previous_value?: number | null;
    readonly previous_date?: string | null;
    /** release time of the row before, Unix seconds */ readonly previous_announcement_datetime?: number | null;
    /** not rounded */ readonly change_from_previous?: number | null;
    /** per cent, two decimals */ readonly pct_change_from_previous?: number | null;
    /** the publisher’s monthly change */ readonly val_mom?: number | null;
    /** level series: difference to the period before, not rounded */ readonly change?: number | null;
    /** per cent, two decimals */ readonly pct_change_mom?: number | null;
    /** per cent, two decimals */ readonly pct_change_yoy?: number | null;
    readonly source?: string;
    readonly source_url?: string;
    /** release, series or dataset */ readonly source_url_scope?: string;
    readonly vintage_status?: string;
    readonly revisions?: readonly ({
        readonly val: number | null; /** publication time, Unix seconds */
        readonly epoch?: number;
        readonly change?: number | null; /** when the service captured it */
        readonly observed_at_ns?: number;
        readonly observed_at_ns_string?: string;
        readonly is_first_release?: boolean;
        readonly vintage_status?: string;
        readonly capture_time_basis?: string;
        readonly publication_time_status?: string;
        readonly publication_time_precision?: string; /** which file has it, where several have the series */
        readonly origin?: string;
    })[];
    /** an empty window shows the newest row before it */ readonly outside_requested_window?: boolean;
    readonly returned_reason?: string;
    /** days from the row to the start of the window */ readonly staleness_days?: number;
    /** with as_of: when the value became known */ readonly selected_vintage_known_at_ns?: string;
    /** why val is null: ambiguous, when several values claim the same moment */ readonly reason?: string;
    /** with as_of: the time is the publisher’s own or the service’s capture */ readonly replay_vintage_verified?: boolean;
}

/** History of one indicator, each value with its release time: one row. */
interface AnnouncementsRow {
    /** end of the reference period */ readonly date: string;
    /** the value, in the unit of the series */ readonly val: number | null;
    readonly announcement_id?: string;
    readonly observation_id?: string;
    /** release time, Unix seconds */ readonly announcement_datetime?: number | null;
    readonly announcement_datetime_local?: string;
    /** when the service collected the row, Unix seconds */ readonly collected_at?: number;
    readonly collected_at_ns_string?: string;
    readonly collected_at_iso?: string;
    /** when the service captured the value */ readonly observed_at_ns?: number;
    readonly observed_at_ns_string?: string;
    readonly capture_time_basis?: string;
    /** confirmed, assumed_historical or unknown */ readonly publication_time_status?: string;
    /** second, minute, day, month or quarter */ readonly publication_time_precision?: string;
    readonly release_time_assumed?: boolean;
    /** planned release time, Unix seconds */ readonly official_planned_release_datetime?: number | null;
    readonly official_planned_release_datetime_local?: string;
    /** what brackets the true publication */ readonly release_timing?: {
        readonly scheduled_at?: string | null;
        readonly published_after?: string | null;
        readonly published_by?: string | null;
        readonly picked_up_at?: string | null;
        readonly available_at?: string | null;
    };
    /** percent-type series: value of the period before */ readonly previous_value?: number | null;
    readonly previous_date?: string | null;
    /** release time of the row before, Unix seconds */ readonly previous_announcement_datetime?: number | null;
    /** not rounded */ readonly change_from_previous?: number | null;
    /** per cent, two decimals */ readonly pct_change_from_previous?: number | null;
    /** the publisher’s monthly change */ readonly val_mom?: number | null;
    /** level series: difference to the period before, not rounded */ readonly change?: number | null;
    /** per cent, two decimals */ readonly pct_change_mom?: number | null;
    /** per cent, two decimals */ readonly pct_change_yoy?: number | null;
    readonly source?: string;
    readonly source_url?: string;
    /** release, series or dataset */ readonly source_url_scope?: string;
    readonly vintage_status?: string;
    readonly revisions?: readonly ({
        readonly val: number | null; /** publication time, Unix seconds */
        readonly epoch?: number;
        readonly change?: number | null; /** when the service captured it */
        readonly observed_at_ns?: number;
        readonly observed_at_ns_string?: string;
        readonly is_first_release?: boolean;
        readonly vintage_status?: string;
        readonly capture_time_basis?: string;
        readonly publication_time_status?: string;
        readonly publication_time_precision?: string; /** which file has it, where several have the series */
        readonly origin?: string;
    })[];
    /** an empty window shows the newest row before it */ readonly outside_requested_window?: boolean;
    readonly returned_reason?: string;
    /** days from the row to the start of the window */ readonly staleness_days?: number;
    /** with as_of: when the value became known */ readonly selected_vintage_known_at_ns?: string;
    /** why val is null: ambiguous, when several values claim the same moment */ readonly reason?: string;
    /** with as_of: the time is the publisher’s own or the service’s capture */ readonly replay_vintage_verified?: boolean;
}

/** An answer of the service or of a mirror. */
interface Answer<Body> {
    /** The body, as it was parsed. Numbers are what JavaScript makes of them; `text` has them as they were spelled. */
    readonly body: Body;
    /** The body, exactly as it came. */
    readonly text: string;
    /** Missing parts of an answer from a mirror. Undefined for a complete answer. */
    readonly mirror: PartialMark | undefined;
    /** The answer is made of generated data. */
    readonly synthetic: boolean;
    /** The validator of the answer. */
    readonly etag: string | undefined;
    /** Warnings, one sentence each. */
    readonly notes: readonly string[];
}

/** Faults of an answer. */
type AnswerFault = {
    readonly fault: 'latency';
    readonly ms: number;
    readonly jitter?: number;
} | {
    readonly fault: 'reset';
    readonly bytes?: number;
} | {
    readonly fault: 'truncated-gzip';
    readonly bytes?: number;
} | {
    readonly fault: 'wrong-length';
    readonly by?: number;
} | {
    readonly fault: 'error';
    readonly status?: number;
    readonly retry_after?: number;
} | {
    readonly fault: 'limit';
    readonly window: LimitFaultWindow;
    readonly retry_after?: number;
} | {
    readonly fault: 'page';
    readonly as: PageLie;
} | {
    readonly fault: 'stale-etag';
} | {
    readonly fault: 'clock-skew';
    readonly seconds: number;
};

/** Arguments may be left out where an endpoint requires none. */
type ArgsAndOptions<Args, Options> = Record<never, never> extends Args ? [args?: Args, options?: Options] : [args: Args, options?: Options];

/** A key is missing, unknown, or its plan does not include the question. */
declare class AuthError extends MacroError {
    readonly name = "AuthError";
    constructor(...[message, details]: Details);
}

/** Upcoming releases with their times: the whole answer. */
interface CalendarBody {
    readonly currency: string;
    /** zone of announcement_datetime_local */ readonly timezone?: string;
    readonly requested_timezone?: string;
    readonly indicator?: string;
    /** what imported calendar files cover */ readonly covered_releases?: readonly ({
        readonly indicator: string;
        readonly from: string;
        readonly to: string;
    })[];
    readonly start_date?: string;
    readonly end_date?: string;
    readonly data_quality?: DataQuality;
    readonly data: readonly CalendarRow[];
}

/** Captures of a release schedule, and the gaps between them: the whole answer. */
interface CalendarCoverageBody {
    readonly currency: string;
    readonly indicator?: string;
    readonly archive_start?: string | null;
    readonly archive_end?: string | null;
    readonly event_count?: number;
    readonly version_count?: number;
    readonly capture_count?: number;
    readonly last_capture_at?: string | null;
    /** complete or partial */ readonly coverage_quality?: string;
    readonly sources?: readonly ({
        readonly source: string;
        readonly first_capture_at?: string | null;
        readonly last_capture_at?: string | null;
        readonly capture_count?: number;
    })[];
    readonly capture_gaps: readonly CalendarCoverageRow[];
}

/** Captures of a release schedule, and the gaps between them: what is asked. */
interface CalendarCoverageQuery {
    /** currency of the archive */ readonly currency: string;
    /** one indicator */ readonly indicator?: string;
    /** first UTC date of the captures */ readonly start_date?: string;
    /** last UTC date of the captures */ readonly end_date?: string;
}

/** Captures of a release schedule, and the gaps between them: one row. */
interface CalendarCoverageRow {
    /** last check before the gap */ readonly gap_start: string;
    /** first check after it */ readonly gap_end?: string | null;
    /** seconds of the gap */ readonly duration_seconds?: number | null;
    readonly reason?: string | null;
}

/** Upcoming releases with their times: what is asked. */
interface CalendarQuery {
    /** currency of the releases */ readonly currency: string;
    /** one indicator */ readonly indicator?: string;
    /** first UTC date of the releases; default: those still ahead */ readonly start_date?: string;
    /** last UTC date of the releases */ readonly end_date?: string;
    /** IANA zone of the local times */ readonly timezone?: string;
}

/** Upcoming releases with their times: one row. */
interface CalendarRow {
    readonly calendar_event_id: string;
    /** release time, Unix seconds */ readonly announcement_datetime: number;
    /** indicator slug */ readonly release: string;
    readonly name?: string;
    readonly announcement_datetime_utc?: string;
    /** with offset */ readonly announcement_datetime_local?: string;
    /** the same, when a zone was asked */ readonly announcement_datetime_requested_timezone?: string;
    readonly release_date_confirmed?: boolean;
    /** high, medium or low */ readonly event_importance?: string;
    readonly market_tier?: number;
    readonly top_tier_for_currency?: boolean;
    readonly source?: string;
    readonly source_url?: string;
    readonly reference_period?: string;
    /** end of the reference period */ readonly date?: string;
}

/** Release schedule as it was known at an instant: the whole answer. */
interface CalendarSnapshotBody {
    readonly currency: string;
    readonly as_of?: string;
    /** names the state that all pages of a walk see */ readonly checkpoint?: string;
    /** the asked parameters; null when not asked */ readonly filters?: Readonly<Record<string, unknown>>;
    readonly data_quality?: DataQuality;
    readonly pagination?: {
        readonly limit?: number;
        readonly returned_count?: number;
        readonly has_more: boolean; /** ask with it as `cursor`, and with the same checkpoint */
        readonly next_cursor?: string;
    };
    readonly data: readonly CalendarSnapshotRow[];
}

/** Release schedule as it was known at an instant: what is asked. */
interface CalendarSnapshotQuery {
    /** currency of the events */ readonly currency: string;
    /** instant at which the schedule was known: a date, an ISO date-time or Unix seconds */ readonly as_of: string | number | Date;
    /** first UTC date of the scheduled times */ readonly start_date?: string;
    /** last UTC date of the scheduled times */ readonly end_date?: string;
    /** one indicator */ readonly indicator?: string;
    /** importance of the events */ readonly importance?: readonly string[] | string;
    /** kinds of event */ readonly event_kind?: readonly string[] | string;
    /** rows a page */ readonly limit?: number;
    /** checkpoint of the first answer */ readonly checkpoint?: string;
    /** next_cursor of the last answer */ readonly cursor?: string;
}

/** Release schedule as it was known at an instant: one row. */
interface CalendarSnapshotRow {
    /** event of the archive; stays when the event moves */ readonly archive_event_id: string;
    /** from 1 */ readonly version: number;
    /** since when the version is known to be in force */ readonly captured_at?: string;
    /** created, rescheduled, details_changed, confirmed or cancelled */ readonly change_type?: string;
    /** scheduled, tentative, cancelled or released */ readonly schedule_status?: string;
    /** release, decision, auction, speech or other */ readonly event_kind?: string;
    readonly release_stage?: string | null;
    readonly content_sha256?: string;
    /** id in the calendar; contains the time and so changes with it */ readonly calendar_event_id?: string;
    /** scheduled time, Unix seconds */ readonly announcement_datetime?: number | null;
    /** indicator slug */ readonly release?: string;
    readonly name?: string;
    readonly announcement_datetime_utc?: string;
    /** with offset */ readonly announcement_datetime_local?: string;
    readonly release_date_confirmed?: boolean;
    /** high, medium or low */ readonly event_importance?: string;
    readonly market_tier?: number;
    readonly top_tier_for_currency?: boolean;
    readonly source?: string;
    readonly source_url?: string;
    readonly reference_period?: string;
    /** end of the reference period */ readonly date?: string;
}

/** Every version of the schedule of one event: the whole answer. */
interface CalendarVersionsBody {
    readonly currency: string;
    readonly archive_event_id?: string;
    /** names the state that all pages of a walk see */ readonly checkpoint?: string;
    readonly data_quality?: DataQuality;
    readonly pagination?: {
        readonly limit?: number;
        readonly returned_count?: number;
        readonly has_more: boolean; /** ask with it as `cursor`, and with the same checkpoint */
        readonly next_cursor?: string;
    };
    readonly data: readonly CalendarVersionsRow[];
}

/** Every version of the schedule of one event: what is asked. */
interface CalendarVersionsQuery {
    /** currency of the event */ readonly currency: string;
    /** event of the archive, or the calendar id of one of its versions */ readonly archive_event_id: string;
    /** rows a page */ readonly limit?: number;
    /** checkpoint of the first answer */ readonly checkpoint?: string;
    /** next_cursor of the last answer */ readonly cursor?: string;
}

/** Every version of the schedule of one event: one row. */
interface CalendarVersionsRow {
    /** event of the archive; stays when the event moves */ readonly archive_event_id: string;
    /** from 1 */ readonly version: number;
    /** since when the version is known to be in force */ readonly captured_at?: string;
    /** created, rescheduled, details_changed, confirmed or cancelled */ readonly change_type?: string;
    /** scheduled, tentative, cancelled or released */ readonly schedule_status?: string;
    /** release, decision, auction, speech or other */ readonly event_kind?: string;
    readonly release_stage?: string | null;
    readonly content_sha256?: string;
    /** id in the calendar; contains the time and so changes with it */ readonly calendar_event_id?: string;
    /** scheduled time, Unix seconds */ readonly announcement_datetime?: number | null;
    /** indicator slug */ readonly release?: string;
    readonly name?: string;
    readonly announcement_datetime_utc?: string;
    /** with offset */ readonly announcement_datetime_local?: string;
    readonly release_date_confirmed?: boolean;
    /** high, medium or low */ readonly event_importance?: string;
    readonly market_tier?: number;
    readonly top_tier_for_currency?: boolean;
    readonly source?: string;
    readonly source_url?: string;
    readonly reference_period?: string;
    /** end of the reference period */ readonly date?: string;
}

/** Options of one question to a service. */
interface CallOptions {
    /** Ends the question. */
    readonly signal?: AbortSignal;
}

/** Requirements of the endpoints, by currency: the whole answer. */
interface CapabilitiesBody {
    readonly count: number;
    readonly data: readonly CapabilitiesRow[];
}

/** Requirements of the endpoints, by currency: what is asked. */
interface CapabilitiesQuery {
    /** one currency; all of them when left out */ readonly currency?: string;
}

/** Requirements of the endpoints, by currency: one row. */
interface CapabilitiesRow {
    readonly currency: string;
    readonly endpoints: readonly ({
        readonly path: string;
        readonly method: string;
        readonly requires_api_key: boolean;
    })[];
}

/** History of one commodity: the whole answer. */
interface CommoditiesBody {
    readonly currency?: string;
    readonly indicator: string;
    readonly source?: string;
    readonly source_url?: string;
    readonly has_official_forecast?: boolean;
    readonly last_updated?: string;
    readonly provenance?: Provenance;
    readonly unit?: string;
    readonly latest_available_date?: string;
    readonly start_date?: string;
    readonly end_date?: string;
    readonly data_quality?: DataQuality;
    readonly data: readonly CommoditiesRow[];
}

/** Latest value of every commodity: the whole answer. */
interface CommoditiesLatestBody {
    readonly currency?: string;
    readonly source?: string;
    /** newest date of any commodity */ readonly as_of?: string;
    readonly count?: number;
    readonly data: readonly CommoditiesLatestRow[] | Readonly<Record<string, CommoditiesLatestRow>>;
}

/** Latest value of every commodity: what is asked. */
interface CommoditiesLatestQuery {
}

/** Latest value of every commodity: one row. */
interface CommoditiesLatestRow {
    readonly indicator: string;
    readonly name?: string;
    readonly unit?: string;
    readonly frequency?: string;
    readonly source?: string;
    readonly source_url?: string;
    readonly seasonal_adjustment?: string;
    readonly has_official_forecast?: boolean;
    readonly latest: {
        readonly date: string;
        readonly val: number | null; /** Unix seconds */
        readonly announcement_datetime?: number | null;
        readonly source?: string;
        readonly source_url?: string;
    };
    readonly previous?: {
        readonly date: string;
        readonly val: number | null; /** Unix seconds */
        readonly announcement_datetime?: number | null;
        readonly source?: string;
        readonly source_url?: string;
    } | null;
    /** per cent, two decimals */ readonly pct_diff_prev?: number | null;
    /** per cent, two decimals */ readonly pct_change_mom?: number | null;
    /** per cent, two decimals */ readonly pct_change_qoq?: number | null;
    /** per cent, two decimals */ readonly pct_change_yoy?: number | null;
}

/** History of one commodity: what is asked. */
interface CommoditiesQuery {
    /** commodity */ readonly indicator: string;
    /** first date of the window; default 365 days ago */ readonly start_date?: string;
    /** last date of the window; default today */ readonly end_date?: string;
    /** rows a page */ readonly limit?: number;
    /** rows to skip, newest first */ readonly offset?: number;
    /** page number from 1; beats offset */ readonly page?: number;
}

/** History of one commodity: one row. */
interface CommoditiesRow {
    readonly date: string;
    readonly val: number | null;
    /** release time, Unix seconds */ readonly announcement_datetime?: number | null;
    readonly source?: string;
    readonly source_url?: string;
    /** per cent against the row before */ readonly pct_change?: number | null;
    /** per cent against twelve months before */ readonly pct_change_12m?: number | null;
}

/** Weekly futures positions of traders: the whole answer. */
interface CotBody {
    readonly currency: string;
    readonly report: string;
    readonly instrument?: string;
    readonly report_name?: string;
    readonly report_dataset_id?: string;
    readonly available_reports?: readonly string[];
    readonly source?: string;
    readonly source_url?: string;
    readonly provenance?: Provenance;
    readonly fx_overlay?: {
        readonly pair: string;
    };
    readonly start_date?: string;
    readonly end_date?: string;
    readonly latest_available_date?: string;
    readonly latest_available_announcement_datetime?: number | null;
    readonly expected_next_release?: string;
    /** Unix seconds */ readonly expected_next_release_epoch?: number;
    readonly expected_next_release_holiday_adjusted?: boolean;
    readonly expected_next_release_source?: string;
    readonly data_lag_days?: number;
    readonly last_updated?: string;
    readonly page_includes_latest_available?: boolean;
    readonly data_quality?: DataQuality;
    readonly freemium_window?: FreemiumWindow;
    readonly data: readonly CotRow[];
}

/** Weekly futures positions of traders: what is asked. */
interface CotQuery {
    /** currency, or XAU, of the futures */ readonly currency: string;
    /** which breakdown of traders */ readonly report?: 'legacy_futures' | 'tff_futures';
    /** first date of the window; default 365 days ago */ readonly start_date?: string;
    /** last date of the window; default today */ readonly end_date?: string;
    /** rows a page */ readonly limit?: number;
    /** rows to skip, newest first */ readonly offset?: number;
    /** page number from 1; beats offset */ readonly page?: number;
}

/** Weekly futures positions of traders: one row. */
interface CotRow {
    /** the Tuesday that the positions are of */ readonly date: string;
    /** release time, Unix seconds */ readonly announcement_datetime?: number | null;
    readonly release_datetime?: string;
    readonly release_time_assumed?: boolean;
    readonly holiday_adjusted_release?: boolean;
    /** contracts */ readonly open_interest?: number | null;
    /** distance from the mean, in standard deviations */ readonly open_interest_zscore?: number | null;
    /** contracts */ readonly noncommercial_long?: number | null;
    /** distance from the mean, in standard deviations */ readonly noncommercial_long_zscore?: number | null;
    /** contracts */ readonly noncommercial_short?: number | null;
    /** distance from the mean, in standard deviations */ readonly noncommercial_short_zscore?: number | null;
    /** contracts */ readonly noncommercial_net?: number | null;
    /** distance from the mean, in standard deviations */ readonly noncommercial_net_zscore?: number | null;
    /** contracts */ readonly noncommercial_spread?: number | null;
    /** distance from the mean, in standard deviations */ readonly noncommercial_spread_zscore?: number | null;
    /** contracts */ readonly commercial_long?: number | null;
    /** distance from the mean, in standard deviations */ readonly commercial_long_zscore?: number | null;
    /** contracts */ readonly commercial_short?: number | null;
    /** distance from the mean, in standard deviations */ readonly commercial_short_zscore?: number | null;
    /** contracts */ readonly commercial_net?: number | null;
    /** distance from the mean, in standard deviations */ readonly commercial_net_zscore?: number | null;
    /** contracts */ readonly total_reportable_long?: number | null;
    /** distance from the mean, in standard deviations */ readonly total_reportable_long_zscore?: number | null;
    /** contracts */ readonly total_reportable_short?: number | null;
    /** distance from the mean, in standard deviations */ readonly total_reportable_short_zscore?: number | null;
    /** contracts */ readonly dealer_long?: number | null;
    /** distance from the mean, in standard deviations */ readonly dealer_long_zscore?: number | null;
    /** contracts */ readonly dealer_short?: number | null;
    /** distance from the mean, in standard deviations */ readonly dealer_short_zscore?: number | null;
    /** contracts */ readonly dealer_net?: number | null;
    /** distance from the mean, in standard deviations */ readonly dealer_net_zscore?: number | null;
    /** contracts */ readonly dealer_spread?: number | null;
    /** distance from the mean, in standard deviations */ readonly dealer_spread_zscore?: number | null;
    /** contracts */ readonly asset_manager_long?: number | null;
    /** distance from the mean, in standard deviations */ readonly asset_manager_long_zscore?: number | null;
    /** contracts */ readonly asset_manager_short?: number | null;
    /** distance from the mean, in standard deviations */ readonly asset_manager_short_zscore?: number | null;
    /** contracts */ readonly asset_manager_net?: number | null;
    /** distance from the mean, in standard deviations */ readonly asset_manager_net_zscore?: number | null;
    /** contracts */ readonly asset_manager_spread?: number | null;
    /** distance from the mean, in standard deviations */ readonly asset_manager_spread_zscore?: number | null;
    /** contracts */ readonly leveraged_funds_long?: number | null;
    /** distance from the mean, in standard deviations */ readonly leveraged_funds_long_zscore?: number | null;
    /** contracts */ readonly leveraged_funds_short?: number | null;
    /** distance from the mean, in standard deviations */ readonly leveraged_funds_short_zscore?: number | null;
    /** contracts */ readonly leveraged_funds_net?: number | null;
    /** distance from the mean, in standard deviations */ readonly leveraged_funds_net_zscore?: number | null;
    /** contracts */ readonly leveraged_funds_spread?: number | null;
    /** distance from the mean, in standard deviations */ readonly leveraged_funds_spread_zscore?: number | null;
    /** contracts */ readonly other_reportable_long?: number | null;
    /** distance from the mean, in standard deviations */ readonly other_reportable_long_zscore?: number | null;
    /** contracts */ readonly other_reportable_short?: number | null;
    /** distance from the mean, in standard deviations */ readonly other_reportable_short_zscore?: number | null;
    /** contracts */ readonly other_reportable_net?: number | null;
    /** distance from the mean, in standard deviations */ readonly other_reportable_net_zscore?: number | null;
    /** contracts */ readonly other_reportable_spread?: number | null;
    /** distance from the mean, in standard deviations */ readonly other_reportable_spread_zscore?: number | null;
    /** contracts */ readonly nonreportable_long?: number | null;
    /** distance from the mean, in standard deviations */ readonly nonreportable_long_zscore?: number | null;
    /** contracts */ readonly nonreportable_short?: number | null;
    /** distance from the mean, in standard deviations */ readonly nonreportable_short_zscore?: number | null;
}

/** Indicators of each currency, with their first and last dates: the whole answer. */
interface CoverageMatrixBody {
    readonly count: number;
    readonly data: readonly CoverageMatrixRow[];
}

/** Indicators of each currency, with their first and last dates: what is asked. */
interface CoverageMatrixQuery {
    /** one currency; all of them when left out */ readonly currency?: string;
    /** one indicator; all of them when left out */ readonly indicator?: string;
}

/** Indicators of each currency, with their first and last dates: one row. */
interface CoverageMatrixRow {
    readonly currency: string;
    readonly indicator: string;
    readonly available?: boolean;
    readonly row_count?: number;
    readonly earliest_available_date?: string;
    readonly latest_available_date?: string;
}

/** A range that the mirror has whole. Its bounds are dates, or Unix seconds where rows are ordered by time. */
interface CoveredRange {
    readonly from: string | number;
    readonly to: string | number;
    readonly rows: number;
    /** When it was last confirmed. */
    readonly confirmedAt: Date;
}

/** Government bond curve: nodes, slopes or forwards: the whole answer. */
interface CurvesBody {
    readonly currency: string;
    readonly curve_family: string;
    readonly view: string;
    readonly metric: string;
    /** forwards only */ readonly method?: string;
    readonly requested_date?: string;
    readonly as_of?: string;
    readonly availability?: string;
    readonly node_count?: number;
    readonly slope_count?: number;
    readonly inverted_count?: number;
    readonly segment_count?: number;
    readonly sources?: readonly string[];
    readonly official_forward_source_support?: {
        readonly source_type?: string;
        readonly source_note?: string;
    };
    readonly data_quality?: DataQuality;
    readonly data: readonly CurvesRow[];
}

/** Government bond curve: nodes, slopes or forwards: what is asked. */
interface CurvesQuery {
    /** currency of the curve */ readonly currency: string;
    /** family of bonds */ readonly curve_family?: 'government_nominal';
    /** kind of rate */ readonly metric?: 'spot';
    /** nodes, or what follows from them */ readonly view?: 'nodes' | 'slopes' | 'forwards';
    /** how forwards are made */ readonly method?: 'derived_from_spot_nodes';
    /** newest date of a node; default today; several dates with commas are compared */ readonly date?: string;
    /** answer as it was known at this moment; wins over date */ readonly as_of?: string | number | Date;
    /** known to whom */ readonly availability?: 'public' | 'captured';
    /** days that a node may lie back; default 60, with as_of 7 */ readonly max_staleness_days?: number;
    /** all nodes from one date; default true with as_of */ readonly require_common_date?: boolean;
}

/** Government bond curve: nodes, slopes or forwards: one row. */
interface CurvesRow {
    /** of a pair of nodes, the older one */ readonly date: string;
    /** per cent; of a slope, percentage points */ readonly val: number | null;
    /** basis points */ readonly val_bps?: number;
    /** nodes: the yield */ readonly indicator?: string;
    /** nodes: such as 10Y */ readonly maturity?: string;
    readonly maturity_years?: number;
    /** release time, Unix seconds */ readonly announcement_datetime?: number | null;
    readonly source?: string;
    /** nodes: days before the requested date */ readonly staleness_days?: number;
    /** slopes: such as 2Y10Y */ readonly slope?: string;
    readonly short_maturity?: string;
    readonly long_maturity?: string;
    readonly short_val?: number;
    readonly long_val?: number;
    /** the slope is below zero */ readonly is_inverted?: boolean;
    /** forwards: such as 2Y5Y */ readonly segment?: string;
    readonly start_maturity?: string;
    readonly end_maturity?: string;
    readonly start_tenor_years?: number;
    readonly end_tenor_years?: number;
    readonly start_val?: number;
    readonly end_val?: number;
    /** release time, Unix seconds */ readonly start_announcement_datetime?: number | null;
    /** release time, Unix seconds */ readonly end_announcement_datetime?: number | null;
}

/** Indicators of a currency: the whole answer. Its rows stand under their names. */
type DataCatalogueBody = {
    readonly coverage?: readonly ({
        readonly indicator: string;
        readonly available?: boolean;
        readonly has_recent_data?: boolean;
        readonly value_available?: boolean;
        readonly requires_api_key?: boolean;
        readonly usable_for_signal?: boolean;
        readonly usable_for_context?: boolean;
        readonly source_monitoring_complete?: boolean;
        readonly known_source_gap?: boolean;
        readonly has_mom_transform?: boolean | null;
        readonly has_qoq_transform?: boolean | null;
        readonly has_yoy_transform?: boolean | null;
        readonly row_count?: number;
        readonly data_lag_days?: number;
        readonly stale_after_days?: number;
        readonly recent_observation_count?: number;
        readonly latest_release_date?: string;
        readonly latest_available_date?: string;
        readonly earliest_available_date?: string;
        readonly coverage_quality?: string;
        readonly history_coverage_quality?: string;
        readonly freshness_quality?: string;
        readonly source_freshness?: string;
    })[]; /** with include_capabilities */
    readonly capabilities?: {
        readonly currency: string;
        readonly endpoints: readonly ({
            readonly path: string;
            readonly method: string;
            readonly requires_api_key: boolean;
        })[];
        readonly auth: {
            readonly header: string;
            readonly bearer: string;
            readonly keyless_scope: string;
        };
    };
} & Readonly<Record<string, DataCatalogueRow>>;

/** Indicators of a currency: what is asked. */
interface DataCatalogueQuery {
    /** currency of the catalogue */ readonly currency: string;
    /** adds what the endpoints of this currency ask for */ readonly include_capabilities?: boolean;
    /** adds the older top-level coverage list */ readonly include_coverage?: boolean;
    /** one slug of the coverage list */ readonly indicator?: string;
}

/** Indicators of a currency: one row. */
interface DataCatalogueRow {
    /** descriptive name */ readonly name: string;
    /** unit of measurement */ readonly unit: string;
    /** Daily, Weekly, Monthly, Quarterly or Annual */ readonly frequency: string;
    /** publisher */ readonly source?: string;
    readonly source_url?: string;
    /** release, series or dataset */ readonly source_url_scope?: string;
    readonly source_series_id?: string;
    readonly source_series_name?: string;
    readonly source_local_name?: string;
    readonly source_history_start?: string;
    readonly seasonal_adjustment?: 'SA' | 'NSA' | 'UNKNOWN' | 'NOT_APPLICABLE';
    readonly price_basis?: 'REAL' | 'NOMINAL' | 'UNKNOWN';
    readonly annualization?: string;
    readonly period_aggregation?: string;
    readonly aliases?: readonly string[];
    readonly related_indicators?: readonly string[];
    readonly standardization_note?: string;
    readonly has_official_forecast?: boolean;
    readonly is_proxy?: boolean;
    readonly proxy_note?: string;
    readonly series_variants?: readonly ({
        readonly series_id: string;
        readonly storage_indicator?: string;
        readonly is_default?: boolean;
        readonly unit?: string;
        readonly frequency?: string;
        readonly seasonal_adjustment?: string;
        readonly source_series_id?: string;
        readonly source_series_name?: string;
    })[];
    readonly supported_options?: Readonly<Record<string, readonly string[]>>;
    readonly maturity_months?: number;
    readonly yield_type?: string;
    readonly coverage: {
        readonly available?: boolean;
        readonly has_recent_data?: boolean;
        readonly value_available?: boolean;
        readonly requires_api_key?: boolean;
        readonly usable_for_signal?: boolean;
        readonly usable_for_context?: boolean;
        readonly source_monitoring_complete?: boolean;
        readonly known_source_gap?: boolean;
        readonly has_mom_transform?: boolean | null;
        readonly has_qoq_transform?: boolean | null;
        readonly has_yoy_transform?: boolean | null;
        readonly row_count?: number;
        readonly data_lag_days?: number;
        readonly stale_after_days?: number;
        readonly recent_observation_count?: number;
        readonly latest_release_date?: string;
        readonly latest_available_date?: string;
        readonly earliest_available_date?: string;
        readonly coverage_quality?: string;
        readonly history_coverage_quality?: string;
        readonly freshness_quality?: string;
        readonly source_freshness?: string;
    };
}

/** Members that the answers of many endpoints share. */
interface DataQuality {
    readonly is_official?: boolean;
    readonly is_proxy?: boolean;
    readonly is_fallback?: boolean;
    /** older than stale_after_days */ readonly is_stale?: boolean;
    readonly is_derived?: boolean;
    readonly has_announcement_datetime?: boolean;
    /** every row has a release time that is confirmed */ readonly point_in_time_safe?: boolean;
    readonly has_assumed_release_times?: boolean;
    readonly requested_window_has_data?: boolean;
    readonly page_includes_latest_available?: boolean;
    readonly unverified_vintage_count?: number;
    readonly unknown_publication_time_count?: number;
    readonly row_count?: number;
    readonly announcement_datetime_count?: number;
    readonly missing_announcement_datetime_count?: number;
    readonly assumed_release_time_count?: number;
    readonly bounded_release_time_count?: number;
    readonly unbounded_release_time_count?: number;
    /** from the newest date to the day of the request */ readonly data_lag_days?: number;
    /** left out where a series has no fixed cadence */ readonly stale_after_days?: number;
    readonly latest_available_date?: string | null;
    readonly source_name?: string;
    readonly source_type?: string;
    /** full_result or scheduled_releases */ readonly quality_scope?: string;
    readonly datetime_field?: string;
    readonly datetime_precision?: string;
    /** series that the rows were computed from */ readonly source_legs?: readonly ({
        readonly pair?: string;
        readonly currency?: string;
        readonly indicator?: string;
        readonly source_name?: string;
        readonly source_provider?: string;
        readonly source_url?: string | null;
        readonly source_frequency?: string;
        readonly sources?: readonly string[];
    })[];
    /** why rows may be missing, or how they came about */ readonly reason?: string;
}

/** Faults of webhooks. */
type DeliveryFault = {
    readonly fault: 'webhook-doubled';
    readonly copies?: number;
};

type Details = [message: string, details?: ErrorDetails];

interface ErrorDetails {
    /** The cure: one sentence. */
    readonly hint?: string | undefined;
    /** Machine-readable word, the service's own where there is one. */
    readonly code?: string | undefined;
    /** HTTP status of the upstream answer, or the one `serve` should send. */
    readonly status?: number | undefined;
    /** Seconds until it makes sense to try again. */
    readonly retryAfter?: number | undefined;
    readonly findings?: readonly Finding[] | undefined;
    /** Further members of the service's error body. */
    readonly extra?: Readonly<Record<string, unknown>> | undefined;
    readonly cause?: unknown;
}

/** The kind of failure, as a closed set; the exit code and the HTTP status follow from it. */
type ErrorKind = 'internal' | 'usage' | 'notFound' | 'auth' | 'quota' | 'upstream' | 'protocol' | 'mirror' | 'verification' | 'incomplete' | 'stale' | 'busy' | 'interrupted';

/** Faults of the events of a stream. */
type EventFault = {
    readonly fault: 'stall';
    readonly ms?: number;
} | {
    readonly fault: 'cut';
    readonly bytes?: number;
} | {
    readonly fault: 'doubled';
} | {
    readonly fault: 'late';
    readonly by?: number;
    readonly ms?: number;
} | {
    readonly fault: 'reordered';
    readonly size?: number;
    readonly ms?: number;
};

/** Precomputed factor scores of a currency: the whole answer. */
interface FactorsBody {
    readonly currency: string;
    readonly factor: string;
    readonly methodology?: unknown;
    /** date of the newest row of the window, whose scores stand beside */ readonly as_of?: string;
    /** in -1..1 */ readonly score?: number | null;
    /** in -1..1 */ readonly level_score?: number | null;
    /** in -1..1 */ readonly impulse_score?: number | null;
    /** in -1..1 */ readonly rate_repricing_score?: number | null;
    /** in -1..1 */ readonly macro_pressure_score?: number | null;
    /** hawkish, neutral or dovish */ readonly label?: string;
    readonly stance_context?: string;
    readonly latest_available_date?: string;
    readonly last_updated?: string;
    readonly start_date?: string;
    readonly end_date?: string;
    readonly data_quality?: DataQuality;
    readonly data: readonly FactorsRow[];
}

/** Precomputed factor scores of a currency: what is asked. */
interface FactorsQuery {
    /** currency of the factor */ readonly currency: string;
    /** factor */ readonly factor?: 'monetary_stance';
    /** first date; without any date only the newest snapshot */ readonly start_date?: string;
    /** last date; default today once start_date is given */ readonly end_date?: string;
    /** adds the scores that the factor is made of */ readonly include_components?: boolean;
    /** adds the observations behind the scores */ readonly include_sources?: boolean;
    /** rows a page */ readonly limit?: number;
    /** rows to skip, newest first */ readonly offset?: number;
}

/** Precomputed factor scores of a currency: one row. */
interface FactorsRow {
    readonly date: string;
    /** the score, in -1..1 */ readonly val: number | null;
    /** in -1..1 */ readonly score?: number | null;
    /** in -1..1 */ readonly level_score?: number | null;
    /** in -1..1 */ readonly impulse_score?: number | null;
    /** in -1..1 */ readonly rate_repricing_score?: number | null;
    /** in -1..1 */ readonly macro_pressure_score?: number | null;
    /** hawkish, neutral or dovish */ readonly label?: string;
    readonly stance_context?: string;
    /** when it became known, Unix seconds */ readonly announcement_datetime?: number | null;
    /** share of the components that are known, 0..1 */ readonly coverage_ratio?: number;
    readonly component_count?: number;
    readonly point_in_time_safe?: boolean;
    readonly release_time_assumed?: boolean;
    /** with include_components: score by name */ readonly components?: Readonly<Record<string, number | null>>;
    /** with include_sources: what the components were computed from */ readonly source_observations?: readonly ({
        readonly indicator: string;
        readonly date?: string | null;
        readonly val?: number | null;
        readonly announcement_datetime?: string | number | null;
    })[];
    /** with include_sources: where the observations can be asked for */ readonly source_endpoints?: readonly string[];
}

type FaultRule = InjectedFault & FaultWindow & {
    readonly path?: string;
};

/** Which of the things that a fault concerns it hits. They are requests, events of a connection, or deliveries. */
interface FaultWindow {
    /** Part of them that is hit, drawn from the seed: 0 to 1. All when left out. */
    readonly share?: number;
    /** So many pass first. */
    readonly skip?: number;
    /** So many are in reach after that; all when left out. */
    readonly times?: number;
    /** `skip` and `times` begin anew after so many. */
    readonly every?: number;
}

/** Official bond, bill, auction and overnight observations: the whole answer. */
interface FinancialPricesBody {
    readonly currency: string;
    /** rows of this page */ readonly count?: number;
    /** null where nothing was asked */ readonly filters?: Readonly<Record<string, string | null>>;
    readonly data_quality?: DataQuality;
    readonly data: readonly FinancialPricesRow[];
}

/** Official bond, bill, auction and overnight observations: what is asked. */
interface FinancialPricesQuery {
    /** currency of the instruments */ readonly currency: string;
    /** publisher */ readonly source?: string;
    /** measure: yield, price, rate, high_yield, bid_to_cover, volume */ readonly measure?: string;
    /** instrument */ readonly instrument_id?: string;
    /** issuer */ readonly issuer?: string;
    /** first date; default the first one */ readonly start_date?: string;
    /** last date; default the newest one */ readonly end_date?: string;
    /** rows a page */ readonly limit?: number;
    /** rows to skip, newest first */ readonly offset?: number;
}

/** Official bond, bill, auction and overnight observations: one row. */
interface FinancialPricesRow {
    readonly date: string;
    /** publisher */ readonly source: string;
    readonly instrument_id: string;
    /** yield, price, rate, high_yield, bid_to_cover, volume, or another one */ readonly measure: string;
    readonly val: number | null;
    readonly observation_id?: string;
    readonly currency?: string;
    readonly source_url?: string;
    readonly issuer?: string;
    readonly instrument_name?: string;
    /** bond, bill, auction, overnight_rate or curve_node */ readonly instrument_type?: string;
    /** %, price_per_100, ratio or a currency */ readonly unit?: string;
    /** such as 10Y */ readonly maturity?: string;
    readonly maturity_date?: string;
    /** par, zero or real */ readonly curve_type?: string;
    /** decimals that the publisher prints */ readonly source_precision?: number;
    /** release time, Unix seconds */ readonly announcement_datetime?: number | null;
}

/** One finding of parameter validation, in the shape of the service's 422 list. */
interface Finding {
    /** `path`, `query` or `body`, then the name of the parameter. */
    readonly loc: readonly (string | number)[];
    readonly msg: string;
    readonly type: string;
    readonly input?: string | null;
    readonly ctx?: Readonly<Record<string, string | number>>;
}

/** Whose events are followed, and which. */
interface FollowEventsOptions extends ServiceOptions {
    /** Only events of these currencies. */
    readonly currencies?: readonly string[];
    /** Only events of these indicators. */
    readonly indicators?: readonly string[];
    /** Go on behind this event. */
    readonly lastEventId?: string;
    /** Ends the stream with an InterruptedError. */
    readonly signal?: AbortSignal;
}

/** Daily FX reference rates of a pair, with technical indicators: the whole answer. */
interface ForexBody {
    readonly base: string;
    readonly quote: string;
    /** publisher */ readonly source: string;
    readonly provenance: Provenance;
    readonly pair_metadata: {
        readonly direct_available?: boolean; /** the reverse pair is published */
        readonly inverse_available?: boolean;
        readonly derived_from_inverse?: boolean;
        readonly derived_from_cross?: boolean;
        readonly derived_from_source_legs?: boolean;
        readonly is_derived?: boolean; /** direct_original_pair where nothing was computed */
        readonly derivation_method?: string;
        readonly source_pair?: string;
        readonly source_legs?: readonly ({
            readonly pair?: string;
            readonly source_provider?: string;
            readonly source_name?: string;
            readonly source_url?: string; /** monthly and annual figures are labelled, not presented as daily ones */
            readonly source_frequency?: string;
        })[]; /** passed, failed or not_applicable */
        readonly pair_consistency_check?: string; /** currency that both legs of a cross share */
        readonly anchor_currency?: string | null;
    };
    readonly data_quality?: DataQuality;
    readonly start_date: string;
    readonly end_date: string;
    readonly coverage?: {
        readonly scope?: string;
    };
    readonly daily_ohlc_basis?: string;
    readonly technical_indicator_basis?: string;
    /** values at the newest row of the window, by name */ readonly indicators?: {
        readonly sma_20?: number | null;
        readonly sma_50?: number | null;
        readonly sma_200?: number | null;
        readonly ema_12?: number | null;
        readonly ema_20?: number | null;
        readonly ema_26?: number | null;
        readonly ema_50?: number | null;
        readonly ema_200?: number | null;
        readonly rsi_14?: number | null;
        readonly atr_14?: number | null;
        readonly adx_14?: number | null;
        readonly stochastic_14_3?: {
            readonly k?: number | null;
            readonly d?: number | null;
        };
        readonly williams_r_14?: number | null;
        readonly cci_20?: number | null;
        readonly donchian_20?: {
            readonly upper?: number | null;
            readonly middle?: number | null;
            readonly lower?: number | null;
        };
        readonly macd?: {
            readonly macd?: number | null;
            readonly signal?: number | null;
            readonly histogram?: number | null;
        };
        readonly macd_signal?: number | null;
        readonly macd_histogram?: number | null;
        readonly bollinger_bands?: {
            readonly upper?: number | null;
            readonly middle?: number | null;
            readonly lower?: number | null;
        };
    };
    readonly data: readonly ForexRow[];
}

/** Daily FX reference rates of a pair, with technical indicators: what is asked. */
interface ForexQuery {
    /** currency that is priced */ readonly base: string;
    /** currency of the price */ readonly quote: string;
    /** first date of the window; default 365 days ago */ readonly start_date?: string;
    /** last date of the window; default today */ readonly end_date?: string;
    /** technical indicators, or all */ readonly indicators?: readonly string[] | string;
    /** rows a page */ readonly limit?: number;
    /** rows to skip, newest first */ readonly offset?: number;
    /** page number from 1; beats offset */ readonly page?: number;
    /** dataset_version of an earlier answer, 64 hex digits; other data is refused */ readonly dataset_version?: string;
}

/** Daily FX reference rates of a pair, with technical indicators: one row. */
interface ForexRow {
    /** reference date */ readonly date: string;
    /** the rate: quote units for one unit of base */ readonly val: number | null;
    /** midnight UTC of the date, Unix seconds: a marker, not a publication time */ readonly observation_datetime?: number;
    readonly observation_datetime_iso?: string;
    /** date */ readonly observation_datetime_precision?: string;
    /** where this value comes from */ readonly source?: {
        readonly source_name?: string; /** the pair itself is published */
        readonly direct_available?: boolean; /** the reverse pair is published */
        readonly inverse_available?: boolean;
        readonly derived_from_inverse?: boolean;
        readonly derived_from_cross?: boolean;
        readonly derived_from_source_legs?: boolean;
        readonly is_derived?: boolean; /** direct_original_pair where nothing was computed */
        readonly derivation_method?: string;
        readonly source_pair?: string;
        readonly source_legs?: readonly ({
            readonly pair?: string;
            readonly source_provider?: string;
            readonly source_name?: string;
            readonly source_url?: string; /** monthly and annual figures are labelled, not presented as daily ones */
            readonly source_frequency?: string;
        })[]; /** passed, failed or not_applicable */
        readonly pair_consistency_check?: string; /** currency that both legs of a cross share */
        readonly anchor_currency?: string | null;
    };
    /** quote units for one unit of base */ readonly open?: number;
    /** quote units for one unit of base */ readonly high?: number;
    /** quote units for one unit of base */ readonly low?: number;
    /** quote units for one unit of base */ readonly close?: number;
    readonly ohlc_point_count?: number;
    readonly ohlc_source_count?: number;
    readonly ohlc_timestamp_start_utc?: string;
    readonly ohlc_timestamp_end_utc?: string;
    readonly ohlc_type?: string;
    readonly sma_20?: number | null;
    readonly sma_50?: number | null;
    readonly sma_200?: number | null;
    readonly ema_12?: number | null;
    readonly ema_20?: number | null;
    readonly ema_26?: number | null;
    readonly ema_50?: number | null;
    readonly ema_200?: number | null;
    readonly rsi_14?: number | null;
    readonly atr_14?: number | null;
    readonly adx_14?: number | null;
    readonly stoch_k_14?: number | null;
    readonly stoch_d_3?: number | null;
    readonly williams_r_14?: number | null;
    readonly cci_20?: number | null;
    readonly donchian_upper_20?: number | null;
    readonly donchian_middle_20?: number | null;
    readonly donchian_lower_20?: number | null;
    readonly macd?: number | null;
    readonly macd_signal?: number | null;
    readonly macd_histogram?: number | null;
    readonly bb_upper?: number | null;
    readonly bb_middle?: number | null;
    readonly bb_lower?: number | null;
}

/** Members that the answers of many endpoints share. */
interface FreemiumDelay {
    readonly applied: boolean;
    readonly delay_seconds?: number;
    readonly delay_minutes?: number;
    /** newest release that can be read, Unix seconds */ readonly cutoff: number;
    readonly cutoff_iso: string;
    /** releases withheld from this answer */ readonly withheld_count: number;
    /** when the next withheld one can be read, Unix seconds */ readonly next_available_at?: number | null;
    readonly next_available_at_iso?: string | null;
    readonly message?: string;
    readonly subscribe_url?: string;
}

/** Members that the answers of many endpoints share. */
interface FreemiumWindow {
    readonly applied?: boolean;
    readonly max_days?: number;
    /** first date that can be read without a key */ readonly cutoff_date?: string;
    readonly message?: string;
}

/** Reference rates of a pair by the moment at which they were made: the whole answer. */
interface FxIntradayReferenceRatesBody {
    /** BASE/QUOTE */ readonly pair: string;
    readonly start_time: string;
    readonly end_time: string;
    readonly count?: number;
    readonly data: readonly FxIntradayReferenceRatesRow[];
}

/** Reference rates of a pair by the moment at which they were made: what is asked. */
interface FxIntradayReferenceRatesQuery {
    /** currency that is priced */ readonly base: string;
    /** currency of the price */ readonly quote: string;
    /** last moment of the window; default now */ readonly end_time?: string | number | Date;
    /** first moment of the window; default 24 hours before its end */ readonly start_time?: string | number | Date;
}

/** Reference rates of a pair by the moment at which they were made: one row. */
interface FxIntradayReferenceRatesRow {
    /** when the source made the observation */ readonly timestamp: string;
    /** the rate: quote units for one unit of base */ readonly price: number;
    /** the same */ readonly val?: number;
    readonly reference_date?: string;
    /** official_fixing or official_published */ readonly timestamp_type: string;
    /** publisher of the rate */ readonly source: {
        readonly id: string;
        readonly name?: string;
        readonly is_official?: boolean;
    };
    /** the pair that was published */ readonly source_pair?: string;
    readonly is_derived?: boolean;
    /** direct_original_pair, inverse_of_direct_pair or cross_via_anchor */ readonly derivation_method?: string;
    /** currency that both legs of a cross share */ readonly anchor_currency?: string;
}

/** Every published reference rate of a pair, with its time, its source and rates derived from it: the whole answer. */
interface FxReferenceRatesBody {
    readonly base: string;
    readonly quote: string;
    /** BASE/QUOTE */ readonly pair: string;
    readonly start_date?: string;
    readonly end_date?: string;
    readonly source_policy?: {
        readonly public_data_policy?: string;
        readonly request_time_upstream_fetches?: boolean;
        readonly value_field?: string;
        readonly legacy_daily_forex_value_field?: string;
    };
    /** who contributes to the window */ readonly coverage?: {
        readonly sources?: readonly ({
            readonly source: string;
            readonly name?: string;
            readonly row_count: number;
            readonly start_date: string;
            readonly end_date: string;
            readonly usual_fix_times_utc: readonly string[];
        })[];
    };
    readonly data_quality?: DataQuality;
    readonly data: readonly FxReferenceRatesRow[];
}

/** Every published reference rate of a pair, with its time, its source and rates derived from it: what is asked. */
interface FxReferenceRatesQuery {
    /** currency that is priced */ readonly base: string;
    /** currency of the price */ readonly quote: string;
    /** one date instead of a window */ readonly date?: string;
    /** first date of the window; default 365 days ago */ readonly start_date?: string;
    /** last date of the window; default today */ readonly end_date?: string;
    /** id of a source */ readonly source?: string;
    /** what the time of a rate stands for */ readonly timestamp_type?: 'fixing' | 'published';
    /** leaves out derived rates */ readonly native_only?: boolean;
    /** shows the rates that a derived one was made of */ readonly include_source_legs?: boolean;
    /** order of the rows */ readonly order?: 'timestamp_asc' | 'timestamp_desc' | 'date_asc' | 'date_desc';
    /** rows a page */ readonly limit?: number;
    /** rows to skip, newest first */ readonly offset?: number;
    /** page number from 1; beats offset */ readonly page?: number;
    /** dataset_version of an earlier answer, 64 hex digits; other data is refused */ readonly dataset_version?: string;
}

/** Every published reference rate of a pair, with its time, its source and rates derived from it: one row. */
interface FxReferenceRatesRow {
    /** reference date */ readonly date: string;
    /** when the source made or published the rate */ readonly timestamp_utc: string;
    /** fixing or published */ readonly timestamp_type: string;
    /** the time is the scheduled one of the publisher, not a stated one */ readonly timestamp_assumed?: boolean;
    /** the rate: quote units for one unit of base */ readonly price: number;
    /** the same */ readonly val?: number;
    /** publisher of the rate */ readonly source: {
        readonly id: string;
        readonly name?: string;
        readonly is_official?: boolean;
    };
    /** the pair that was published; of a cross both */ readonly source_pair?: string;
    readonly is_derived?: boolean;
    /** direct_original_pair, inverse_of_direct_pair or cross_via_anchor */ readonly derivation_method?: string;
    /** currency that both legs of a cross share */ readonly anchor_currency?: string;
    /** passed, failed or not_applicable */ readonly pair_consistency_check?: string;
    readonly source_legs?: readonly ({
        readonly pair?: string;
        readonly source?: unknown;
        readonly timestamp_utc?: string;
        readonly price?: number;
    })[];
}

/** Last published rate of a pair before each close of a trading session: the whole answer. */
interface FxSessionRatesBody {
    readonly base: string;
    readonly quote: string;
    /** BASE/QUOTE */ readonly pair: string;
    readonly session: string;
    /** IANA zone */ readonly session_timezone?: string;
    /** HH:MM on the session’s own wall */ readonly session_close_local?: string;
    readonly start_date?: string;
    readonly end_date?: string;
    readonly coverage?: {
        readonly staleness_minutes?: {
            readonly min?: number; /** minutes from the observation to the close */
            readonly median?: number; /** minutes from the observation to the close */
            readonly max?: number;
        };
        readonly sources?: readonly ({
            readonly source: string;
            readonly name?: string;
            readonly row_count: number;
            readonly start_date: string;
            readonly end_date: string;
            readonly usual_fix_times_utc: readonly string[];
        })[];
    };
    readonly data: readonly FxSessionRatesRow[];
}

/** Last published rate of a pair before each close of a trading session: what is asked. */
interface FxSessionRatesQuery {
    /** currency that is priced */ readonly base: string;
    /** currency of the price */ readonly quote: string;
    /** trading session */ readonly session: 'sydney' | 'tokyo' | 'london' | 'new_york';
    /** one date instead of a window */ readonly date?: string;
    /** first date of the window; default 365 days ago */ readonly start_date?: string;
    /** last date of the window; default today */ readonly end_date?: string;
    /** order of the rows */ readonly order?: 'timestamp_asc' | 'timestamp_desc' | 'date_asc' | 'date_desc';
    /** rows a page */ readonly limit?: number;
    /** rows to skip, newest first */ readonly offset?: number;
    /** page number from 1; beats offset */ readonly page?: number;
    /** dataset_version of an earlier answer, 64 hex digits; other data is refused */ readonly dataset_version?: string;
}

/** Last published rate of a pair before each close of a trading session: one row. */
interface FxSessionRatesRow {
    /** date of the session, if stored */ readonly date: string;
    readonly session?: string;
    readonly session_close_utc: string;
    /** when the source made or published the rate */ readonly timestamp_utc: string;
    /** fixing or published */ readonly timestamp_type: string;
    /** the time is the scheduled one of the publisher, not a stated one */ readonly timestamp_assumed?: boolean;
    /** the rate: quote units for one unit of base */ readonly price: number;
    /** the same */ readonly val?: number;
    /** minutes from the observation to the close */ readonly staleness_minutes: number;
    /** publisher of the rate */ readonly source: {
        readonly id: string;
        readonly name?: string;
        readonly is_official?: boolean;
    };
    readonly source_pair?: string;
    readonly is_derived?: boolean;
    /** direct_original_pair, inverse_of_direct_pair or cross_via_anchor */ readonly derivation_method?: string;
    /** currency that both legs of a cross share */ readonly anchor_currency?: string;
}

/** Pairs that each source of reference rates publishes or leads to: the whole answer. */
interface FxSourceUniverseBody {
    readonly source_policy: {
        readonly public_data_policy?: string;
        readonly request_time_upstream_fetches?: boolean;
        readonly value_field?: string;
        readonly legacy_daily_forex_value_field?: string;
    };
    readonly currency?: string | null;
    readonly source?: string | null;
    readonly data: readonly FxSourceUniverseRow[];
}

/** Pairs that each source of reference rates publishes or leads to: what is asked. */
interface FxSourceUniverseQuery {
    /** only pairs of this currency */ readonly currency?: string;
    /** id of a source */ readonly source?: string;
}

/** Pairs that each source of reference rates publishes or leads to: one row. */
interface FxSourceUniverseRow {
    /** publisher of the rate */ readonly source: {
        readonly id: string;
        readonly name?: string;
        readonly is_official?: boolean;
    };
    readonly pair_count: number;
    readonly pairs: readonly ({
        readonly pair: string; /** native or derived */
        readonly availability?: string; /** currency that the rate goes by */
        readonly anchor?: string | null;
    })[];
}

/** Publishers of reference rates: the whole answer. */
interface FxSourcesBody {
    readonly source_policy: {
        readonly public_data_policy?: string;
        readonly request_time_upstream_fetches?: boolean;
        readonly value_field?: string;
        readonly legacy_daily_forex_value_field?: string;
    };
    readonly sources: readonly FxSourcesRow[];
}

/** Publishers of reference rates: what is asked. */
interface FxSourcesQuery {
}

/** Publishers of reference rates: one row. */
interface FxSourcesRow {
    readonly id: string;
    readonly name: string;
    readonly authority_type?: string;
    readonly country_or_area?: string;
    readonly url?: string;
    readonly attribution_text?: string;
    readonly tier?: number;
    readonly is_official?: boolean;
    readonly is_aggregator?: boolean;
    readonly default_timezone?: string;
    readonly native_pairs?: readonly string[];
    readonly publication_frequency?: string;
    readonly native_pair_count?: number;
    readonly source_universe_endpoint?: string;
    readonly served_pairs?: readonly string[];
    readonly served_pair_count?: number;
    readonly coverage_note?: string;
}

/** Headers of a request: those of `fetch`, those of Node, or pairs of name and value as they came. */
type GivenHeaders = Iterable<readonly [string, string]> | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Rows that a test gives: one series, whole. */
interface GivenSeries {
    /** Id of the endpoint, such as `forex`. */
    readonly endpoint: string;
    /** The arguments that name the series, such as `{ base: 'EUR', quote: 'USD' }`. */
    readonly scope: Readonly<Record<string, string>>;
    /** Rows as the endpoint answers them. */
    readonly rows: readonly object[];
    /** Members beside the rows. */
    readonly envelope?: object;
}

/** Liveness probe with the label of the service */
interface HealthBody {
    /** ok */ readonly status: string;
    /** label of the service */ readonly service: string;
}

/** Liveness probe with the label of the service: what is asked. */
interface HealthQuery {
}

/** A mirror has only a part of the answer, or the data changed between two pages. */
declare class IncompleteError extends MacroError {
    readonly name = "IncompleteError";
    constructor(...[message, details]: Details);
}

type InjectedFault = AnswerFault | EventFault | DeliveryFault;

/** The signal of the caller ended the work. */
declare class InterruptedError extends MacroError {
    readonly name = "InterruptedError";
    constructor(...[message, details]: Details);
}

/** Latest value of every indicator of a currency, by its other address: the whole answer. */
interface LatestAnnouncementsBody {
    readonly currency: string;
    readonly source?: string;
    readonly provenance?: Provenance;
    /** newest date visible to the caller */ readonly as_of?: string;
    readonly count: number;
    readonly freemium_delay?: FreemiumDelay;
    readonly data: readonly LatestAnnouncementsRow[];
}

/** Latest value of every indicator of a currency, by its other address: what is asked. */
interface LatestAnnouncementsQuery {
    /** currency of the indicators */ readonly currency: string;
}

/** Latest value of every indicator of a currency, by its other address: one row. */
interface LatestAnnouncementsRow {
    readonly indicator: string;
    readonly name?: string;
    readonly unit?: string;
    readonly frequency?: string;
    readonly source?: string;
    readonly source_url?: string;
    readonly seasonal_adjustment?: string;
    readonly has_official_forecast?: boolean;
    readonly latest: {
        readonly date: string;
        readonly val: number | null; /** release time, Unix seconds */
        readonly announcement_datetime?: number | null;
        readonly source?: string;
        readonly source_url?: string;
    };
    readonly previous?: {
        readonly date: string;
        readonly val: number | null; /** release time, Unix seconds */
        readonly announcement_datetime?: number | null;
        readonly source?: string;
        readonly source_url?: string;
    };
    /** per cent, two decimals */ readonly pct_diff_prev?: number | null;
    /** per cent, two decimals */ readonly pct_change_mom?: number | null;
    /** per cent, two decimals */ readonly pct_change_qoq?: number | null;
    /** per cent, two decimals */ readonly pct_change_yoy?: number | null;
    readonly withheld?: {
        readonly announcement_datetime: number; /** when it can be read, Unix seconds */
        readonly available_at: number;
        readonly available_at_iso: string;
    };
}

/** Newest value of one indicator: the whole answer. */
interface LatestAnnouncementsSeriesBody {
    readonly currency: string;
    readonly indicator: string;
    readonly name?: string;
    readonly unit?: string;
    readonly frequency?: string;
    readonly source?: string;
    readonly source_url?: string;
    readonly source_series_id?: string;
    readonly source_series_name?: string;
    readonly source_local_name?: string;
    readonly seasonal_adjustment?: string;
    readonly price_basis?: string;
    readonly is_proxy?: boolean;
    readonly has_official_forecast?: boolean;
    readonly remap?: {
        readonly applied?: boolean;
        readonly rule_id?: string | null;
        readonly transform?: string | null;
        readonly canonical_indicator?: string | null;
    } | null;
    readonly cb_target?: {
        readonly description?: string;
        readonly source?: string;
        readonly current?: {
            readonly effective_from?: string;
            readonly target?: number | null;
            readonly lower?: number | null;
            readonly upper?: number | null;
            readonly notes?: string | null;
        };
        readonly history?: readonly ({
            readonly effective_from?: string;
            readonly target?: number | null;
            readonly lower?: number | null;
            readonly upper?: number | null;
            readonly notes?: string | null;
        })[];
    };
    /** headline for the rate that stands for the policy */ readonly policy_role?: string;
    readonly policy_structure?: string;
    /** it may be compared with the headline rate of other currencies */ readonly comparison_compatible?: boolean;
    /** the policy rates of the currency */ readonly policy_family?: readonly ({
        readonly indicator: string;
        readonly value_name?: string;
        readonly role?: string;
    })[];
    readonly requested_start_date?: string;
    readonly requested_end_date?: string;
    readonly requested_window_has_data?: boolean;
    readonly start_date?: string;
    readonly end_date?: string;
    readonly earliest_available_date?: string;
    readonly latest_available_date?: string;
    readonly page_includes_latest_available?: boolean;
    /** the asked selectors; null when not asked */ readonly filters?: Readonly<Record<string, string | null>>;
    readonly selected_series_id?: string;
    readonly selected_series?: {
        readonly series_id: string;
        readonly label?: string;
        readonly source_series_id?: string;
        readonly seasonality?: string | null;
        readonly frequency?: string | null;
        readonly annualization?: string | null;
        readonly period_aggregation?: string | null;
        readonly basis?: string | null;
        readonly revisions?: string | null;
    };
    readonly supported_options?: Readonly<Record<string, readonly string[]>>;
    readonly value_mode?: string;
    readonly value_name?: string;
    readonly value_metadata?: {
        readonly source_unit?: string;
        readonly normalization_applied?: boolean;
    };
    readonly replay?: {
        readonly dataset_version?: string;
        readonly as_of: string;
        readonly availability: string;
    };
    readonly provenance?: Provenance;
    readonly data_quality?: DataQuality;
    readonly freemium_window?: FreemiumWindow;
    readonly freemium_delay?: FreemiumDelay;
    readonly data: readonly LatestAnnouncementsSeriesRow[];
}

/** Newest value of one indicator: what is asked. */
interface LatestAnnouncementsSeriesQuery {
    /** currency of the indicator */ readonly currency: string;
    /** indicator */ readonly indicator: string;
    /** first date of the window; default 365 days ago */ readonly start_date?: string;
    /** last date of the window; default today */ readonly end_date?: string;
    /** seasonal adjustment */ readonly seasonality?: 'sa' | 'nsa';
    /** transformation */ readonly frequency?: 'level' | 'yoy' | 'qoq' | 'mom';
    /** annualization */ readonly annualization?: 'not_annualized' | 'saar';
    /** aggregation of periods */ readonly period_aggregation?: 'monthly' | 'quarterly_average';
    /** price basis */ readonly basis?: 'real' | 'nominal';
    /** which vintage of each period */ readonly revisions?: 'latest' | 'first' | 'final' | 'all';
    /** stored rows or the canonical series */ readonly series_mode?: 'raw' | 'canonical';
    /** normalized values or the publisher’s */ readonly value_mode?: 'normalized' | 'source';
    /** leaves out proxies */ readonly official_only?: boolean;
    /** answer as it was known at this moment */ readonly as_of?: string | number | Date;
    /** known to whom */ readonly availability?: 'public' | 'captured';
    /** rows a page */ readonly limit?: number;
    /** rows to skip, newest first */ readonly offset?: number;
    /** page number from 1; beats offset */ readonly page?: number;
    /** dataset_version of an earlier answer, 64 hex digits; other data is refused */ readonly dataset_version?: string;
}

/** Newest value of one indicator: one row. */
interface LatestAnnouncementsSeriesRow {
    /** end of the reference period */ readonly date: string;
    /** the value, in the unit of the series */ readonly val: number | null;
    readonly announcement_id?: string;
    readonly observation_id?: string;
    /** release time, Unix seconds */ readonly announcement_datetime?: number | null;
    readonly announcement_datetime_local?: string;
    /** when the service collected the row, Unix seconds */ readonly collected_at?: number;
    readonly collected_at_ns_string?: string;
    readonly collected_at_iso?: string;
    /** when the service captured the value */ readonly observed_at_ns?: number;
    readonly observed_at_ns_string?: string;
    readonly capture_time_basis?: string;
    /** confirmed, assumed_historical or unknown */ readonly publication_time_status?: string;
    /** second, minute, day, month or quarter */ readonly publication_time_precision?: string;
    readonly release_time_assumed?: boolean;
    /** planned release time, Unix seconds */ readonly official_planned_release_datetime?: number | null;
    readonly official_planned_release_datetime_local?: string;
    /** what brackets the true publication */ readonly release_timing?: {
        readonly scheduled_at?: string | null;
        readonly published_after?: string | null;
        readonly published_by?: string | null;
        readonly picked_up_at?: string | null;
        readonly available_at?: string | null;
    };
    /** percent-type series: value of the period before */ readonly previous_value?: number | null;
    readonly previous_date?: string | null;
    /** release time of the row before, Unix seconds */ readonly previous_announcement_datetime?: number | null;
    /** not rounded */ readonly change_from_previous?: number | null;
    /** per cent, two decimals */ readonly pct_change_from_previous?: number | null;
    /** the publisher’s monthly change */ readonly val_mom?: number | null;
    /** level series: difference to the period before, not rounded */ readonly change?: number | null;
    /** per cent, two decimals */ readonly pct_change_mom?: number | null;
    /** per cent, two decimals */ readonly pct_change_yoy?: number | null;
    readonly source?: string;
    readonly source_url?: string;
    /** release, series or dataset */ readonly source_url_scope?: string;
    readonly vintage_status?: string;
    readonly revisions?: readonly ({
        readonly val: number | null; /** publication time, Unix seconds */
        readonly epoch?: number;
        readonly change?: number | null; /** when the service captured it */
        readonly observed_at_ns?: number;
        readonly observed_at_ns_string?: string;
        readonly is_first_release?: boolean;
        readonly vintage_status?: string;
        readonly capture_time_basis?: string;
        readonly publication_time_status?: string;
        readonly publication_time_precision?: string; /** which file has it, where several have the series */
        readonly origin?: string;
    })[];
    /** an empty window shows the newest row before it */ readonly outside_requested_window?: boolean;
    readonly returned_reason?: string;
    /** days from the row to the start of the window */ readonly staleness_days?: number;
    /** with as_of: when the value became known */ readonly selected_vintage_known_at_ns?: string;
    /** why val is null: ambiguous, when several values claim the same moment */ readonly reason?: string;
    /** with as_of: the time is the publisher’s own or the service’s capture */ readonly replay_vintage_verified?: boolean;
}

type LimitFaultWindow = 'minute' | 'hour' | 'day' | 'month' | 'concurrency' | 'endpoint';

/** A client of a service: a method for each endpoint. */
type MacroClient = QuestionMethods<CallOptions> & ServiceMethods;

/** The only error that the program throws on purpose: what happened (message), what to do (hint), and its kind. */
declare class MacroError extends Error {
    readonly name: string;
    readonly kind: ErrorKind;
    readonly hint: string | undefined;
    readonly code: string | undefined;
    readonly status: number | undefined;
    readonly retryAfter: number | undefined;
    readonly findings: readonly Finding[];
    readonly extra: Readonly<Record<string, unknown>>;
    constructor(kind: ErrorKind, message: string, details?: ErrorDetails);
}

/** A server for tests. It answers like the service, on this machine. */
interface MacroServer extends AsyncDisposable {
    /** `http://127.0.0.1:41234`, for `baseUrl`. */
    readonly url: string;
    readonly clock: ServerClock;
    /** Makes up a release now: the newest value of its series, announced by changes, stream and webhooks. Gives its event. */
    release(event: ReleaseToMakeUp): Promise<Readonly<Record<string, unknown>>>;
    /** Replaces the faults from now on; an empty list ends them. Throws a UsageError for an invalid rule. */
    faults(rules: readonly FaultRule[]): void;
    /** The requests since the start or the last reset, in their order. */
    requests(): readonly SeenRequest[];
    /** Data, clock, budgets, faults and requests as at the start. Cuts open requests; the address stays. */
    reset(): Promise<void>;
    close(): Promise<void>;
}

/** The data of a server for tests, and how it serves them. */
interface MacroServerOptions {
    /** `sandbox` (default): synthetic data of every endpoint. A path: a mirror, which is only read. A list: these rows alone. */
    readonly data?: string | readonly GivenSeries[];
    /** The time of the clock. Default for the sandbox: 2026-07-06T00:00:00Z, which is prepared. Otherwise: the present moment. */
    readonly clock?: string | number | Date;
    /** The only keys that are good. Without it, any key is. */
    readonly keys?: readonly (ServerKey | string)[];
    /** Default: any free port of 127.0.0.1. */
    readonly port?: number;
    /** Counts requests like the service, and refuses with 429. Default false. Budgets free as the clock moves. */
    readonly quotas?: boolean;
    /** Faults on purpose; see docs/faults.md. */
    readonly faults?: readonly FaultRule[];
    /** The seed of the faults. With it, names of requests and the header `Date` follow from seed and clock too. */
    readonly seed?: number;
    /** Refuses with 503 what the data hold in part only. Default false. */
    readonly strict?: boolean;
}

/** FX trading sessions and their overlaps at a moment: the whole answer. */
interface MarketSessionsBody {
    readonly now_utc: string;
    readonly now_unix: number;
    readonly is_market_day: boolean;
    readonly overlaps: readonly ({
        readonly name: string;
        readonly description?: string;
        readonly sessions: readonly string[];
        readonly priority: string;
        readonly notable_pairs: readonly string[];
        readonly start_utc?: string;
        readonly end_utc?: string;
        readonly start_unix: number;
        readonly end_unix: number;
        readonly is_active: boolean; /** seconds until it begins */
        readonly seconds_to_start?: number | null; /** seconds until it ends */
        readonly seconds_to_end?: number | null;
        readonly duration_hours: number;
    })[];
    readonly sessions: readonly MarketSessionsRow[];
}

/** FX trading sessions and their overlaps at a moment: what is asked. */
interface MarketSessionsQuery {
    /** moment to describe; default now */ readonly at?: string | number | Date;
}

/** FX trading sessions and their overlaps at a moment: one row. */
interface MarketSessionsRow {
    readonly name: string;
    readonly display_name: string;
    readonly description: string;
    readonly currencies: readonly string[];
    /** IANA zone */ readonly timezone: string;
    /** open on the date in its zone, also on a weekend */ readonly open_utc: string;
    /** close on that date */ readonly close_utc: string;
    readonly open_unix: number;
    readonly close_unix: number;
    readonly is_open: boolean;
    /** seconds until it closes */ readonly seconds_to_close?: number | null;
    /** seconds until it opens next */ readonly seconds_to_open?: number | null;
}

/** Asks one question. */
type Method<Args, Body, Options> = (...parameters: ArgsAndOptions<Args, Options>) => Promise<Answer<Body>>;

/** Options of one question to a mirror. */
interface MirrorCallOptions {
    /** The moment at which the question is put: the answer knows nothing that came later. A date, an ISO time, or Unix seconds. */
    readonly asOf?: string | number | Date;
    /** Whose knowledge of that moment counts. Default `public`: the times of publication. */
    readonly by?: 'public' | 'captured' | 'mirrored';
}

/** The mirror cannot be opened, read or written. */
declare class MirrorError extends MacroError {
    readonly name = "MirrorError";
    constructor(...[message, details]: Details);
}

/** Members that the answers of many endpoints share. */
interface MirrorMark {
    readonly complete: boolean;
    readonly missing?: readonly ({
        readonly from?: string | number;
        readonly to?: string | number; /** words of the command */
        readonly series?: string; /** the member that needs it */
        readonly for?: string;
    })[];
    /** more parts are missing than are listed */ readonly truncated?: boolean;
    /** where there are several */ readonly sources?: readonly ({
        readonly origin: string;
        readonly from: string;
        readonly to: string;
    })[];
    /** when the mirror last asked the service */ readonly checked_at?: string;
}

/** A series in the mirror. */
interface MirroredSeries {
    readonly endpoint: string;
    /** The arguments that name the series. */
    readonly scope: Readonly<Record<string, string>>;
    /** `import:<publisher>`, or the address of the service that it came from. */
    readonly origin: string;
    /** When its origin last confirmed it; undefined when it never did. */
    readonly checkedAt: Date | undefined;
    readonly coverage: readonly CoveredRange[];
}

/** A missing part: `series` are the words of its command. Without `from` it reaches back to the first row. */
interface Missing {
    readonly from?: string | number;
    readonly to?: string | number;
    readonly series?: string;
    /** The member that needs it; left out where rows of the answer are missing. */
    readonly for?: string;
}

/** There is no such thing, or the mirror has nothing of it. */
declare class NotFoundError extends MacroError {
    readonly name = "NotFoundError";
    constructor(...[message, details]: Details);
}

/** How a mirror is read. */
interface OpenMirrorOptions {
    /**
     * The reader has an API key. Then what the mirror learned without a key counts as missing wherever a key shows more. Default
     * true, which never takes a part for the whole.
     */
    readonly hasKey?: boolean;
}

type PageLie = 'repeated' | 'shifted' | 'empty' | 'total' | 'next';

/** Asks for one page; `pages` and `rows` go on to the last one, and check that the pages are one answer. */
interface PagedMethod<Args, Body, OneRow, Options> {
    (...parameters: ArgsAndOptions<Args, Options>): Promise<Answer<Body>>;
    /** Every page of the answer. A partial page says so in `mirror`. */
    pages(...parameters: ArgsAndOptions<Args, Options>): AsyncIterable<Answer<Body>>;
    /** Every row of the answer. Throws an IncompleteError before the rows of a partial page, unless that is allowed. */
    rows(...parameters: ArgsAndOptions<Args, Options & WalkOptions>): AsyncIterable<OneRow>;
}

/** The member `mirror` in the body of a partial answer. */
interface PartialMark {
    readonly complete: false;
    readonly missing: readonly Missing[];
    readonly truncated?: true;
    /** Left out where there is one. */
    readonly sources?: readonly SourceRange[];
    /** When the mirror last looked at what the answer rests on, ISO; left out where it never did: an event came by itself. */
    readonly checked_at?: string;
}

/** Liveness probe */
interface PingBody {
    /** ok */ readonly status: string;
    /** label of the service */ readonly service: string;
}

/** Liveness probe: what is asked. */
interface PingQuery {
}

/** Official forecasts of one source, every vintage: the whole answer. */
interface PredictionVintagesBody {
    readonly currency: string;
    readonly source?: string;
    readonly prediction_source: string;
    readonly filters?: Readonly<Record<string, string | null>>;
    /** rows of this page */ readonly count: number;
    readonly has_more: boolean;
    /** ask with it as `before_id` */ readonly next_cursor?: string | null;
    readonly data: readonly PredictionVintagesRow[];
}

/** Official forecasts of one source, every vintage: what is asked. */
interface PredictionVintagesQuery {
    /** currency of the forecasts */ readonly currency: string;
    /** source of the forecasts; needed where no indicator is named */ readonly prediction_source?: string;
    /** subject of the forecast, as the source names it */ readonly variable?: string;
    /** period that is forecast, as the source names it */ readonly target_period?: string;
    /** how exactly the publication time is known */ readonly publication_precision?: 'exact' | 'date' | 'unknown';
    /** rows a page */ readonly limit?: number;
    /** next_cursor of the last answer */ readonly before_id?: string;
}

/** Official forecasts of one source, every vintage: one row. */
interface PredictionVintagesRow {
    readonly forecast_observation_id: string;
    readonly predicted_value: number | null;
    readonly variable?: string;
    /** the period as its publisher names it */ readonly target_period?: string;
    readonly period_basis?: string;
    readonly unit?: string;
    readonly statistic?: string;
    readonly publication_date?: string;
    readonly publication_datetime?: string | null;
    /** exact, date or unknown */ readonly publication_precision?: string;
    readonly prediction_source?: string;
    readonly prediction_class?: string;
    readonly source_url?: string;
    readonly geography?: string;
}

/** Forecasts of the releases of one indicator: the whole answer. */
interface PredictionsBody {
    readonly currency: string;
    readonly indicator: string;
    readonly as_of?: string | null;
    readonly event_compatible_only?: boolean;
    readonly pre_release_only?: boolean;
    readonly filters?: Readonly<Record<string, string | null>>;
    readonly selected_series_id?: string;
    readonly selected_series?: {
        readonly series_id: string;
        readonly label?: string;
        readonly source_series_id?: string;
        readonly seasonality?: string | null;
        readonly frequency?: string | null;
        readonly annualization?: string | null;
        readonly period_aggregation?: string | null;
        readonly basis?: string | null;
        readonly revisions?: string | null;
    };
    readonly source?: string;
    readonly unit?: string;
    readonly supported_options?: Readonly<Record<string, readonly string[]>>;
    readonly start_date?: string;
    readonly end_date?: string;
    /** targets of this page */ readonly count: number;
    /** forecasts of this page */ readonly prediction_count?: number;
    /** oldest date of the page; ask with it as `before_date` */ readonly next_cursor?: string | null;
    readonly has_more?: boolean;
    readonly data_quality?: DataQuality;
    /** with periods of their own, never part of `data` */ readonly official_forecasts?: readonly ({
        readonly forecast_observation_id: string;
        readonly predicted_value: number | null;
        readonly variable?: string; /** the period as its publisher names it */
        readonly target_period?: string;
        readonly period_basis?: string;
        readonly unit?: string;
        readonly statistic?: string;
        readonly publication_date?: string;
        readonly publication_datetime?: string | null; /** exact, date or unknown */
        readonly publication_precision?: string;
        readonly prediction_source?: string;
        readonly prediction_class?: string;
        readonly source_url?: string;
        readonly geography?: string;
    })[];
    readonly data: readonly PredictionsRow[];
}

/** Forecasters, by currency: the whole answer. */
interface PredictionsCoverageBody {
    readonly currency_count: number;
    /** by name of the class */ readonly prediction_classes?: Readonly<Record<string, {
        readonly label: string;
        readonly definition: string;
        readonly produced_by: string;
        readonly is_consensus: boolean;
    }>>;
    readonly access?: {
        readonly coverage_requires_key: boolean;
        readonly values_require_key: boolean;
        readonly note?: string;
        readonly subscribe_url?: string;
        readonly docs_url?: string;
    };
    readonly notes?: readonly string[];
    readonly currencies: readonly PredictionsCoverageRow[];
}

/** Forecasters of a currency, by indicator: the whole answer. */
interface PredictionsCoverageCurrencyBody {
    readonly currency: string;
    readonly indicator_count?: number;
    readonly indicators_with_external_prediction_sources?: number;
    readonly indicators_with_consensus_source?: number;
    readonly sources?: readonly ({
        readonly source: string;
        readonly source_label?: string;
        readonly prediction_type?: string;
        readonly prediction_class?: string;
        readonly prediction_class_label?: string;
        readonly is_consensus?: boolean;
        readonly is_external?: boolean;
    })[];
    readonly official_forecast_sources?: readonly ({
        readonly source: string;
        readonly prediction_class?: string;
        readonly source_url?: string;
    })[];
    /** by name of the class */ readonly prediction_classes?: Readonly<Record<string, {
        readonly label: string;
        readonly definition: string;
        readonly produced_by: string;
        readonly is_consensus: boolean;
    }>>;
    readonly access?: {
        readonly coverage_requires_key: boolean;
        readonly values_require_key: boolean;
        readonly note?: string;
        readonly subscribe_url?: string;
        readonly docs_url?: string;
    };
    readonly notes?: unknown;
    readonly indicators: readonly PredictionsCoverageCurrencyRow[];
}

/** Forecasters of a currency, by indicator: what is asked. */
interface PredictionsCoverageCurrencyQuery {
    /** currency of the indicators */ readonly currency: string;
}

/** Forecasters of a currency, by indicator: one row. */
interface PredictionsCoverageCurrencyRow {
    readonly indicator: string;
    readonly sources?: readonly ({
        readonly source: string;
        readonly source_label?: string;
        readonly prediction_type?: string;
        readonly prediction_class?: string;
        readonly prediction_class_label?: string;
        readonly is_consensus?: boolean;
        readonly is_external?: boolean;
    })[];
    readonly external_prediction_source_count?: number;
    readonly classes_with_sources?: readonly string[];
    readonly types_with_sources?: readonly string[];
    readonly has_consensus_source?: boolean;
    readonly predictions_url?: string;
    /** how far back the archive was verified */ readonly verified_history?: {
        readonly source?: string;
        readonly additional_sources?: readonly string[];
        readonly history_start?: string;
        readonly first_covered_release?: string;
        readonly cadence?: string;
        readonly variants?: readonly string[];
        readonly verified_as_of?: string;
    } | null;
}

/** Forecasters, by currency: what is asked. */
interface PredictionsCoverageQuery {
}

/** Forecasters, by currency: one row. */
interface PredictionsCoverageRow {
    readonly currency: string;
    readonly indicator_count?: number;
    readonly indicators_with_external_prediction_sources?: number;
    readonly indicators_with_consensus_source?: number;
    readonly sources?: readonly ({
        readonly source: string;
        readonly source_label?: string;
        readonly prediction_type?: string;
        readonly prediction_class?: string;
        readonly prediction_class_label?: string;
        readonly is_consensus?: boolean;
        readonly is_external?: boolean;
    })[];
    readonly official_forecast_sources?: readonly ({
        readonly source: string;
        readonly prediction_class?: string;
        readonly source_url?: string;
    })[];
    readonly coverage_url?: string;
}

/** Forecasts of the releases of one indicator: what is asked. */
interface PredictionsQuery {
    /** currency of the indicator */ readonly currency: string;
    /** indicator */ readonly indicator: string;
    /** kind of forecast */ readonly prediction_class?: 'compiled_consensus' | 'forecaster_survey' | 'market_implied' | 'model_nowcast' | 'central_bank_projection' | 'institutional_projection' | 'fxmacrodata';
    /** kind of forecast, older division */ readonly prediction_type?: 'market_consensus' | 'market_prediction' | 'model_nowcast' | 'survey' | 'central_bank_forecast' | 'central_bank_projection' | 'imf_weo' | 'oecd_eo' | 'fxmacrodata';
    /** one source */ readonly prediction_source?: string;
    /** official forecasts at most */ readonly official_limit?: number;
    /** only forecasts made before the release */ readonly pre_release_only?: boolean;
    /** seasonal adjustment */ readonly seasonality?: 'sa' | 'nsa';
    /** transformation */ readonly frequency?: 'level' | 'yoy' | 'qoq' | 'mom';
    /** annualization */ readonly annualization?: 'not_annualized' | 'saar';
    /** aggregation of periods */ readonly period_aggregation?: 'monthly' | 'quarterly_average';
    /** price basis */ readonly basis?: 'real' | 'nominal';
    /** first reference period; default 180 days ago */ readonly start_date?: string;
    /** last reference period; default 90 days ahead */ readonly end_date?: string;
    /** only periods before this date: next_cursor of the last answer */ readonly before_date?: string;
    /** only forecasts made by this moment */ readonly as_of?: string | number | Date;
    /** only forecasts of what the release will print */ readonly event_compatible_only?: boolean;
    /** rows a page */ readonly limit?: number;
    /** rows to skip, newest first */ readonly offset?: number;
    /** page number from 1; beats offset */ readonly page?: number;
}

/** Forecasts of the releases of one indicator: one row. */
interface PredictionsRow {
    /** the release that is forecast */ readonly announcement_id: string;
    /** end of the reference period */ readonly date: string;
    readonly observation_id?: string;
    /** lower case */ readonly currency?: string;
    readonly indicator?: string;
    /** release time, Unix seconds; absent until then */ readonly announcement_datetime?: number | null;
    readonly announcement_timing?: {
        readonly scheduled_at?: string | null;
    };
    readonly predictions: readonly ({
        readonly predicted_value: number | null;
        readonly prediction_class?: string;
        readonly prediction_class_label?: string; /** the older division */
        readonly prediction_type?: string;
        readonly prediction_source?: string;
        readonly prediction_source_label?: string; /** when the forecast was made */
        readonly generated_at?: string | null; /** it was made before the release */
        readonly is_pre_release?: boolean;
        readonly confidence?: unknown; /** it forecasts what the release will print */
        readonly event_compatible?: boolean;
        readonly event_compatibility_reason?: string | null;
        readonly source_url?: string;
        readonly unit?: string;
        readonly provenance?: unknown;
    })[];
}

/** Publications of a central bank, with their stance: the whole answer. */
interface PressReleasesBody {
    readonly currency: string;
    readonly source?: string;
    readonly source_url?: string;
    /** rows of this page */ readonly count?: number;
    readonly limit?: number;
    readonly offset?: number;
    readonly data: readonly PressReleasesRow[];
}

/** Publications of a central bank, with their stance: what is asked. */
interface PressReleasesQuery {
    /** currency of the central bank */ readonly currency: string;
    /** rows a page */ readonly limit?: number;
    /** rows to skip, newest first */ readonly offset?: number;
}

/** Publications of a central bank, with their stance: one row. */
interface PressReleasesRow {
    readonly title: string;
    /** address of the publication; names it */ readonly url: string;
    /** day of publication */ readonly date: string;
    readonly summary?: string | null;
    /** policy_decision, minutes, statement, speech, report or other */ readonly category?: string | null;
    /** in 0..1 */ readonly relevance?: number | null;
    /** in -1..1 */ readonly sentiment?: number | null;
    readonly topics?: readonly string[] | null;
    readonly ai_summary?: string | null;
    /** hawkish, neutral or dovish */ readonly ai_stance?: string | null;
    /** in -1..1 */ readonly ai_stance_score?: number | null;
    /** hike, hold or cut */ readonly ai_next_meeting_action?: string | null;
    /** in 0..1 */ readonly ai_next_meeting_probability?: number | null;
    readonly ai_rationale?: string | null;
    readonly rate_path?: {
        readonly score?: number | null; /** hawkish, neutral or dovish */
        readonly label?: string | null; /** hike, hold or cut */
        readonly bias_action?: string | null; /** in 0..1 */
        readonly confidence?: number | null;
        readonly raw_score?: number | null;
        readonly matches?: readonly (string | {
            readonly phrase: string;
            readonly weight?: number | null;
        })[] | null;
    } | null;
}

/** The reply is no valid answer of this interface. Nothing of it may be used. */
declare class ProtocolError extends MacroError {
    readonly name = "ProtocolError";
    constructor(...[message, details]: Details);
}

/** Members that the answers of many endpoints share. */
interface Provenance {
    readonly publisher?: string | null;
    readonly publisher_url?: string | null;
    /** label of the store */ readonly storage?: string | null;
    /** the same, of commodities */ readonly source_store?: string | null;
    /** path template */ readonly served_by?: string | null;
    /** member of a row that dates it */ readonly timestamp_field?: string | null;
    /** member of a row that is its value */ readonly value_field?: string | null;
    readonly source_series_id?: string | null;
    readonly source_series_name?: string | null;
    readonly source_local_name?: string | null;
    readonly seasonal_adjustment?: string | null;
    readonly price_basis?: string | null;
    readonly is_proxy?: boolean | null;
    readonly proxy_note?: string | null;
}

/** A method for each question that service and mirror answer. */
interface QuestionMethods<Options> {
    /** Indicators of a currency. */ readonly dataCatalogue: Method<DataCatalogueQuery, DataCatalogueBody, Options>;
    /** Requirements of the endpoints, by currency. */ readonly capabilities: Method<CapabilitiesQuery, CapabilitiesBody, Options>;
    /** Indicators of each currency, with their first and last dates. */ readonly coverageMatrix: Method<CoverageMatrixQuery, CoverageMatrixBody, Options>;
    /** History of one indicator, each value with its release time. */ readonly announcements: PagedMethod<AnnouncementsQuery, AnnouncementsBody, AnnouncementsRow, Options>;
    /** Latest value of every indicator of a currency. */ readonly announcementsLatest: Method<AnnouncementsLatestQuery, AnnouncementsLatestBody, Options>;
    /** Releases in the order in which they were processed. */ readonly announcementsChanges: PagedMethod<AnnouncementsChangesQuery, AnnouncementsChangesBody, AnnouncementsChangesRow, Options>;
    /** Latest value of every indicator of a currency, by its other address. */ readonly latestAnnouncements: Method<LatestAnnouncementsQuery, LatestAnnouncementsBody, Options>;
    /** Newest value of one indicator. */ readonly latestAnnouncementsSeries: PagedMethod<LatestAnnouncementsSeriesQuery, LatestAnnouncementsSeriesBody, LatestAnnouncementsSeriesRow, Options>;
    /** Newest releases of a currency, all indicators together. */ readonly announcementsRecent: PagedMethod<AnnouncementsRecentQuery, AnnouncementsRecentBody, AnnouncementsRecentRow, Options>;
    /** Newest values of one indicator. */ readonly announcementsRecentSeries: PagedMethod<AnnouncementsRecentSeriesQuery, AnnouncementsRecentSeriesBody, AnnouncementsRecentSeriesRow, Options>;
    /** Values known at each moment of decision. */ readonly researchPanel: Method<ResearchPanelQuery, ResearchPanelBody, Options>;
    /** Forecasts of the releases of one indicator. */ readonly predictions: PagedMethod<PredictionsQuery, PredictionsBody, PredictionsRow, Options>;
    /** Official forecasts of one source, every vintage. */ readonly predictionVintages: PagedMethod<PredictionVintagesQuery, PredictionVintagesBody, PredictionVintagesRow, Options>;
    /** Forecasters, by currency. */ readonly predictionsCoverage: Method<PredictionsCoverageQuery, PredictionsCoverageBody, Options>;
    /** Forecasters of a currency, by indicator. */ readonly predictionsCoverageCurrency: Method<PredictionsCoverageCurrencyQuery, PredictionsCoverageCurrencyBody, Options>;
    /** Upcoming releases with their times. */ readonly calendar: Method<CalendarQuery, CalendarBody, Options>;
    /** Captures of a release schedule, and the gaps between them. */ readonly calendarCoverage: Method<CalendarCoverageQuery, CalendarCoverageBody, Options>;
    /** Release schedule as it was known at an instant. */ readonly calendarSnapshot: PagedMethod<CalendarSnapshotQuery, CalendarSnapshotBody, CalendarSnapshotRow, Options>;
    /** Every version of the schedule of one event. */ readonly calendarVersions: PagedMethod<CalendarVersionsQuery, CalendarVersionsBody, CalendarVersionsRow, Options>;
    /** Precomputed factor scores of a currency. */ readonly factors: PagedMethod<FactorsQuery, FactorsBody, FactorsRow, Options>;
    /** Daily FX reference rates of a pair, with technical indicators. */ readonly forex: PagedMethod<ForexQuery, ForexBody, ForexRow, Options>;
    /** Reference rates of a pair by the moment at which they were made. */ readonly fxIntradayReferenceRates: Method<FxIntradayReferenceRatesQuery, FxIntradayReferenceRatesBody, Options>;
    /** Every published reference rate of a pair, with its time, its source and rates derived from it. */ readonly fxReferenceRates: PagedMethod<FxReferenceRatesQuery, FxReferenceRatesBody, FxReferenceRatesRow, Options>;
    /** Last published rate of a pair before each close of a trading session. */ readonly fxSessionRates: PagedMethod<FxSessionRatesQuery, FxSessionRatesBody, FxSessionRatesRow, Options>;
    /** Publishers of reference rates. */ readonly fxSources: Method<FxSourcesQuery, FxSourcesBody, Options>;
    /** Pairs that each source of reference rates publishes or leads to. */ readonly fxSourceUniverse: Method<FxSourceUniverseQuery, FxSourceUniverseBody, Options>;
    /** Government bond curve: nodes, slopes or forwards. */ readonly curves: Method<CurvesQuery, CurvesBody, Options>;
    /** Spread of two currencies on a shared rate. */ readonly rateDifferentials: PagedMethod<RateDifferentialsQuery, RateDifferentialsBody, RateDifferentialsRow, Options>;
    /** FX trading sessions and their overlaps at a moment. */ readonly marketSessions: Method<MarketSessionsQuery, MarketSessionsBody, Options>;
    /** Composite global risk-sentiment score. */ readonly riskSentiment: PagedMethod<RiskSentimentQuery, RiskSentimentBody, RiskSentimentRow, Options>;
    /** Additions and revisions of the risk-sentiment score, in order. */ readonly riskSentimentChanges: PagedMethod<RiskSentimentChangesQuery, RiskSentimentChangesBody, RiskSentimentChangesRow, Options>;
    /** Weekly futures positions of traders. */ readonly cot: PagedMethod<CotQuery, CotBody, CotRow, Options>;
    /** Latest value of every commodity. */ readonly commoditiesLatest: Method<CommoditiesLatestQuery, CommoditiesLatestBody, Options>;
    /** History of one commodity. */ readonly commodities: PagedMethod<CommoditiesQuery, CommoditiesBody, CommoditiesRow, Options>;
    /** Publications of a central bank, with their stance. */ readonly pressReleases: PagedMethod<PressReleasesQuery, PressReleasesBody, PressReleasesRow, Options>;
    /** Templates of event contracts. */ readonly settlementContracts: Method<SettlementContractsQuery, SettlementContractsBody, Options>;
    /** Settles one contract template for one release. */ readonly settlementContract: Method<SettlementContractQuery, SettlementContractBody, Options>;
    /** Public keys that settlement records are signed with. */ readonly settlementKeys: Method<SettlementKeysQuery, SettlementKeysBody, Options>;
    /** Settlement record of one release: first print, outcome, signature. */ readonly settlement: Method<SettlementQuery, SettlementBody, Options>;
    /** Official bond, bill, auction and overnight observations. */ readonly financialPrices: PagedMethod<FinancialPricesQuery, FinancialPricesBody, FinancialPricesRow, Options>;
}

/** A request budget is used up. `retryAfter` says for how many seconds. */
declare class QuotaError extends MacroError {
    readonly name = "QuotaError";
    constructor(...[message, details]: Details);
}

/** Spread of two currencies on a shared rate: the whole answer. */
interface RateDifferentialsBody {
    readonly base: string;
    readonly quote: string;
    readonly rate_type?: string;
    readonly measure_requested?: string;
    /** left out when the currencies share no measure or no date */ readonly measure_used?: string;
    readonly base_indicator?: string;
    readonly quote_indicator?: string;
    readonly curve_family?: string;
    /** such as 2Y */ readonly start_tenor?: string;
    readonly end_tenor?: string;
    /** such as 2Y5Y */ readonly forward_label?: string;
    readonly start_date?: string;
    readonly end_date?: string;
    readonly as_of?: string;
    readonly availability?: string;
    /** common dates of the window */ readonly matched_points?: number;
    readonly unit?: string;
    /** percentage points, base minus quote */ readonly latest_spread?: number;
    /** basis points */ readonly latest_spread_bps?: number;
    /** percentage points, base minus quote */ readonly latest_differential?: number;
    /** basis points */ readonly latest_differential_bps?: number;
    /** newest value of the side */ readonly base_latest?: {
        readonly date?: string; /** per cent */
        readonly val?: number; /** release time, Unix seconds */
        readonly announcement_datetime?: number;
    };
    /** newest value of the side */ readonly quote_latest?: {
        readonly date?: string; /** per cent */
        readonly val?: number; /** release time, Unix seconds */
        readonly announcement_datetime?: number;
    };
    /** of each side */ readonly sources?: {
        readonly base: readonly string[] | string;
        readonly quote: readonly string[] | string;
    };
    readonly official_forward_source_support?: {
        readonly source_type?: string;
        readonly source_note?: string;
    };
    readonly data_quality?: DataQuality;
    readonly data: readonly RateDifferentialsRow[];
}

/** Spread of two currencies on a shared rate: what is asked. */
interface RateDifferentialsQuery {
    /** currency whose rate counts positive */ readonly base: string;
    /** currency whose rate is taken off */ readonly quote: string;
    /** rate that is compared; auto takes the first shared one */ readonly measure?: 'auto' | 'risk_free_rate' | 'gov_bond_2y' | 'gov_bond_10y' | 'policy_rate';
    /** spot rates, or forwards from curve nodes */ readonly rate_type?: 'spot' | 'forward';
    /** forward: family of bonds */ readonly curve_family?: 'government_nominal';
    /** forward: from this tenor */ readonly start_tenor_years?: number;
    /** forward: to this tenor */ readonly end_tenor_years?: number;
    /** first date of the window; default 365 days ago */ readonly start_date?: string;
    /** last date of the window; default today */ readonly end_date?: string;
    /** answer as it was known at this moment */ readonly as_of?: string | number | Date;
    /** known to whom */ readonly availability?: 'public' | 'captured';
    /** rows a page */ readonly limit?: number;
    /** rows to skip, newest first */ readonly offset?: number;
}

/** Spread of two currencies on a shared rate: one row. */
interface RateDifferentialsRow {
    /** a date that both currencies have */ readonly date: string;
    /** per cent */ readonly base_val: number | null;
    /** per cent */ readonly quote_val: number | null;
    /** percentage points, base minus quote */ readonly spread?: number;
    /** basis points */ readonly spread_bps?: number;
    /** percentage points, base minus quote */ readonly differential?: number;
    /** basis points */ readonly differential_bps?: number;
    /** per cent */ readonly base_forward_val?: number;
    readonly base_start_val?: number;
    readonly base_end_val?: number;
    /** per cent */ readonly quote_forward_val?: number;
    readonly quote_start_val?: number;
    readonly quote_end_val?: number;
}

/** A mirror that is open for reading: a method for each question that it can answer, and what it holds. */
interface ReadMirror extends QuestionMethods<MirrorCallOptions> {
    /** Path of the file, or the address of the server. */
    readonly name: string;
    /** The nature of the mirror: `real` data, `synthetic` data, or nothing yet. */
    kind(): Promise<'real' | 'synthetic' | undefined>;
    /** The series that it holds, of all endpoints or of one. */
    series(endpoint?: string): Promise<readonly MirroredSeries[]>;
    close(): void;
}

/** A release to make up. */
interface ReleaseToMakeUp {
    readonly currency: string;
    readonly indicator: string;
    /** Default: the newest value that is stored. */
    readonly val?: number;
}

/** Values known at each moment of decision: the whole answer. */
interface ResearchPanelBody {
    readonly availability: string;
    readonly start_date: string;
    readonly end_date: string;
    readonly series?: readonly ({
        readonly currency: string;
        readonly indicator: string;
        readonly max_age_days?: number | null;
    })[];
    /** decisions */ readonly count: number;
    /** values that are null */ readonly missing_count: number;
    readonly data: readonly ResearchPanelRow[];
}

/** Values known at each moment of decision: what is asked. */
interface ResearchPanelQuery {
    /** 1 to 6 series, each CCY:INDICATOR or CCY:INDICATOR:DAYS with the age that its values may have */ readonly series: readonly string[] | string;
    /** 1 to 10000 moments in any order; the answer follows this order */ readonly decision_times: readonly (string | number | Date)[] | string;
    /** first reference period that is considered */ readonly start_date: string;
    /** last reference period that is considered */ readonly end_date: string;
    /** known to whom */ readonly availability?: 'public' | 'captured';
    /** dataset_version of an earlier answer, 64 hex digits; other data is refused */ readonly dataset_version?: string;
}

/** Values known at each moment of decision: one row. */
interface ResearchPanelRow {
    /** the moment asked about; a value counts when it was known strictly before it */ readonly decision_time: string;
    /** one a series, in the order of the question */ readonly values: readonly ({
        readonly currency: string;
        readonly indicator: string; /** null when nothing can be said; `reason` says why */
        readonly val: number | null; /** reference period of the value */
        readonly date?: string; /** first release of the period, Unix seconds */
        readonly announcement_datetime?: number | null; /** since when this value was known */
        readonly known_at?: string; /** days from the period to the day of the decision */
        readonly age_days?: number;
        readonly observation_id?: string;
        readonly reason?: 'not_known_yet' | 'not_known_then' | 'too_old' | 'ambiguous' | 'no_data';
    })[];
}

/** Composite global risk-sentiment score: the whole answer. */
interface RiskSentimentBody {
    readonly start_date: string;
    readonly end_date: string;
    /** by component */ readonly component_metadata?: Readonly<Record<string, {
        readonly source?: string;
        readonly weight?: number; /** -1 where more of it means less appetite for risk */
        readonly sign?: number;
        readonly observation_count?: number;
    }>>;
    readonly data_quality?: DataQuality;
    readonly data: readonly RiskSentimentRow[];
}

/** Additions and revisions of the risk-sentiment score, in order: the whole answer. */
interface RiskSentimentChangesBody {
    readonly source?: string;
    /** changes in between are missing: the next page begins before them */ readonly gap?: boolean;
    readonly pagination?: {
        readonly limit?: number;
        readonly after_sequence?: number;
        readonly returned_count?: number;
        readonly has_more?: boolean; /** ask with it as `after_sequence` */
        readonly next_after_sequence: number;
    };
    readonly data: readonly RiskSentimentChangesRow[];
}

/** Additions and revisions of the risk-sentiment score, in order: what is asked. */
interface RiskSentimentChangesQuery {
    /** rows a page */ readonly limit?: number;
    /** last sequence that you have */ readonly after_sequence?: number;
}

/** Additions and revisions of the risk-sentiment score, in order: one row. */
interface RiskSentimentChangesRow {
    /** rises; gaps are allowed */ readonly change_sequence: number;
    /** addition, score_revision or metadata_change */ readonly change_type?: string;
    /** day of the score */ readonly date?: string;
    readonly changed_at?: string;
    /** score in -1..1 */ readonly val?: number | null;
    /** risk_on, neutral or risk_off */ readonly regime?: string | null;
    readonly components?: Readonly<Record<string, number | null>> | null;
    readonly previous_val?: number | null;
    readonly previous_regime?: string | null;
    readonly changed_fields?: readonly string[] | null;
}

/** Composite global risk-sentiment score: what is asked. */
interface RiskSentimentQuery {
    /** first date of the window; default 365 days ago */ readonly start_date?: string;
    /** last date of the window; default today */ readonly end_date?: string;
    /** rows a page */ readonly limit?: number;
    /** rows to skip, newest first */ readonly offset?: number;
}

/** Composite global risk-sentiment score: one row. */
interface RiskSentimentRow {
    readonly date: string;
    /** score in -1..1 */ readonly val: number | null;
    /** risk_on, neutral or risk_off */ readonly regime?: string;
    /** signed, weighted contributions */ readonly components?: Readonly<Record<string, number | null>>;
    readonly score?: number;
    readonly risk_regime?: string;
    readonly sentiment?: string;
    readonly component_coverage?: Readonly<Record<string, boolean>>;
    readonly stored_component_count?: number;
}

/** A request that the server took. */
interface SeenRequest {
    readonly method: string;
    /** Path and query, as they came. */
    readonly url: string;
    /** By their names in lower case, as they came. */
    readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
    /** Undefined while it is under way. */
    readonly status: number | undefined;
    /** The time of the server's clock. */
    readonly at: Date;
}

/** A clock that stands still until a test moves it. */
interface ServerClock {
    now(): Date;
    /** Moves it forward to a moment: a Date, a date, an ISO time, or Unix seconds. Due releases come out first. */
    set(moment: string | number | Date): Promise<void>;
    /** Moves it forward by so many milliseconds. */
    advance(ms: number): Promise<void>;
}

/** A key that the server accepts. */
interface ServerKey {
    readonly key: string;
    /** Default `individual`. A `basic` plan is without some groups. */
    readonly plan?: 'individual' | 'business' | 'trial' | 'enterprise' | 'basic';
    readonly label?: string;
}

/** A method for each endpoint that only a service has. */
interface ServiceMethods {
    /** Liveness probe. */ readonly ping: Method<PingQuery, PingBody, CallOptions>;
    /** Liveness probe with the label of the service. */ readonly health: Method<HealthQuery, HealthBody, CallOptions>;
    /** Releases as they are processed, as server-sent events. */ readonly streamEvents: StreamMethod<StreamEventsQuery, StreamEventsRow>;
    /** Webhook subscriptions of a key, newest first. */ readonly webhookSubscriptions: Method<WebhookSubscriptionsQuery, WebhookSubscriptionsBody, CallOptions> & {
        readonly post: WriteMethod<WebhookSubscriptionsQuery, WebhookSubscriptionsPost, WebhookSubscriptionsPostAnswer>;
    };
    /** One webhook subscription. */ readonly webhookSubscription: Method<WebhookSubscriptionQuery, WebhookSubscriptionBody, CallOptions> & {
        readonly patch: WriteMethod<WebhookSubscriptionQuery, WebhookSubscriptionPatch, WebhookSubscriptionPatchAnswer>;
    } & {
        readonly delete: WriteMethod<WebhookSubscriptionQuery, undefined, undefined>;
    };
    /** A new signing secret of a subscription. */ readonly webhookRotateSecret: {
        readonly post: WriteMethod<WebhookRotateSecretQuery, undefined, WebhookRotateSecretPostAnswer>;
    };
    /** Deliveries to the webhooks of a key, newest first, of the last 30 days. */ readonly webhookDeliveries: Method<WebhookDeliveriesQuery, WebhookDeliveriesBody, CallOptions>;
}

/** Which service is asked, and how. */
interface ServiceOptions {
    /** `https://h`, `https://h/v1`, `https://h/api` or `https://h/api/v1`. A key goes over plain http to loopback only. */
    readonly baseUrl: string;
    /** The API key. Without one, only what needs no key is asked. */
    readonly apiKey?: string;
    /** The prefix of the service's own headers. Default `X-SVC`. */
    readonly headerPrefix?: string;
    /** Milliseconds for one question with all its tries. Default 30,000. */
    readonly timeout?: number;
}

/** Settlement record of one release: first print, outcome, signature */
interface SettlementBody {
    readonly record_version: string;
    /** the template that was settled */ readonly contract_id?: string;
    readonly currency: string;
    readonly indicator: string;
    readonly name?: string;
    readonly unit?: string;
    readonly publisher?: string;
    readonly source_url?: string;
    /** last day of the reference period */ readonly period: string;
    readonly status: 'settled' | 'void';
    /** printed decimals */ readonly precision: number;
    /** never changes */ readonly first_print?: {
        readonly val: number;
        readonly announcement_datetime: string;
    };
    /** the first print, rounded half away from zero */ readonly settlement_value?: number;
    /** the value as it stands now */ readonly latest_value?: number | null;
    /** the value differs from its first print */ readonly revised?: boolean;
    readonly release_timing: {
        readonly scheduled_at?: string;
        readonly published_after?: string;
        readonly published_by?: string;
        readonly ingested_at?: string; /** ingested_at - published_by; null when it was not measured */
        readonly latency_ms?: number | null;
        readonly latency_status: 'measured' | 'not_measured';
    };
    readonly outcome?: {
        readonly strike?: number;
        readonly comparison?: 'gt' | 'gte' | 'lt' | 'lte' | 'eq';
        readonly resolves_yes?: boolean;
        readonly decision?: 'hike' | 'hold' | 'cut'; /** basis points */
        readonly change_bps?: number;
        readonly previous_value?: number;
        readonly target_range?: {
            readonly lower: number;
            readonly upper: number;
        };
    };
    /** who vouches for the record */ readonly attestation?: {
        readonly canonicalization: string; /** hex digest of the canonical bytes */
        readonly sha256: string; /** Ed25519, over the bytes themselves */
        readonly algorithm?: string;
        readonly key_id?: string; /** standard base64 */
        readonly signature?: string; /** not covered by the signature */
        readonly signed_at?: string;
    };
}

/** Settles one contract template for one release */
interface SettlementContractBody {
    readonly record_version: string;
    /** the template that was settled */ readonly contract_id?: string;
    readonly currency: string;
    readonly indicator: string;
    readonly name?: string;
    readonly unit?: string;
    readonly publisher?: string;
    readonly source_url?: string;
    /** last day of the reference period */ readonly period: string;
    readonly status: 'settled' | 'void';
    /** printed decimals */ readonly precision: number;
    /** never changes */ readonly first_print?: {
        readonly val: number;
        readonly announcement_datetime: string;
    };
    /** the first print, rounded half away from zero */ readonly settlement_value?: number;
    /** the value as it stands now */ readonly latest_value?: number | null;
    /** the value differs from its first print */ readonly revised?: boolean;
    readonly release_timing: {
        readonly scheduled_at?: string;
        readonly published_after?: string;
        readonly published_by?: string;
        readonly ingested_at?: string; /** ingested_at - published_by; null when it was not measured */
        readonly latency_ms?: number | null;
        readonly latency_status: 'measured' | 'not_measured';
    };
    readonly outcome?: {
        readonly strike?: number;
        readonly comparison?: 'gt' | 'gte' | 'lt' | 'lte' | 'eq';
        readonly resolves_yes?: boolean;
        readonly decision?: 'hike' | 'hold' | 'cut'; /** basis points */
        readonly change_bps?: number;
        readonly previous_value?: number;
        readonly target_range?: {
            readonly lower: number;
            readonly upper: number;
        };
    };
    /** who vouches for the record */ readonly attestation?: {
        readonly canonicalization: string; /** hex digest of the canonical bytes */
        readonly sha256: string; /** Ed25519, over the bytes themselves */
        readonly algorithm?: string;
        readonly key_id?: string; /** standard base64 */
        readonly signature?: string; /** not covered by the signature */
        readonly signed_at?: string;
    };
}

/** Settles one contract template for one release: what is asked. */
interface SettlementContractQuery {
    /** contract, as settlement contracts lists them */ readonly contract_id: string;
    /** last day of the reference period, or latest */ readonly period?: string;
    /** value that the settlement value is compared with */ readonly strike?: number;
    /** how the value is compared with the strike; default: as the template says */ readonly comparison?: 'gt' | 'gte' | 'lt' | 'lte' | 'eq';
}

/** Templates of event contracts: the whole answer. */
interface SettlementContractsBody {
    readonly count: number;
    readonly data: readonly SettlementContractsRow[];
}

/** Templates of event contracts: what is asked. */
interface SettlementContractsQuery {
    /** templates of one currency */ readonly currency?: string;
    /** templates of one indicator */ readonly indicator?: string;
}

/** Templates of event contracts: one row. */
interface SettlementContractsRow {
    readonly contract_id: string;
    readonly title?: string;
    readonly currency: string;
    readonly indicator: string;
    readonly series_id?: string;
    readonly unit?: string;
    readonly publisher?: string;
    readonly source_url?: string;
    /** printed decimals */ readonly precision: number;
    readonly outcome_rule: {
        readonly type: string; /** how the value is compared with a strike */
        readonly comparison?: string;
        readonly outcomes?: readonly string[];
    };
    /** first_print */ readonly settles_on: string;
}

/** Public keys that settlement records are signed with: the whole answer. */
interface SettlementKeysBody {
    readonly count: number;
    readonly keys: readonly SettlementKeysRow[];
}

/** Public keys that settlement records are signed with: what is asked. */
interface SettlementKeysQuery {
}

/** Public keys that settlement records are signed with: one row. */
interface SettlementKeysRow {
    /** ed25519- and 16 hex digits of the SHA-256 of the raw key */ readonly key_id: string;
    /** Ed25519 */ readonly algorithm: string;
    /** the raw 32 bytes in standard base64 */ readonly public_key: string;
    readonly jwk?: {
        readonly kty: string;
        readonly crv: string;
        readonly x: string;
        readonly kid?: string;
    };
    /** active or retired */ readonly status: string;
    readonly valid_from?: string;
    readonly valid_until?: string | null;
}

/** Settlement record of one release: first print, outcome, signature: what is asked. */
interface SettlementQuery {
    /** currency of the indicator */ readonly currency: string;
    /** indicator */ readonly indicator: string;
    /** last day of the reference period, or latest */ readonly period?: string;
    /** value that the settlement value is compared with */ readonly strike?: number;
    /** how the value is compared with the strike */ readonly comparison?: 'gt' | 'gte' | 'lt' | 'lte' | 'eq';
}

/** The dates that one origin speaks for, in an answer of several. */
interface SourceRange {
    readonly origin: string;
    readonly from: string;
    readonly to: string;
}

/** A release that a stream tells of. */
interface StreamEventItem<Event> {
    readonly kind: 'event';
    /** The position to continue after. An event may come twice: take each id once. */
    readonly id: string;
    readonly event: Event;
    /** The event, exactly as it came. */
    readonly text: string;
    readonly synthetic: boolean;
}

/** Releases as they are processed, as server-sent events: what is asked. */
interface StreamEventsQuery {
    /** currencies, comma separated; g10 or all */ readonly currencies?: readonly string[] | string;
    /** indicators, comma separated */ readonly indicators?: readonly string[] | string;
    /** how much of each release */ readonly payload?: 'compact' | 'full';
    /** nothing that was released before */ readonly live_only?: boolean;
    /** older events are left out, in milliseconds */ readonly max_age_ms?: number;
    /** id of the last event that you have, as the header Last-Event-ID */ readonly last_event_id?: string;
}

/** Releases as they are processed, as server-sent events: one row. */
interface StreamEventsRow {
    /** currency, indicator and release time, joined by underscores */ readonly event_id: string;
    readonly currency: string;
    readonly indicator: string;
    readonly records_written?: number;
    /** processing time, Unix seconds */ readonly timestamp?: number;
    /** release time, Unix seconds */ readonly release_timestamp?: number | null;
    /** the print; with payload=full its whole row */ readonly latest_announcement?: {
        readonly date?: string; /** the value, in the unit of the series */
        readonly val?: number | null;
        readonly announcement_id?: string;
        readonly observation_id?: string; /** release time */
        readonly announcement_datetime?: string | null;
        readonly announcement_datetime_local?: string; /** when the service collected the row, Unix seconds */
        readonly collected_at?: number;
        readonly collected_at_ns_string?: string;
        readonly collected_at_iso?: string; /** when the service captured the value */
        readonly observed_at_ns?: number;
        readonly observed_at_ns_string?: string;
        readonly capture_time_basis?: string; /** confirmed, assumed_historical or unknown */
        readonly publication_time_status?: string; /** second, minute, day, month or quarter */
        readonly publication_time_precision?: string;
        readonly release_time_assumed?: boolean; /** planned release time, Unix seconds */
        readonly official_planned_release_datetime?: number | null;
        readonly official_planned_release_datetime_local?: string; /** what brackets the true publication */
        readonly release_timing?: {
            readonly scheduled_at?: string | null;
            readonly published_after?: string | null;
            readonly published_by?: string | null;
            readonly picked_up_at?: string | null;
            readonly available_at?: string | null;
        }; /** percent-type series: value of the period before */
        readonly previous_value?: number | null;
        readonly previous_date?: string | null; /** release time of the row before, Unix seconds */
        readonly previous_announcement_datetime?: number | null; /** not rounded */
        readonly change_from_previous?: number | null; /** per cent, two decimals */
        readonly pct_change_from_previous?: number | null; /** the publisher’s monthly change */
        readonly val_mom?: number | null; /** level series: difference to the period before, not rounded */
        readonly change?: number | null; /** per cent, two decimals */
        readonly pct_change_mom?: number | null; /** per cent, two decimals */
        readonly pct_change_yoy?: number | null;
        readonly source?: string;
        readonly source_url?: string; /** release, series or dataset */
        readonly source_url_scope?: string;
        readonly vintage_status?: string;
        readonly revisions?: readonly ({
            readonly val: number | null; /** publication time, Unix seconds */
            readonly epoch?: number;
            readonly change?: number | null; /** when the service captured it */
            readonly observed_at_ns?: number;
            readonly observed_at_ns_string?: string;
            readonly is_first_release?: boolean;
            readonly vintage_status?: string;
            readonly capture_time_basis?: string;
            readonly publication_time_status?: string;
            readonly publication_time_precision?: string; /** which file has it, where several have the series */
            readonly origin?: string;
        })[]; /** an empty window shows the newest row before it */
        readonly outside_requested_window?: boolean;
        readonly returned_reason?: string; /** days from the row to the start of the window */
        readonly staleness_days?: number; /** with as_of: when the value became known */
        readonly selected_vintage_known_at_ns?: string; /** why val is null: ambiguous, when several values claim the same moment */
        readonly reason?: string; /** with as_of: the time is the publisher’s own or the service’s capture */
        readonly replay_vintage_verified?: boolean;
    };
    /** time since the release */ readonly age_ms?: number;
}

/** Events are missing here. Ask for the changes since the last event. */
interface StreamGap {
    readonly kind: 'gap';
    readonly reason: string;
}

/** The content of a stream of release events. */
type StreamItem<Event> = StreamOpen | StreamEventItem<Event> | StreamGap | StreamLost;

/** The connection is gone. */
interface StreamLost {
    readonly kind: 'lost';
    readonly reason: string;
    /** Milliseconds until the next connection. */
    readonly pause: number;
}

/** Follows a stream; it connects again by itself. */
type StreamMethod<Args, Event> = (...parameters: ArgsAndOptions<Args, CallOptions>) => AsyncIterable<StreamItem<Event>>;

/** A connection of a stream is open. */
interface StreamOpen {
    readonly kind: 'open';
    /** Filter words that no table has: their events never come. */
    readonly notes: readonly string[];
}

/** The service failed or was not reached. */
declare class UpstreamError extends MacroError {
    readonly name = "UpstreamError";
    constructor(...[message, details]: Details);
}

/** A question, an option or a body is wrong: asking it again changes nothing. */
declare class UsageError extends MacroError {
    readonly name = "UsageError";
    constructor(...[message, details]: Details);
}

/** A signature does not hold. */
declare class VerificationError extends MacroError {
    readonly name = "VerificationError";
    constructor(...[message, details]: Details);
}

/** A delivery that is what it says. */
interface VerifiedWebhook {
    /** Id of the event. A delivery may come twice: take each id once. */
    readonly id: string;
    /** Kind of the event, such as `announcement`. */
    readonly event: string | undefined;
    /** Id of this delivery. */
    readonly deliveryId: string | undefined;
    /** The event is generated data. */
    readonly synthetic: boolean;
    /** The whole body. */
    readonly body: Readonly<Record<string, unknown>>;
}

/** Additional options of iterations over pages. */
interface WalkOptions {
    /** Rows of a partial answer are given too. Without it, such an answer throws an IncompleteError before its rows. */
    readonly allowPartial?: boolean;
}

/** Deliveries to the webhooks of a key, newest first, of the last 30 days: the whole answer. */
interface WebhookDeliveriesBody {
    readonly count?: number;
    readonly data: readonly WebhookDeliveriesRow[];
}

/** Deliveries to the webhooks of a key, newest first, of the last 30 days: what is asked. */
interface WebhookDeliveriesQuery {
    /** id of a subscription */ readonly subscription_id?: string;
    /** how far a delivery is */ readonly status?: 'pending' | 'retrying' | 'succeeded' | 'failed';
    /** number of deliveries */ readonly limit?: number;
}

/** Deliveries to the webhooks of a key, newest first, of the last 30 days: one row. */
interface WebhookDeliveriesRow {
    /** subscription and event, joined by an underscore */ readonly id: string;
    readonly subscription_id: string;
    readonly event_id: string;
    /** announcement */ readonly event?: string;
    /** pending, retrying, succeeded or failed */ readonly status: string;
    readonly attempt_count?: number;
    readonly last_status_code?: number | null;
    readonly last_error?: string | null;
    readonly delivered_at?: string | null;
    /** while another attempt follows */ readonly next_attempt_at?: string;
}

/** A delivery as it arrived. */
interface WebhookRequest {
    readonly headers: GivenHeaders;
    /** The exact bytes, or their text, before anything parsed them. */
    readonly body: Uint8Array | string;
    /** The signing secret; during a rotation the old one and the new one. */
    readonly secret: string | readonly string[];
    /** The current time. Default: the clock of this machine. */
    readonly now?: Date;
}

/** Makes a new signing secret, in force from the next attempt on, and tells it once */
interface WebhookRotateSecretPostAnswer {
    /** sub_ and lower-case base32 */ readonly id: string;
    /** public https address */ readonly url?: string;
    /** active or disabled */ readonly status?: string;
    readonly events?: readonly string[];
    readonly currencies?: readonly string[] | null;
    readonly indicators?: readonly string[] | null;
    readonly description?: string | null;
    /** deliveries that failed for good */ readonly failure_count?: number;
    /** since the last success */ readonly consecutive_failure_count?: number;
    readonly success_count?: number;
    readonly created_at?: string;
    readonly updated_at?: string | null;
    readonly disabled_at?: string | null;
    readonly disabled_reason?: string | null;
    /** whsec_ and 64 hex digits */ readonly signing_secret: string;
}

/** A new signing secret of a subscription: what is asked. */
interface WebhookRotateSecretQuery {
    /** id of a subscription */ readonly subscription_id: string;
}

/** One webhook subscription */
interface WebhookSubscriptionBody {
    /** sub_ and lower-case base32 */ readonly id: string;
    /** public https address */ readonly url: string;
    /** active or disabled */ readonly status: string;
    readonly events: readonly string[];
    readonly currencies?: readonly string[] | null;
    readonly indicators?: readonly string[] | null;
    readonly description?: string | null;
    /** deliveries that failed for good */ readonly failure_count?: number;
    /** since the last success */ readonly consecutive_failure_count?: number;
    readonly success_count?: number;
    readonly created_at?: string;
    readonly updated_at?: string | null;
    readonly disabled_at?: string | null;
    readonly disabled_reason?: string | null;
}

/** The body that is sent. */
interface WebhookSubscriptionPatch {
    /** public https address that events are posted to */ readonly url?: string;
    readonly events?: readonly 'announcement'[];
    /** codes, in any letter case */ readonly currencies?: readonly string[] | null;
    /** slugs, in any letter case */ readonly indicators?: readonly string[] | null;
    readonly description?: string | null;
    readonly status?: 'active' | 'disabled';
}

/** Changes a subscription; status active resumes its deliveries, disabled stops them */
interface WebhookSubscriptionPatchAnswer {
    /** sub_ and lower-case base32 */ readonly id: string;
    /** public https address */ readonly url: string;
    /** active or disabled */ readonly status: string;
    readonly events: readonly string[];
    readonly currencies?: readonly string[] | null;
    readonly indicators?: readonly string[] | null;
    readonly description?: string | null;
    /** deliveries that failed for good */ readonly failure_count?: number;
    /** since the last success */ readonly consecutive_failure_count?: number;
    readonly success_count?: number;
    readonly created_at?: string;
    readonly updated_at?: string | null;
    readonly disabled_at?: string | null;
    readonly disabled_reason?: string | null;
}

/** One webhook subscription: what is asked. */
interface WebhookSubscriptionQuery {
    /** id of a subscription */ readonly subscription_id: string;
}

/** Webhook subscriptions of a key, newest first: the whole answer. */
interface WebhookSubscriptionsBody {
    readonly count?: number;
    readonly data: readonly WebhookSubscriptionsRow[];
}

/** The body that is sent. */
interface WebhookSubscriptionsPost {
    /** public https address that events are posted to */ readonly url: string;
    readonly events?: readonly 'announcement'[];
    /** codes, in any letter case */ readonly currencies?: readonly string[] | null;
    /** slugs, in any letter case */ readonly indicators?: readonly string[] | null;
    readonly description?: string | null;
}

/** Subscribes an address to releases; tells its signing secret once */
interface WebhookSubscriptionsPostAnswer {
    /** sub_ and lower-case base32 */ readonly id: string;
    /** public https address */ readonly url?: string;
    /** active or disabled */ readonly status?: string;
    readonly events?: readonly string[];
    readonly currencies?: readonly string[] | null;
    readonly indicators?: readonly string[] | null;
    readonly description?: string | null;
    /** deliveries that failed for good */ readonly failure_count?: number;
    /** since the last success */ readonly consecutive_failure_count?: number;
    readonly success_count?: number;
    readonly created_at?: string;
    readonly updated_at?: string | null;
    readonly disabled_at?: string | null;
    readonly disabled_reason?: string | null;
    /** whsec_ and 64 hex digits */ readonly signing_secret: string;
}

/** Webhook subscriptions of a key, newest first: what is asked. */
interface WebhookSubscriptionsQuery {
}

/** Webhook subscriptions of a key, newest first: one row. */
interface WebhookSubscriptionsRow {
    /** sub_ and lower-case base32 */ readonly id: string;
    /** public https address */ readonly url: string;
    /** active or disabled */ readonly status: string;
    readonly events: readonly string[];
    readonly currencies?: readonly string[] | null;
    readonly indicators?: readonly string[] | null;
    readonly description?: string | null;
    /** deliveries that failed for good */ readonly failure_count?: number;
    /** since the last success */ readonly consecutive_failure_count?: number;
    readonly success_count?: number;
    readonly created_at?: string;
    readonly updated_at?: string | null;
    readonly disabled_at?: string | null;
    readonly disabled_reason?: string | null;
}

/** Changes something at the service. */
type WriteMethod<Args, Sent, Written> = (...parameters: Sent extends undefined ? [args: Args, body?: undefined, options?: CallOptions] : [args: Args, body: Sent, options?: CallOptions]) => Promise<Written>;

/**
 * Starts a server that answers like the service, for tests of a client. It listens on 127.0.0.1, its clock stands still, and
 * everything that it writes is gone when it is closed.
 */
declare function createMacroServer(options?: MacroServerOptions): Promise<MacroServer>;

/**
 * A client of a service, with a method for each endpoint. It checks every answer against the interface, tries again what may
 * pass by itself, and never sends a key to another origin. Nothing is asked before the first call.
 *
 * @throws A UsageError or an AuthError for an address or a key that cannot be one.
 */
declare function createServiceClient(options: ServiceOptions): MacroClient;

/**
 * Follows the release events of a service. It reconnects by itself and continues after the last received event. Where
 * events may be missing it gives a `gap`: then ask the method `announcementsChanges` for them.
 */
declare function followEvents(options: FollowEventsOptions): AsyncIterable<StreamItem<StreamEventsRow>>;

/**
 * Opens a mirror for reading: a file, or the address of a PostgreSQL server. No service is asked. If parts of an answer
 * are missing, its `mirror` says so.
 *
 * @throws A MirrorError or a NotFoundError where there is no mirror that can be read.
 */
declare function openReadMirror(path: string, options?: OpenMirrorOptions): Promise<ReadMirror>;

/**
 * Checks that a webhook was signed with the secret, within five minutes of now. Answer with 2xx once the event is
 * stored, and with 401 when this throws.
 *
 * @throws A VerificationError whose `code` names the reason.
 */
declare function verifyWebhookRequest(delivery: WebhookRequest): VerifiedWebhook;

export { AnnouncementsBody, AnnouncementsChangesBody, AnnouncementsChangesQuery, AnnouncementsChangesRow, AnnouncementsLatestBody, AnnouncementsLatestQuery, AnnouncementsLatestRow, AnnouncementsQuery, AnnouncementsRecentBody, AnnouncementsRecentQuery, AnnouncementsRecentRow, AnnouncementsRecentSeriesBody, AnnouncementsRecentSeriesQuery, AnnouncementsRecentSeriesRow, AnnouncementsRow, Answer, ArgsAndOptions, AuthError, CalendarBody, CalendarCoverageBody, CalendarCoverageQuery, CalendarCoverageRow, CalendarQuery, CalendarRow, CalendarSnapshotBody, CalendarSnapshotQuery, CalendarSnapshotRow, CalendarVersionsBody, CalendarVersionsQuery, CalendarVersionsRow, CallOptions, CapabilitiesBody, CapabilitiesQuery, CapabilitiesRow, CommoditiesBody, CommoditiesLatestBody, CommoditiesLatestQuery, CommoditiesLatestRow, CommoditiesQuery, CommoditiesRow, CotBody, CotQuery, CotRow, CoverageMatrixBody, CoverageMatrixQuery, CoverageMatrixRow, CoveredRange, CurvesBody, CurvesQuery, CurvesRow, DataCatalogueBody, DataCatalogueQuery, DataCatalogueRow, DataQuality, FactorsBody, FactorsQuery, FactorsRow, FaultRule, FinancialPricesBody, FinancialPricesQuery, FinancialPricesRow, FollowEventsOptions, ForexBody, ForexQuery, ForexRow, FreemiumDelay, FreemiumWindow, FxIntradayReferenceRatesBody, FxIntradayReferenceRatesQuery, FxIntradayReferenceRatesRow, FxReferenceRatesBody, FxReferenceRatesQuery, FxReferenceRatesRow, FxSessionRatesBody, FxSessionRatesQuery, FxSessionRatesRow, FxSourceUniverseBody, FxSourceUniverseQuery, FxSourceUniverseRow, FxSourcesBody, FxSourcesQuery, FxSourcesRow, GivenHeaders, GivenSeries, HealthBody, HealthQuery, IncompleteError, InterruptedError, LatestAnnouncementsBody, LatestAnnouncementsQuery, LatestAnnouncementsRow, LatestAnnouncementsSeriesBody, LatestAnnouncementsSeriesQuery, LatestAnnouncementsSeriesRow, MacroClient, MacroError, MacroServer, MacroServerOptions, MarketSessionsBody, MarketSessionsQuery, MarketSessionsRow, Method, MirrorCallOptions, MirrorError, MirrorMark, MirroredSeries, Missing, NotFoundError, OpenMirrorOptions, PagedMethod, PartialMark, PingBody, PingQuery, PredictionVintagesBody, PredictionVintagesQuery, PredictionVintagesRow, PredictionsBody, PredictionsCoverageBody, PredictionsCoverageCurrencyBody, PredictionsCoverageCurrencyQuery, PredictionsCoverageCurrencyRow, PredictionsCoverageQuery, PredictionsCoverageRow, PredictionsQuery, PredictionsRow, PressReleasesBody, PressReleasesQuery, PressReleasesRow, ProtocolError, Provenance, QuestionMethods, QuotaError, RateDifferentialsBody, RateDifferentialsQuery, RateDifferentialsRow, ReadMirror, ReleaseToMakeUp, ResearchPanelBody, ResearchPanelQuery, ResearchPanelRow, RiskSentimentBody, RiskSentimentChangesBody, RiskSentimentChangesQuery, RiskSentimentChangesRow, RiskSentimentQuery, RiskSentimentRow, SeenRequest, ServerClock, ServerKey, ServiceMethods, ServiceOptions, SettlementBody, SettlementContractBody, SettlementContractQuery, SettlementContractsBody, SettlementContractsQuery, SettlementContractsRow, SettlementKeysBody, SettlementKeysQuery, SettlementKeysRow, SettlementQuery, StreamEventItem, StreamEventsQuery, StreamEventsRow, StreamGap, StreamItem, StreamLost, StreamMethod, StreamOpen, UpstreamError, UsageError, VerificationError, VerifiedWebhook, WalkOptions, WebhookDeliveriesBody, WebhookDeliveriesQuery, WebhookDeliveriesRow, WebhookRequest, WebhookRotateSecretPostAnswer, WebhookRotateSecretQuery, WebhookSubscriptionBody, WebhookSubscriptionPatch, WebhookSubscriptionPatchAnswer, WebhookSubscriptionQuery, WebhookSubscriptionsBody, WebhookSubscriptionsPost, WebhookSubscriptionsPostAnswer, WebhookSubscriptionsQuery, WebhookSubscriptionsRow, WriteMethod, createMacroServer, createServiceClient as createClient, followEvents, openReadMirror as openMirror, verifyWebhookRequest as verifyWebhook };
