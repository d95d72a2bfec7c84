import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { deriveCalendar } from '../../derive/calendar/calendar.ts';
import { eventMembers } from './version-fields.ts';

/** Members that hold what the clock shows in the asked zone. */
const LOCAL_TIMES = {
  rows: ['announcement_datetime_local', 'announcement_datetime_requested_timezone'],
  beside: ['timezone', 'requested_timezone'],
} as const;

export default c.defineEndpoint({
  id: 'calendar',
  path: '/v1/calendar/{currency}',
  group: 'calendar',
  at: { currency: c.currency('currency of the releases', c.CALENDAR_CURRENCIES, 422) },
  query: {
    indicator: c.optional(c.slug('one indicator', c.INDICATORS)),
    start_date: c.optional(c.dateParam('first UTC date of the releases; default: those still ahead')),
    end_date: c.optional(c.dateParam('last UTC date of the releases')),
    timezone: c.optional(c.zone('IANA zone of the local times')),
  },
  checks: [c.datesInOrder],
  access: { class: 'usd' },
  body: c.listAt('data'),
  required: ['currency'],
  row: s.object({
    calendar_event_id: s.string(),
    announcement_datetime: s.integer('release time, Unix seconds'),
    release: s.string('indicator slug'),
    'name?': s.string(),
    'announcement_datetime_utc?': s.string(),
    'announcement_datetime_local?': s.string('with offset'),
    'announcement_datetime_requested_timezone?': s.string('the same, when a zone was asked'),
    ...eventMembers,
  }),
  envelope: s.object({
    currency: s.string(),
    'timezone?': s.string('zone of announcement_datetime_local'),
    'requested_timezone?': s.string(),
    'indicator?': s.string(),
    'covered_releases?': s.array(
      s.object({ indicator: s.string(), from: s.string(), to: s.string() }),
      'what imported calendar files cover',
    ),
    ...c.WINDOW_MEMBERS,
    'data_quality?': c.DATA_QUALITY,
  }),
  echo: ['currency'],
  provisional: 'the zone of local times',
  fresh: 3600,
  mirror: {
    table: 'calendar',
    scope: ['currency'],
    key: [c.integerColumn('announcement_datetime'), c.textField('calendar_event_id')],
    order: 'oldest',
    columns: [c.textField('release')],
    window: { column: 'announcement_datetime', unit: 'unix', from: 'start_date', to: 'end_date', opens: 'now' },
    effects: { indicator: c.selectsBy('release'), timezone: c.adds(LOCAL_TIMES) },
    dependent: ['announcement_datetime_local', 'announcement_datetime_requested_timezone'],
    sync: { kind: 'window' },
  },
  cli: {
    words: ['calendar'],
    columns: ['announcement_datetime_local', 'release', 'name', 'event_importance', 'reference_period', 'source'],
    spare: ['source', 'name', 'reference_period', 'event_importance'],
    examples: ['calendar usd', 'calendar usd --indicator inflation --timezone Europe/London'],
  },
  // If a release has two times, the later record wins.
  tellsHistory: () => true,
  derive: deriveCalendar,
  doc: {
    summary: 'Upcoming releases with their times',
    example: { currency: 'USD' },
    files: 'macro import calendar --help',
  },
});
