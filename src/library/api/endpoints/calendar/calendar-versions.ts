// Made from the endpoints by npm run gen. Do not edit.
import type { DataQuality } from '../shared-members.ts';

/** Every version of the schedule of one event: what is asked. */
export interface CalendarVersionsQuery {
  /** currency of the event */ readonly currency: string;
  /** event of the archive, or the calendar id of one of its versions */ readonly archive_event_id: string;
  /** rows a page */ readonly limit?: number;
  /** checkpoint of the first answer */ readonly checkpoint?: string;
  /** next_cursor of the last answer */ readonly cursor?: string;
}

/** Every version of the schedule of one event: one row. */
export interface CalendarVersionsRow {
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

/** Every version of the schedule of one event: the whole answer. */
export interface CalendarVersionsBody {
  readonly currency: string;
  readonly archive_event_id?: string;
  /** names the state that all pages of a walk see */ readonly checkpoint?: string;
  readonly data_quality?: DataQuality;
  readonly pagination?: { readonly limit?: number; readonly returned_count?: number; readonly has_more: boolean; /** ask with it as `cursor`, and with the same checkpoint */ readonly next_cursor?: string; };
  readonly data: readonly CalendarVersionsRow[];
}
