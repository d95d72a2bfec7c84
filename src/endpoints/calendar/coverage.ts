import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { composeCoverage } from '../../derive/calendar/archive.ts';

export default c.defineEndpoint({
  id: 'calendar_coverage',
  path: '/v1/calendar/{currency}/coverage',
  group: 'calendar',
  at: { currency: c.currency('currency of the archive', c.CALENDAR_CURRENCIES, 422) },
  query: {
    indicator: c.optional(c.slug('one indicator', c.INDICATORS)),
    start_date: c.optional(c.dateParam('first UTC date of the captures')),
    end_date: c.optional(c.dateParam('last UTC date of the captures')),
  },
  checks: [c.datesInOrder],
  access: { class: 'keyed' },
  body: c.listAt('capture_gaps'),
  row: s.object({
    gap_start: s.dateTime('last check before the gap'),
    'gap_end?': s.nullable(s.dateTime('first check after it')),
    'duration_seconds?': s.nullable(s.integer('seconds of the gap')),
    'reason?': s.nullable(s.string()),
  }),
  envelope: s.object({
    currency: s.string(),
    'indicator?': s.string(),
    'archive_start?': s.nullable(s.dateTime()),
    'archive_end?': s.nullable(s.dateTime()),
    'event_count?': s.integer(),
    'version_count?': s.integer(),
    'capture_count?': s.integer(),
    'last_capture_at?': s.nullable(s.dateTime()),
    'coverage_quality?': s.string('complete or partial'),
    'sources?': s.array(
      s.object({
        source: s.string(),
        'first_capture_at?': s.nullable(s.dateTime()),
        'last_capture_at?': s.nullable(s.dateTime()),
        'capture_count?': s.integer(),
      }),
    ),
  }),
  provisional: 'parameters and body',
  fresh: 3600,
  mirror: c.wholeList({
    table: 'calendar_gaps',
    scope: ['currency'],
    key: [c.textField('gap_start')],
    // It counts again over the whole archive, which its rows do not show.
    effects: { indicator: c.changes, start_date: c.changes, end_date: c.changes },
  }),
  cli: {
    words: ['calendar', 'coverage'],
    columns: ['gap_start', 'gap_end', 'duration_seconds', 'reason'],
    spare: ['reason'],
    examples: ['calendar coverage eur', 'calendar coverage usd --format json'],
  },
  compose: composeCoverage,
  doc: { summary: 'Captures of a release schedule, and the gaps between them', example: { currency: 'EUR' } },
});
