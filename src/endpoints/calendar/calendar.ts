import { DATA_QUALITY, WINDOW_MEMBERS } from '../../contract/answer-members.ts';
import { defineEndpoint } from '../../contract/endpoint.ts';
import { listAt } from '../../contract/json/body.ts';
import * as s from '../../contract/json/schema.ts';
import { integerColumn, textField } from '../../contract/mapping.ts';
import { adds, datesInOrder, selectsBy } from '../../contract/params/param.ts';
import { currency, dateParam, optional, slug, zone } from '../../contract/params/params.ts';
import { CALENDAR_CURRENCIES, INDICATORS } from '../../contract/words/words.ts';
import { deriveCalendar } from '../../derive/calendar/calendar.ts';
import { eventMembers } from './version-fields.ts';

/** Members that hold what the clock shows in the asked zone. */
const LOCAL_TIMES = {
  rows: ['announcement_datetime_local', 'announcement_datetime_requested_timezone'],
  beside: ['timezone', 'requested_timezone'],
} as const;

export default defineEndpoint({
  id: 'calendar',
  path: '/v1/calendar/{currency}',
  group: 'calendar',
  at: { currency: currency('currency of the releases', CALENDAR_CURRENCIES, 422) },
  query: {
    indicator: optional(slug('one indicator', INDICATORS)),
    start_date: optional(dateParam('first UTC date of the releases; default: those still ahead')),
    end_date: optional(dateParam('last UTC date of the releases')),
    timezone: optional(zone('IANA zone of the local times')),
  },
  checks: [datesInOrder],
  access: { class: 'usd' },
  body: listAt('data'),
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
    ...WINDOW_MEMBERS,
    'data_quality?': DATA_QUALITY,
  }),
  echo: ['currency'],
  provisional: 'the zone of local times',
  fresh: 3600,
  mirror: {
    table: 'calendar',
    scope: ['currency'],
    key: [integerColumn('announcement_datetime'), textField('calendar_event_id')],
    order: 'oldest',
    columns: [textField('release')],
    window: { column: 'announcement_datetime', unit: 'unix', from: 'start_date', to: 'end_date', opens: 'now' },
    effects: { indicator: selectsBy('release'), timezone: adds(LOCAL_TIMES) },
    dependent: ['announcement_datetime_local', 'announcement_datetime_requested_timezone'],
    sync: { kind: 'window' },
  },
  cli: {
    words: ['calendar'],
    columns: ['announcement_datetime_local', 'release', 'name', 'event_importance', 'reference_period', 'source'],
    spare: ['source', 'name', 'reference_period', 'event_importance'],
    examples: ['calendar usd', 'calendar usd --indicator inflation --timezone Europe/London'],
  },
  // If a release has two times, the one that came last holds.
  tellsHistory: () => true,
  derive: deriveCalendar,
  doc: { summary: 'Upcoming releases with their times', example: { currency: 'USD' } },
});
