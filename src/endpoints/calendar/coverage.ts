import { defineEndpoint } from '../../contract/endpoint.ts';
import { listAt } from '../../contract/json/body.ts';
import * as s from '../../contract/json/schema.ts';
import { textField, wholeList } from '../../contract/mapping.ts';
import { changes, datesInOrder } from '../../contract/params/param.ts';
import { currency, dateParam, optional, slug } from '../../contract/params/params.ts';
import { CALENDAR_CURRENCIES, INDICATORS } from '../../contract/words/words.ts';
import { composeCoverage } from '../../derive/calendar/archive.ts';

export default defineEndpoint({
  id: 'calendar_coverage',
  path: '/v1/calendar/{currency}/coverage',
  group: 'calendar',
  at: { currency: currency('currency of the archive', CALENDAR_CURRENCIES, 422) },
  query: {
    indicator: optional(slug('one indicator', INDICATORS)),
    start_date: optional(dateParam('first UTC date of the captures')),
    end_date: optional(dateParam('last UTC date of the captures')),
  },
  checks: [datesInOrder],
  access: { class: 'keyed' },
  body: listAt('capture_gaps'),
  row: s.object({
    gap_start: s.dateTime('last look before the gap'),
    'gap_end?': s.nullable(s.dateTime('first look after it')),
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
  mirror: wholeList({
    table: 'calendar_gaps',
    scope: ['currency'],
    key: [textField('gap_start')],
    // It counts again over the whole archive, which its rows do not show.
    effects: { indicator: changes, start_date: changes, end_date: changes },
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
