import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { ORDERS, UNSTATED } from '../../derive/fx/observations.ts';
import { composeSession, SESSION, SESSION_NAMES } from '../../derive/fx/session.ts';
import { originFields, pairArguments, priceFields, sourceCoverage, sourceField } from './fields.ts';

const minutes = s.number('minutes from the observation to the close');

export default c.defineEndpoint({
  id: SESSION,
  path: '/v1/fx/session-rates/{base}/{quote}',
  group: 'fx reference rates',
  at: pairArguments,
  query: {
    session: c.choice('trading session', SESSION_NAMES, { anyCase: true }),
    date: c.optional(c.dateParam('one date instead of a window')),
    ...c.dateWindowParams(),
    order: c.withDefault(c.choice('order of the rows', ORDERS), 'date_asc'),
  },
  checks: [c.windowInOrder, c.baseDiffersFromQuote],
  access: { class: 'keyed' },
  paging: c.offset({ size: 100, page: true }),
  versioned: true,
  body: c.listAt('data'),
  row: s.object({
    date: s.date('date of the session, if stored'),
    'session?': s.string(),
    session_close_utc: s.dateTime(),
    timestamp_utc: s.dateTime('when the source made or published the rate'),
    timestamp_type: s.string('fixing or published'),
    'timestamp_assumed?': s.boolean('the time is the scheduled one of the publisher, not a stated one'),
    ...priceFields,
    staleness_minutes: s.integer('minutes from the observation to the close'),
    source: sourceField,
    'source_pair?': s.string(),
    ...originFields,
  }),
  envelope: s.object({
    base: s.string(),
    quote: s.string(),
    pair: s.string('BASE/QUOTE'),
    session: s.string(),
    'session_timezone?': s.string('IANA zone'),
    'session_close_local?': s.string('HH:MM on the session’s own wall'),
    ...c.WINDOW_MEMBERS,
    'coverage?': s.object({
      'staleness_minutes?': s.object(
        { 'min?': minutes, 'median?': minutes, 'max?': minutes },
        'over the whole window; nothing of an empty one',
      ),
      'sources?': s.array(sourceCoverage),
    }),
  }),
  echo: ['base', 'quote', 'session'],
  fresh: 3600,
  mirror: {
    table: 'fx_session',
    scope: ['base', 'quote', 'session'],
    key: [c.textField('date')],
    order: 'oldest',
    columns: [
      c.integerColumn('timestamp_utc'),
      c.integerColumn('session_close_utc'),
      c.integerColumn('staleness_minutes'),
      c.textField('timestamp_type'),
      c.real('price'),
      c.real('val'),
      c.textField('source_id', 'source.id'),
      { ...c.textField('source_pair'), otherwise: UNSTATED },
      c.integerColumn('is_derived'),
      c.textField('derivation_method'),
    ],
    window: { ...c.dateWindow(), only: 'date' },
    effects: { order: c.orders },
    variants: SESSION_NAMES.map((session) => ({ session })),
    extent: { from: '2023-01-01', rowsPerYear: 260 },
    sync: { kind: 'history', revisionDays: 14 },
  },
  compose: composeSession,
  cli: {
    words: ['fx', 'session'],
    columns: c.wordList('date session_close_utc price staleness_minutes timestamp_utc timestamp_type source.id'),
    spare: ['source.id', 'timestamp_type', 'timestamp_utc'],
    spark: 'price',
    examples: ['fx session eur usd --session london', 'fx session usd jpy --session tokyo --start -90d --format csv'],
  },
  doc: {
    files: 'macro import ecb',
    summary: 'Last published rate of a pair before each close of a trading session',
    description:
      'Not a market price at the close: an official observation and its age, at most a week. Direct observations only. A ' +
      'session that has not closed yet has no row. Times of imported rates are assumed, see the reference rates.',
    example: { base: 'EUR', quote: 'USD' },
    exampleQuery: { session: 'london' },
  },
  provisional: 'the members beside the rows; which dates are left out',
});
