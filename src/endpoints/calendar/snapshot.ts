import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { composeSnapshot } from '../../derive/calendar/versions.ts';
import { checkpointPagination, EVENT_KINDS, IMPORTANCES, versionRow } from './version-fields.ts';

export default c.defineEndpoint({
  id: 'calendar_snapshot',
  path: '/v1/calendar/{currency}/snapshot',
  group: 'calendar',
  at: { currency: c.currency('currency of the events', c.CALENDAR_CURRENCIES, 422) },
  query: {
    as_of: c.instant('instant at which the schedule was known: a date, an ISO date-time or Unix seconds'),
    start_date: c.optional(c.dateParam('first UTC date of the scheduled times')),
    end_date: c.optional(c.dateParam('last UTC date of the scheduled times')),
    indicator: c.optional(c.slug('one indicator', c.INDICATORS)),
    importance: c.optional(c.choices('importance of the events', IMPORTANCES, { all: false })),
    event_kind: c.optional(c.choices('kinds of event', EVENT_KINDS, { all: false })),
  },
  checks: [c.datesInOrder],
  access: { class: 'keyed' },
  paging: c.paged('checkpoint', 100, 20),
  body: c.listAt('data'),
  row: versionRow,
  envelope: s.object({
    currency: s.string(),
    'as_of?': s.dateTime(),
    'checkpoint?': s.string('names the state that all pages of a walk see'),
    'filters?': s.mapOf(s.open, 'the asked parameters; null when not asked'),
    'data_quality?': c.DATA_QUALITY,
    'pagination?': checkpointPagination,
  }),
  // The state of the past never changes.
  provisional: 'parameters and rows',
  fresh: 10 * 365 * 86_400,
  mirror: {
    table: 'calendar_snapshots',
    scope: ['currency', 'as_of'],
    key: [
      // Events without a time come last.
      { ...c.integerColumn('announcement_datetime'), otherwise: Number.MAX_SAFE_INTEGER },
      { ...c.textField('archive_event_id'), otherwise: '' },
    ],
    order: 'oldest',
    columns: [],
    effects: {
      start_date: c.selects,
      end_date: c.selects,
      indicator: c.selects,
      importance: c.selects,
      event_kind: c.selects,
    },
    sync: { kind: 'pages' },
  },
  cli: {
    words: ['calendar', 'snapshot'],
    columns: c.wordList('announcement_datetime release name schedule_status event_importance version captured_at'),
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
