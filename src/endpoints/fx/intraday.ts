import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { FIRST_SECOND, isoSeconds, parseInstant } from '../../contract/time/time.ts';
import { INTRADAY, UNSTATED } from '../../derive/fx/observations.ts';
import { composeIntraday } from '../../derive/fx/reference.ts';
import { originFields, pairArguments, priceFields, sourceField } from './fields.ts';

/** The service answers for a month at most. See docs/interface-endpoints.md#timed-rates. */
const LONGEST_DAYS = 31;
const DAY = 86_400;

const endTime = c.movingDefault(c.dateTimeParam('last moment of the window'), 'now', ({ now }) =>
  isoSeconds(Math.floor(now / 1000)),
);
const startTime = c.movingDefault(
  c.dateTimeParam('first moment of the window'),
  '24 hours before its end',
  ({ now, args }) => {
    const end = parseInstant(String(args.end_time)) ?? Math.floor(now / 1000);
    return isoSeconds(Math.max(end - DAY, FIRST_SECOND));
  },
);

export default c.defineEndpoint({
  id: INTRADAY,
  path: '/v1/fx/intraday-reference-rates/{base}/{quote}',
  group: 'fx reference rates',
  at: pairArguments,
  // The start follows from the end, so the end is read first.
  query: { end_time: endTime, start_time: startTime },
  checks: [c.spanWithin(LONGEST_DAYS), c.baseDiffersFromQuote],
  access: { class: 'keyed' },
  body: c.listAt('data'),
  row: s.object({
    timestamp: s.dateTime('when the source made the observation'),
    ...priceFields,
    'reference_date?': s.date(),
    timestamp_type: s.string('official_fixing or official_published'),
    source: sourceField,
    'source_pair?': s.string('the pair that was published'),
    ...originFields,
  }),
  envelope: s.object({
    pair: s.string('BASE/QUOTE'),
    start_time: s.dateTime(),
    end_time: s.dateTime(),
    'count?': s.integer(),
  }),
  fresh: 900,
  mirror: {
    table: 'fx_intraday',
    scope: ['base', 'quote'],
    key: [
      c.integerColumn('timestamp'),
      c.textField('source_id', 'source.id'),
      { ...c.textField('source_pair'), otherwise: UNSTATED },
      c.textField('timestamp_type'),
    ],
    order: 'oldest',
    columns: [
      c.real('price'),
      c.real('val'),
      c.textField('reference_date'),
      c.textField('derivation_method'),
      c.integerColumn('is_official', 'source.is_official'),
    ],
    window: { column: 'timestamp', unit: 'instant', from: 'start_time', to: 'end_time' },
    // The euro is the oldest currency with timed public rates: nothing is looked for before it.
    extent: { from: '2023-01-01', rowsPerYear: 640 },
    sync: { kind: 'spans', days: LONGEST_DAYS, revisionDays: 3, quietDays: 93, since: '1999-01-01' },
  },
  compose: composeIntraday,
  cli: {
    words: ['fx', 'intraday'],
    columns: ['timestamp', 'price', 'reference_date', 'timestamp_type', 'source.id', 'source_pair'],
    spare: ['source_pair', 'timestamp_type', 'source.id'],
    spark: 'price',
    examples: ['fx intraday eur usd', 'fx intraday eur usd --start-time -7d --format csv'],
  },
  doc: {
    files: 'macro import ecb',
    summary: 'Reference rates of a pair by the moment at which they were made',
    example: { base: 'EUR', quote: 'USD' },
  },
  provisional: 'the max span, count, val beside price, official_published',
});
