import { WINDOW_MEMBERS } from '../../contract/answer-members.ts';
import { dateWindowParams, defineEndpoint } from '../../contract/endpoint.ts';
import { listAt } from '../../contract/json/body.ts';
import * as s from '../../contract/json/schema.ts';
import { dateWindow as byDate, integerColumn, real, textField } from '../../contract/mapping.ts';
import { offset } from '../../contract/paging.ts';
import { baseDiffersFromQuote, orders, windowInOrder } from '../../contract/params/param.ts';
import { choice, dateParam, optional, withDefault } from '../../contract/params/params.ts';
import { ORDERS, UNSTATED } from '../../derive/fx/observations.ts';
import { composeSession, SESSION, SESSION_NAMES } from '../../derive/fx/session.ts';
import { originFields, pairArguments, priceFields, sourceCoverage, sourceField } from './fields.ts';

const minutes = s.number('minutes from the observation to the close');

export default defineEndpoint({
  id: SESSION,
  path: '/v1/fx/session-rates/{base}/{quote}',
  group: 'fx reference rates',
  at: pairArguments,
  query: {
    session: choice('trading session', SESSION_NAMES, { anyCase: true }),
    date: optional(dateParam('one date instead of a window')),
    ...dateWindowParams(),
    order: withDefault(choice('order of the rows', ORDERS), 'date_asc'),
  },
  checks: [windowInOrder, baseDiffersFromQuote],
  access: { class: 'keyed' },
  paging: offset({ size: 100, page: true }),
  versioned: true,
  body: listAt('data'),
  row: s.object({
    date: s.date('date of the session, where it is held'),
    'session?': s.string(),
    session_close_utc: s.dateTime(),
    timestamp_utc: s.dateTime('when the source made or published the rate'),
    timestamp_type: s.string('fixing or published'),
    'timestamp_assumed?': s.boolean('the time is the usual one of the publisher, not a stated one'),
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
    ...WINDOW_MEMBERS,
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
    key: [textField('date')],
    order: 'oldest',
    columns: [
      integerColumn('timestamp_utc'),
      integerColumn('session_close_utc'),
      integerColumn('staleness_minutes'),
      textField('timestamp_type'),
      real('price'),
      real('val'),
      textField('source_id', 'source.id'),
      { ...textField('source_pair'), otherwise: UNSTATED },
      integerColumn('is_derived'),
      textField('derivation_method'),
    ],
    window: { ...byDate(), only: 'date' },
    effects: { order: orders },
    variants: SESSION_NAMES.map((session) => ({ session })),
    extent: { from: '2023-01-01', rowsPerYear: 260 },
    sync: { kind: 'history', revisionDays: 14 },
  },
  compose: composeSession,
  cli: {
    words: ['fx', 'session'],
    columns: [
      'date',
      'session_close_utc',
      'price',
      'staleness_minutes',
      'timestamp_utc',
      'timestamp_type',
      'source.id',
    ],
    spare: ['source.id', 'timestamp_type', 'timestamp_utc'],
    spark: 'price',
    examples: ['fx session eur usd --session london', 'fx session usd jpy --session tokyo --start -90d --format csv'],
  },
  doc: {
    summary: 'Last published rate of a pair before each close of a trading session',
    description:
      'Not a market price at the close: an official observation and its age, at most a week. Direct observations only. A ' +
      'session that has not closed yet has no row. Times of imported rates are assumed, see the reference rates.',
    example: { base: 'EUR', quote: 'USD' },
    exampleQuery: { session: 'london' },
  },
  provisional: 'the members beside the rows; which dates are left out',
});
