import { SOURCE_MEMBERS } from '../../contract/answer-members.ts';
import * as s from '../../contract/json/schema.ts';

export const IMPORTANCES = ['high', 'medium', 'low'] as const;
export const EVENT_KINDS = ['release', 'decision', 'auction', 'speech', 'other'] as const;

/** Members of a scheduled release, whoever shows it. */
export const eventMembers = {
  'release_date_confirmed?': s.boolean(),
  'event_importance?': s.string('high, medium or low'),
  'market_tier?': s.integer(),
  'top_tier_for_currency?': s.boolean(),
  ...SOURCE_MEMBERS,
  'reference_period?': s.string(),
  'date?': s.date('end of the reference period'),
} as const;

/** Members of the calendar and of the archive. See docs/interface-endpoints.md#calendar-versions. */
export const versionRow = s.object({
  archive_event_id: s.string('event of the archive; stays when the event moves'),
  version: s.integer('from 1'),
  'captured_at?': s.dateTime('since when the version is known to be in force'),
  'change_type?': s.string('created, rescheduled, details_changed, confirmed or cancelled'),
  'schedule_status?': s.string('scheduled, tentative, cancelled or released'),
  'event_kind?': s.string('release, decision, auction, speech or other'),
  'release_stage?': s.nullable(s.string()),
  'content_sha256?': s.string(),
  'calendar_event_id?': s.string('id in the calendar; contains the time and so changes with it'),
  'announcement_datetime?': s.nullable(s.integer('scheduled time, Unix seconds')),
  'release?': s.string('indicator slug'),
  'name?': s.string(),
  'announcement_datetime_utc?': s.string(),
  'announcement_datetime_local?': s.string('with offset'),
  ...eventMembers,
});

export const checkpointPagination = s.object({
  'limit?': s.integer(),
  'returned_count?': s.integer(),
  has_more: s.boolean(),
  'next_cursor?': s.string('ask with it as `cursor`, and with the same checkpoint'),
});
