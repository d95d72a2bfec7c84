import { DATA_QUALITY } from '../../contract/answer-members.ts';
import { defineEndpoint } from '../../contract/endpoint.ts';
import { listAt } from '../../contract/json/body.ts';
import * as s from '../../contract/json/schema.ts';
import { integerColumn, textField } from '../../contract/mapping.ts';
import { paged } from '../../contract/paging.ts';
import { datesInOrder, knownByNow, selects } from '../../contract/params/param.ts';
import { choices, currency, dateParam, instant, optional, slug } from '../../contract/params/params.ts';
import { CALENDAR_CURRENCIES, INDICATORS } from '../../contract/words/words.ts';
import { composeSnapshot } from '../../derive/calendar/versions.ts';
import { checkpointPagination, EVENT_KINDS, IMPORTANCES, versionRow } from './version-fields.ts';

export default defineEndpoint({
  id: 'calendar_snapshot',
  path: '/v1/calendar/{currency}/snapshot',
  group: 'calendar',
  at: { currency: currency('currency of the events', CALENDAR_CURRENCIES, 422) },
  query: {
    as_of: instant('instant at which the schedule was known: a date, an ISO date-time or Unix seconds'),
    start_date: optional(dateParam('first UTC date of the scheduled times')),
    end_date: optional(dateParam('last UTC date of the scheduled times')),
    indicator: optional(slug('one indicator', INDICATORS)),
    importance: optional(choices('importance of the events', IMPORTANCES, { all: false })),
    event_kind: optional(choices('kinds of event', EVENT_KINDS, { all: false })),
  },
  checks: [datesInOrder, knownByNow],
  access: { class: 'keyed' },
  paging: paged('checkpoint', 100, 20),
  body: listAt('data'),
  row: versionRow,
  envelope: s.object({
    currency: s.string(),
    'as_of?': s.dateTime(),
    'checkpoint?': s.string('names the state that all pages of a walk see'),
    'filters?': s.mapOf(s.open, 'the asked parameters; null when not asked'),
    'data_quality?': DATA_QUALITY,
    'pagination?': checkpointPagination,
  }),
  // What was known in the past never changes.
  provisional: 'parameters and rows',
  fresh: 10 * 365 * 86_400,
  mirror: {
    table: 'calendar_snapshots',
    scope: ['currency', 'as_of'],
    key: [
      // Events without a time come last.
      { ...integerColumn('announcement_datetime'), otherwise: Number.MAX_SAFE_INTEGER },
      { ...textField('archive_event_id'), otherwise: '' },
    ],
    order: 'oldest',
    columns: [],
    effects: {
      start_date: selects,
      end_date: selects,
      indicator: selects,
      importance: selects,
      event_kind: selects,
    },
    sync: { kind: 'pages' },
  },
  cli: {
    words: ['calendar', 'snapshot'],
    columns: [
      'announcement_datetime',
      'release',
      'name',
      'schedule_status',
      'event_importance',
      'version',
      'captured_at',
    ],
    spare: ['captured_at', 'name', 'version', 'event_importance'],
    examples: [
      'calendar snapshot usd --as-of 2026-11-01',
      'calendar snapshot eur --as-of 2026-11-01 --importance high --format json',
    ],
  },
  compose: composeSnapshot,
  doc: {
    summary: 'Release schedule as it was known at an instant',
    example: { currency: 'EUR' },
    exampleQuery: { as_of: '2026-11-01' },
  },
});
