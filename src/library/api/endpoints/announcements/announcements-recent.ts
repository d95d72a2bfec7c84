// Made from the endpoints by npm run gen. Do not edit.
import type { FreemiumDelay, FreemiumWindow } from '../shared-members.ts';

/** Newest releases of a currency, all indicators together: what is asked. */
export interface AnnouncementsRecentQuery {
  /** currency of the indicators */ readonly currency: string;
  /** rows a page */ readonly limit?: number;
  /** rows to skip, newest first */ readonly offset?: number;
  /** page number from 1; beats offset */ readonly page?: number;
}

/** Newest releases of a currency, all indicators together: one row. */
export interface AnnouncementsRecentRow {
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
  readonly vintage_status?: string;
  readonly revisions?: readonly ({ readonly val: number | null; /** publication time, Unix seconds */ readonly epoch?: number; readonly change?: number | null; /** when the service captured it */ readonly observed_at_ns?: number; readonly observed_at_ns_string?: string; readonly is_first_release?: boolean; readonly vintage_status?: string; })[];
  /** an empty window shows the newest row before it */ readonly outside_requested_window?: boolean;
  readonly returned_reason?: string;
  /** days from the row to the start of the window */ readonly staleness_days?: number;
  /** with as_of: when the value became known */ readonly selected_vintage_known_at_ns?: string;
  /** why val is null: ambiguous, when several values claim the same moment */ readonly reason?: string;
  /** with as_of: the time is the publisher’s own or the service’s capture */ readonly replay_vintage_verified?: boolean;
}

/** Newest releases of a currency, all indicators together: the whole answer. */
export interface AnnouncementsRecentBody {
  readonly currency: string;
  /** newest date visible to the caller */ readonly as_of?: string;
  /** rows of this page */ readonly count: number;
  readonly freemium_window?: FreemiumWindow;
  readonly freemium_delay?: FreemiumDelay;
  readonly data: readonly AnnouncementsRecentRow[];
}
