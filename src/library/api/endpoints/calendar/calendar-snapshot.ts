// Made from the endpoints by npm run gen. Do not edit.
import type { DataQuality } from '../shared-members.ts';

/** The schedule as it was known at an instant: what is asked. */
export interface CalendarSnapshotQuery {
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

/** The schedule as it was known at an instant: one row. */
export interface CalendarSnapshotRow {
  /** event of the archive; stays when the event moves */ readonly archive_event_id: string;
  /** from 1 */ readonly version: number;
  /** since when the version is known to have held */ readonly captured_at?: string;
  /** created, rescheduled, details_changed, confirmed or cancelled */ readonly change_type?: string;
  /** scheduled, tentative, cancelled or released */ readonly schedule_status?: string;
  /** release, decision, auction, speech or other */ readonly event_kind?: string;
  readonly content_sha256?: string;
  /** id in the calendar; holds the time and so changes with it */ readonly calendar_event_id?: string;
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

/** The schedule as it was known at an instant: the whole answer. */
export interface CalendarSnapshotBody {
  readonly currency: string;
  readonly as_of?: string;
  /** names the state that all pages of a walk see */ readonly checkpoint?: string;
  readonly filters?: Readonly<Record<string, unknown>>;
  readonly data_quality?: DataQuality;
  readonly pagination?: { readonly limit?: number; readonly returned_count?: number; readonly has_more: boolean; /** ask with it as `cursor`, and with the same checkpoint */ readonly next_cursor?: string; };
  readonly data: readonly CalendarSnapshotRow[];
}
