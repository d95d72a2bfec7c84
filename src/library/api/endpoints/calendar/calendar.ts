// Made from the endpoints by npm run gen. Do not edit.
import type { DataQuality } from '../shared-members.ts';

/** Upcoming releases with their times: what is asked. */
export interface CalendarQuery {
  /** currency of the releases */ readonly currency: string;
  /** one indicator */ readonly indicator?: string;
  /** first UTC date of the releases; default: those still ahead */ readonly start_date?: string;
  /** last UTC date of the releases */ readonly end_date?: string;
  /** IANA zone of the local times */ readonly timezone?: string;
}

/** Upcoming releases with their times: one row. */
export interface CalendarRow {
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

/** Upcoming releases with their times: the whole answer. */
export interface CalendarBody {
  readonly currency: string;
  /** zone of announcement_datetime_local */ readonly timezone?: string;
  readonly requested_timezone?: string;
  readonly indicator?: string;
  readonly start_date?: string;
  readonly end_date?: string;
  readonly data_quality?: DataQuality;
  readonly data: readonly CalendarRow[];
}
