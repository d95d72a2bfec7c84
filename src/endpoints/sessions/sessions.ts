import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { dateToMs } from '../../contract/time/time.ts';
import { marketSessions } from '../../derive/sessions.ts';

// The answer names moments some days before and after `at`; those have to be date-times with a year of four digits too.
const FROM = dateToMs('0001-01-08') / 1000;
const TO = dateToMs('9999-12-24') / 1000;

export default c.defineEndpoint({
  id: 'market_sessions',
  path: '/v1/market_sessions',
  group: 'market sessions and risk sentiment',
  at: {},
  query: { at: c.optional(c.instant('moment to describe; default now', { from: FROM, to: TO })) },
  access: { class: 'public' },
  body: c.listAt('sessions'),
  required: ['now_utc', 'now_unix', 'is_market_day', 'overlaps'],
  row: s.object({
    name: s.string(),
    display_name: s.string(),
    description: s.string(),
    currencies: s.strings,
    timezone: s.string('IANA zone'),
    open_utc: s.dateTime('open on the date in its zone, also on a weekend'),
    close_utc: s.dateTime('close on that date'),
    open_unix: s.integer(),
    close_unix: s.integer(),
    is_open: s.boolean(),
    'seconds_to_close?': s.nullable(s.integer('seconds until it closes')),
    'seconds_to_open?': s.nullable(s.integer('seconds until it opens next')),
  }),
  envelope: s.object({
    now_utc: s.dateTime(),
    now_unix: s.integer(),
    is_market_day: s.boolean(),
    overlaps: s.array(
      s.object({
        name: s.string(),
        'description?': s.string(),
        sessions: s.strings,
        priority: s.string(),
        notable_pairs: s.strings,
        'start_utc?': s.dateTime(),
        'end_utc?': s.dateTime(),
        start_unix: s.integer(),
        end_unix: s.integer(),
        is_active: s.boolean(),
        'seconds_to_start?': s.nullable(s.integer('seconds until it begins')),
        'seconds_to_end?': s.nullable(s.integer('seconds until it ends')),
        duration_hours: s.number(),
      }),
    ),
  }),
  provisional: 'the overlap of Sydney and Tokyo; which days are market days',
  fresh: 0,
  local: ({ args, now }) => marketSessions(args.at ?? now),
  cli: {
    words: ['sessions'],
    // The bounds of a date on which it stays closed would pass for its next ones.
    columns: ['display_name', 'is_open', 'seconds_to_open', 'seconds_to_close', 'timezone'],
    spare: ['timezone'],
    examples: ['sessions', 'sessions --at 2026-03-09T14:00:00Z'],
  },
  doc: { summary: 'FX trading sessions and their overlaps at a moment', example: {} },
});
